"""Training of the network of boxes, from nothing to a network file: draw the tiles, train, export, write the card."""

import os
from pathlib import Path
from typing import Any

os.environ["YOLO_OFFLINE"] = "True"  # before ultralytics is loaded: nothing is to be fetched, not even asked for
os.environ["YOLO_AUTOINSTALL"] = "False"

from dataclasses import dataclass

import numpy as np
import torch

from calibration.arrays import Floats32
from vision.detection.network.proposals import decode_proposals, non_maximum_suppression
from vision.training import model_card, resumable_run
from vision.training.batches import augment, batch_of
from vision.training.evaluation import judge_tables
from vision.training.metrics import DetectionCounts, match_truths
from vision.training.model import export_onnx, inference_mode, load_weights, network
from vision.training.resumable_run import ResumableRun, Say, TrainingOptions
from vision.training.shards import SHARD_TILES, Mixed, Shards, Tiles, write_shards

_LEAST_SCORE = 0.3
_KEPT_APART = 3  # shards of another seed, to judge the run while it goes


def train_network(options: TrainingOptions, *, seconds: float, say: Say) -> None:
    """The network after this much more training, in `bases.pt` and `bases.onnx` of the run's folder."""
    torch.set_num_threads(options.threads)
    workers = min(options.threads, os.cpu_count() or 1)
    shards = max(1, round(options.tiles / SHARD_TILES))
    data, seed = options.folder / "tiles", options.seed
    shown = write_shards(
        data, seed=seed, count=shards, workers=workers, said=lambda n: say(f"drawn {n} of {shards} hundred")
    )
    apart = write_shards(data, seed=seed + 1, count=_KEPT_APART, workers=workers, said=lambda _: None)
    tiles: Tiles = Shards(shown)
    if options.tables is not None:
        tiles = Mixed(tiles, options.tables)
    run = Run(options.folder, Plan(seed=seed, tiles=shards * SHARD_TILES, steps=options.steps), start=options.start)
    run.run_steps(lambda: run.train_on(tiles), seconds=seconds, say=say)
    run.save_weights()
    export_onnx(run.mean, run.folder / "bases.onnx")
    drawn = judge(run.mean, Shards(apart)).summary()
    say(f"on drawn tiles it was not shown: {drawn}")
    rendered = list(judge_tables(options.judge_by, run.folder / "bases.onnx")) if options.judge_by else []
    own = options.tables is not None
    facts = {"drawn": drawn, "rendered": model_card.rendered_text(rendered), "plans": model_card.plans_text(run.plans)}
    facts |= {"before": model_card.earlier_run(options.start), "own": ", and a user's own tables" if own else ""}
    say(f"card: {model_card.write_card(run, model_card.BOXES, **facts)}")


@dataclass(frozen=True)
class Plan(resumable_run.Plan):
    """What a run does. Asking for more steps later goes on from where it is."""

    tiles: int = 12_000


class Run(ResumableRun):
    """The network of boxes under training. `plans`: (until this step, how many were planned), where that changed."""

    def __init__(self, folder: Path, plan: Plan, *, start: Path | None = None) -> None:
        self.plan, self.plans = plan, list[tuple[int, int]]()
        net = network(plan.seed)
        if start is not None:
            load_weights(net, start)
        super().__init__(folder, plan, net, start=start)

    def groups(self) -> list[dict[str, Any]]:
        """Weights that decay, and scales and offsets that do not."""
        decay = [value for value in self.net.parameters() if value.ndim > 1]
        free = [value for value in self.net.parameters() if value.ndim <= 1]
        return [{"params": decay, "weight_decay": 5e-4 * 10}, {"params": free, "weight_decay": 0.0}]

    def facts(self) -> dict[str, Any]:
        return super().facts() | {"planned": self.plan.steps, "plans": self.plans}

    def take_up(self, kept: dict[str, Any], plan: resumable_run.Plan) -> None:
        super().take_up(kept, plan)
        self.plans = [(step, steps) for step, steps in kept.get("plans", ())]
        if kept.get("planned", plan.steps) != plan.steps:
            self.plans.append((self.step, kept["planned"]))

    def train_on(self, tiles: Tiles) -> dict[str, float]:
        """One step of the optimiser on the tiles of this step; the loss."""
        self.set_rate()
        batch = {name: value.to(self.device) for name, value in self._batch(tiles).items()}
        batch["img"] = batch["img"].to(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, dtype=torch.bfloat16):
            answers = self.net(batch["img"])
        loss, _ = self.net.loss(batch, {name: _full(value) for name, value in answers.items()})
        self.descend(loss.sum() / len(batch["img"]))
        return {"loss": float(loss.detach().sum()) / len(batch["img"])}

    def _batch(self, tiles: Tiles) -> dict[str, Any]:
        """The tiles of this step: every tile once in each round, in an order of that round."""
        random = np.random.default_rng([self.plan.seed, self.step])
        chosen = []
        for k in range(self.step * self.plan.batch, (self.step + 1) * self.plan.batch):
            turn, place = divmod(k, len(tiles))
            chosen.append(augment(*tiles[int(_order(self.plan.seed, turn, len(tiles))[place])], random))
        return batch_of(chosen)


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


def _full(value: Any) -> Any:
    if isinstance(value, list):
        return [_full(part) for part in value]
    return value.float() if isinstance(value, torch.Tensor) else value
