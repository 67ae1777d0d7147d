"""Tile shards on disk: drawn in the background from seeds, mapped into memory while the network learns."""

import json
import multiprocessing
import os
import shutil
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path

import cv2
import numpy as np

from calibration.arrays import Floats32, Image
from vision.training.scenes.assets import load_assets
from vision.training.scenes.tile import COLUMNS, tile

SHARD_TILES = 100
_MOST_BASES = 120


def shard_path(folder: Path, seed: int, number: int) -> Path:
    return folder / f"seed-{seed}-{number:05d}"


def write_shard(folder: Path, assets: Path, seed: int, number: int, *, is_held_out: bool = False) -> Path:
    """The shard's folder, made now unless it is there. A run that was cut off leaves none half written."""
    path = shard_path(folder, seed, number)
    if path.exists():
        return path
    drawn = load_assets(assets, is_held_out=is_held_out)
    tiles = [tile(seed, number * SHARD_TILES + k, drawn) for k in range(SHARD_TILES)]
    labels = np.full((SHARD_TILES, _MOST_BASES, len(COLUMNS)), np.nan, np.float32)
    for place, drawn_tile in enumerate(tiles):
        labels[place, : len(drawn_tile.labels)] = drawn_tile.labels[:_MOST_BASES]
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    unfinished.mkdir(parents=True, exist_ok=True)
    np.save(unfinished / "pictures.npy", np.stack([drawn_tile.picture for drawn_tile in tiles]))
    np.save(unfinished / "maps.npy", np.stack([drawn_tile.maps for drawn_tile in tiles]))
    np.save(unfinished / "labels.npy", labels)
    (unfinished / "mats.json").write_text(json.dumps([drawn_tile.mat_kind for drawn_tile in tiles]))
    try:
        unfinished.replace(path)
    except OSError:  # another run over the same folder was faster: its shard is the same
        if not path.exists():
            raise
        shutil.rmtree(unfinished)
    return path


class Shard:
    """A shard's tiles by number: picture, labels, maps."""

    def __init__(self, path: Path) -> None:
        self._pictures = np.load(path / "pictures.npy", mmap_mode="r")
        self._maps = np.load(path / "maps.npy", mmap_mode="r")
        self._labels = np.load(path / "labels.npy")
        self.mats: list[str] = json.loads((path / "mats.json").read_text())

    def __len__(self) -> int:
        return len(self._pictures)

    def __getitem__(self, number: int) -> tuple[Image, Floats32, Image]:
        labels = self._labels[number]
        return np.array(self._pictures[number]), labels[~np.isnan(labels[:, 0])], np.array(self._maps[number])


class GrowingTiles:
    """All shards of a seed that are ready; more appear while it is read."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder, self._seed, self._shards = folder, seed, [Shard(path) for path in _ready_paths(folder, seed, 0)]

    def refresh(self) -> int:
        """How many shards are ready now, in their order without a gap."""
        self._shards += [Shard(path) for path in _ready_paths(self._folder, self._seed, len(self._shards))]
        return len(self._shards)

    def sample(self, shard: int, number: int) -> tuple[Image, Floats32, Image]:
        return self._shards[shard][number]

    def pick(self, random: np.random.Generator, count: int, *, known: int, fresh: int) -> list[tuple[int, int]]:
        """Shard and tile of the first `known` shards; half of the `fresh` newest, so that they are soon learnt."""
        starts = [max(0, known - fresh) if k % 2 else 0 for k in range(count)]
        return [(int(random.integers(start, known)), int(random.integers(SHARD_TILES))) for start in starts]


def _ready_paths(folder: Path, seed: int, start: int) -> Iterator[Path]:
    number = start
    while (path := shard_path(folder, seed, number)).exists():
        yield path
        number += 1


def draw_in_background(folder: Path, assets: Path, seed: int, count: int) -> BaseProcess:
    """A process that draws shards until there are `count`; it ends with this one."""
    process = multiprocessing.get_context("spawn").Process(
        target=_draw, args=(str(folder), str(assets), seed, count, os.getpid()), daemon=True
    )
    process.start()
    return process


def _draw(folder: str, assets: str, seed: int, count: int, parent: int) -> None:
    cv2.setNumThreads(1)
    for number in range(count):
        if os.getppid() != parent:
            return
        write_shard(Path(folder), Path(assets), seed, number)
