"""From nothing to a network file: draw the tiles, train, export. Each part that is done already is left as it is."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from vision.training import model_card
from vision.training.evaluation import judge_tables
from vision.training.model import export_onnx, save_weights
from vision.training.shards import SHARD_TILES, Mixed, Shards, Tiles, write_shards
from vision.training.train_run import Plan, Run, judge

_KEPT_APART = 3  # shards of another seed, to judge the run while it goes


@dataclass(frozen=True)
class TrainingOptions:
    """What the user asked for."""

    folder: Path
    steps: int
    tiles: int
    seed: int
    threads: int
    tables: Path | None
    start: Path | None
    judge_by: Path | None


def train_network(wanted: TrainingOptions, *, seconds: float, said: Callable[[str], None]) -> None:
    """The network after this much more training, in `bases.pt` and `bases.onnx` of the run's folder."""
    torch.set_num_threads(wanted.threads)
    workers = min(wanted.threads, os.cpu_count() or 1)
    shards = max(1, round(wanted.tiles / SHARD_TILES))
    data = wanted.folder / "tiles"
    shown = write_shards(
        data, seed=wanted.seed, count=shards, workers=workers, said=lambda n: said(f"drawn {n} of {shards} hundred")
    )
    apart = write_shards(data, seed=wanted.seed + 1, count=_KEPT_APART, workers=workers, said=lambda _: None)
    tiles: Tiles = Shards(shown)
    if wanted.tables is not None:
        tiles = Mixed(tiles, wanted.tables)
    plan = Plan(seed=wanted.seed, tiles=shards * SHARD_TILES, steps=wanted.steps)
    run = Run(wanted.folder, plan, start=wanted.start)
    run.train(tiles, seconds=seconds, said=said)
    export(run)
    drawn = judge(run.mean, Shards(apart)).summary()
    said(f"on drawn tiles it was not shown: {drawn}")
    rendered = list(judge_tables(wanted.judge_by, run.folder / "bases.onnx")) if wanted.judge_by else []
    own = wanted.tables is not None
    said(f"card: {model_card.write_card(run, drawn=drawn, rendered=rendered, own=own, start=wanted.start)}")


def export(run: Run) -> None:
    """Write the running mean of the weights, which answers better than the last ones."""
    save_weights(run.mean, run.folder / "bases.pt")
    export_onnx(run.mean, run.folder / "bases.onnx")
