"""A resumable training run: weights, mean weights, optimiser, step, randomness and data cursor in one checkpoint."""

import copy
import json
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from vision.detection.network.channels import MAP_STRIDE
from vision.detection.network.instances import seen_bases
from vision.training.dense.augmentation import Sample, augment_sample
from vision.training.dense.frozen_features import FrozenFeatures
from vision.training.dense.learning_curves import LearningCurves
from vision.training.dense.losses import loss_terms, total
from vision.training.dense.network import Answering, BaseNetwork, HeadTuning, pictures_tensor
from vision.training.dense.pretrained import PretrainedNetwork
from vision.training.dense.scores import Scores
from vision.training.dense.targets import target_of
from vision.training.dense.tile_shards import GrowingTiles, Shard
from vision.training.scenes.tile import TILE_PX

_WARM_UP = 200  # steps
_KEEP_EVERY_S, _JUDGE_EVERY = 180.0, 500
_LEAST_SCORE = 0.05
TRUNKS = {"residual": BaseNetwork, "lite0": PretrainedNetwork, "frozen": HeadTuning}
_FRESH = 8  # newest shards, of which half of each batch is


@dataclass(frozen=True)
class Plan:
    """What a run does. Asking for more steps later goes on from where it is."""

    seed: int = 7
    steps: int = 60_000
    batch: int = 16
    rate: float = 2.5e-3
    last_rate: float = 5e-5
    steady: float = 0.9995  # share of the running mean of the weights that each step keeps
    trunk: str = "residual"  # one of TRUNKS


class Run:
    """The network under training and everything needed to go on with it."""

    def __init__(self, folder: Path, plan: Plan, *, start: Path | None = None) -> None:
        self.folder, self.plan, self.step, self.seconds, self.known = folder, plan, 0, 0.0, 0
        self.first = "random" if start is None else f"those of {start.name}"
        torch.manual_seed(plan.seed)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        net: Any = TRUNKS[plan.trunk]()
        if start is not None:
            net.load_state_dict(torch.load(start, map_location="cpu", weights_only=True))
        self.net = net.to(self.device, memory_format=torch.channels_last).train()
        self.mean = copy.deepcopy(self.net).eval().requires_grad_(False)
        self.optimizer = torch.optim.AdamW(_groups(self.net), lr=plan.rate, betas=(0.9, 0.99))
        self.curves = LearningCurves(folder)
        folder.mkdir(parents=True, exist_ok=True)
        if self._kept.exists():
            self._take_up()
        self._features: FrozenFeatures | None = None
        if net.early_parts:
            self._features = FrozenFeatures(folder / "features", net, seed=plan.seed, side_px=TILE_PX)

    @property
    def _kept(self) -> Path:
        return self.folder / "last.pt"

    def _take_up(self) -> None:
        kept = torch.load(self._kept, map_location=self.device, weights_only=True)
        self.step, self.seconds, self.known = kept["step"], kept["seconds"], kept["known"]
        self.first = kept.get("first", "random")
        self.net.load_state_dict(kept["net"])
        self.mean.load_state_dict(kept["mean"])
        self.optimizer.load_state_dict(kept["optimizer"])
        torch.set_rng_state(kept["rng"].cpu())

    def keep(self) -> None:
        """Write everything down; a run that is cut off while writing keeps the file before."""
        kept = {
            "step": self.step,
            "seconds": self.seconds,
            "known": self.known,
            "first": self.first,
            "rng": torch.get_rng_state(),
        }
        kept |= {"net": self.net.state_dict(), "mean": self.mean.state_dict(), "optimizer": self.optimizer.state_dict()}
        unfinished = self._kept.with_suffix(".part")
        torch.save(kept, unfinished)
        unfinished.replace(self._kept)
        (self.folder / "plan.json").write_text(json.dumps(asdict(self.plan) | {"done": self.step}))

    def train(
        self, tiles: GrowingTiles, judged_by: dict[str, list[Shard]], *, seconds: float, said: Callable[[str], None]
    ) -> None:
        """Train until the plan is done or the time is up, judging on the way, and keep what was reached."""
        started = kept_at = time.monotonic()
        before, recent = self.seconds, dict[str, float]()
        while self.step < self.plan.steps and time.monotonic() - started < seconds:
            terms = self._train_on(*self._batch(tiles))
            recent = {name: 0.98 * recent.get(name, value) + 0.02 * value for name, value in terms.items()}
            self.seconds = before + time.monotonic() - started
            if self.step % 25 == 0:
                figures = " ".join(f"{name} {value:.3f}" for name, value in recent.items())
                said(f"step {self.step} shards {self.known} {self.seconds / 60:.1f} min: {figures}")
            if self.step % _JUDGE_EVERY == 0:
                self.judge(judged_by, recent, said)
            if time.monotonic() - kept_at > _KEEP_EVERY_S:
                self.keep()
                kept_at = time.monotonic()
        self.keep()

    def _batch(self, tiles: GrowingTiles) -> tuple[list[Sample], tuple[Tensor, ...] | None]:
        """The tiles of this step, picked by its own random numbers from the ready shards, with frozen features."""
        if self.step % 10 == 0 or not self.known:
            self.known = max(self.known, tiles.refresh())
        random = np.random.default_rng([self.plan.seed, self.step])
        keys = tiles.pick(random, self.plan.batch, known=self.known, fresh=_FRESH)
        if self._features is not None:
            return self._features.batch(tiles, keys, random)
        return [augment_sample(tiles.sample(*key), random) for key in keys], None

    def one_step(self, samples: list[Sample]) -> dict[str, float]:
        """One step of the optimiser on these samples; the loss and its terms."""
        return self._train_on(samples, None)

    def _train_on(self, samples: list[Sample], features: tuple[Tensor, ...] | None) -> dict[str, float]:
        for group in self.optimizer.param_groups:
            group["lr"] = rate_at(self.plan, self.step) * group["scale"]
        maps = torch.from_numpy(np.stack([rims for _, _, rims in samples])).permute(0, 3, 1, 2).float().div_(255)
        targets = [target_of(labels, picture.shape[0]) for picture, labels, _ in samples]
        with torch.autocast(self.device.type, dtype=torch.bfloat16):
            if features is None:
                pictures = pictures_tensor([picture for picture, _, _ in samples])
                instances, said = self.net(pictures.to(self.device, memory_format=torch.channels_last))
            else:
                instances, said = self.net.late(*(part.to(self.device) for part in features))
        terms = loss_terms(instances, said, targets, maps.to(self.device))
        loss = total(terms)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimizer.step()
        self.step += 1
        self._follow()
        return {"loss": float(loss.detach()), **{name: float(value.detach()) for name, value in terms.items()}}

    def _follow(self) -> None:
        """Let the mean weights follow, quickly at first."""
        keep = self.plan.steady * (1 - math.exp(-self.step / 400))
        with torch.no_grad():
            for mean, now in zip(self.mean.state_dict().values(), self.net.state_dict().values(), strict=True):
                if mean.is_floating_point():
                    mean.mul_(keep).add_(now, alpha=1 - keep)

    def judge(self, judged_by: dict[str, list[Shard]], recent: dict[str, float], said: Callable[[str], None]) -> None:
        """Figures of the mean weights on tiles that were held out, to the curves."""
        row: dict[str, float | str] = {"step": self.step, "minutes": round(self.seconds / 60, 1), **recent}
        for name, shards in judged_by.items():
            figures = scores_of(self.mean, shards)["all"].row()
            row |= {f"{name} {key}": value for key, value in figures.items()}
            said(f"step {self.step} {name}: " + " ".join(f"{key} {value:.3f}" for key, value in figures.items()))
        self.curves.add(row)


def scores_of(net: nn.Module, shards: list[Shard]) -> dict[str, Scores]:
    """Scores of the network on shards: of all tiles, and by kind of mat."""
    scores: dict[str, Scores] = {"all": Scores()}
    answering = Answering(net).eval()
    device = next(net.parameters()).device
    for shard in shards:
        for start in range(0, len(shard), 10):
            samples = [shard[k] for k in range(start, min(start + 10, len(shard)))]
            with torch.inference_mode():
                parts = answering(pictures_tensor([picture for picture, _, _ in samples]).to(device))
            answers, maps = (part.float().cpu().numpy() for part in parts)
            for k, (_, labels, truth) in enumerate(samples):
                for name in ("all", shard.mats[start + k]):
                    score = scores.setdefault(name, Scores())
                    score.add(seen_bases(answers[k], least_score=_LEAST_SCORE), labels)
                    score.add_rims(maps[k, :2], truth[..., :2].transpose(2, 0, 1))
    return scores


def rate_at(plan: Plan, step: int) -> float:
    """The learning rate: a warm-up, then a cosine down to the last rate."""
    if step < _WARM_UP:
        return plan.rate * (step + 1) / _WARM_UP
    share = (step - _WARM_UP) / max(1, plan.steps - _WARM_UP)
    return plan.last_rate + (plan.rate - plan.last_rate) * (1 + math.cos(math.pi * min(share, 1.0))) / 2


def _groups(net: Any) -> list[dict[str, Any]]:
    """Weights that decay, and scales and offsets that do not; what came trained learns more slowly."""
    groups: dict[tuple[float, float], list[Any]] = {}
    for name, value in net.named_parameters():
        if value.requires_grad:
            groups.setdefault((net.rate_scale(name), 0.01 if value.ndim > 1 else 0.0), []).append(value)
    return [{"params": values, "scale": scale, "weight_decay": decay} for (scale, decay), values in groups.items()]


cv2.setNumThreads(1)
assert MAP_STRIDE == 2
