"""A training run in a folder: made once from a plan, cut off at any time, taken up again by the same command."""

import copy
import json
import logging
import math
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

os.environ["YOLO_OFFLINE"] = "True"  # before ultralytics is loaded: nothing is to be fetched, not even asked for
os.environ["YOLO_AUTOINSTALL"] = "False"

import numpy as np
import torch

from calibration.arrays import Floats32
from vision.detection.network.proposals import decode_proposals, non_maximum_suppression
from vision.training.batches import augment, batch_of
from vision.training.metrics import DetectionCounts, match_truths
from vision.training.model import inference_mode, load_weights, network
from vision.training.shards import Tiles

log = logging.getLogger(__name__)
_WARM_UP = 100  # steps
_KEEP_EVERY_S = 120.0
_LEAST_SCORE = 0.3


@dataclass(frozen=True)
class Plan:
    """What a run does. Asking for more steps later goes on from where it is."""

    seed: int = 7
    tiles: int = 12_000
    steps: int = 20_000
    batch: int = 16
    rate: float = 2e-3
    last_rate: float = 4e-5
    steady: float = 0.999  # share of the running mean of the weights that each step keeps


class Run:
    """The network under training and everything needed to go on with it."""

    def __init__(self, folder: Path, plan: Plan, *, start: Path | None = None) -> None:
        self.folder, self.plan, self.step, self.seconds = folder, plan, 0, 0.0
        self.first = "random" if start is None else f"those of {start.name}"
        self.plans: list[tuple[int, int]] = []  # (until this step, how many were planned), where that changed
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = network(plan.seed)
        if start is not None:
            load_weights(self.net, start)
        self.net = self.net.to(self.device, memory_format=torch.channels_last).train()
        self.mean = copy.deepcopy(self.net).eval().requires_grad_(False)
        self.optimizer = torch.optim.AdamW(_groups(self.net), lr=plan.rate)
        folder.mkdir(parents=True, exist_ok=True)
        if self._kept.exists():
            self._take_up()

    @property
    def _kept(self) -> Path:
        return self.folder / "last.pt"

    def _take_up(self) -> None:
        kept = torch.load(self._kept, map_location=self.device, weights_only=True)
        self.step, self.seconds, self.first = kept["step"], kept["seconds"], kept.get("first", "random")
        self.plans = [(step, steps) for step, steps in kept.get("plans", ())]
        if kept.get("planned", self.plan.steps) != self.plan.steps:
            self.plans.append((self.step, kept["planned"]))
        self.net.load_state_dict(kept["net"])
        self.mean.load_state_dict(kept["mean"])
        self.optimizer.load_state_dict(kept["optimizer"])

    def keep(self) -> None:
        """Write everything down; a run that is cut off while writing keeps the file before."""
        kept = {"step": self.step, "seconds": self.seconds, "first": self.first, "net": self.net.state_dict()}
        kept |= {"planned": self.plan.steps, "plans": self.plans}
        unfinished = self._kept.with_suffix(".part")
        torch.save(kept | {"mean": self.mean.state_dict(), "optimizer": self.optimizer.state_dict()}, unfinished)
        unfinished.replace(self._kept)
        (self.folder / "plan.json").write_text(json.dumps(asdict(self.plan) | {"done": self.step}))

    def train(self, tiles: Tiles, *, seconds: float, said: Callable[[str], None]) -> None:
        """Train until the plan is done or the time is up, and keep what was reached."""
        started = kept_at = time.monotonic()
        before, loss_mean = self.seconds, math.nan
        while self.step < self.plan.steps and time.monotonic() - started < seconds:
            loss = self._one_step(tiles)
            loss_mean = loss if math.isnan(loss_mean) else 0.98 * loss_mean + 0.02 * loss
            self.seconds = before + time.monotonic() - started
            if self.step % 50 == 0:
                said(f"step {self.step} of {self.plan.steps}: loss {loss_mean:.3f}, {self.seconds / 60:.1f} min")
            if time.monotonic() - kept_at > _KEEP_EVERY_S:
                self.keep()
                kept_at = time.monotonic()
        self.keep()

    def _one_step(self, tiles: Tiles) -> float:
        for group in self.optimizer.param_groups:
            group["lr"] = _rate(self.plan, self.step)
        batch = {name: value.to(self.device) for name, value in self._batch(tiles).items()}
        batch["img"] = batch["img"].to(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, dtype=torch.bfloat16):
            answers = self.net(batch["img"])
        loss, _ = self.net.loss(batch, {name: _full(value) for name, value in answers.items()})
        self.optimizer.zero_grad(set_to_none=True)
        (loss.sum() / len(batch["img"])).backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 10.0)
        self.optimizer.step()
        self.step += 1
        self._follow()
        return float(loss.detach().sum()) / len(batch["img"])

    def _batch(self, tiles: Tiles) -> dict[str, Any]:
        """The tiles of this step: every tile once in each round, in an order of that round."""
        random = np.random.default_rng([self.plan.seed, self.step])
        chosen = []
        for k in range(self.step * self.plan.batch, (self.step + 1) * self.plan.batch):
            turn, place = divmod(k, len(tiles))
            chosen.append(augment(*tiles[int(_order(self.plan.seed, turn, len(tiles))[place])], random))
        return batch_of(chosen)

    def _follow(self) -> None:
        """Let the mean weights follow, quickly at first."""
        keep = self.plan.steady * (1 - math.exp(-self.step / 500))
        with torch.no_grad():
            for mean, now in zip(self.mean.state_dict().values(), self.net.state_dict().values(), strict=True):
                if mean.is_floating_point():
                    mean.mul_(keep).add_(now, alpha=1 - keep)


def judge(net: Any, tiles: Tiles, *, least_score: float = _LEAST_SCORE) -> DetectionCounts:
    """How the network does on tiles it was not shown."""
    total = DetectionCounts()
    device = next(net.parameters()).device
    with inference_mode(net):
        for number in range(len(tiles)):
            picture, labels = tiles[number]
            output = _answer(net, picture, labels, device)
            total += match_truths(non_maximum_suppression(decode_proposals(output, least_score=least_score)), labels)
    return total


def _answer(net: Any, picture: Any, labels: Floats32, device: Any) -> Any:
    image = batch_of([(picture, labels)])["img"].to(device)
    output = net(image)
    output = output[0] if isinstance(output, tuple) else output
    answers = output[0].float().cpu().numpy()
    answers[:2] -= 0.5  # the network counts from a pixel's corner, we from its centre
    return answers


_ORDERS: dict[tuple[int, int, int], Any] = {}


def _order(seed: int, turn: int, count: int) -> Any:
    key = (seed, turn, count)
    if key not in _ORDERS:
        _ORDERS.clear()
        _ORDERS[key] = np.random.default_rng([seed, turn, 1]).permutation(count)
    return _ORDERS[key]


def _rate(plan: Plan, step: int) -> float:
    if step < _WARM_UP:
        return plan.rate * (step + 1) / _WARM_UP
    share = (step - _WARM_UP) / max(1, plan.steps - _WARM_UP)
    return plan.last_rate + (plan.rate - plan.last_rate) * (1 + math.cos(math.pi * min(share, 1.0))) / 2


def _groups(net: Any) -> list[dict[str, Any]]:
    """Weights that decay, and scales and offsets that do not."""
    decay = [value for value in net.parameters() if value.ndim > 1]
    free = [value for value in net.parameters() if value.ndim <= 1]
    return [{"params": decay, "weight_decay": 5e-4 * 10}, {"params": free, "weight_decay": 0.0}]


def _full(value: Any) -> Any:
    if isinstance(value, list):
        return [_full(part) for part in value]
    return value.float() if isinstance(value, torch.Tensor) else value
