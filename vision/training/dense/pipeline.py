"""From nothing to a network file: assets, tiles drawn in the background, the run, the export and the card."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from vision.training.dense.model_card import written
from vision.training.dense.network import export_onnx, store_halved
from vision.training.dense.run import Plan, Run
from vision.training.dense.tile_shards import (
    SHARD_TILES,
    GrowingTiles,
    Shard,
    draw_in_background,
    write_shard,
)

_HELD_OUT = 2  # shards of another seed, and of photographs that are never trained on


@dataclass(frozen=True)
class DenseTrainingOptions:
    """What the user asked for."""

    folder: Path
    steps: int
    tiles: int
    seed: int
    threads: int
    start: Path | None = None
    rate: float = Plan.rate
    trunk: str = Plan.trunk


def train_dense_network(options: DenseTrainingOptions, *, seconds: float, said: Callable[[str], None]) -> None:
    """The network after this much more training, in `bases.pt` and `bases.onnx` of the run's folder."""
    torch.set_num_threads(options.threads)
    data, assets = options.folder / "tiles", options.folder / "assets"
    data.mkdir(parents=True, exist_ok=True)
    judged_by = {
        name: [Shard(write_shard(data, assets, seed, number, is_held_out=is_held_out)) for number in range(_HELD_OUT)]
        for name, seed, is_held_out in (("seed", options.seed + 1, False), ("apart", options.seed + 2, True))
    }
    said("drawn: held-out tiles")
    painter = draw_in_background(data, assets, options.seed, max(1, round(options.tiles / SHARD_TILES)))
    tiles = GrowingTiles(data, options.seed)
    while not tiles.refresh():
        if not painter.is_alive():
            raise RuntimeError("no tile was drawn: the process that draws them ended")
        time.sleep(1)
    plan = Plan(seed=options.seed, steps=options.steps, rate=options.rate, trunk=options.trunk)
    run = Run(options.folder, plan, start=options.start)
    try:
        run.train(tiles, judged_by, seconds=seconds, said=said)
    finally:
        painter.terminate()
    export(run)
    said(f"card: {written(run, judged_by)}")


def export(run: Run) -> None:
    """Write the running mean of the weights, which answers better than the last ones; weights at half precision."""
    halved = {
        name: value.half() if value.is_floating_point() else value for name, value in run.mean.state_dict().items()
    }
    torch.save(halved, run.folder / "bases.pt")
    export_onnx(run.mean, run.folder / "bases.onnx")
    store_halved(run.folder / "bases.onnx")


os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
