"""Drawn tiles on disk, made once from their seed and read without being decoded; a user's own mixed with them."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import astuple
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from calibration.arrays import Floats32, Image
from models.errors import BadFile
from vision.training.annotated_tables import tables_in, tiles_of
from vision.training.synthetic.tile import Label, tile

SHARD_TILES = 100


def shard_path(folder: Path, seed: int, shard: int) -> Path:
    return folder / f"tiles-{seed}-{shard:05d}.npz"


def write_shard(folder: Path, seed: int, shard: int) -> Path:
    """The shard's file; made now unless it is there. A run that was cut off leaves none that is half written."""
    path = shard_path(folder, seed, shard)
    if not path.exists():
        tiles = [tile(seed, shard * SHARD_TILES + k) for k in range(SHARD_TILES)]
        parts: dict[str, Any] = {f"p{k}": drawn_tile.picture for k, drawn_tile in enumerate(tiles)}
        parts |= {f"l{k}": label_rows(drawn_tile.labels) for k, drawn_tile in enumerate(tiles)}
        unfinished = path.with_suffix(".part.npz")
        np.savez(unfinished, **parts)
        unfinished.replace(path)
    return path


def label_rows(labels: tuple[Label, ...]) -> Floats32:
    return np.array([astuple(label) for label in labels], np.float32).reshape(-1, 6)


def write_shards(folder: Path, *, seed: int, count: int, workers: int, said: Callable[[int], None]) -> list[Path]:
    """All shards of a training set; `said` hears how many are ready."""
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(workers) as pool:
        jobs = [pool.submit(partial(write_shard, folder, seed, shard)) for shard in range(count)]
        for ready, _ in enumerate(as_completed(jobs), start=1):
            said(ready)
    return [shard_path(folder, seed, shard) for shard in range(count)]


class Shards:
    """Tiles of many shards by their number: (picture, labels)."""

    def __init__(self, paths: list[Path]) -> None:
        self._files = [np.load(path) for path in paths]

    def __len__(self) -> int:
        return len(self._files) * SHARD_TILES

    def __getitem__(self, number: int) -> tuple[Image, Floats32]:
        shard, k = divmod(number, SHARD_TILES)
        return self._files[shard][f"p{k}"], self._files[shard][f"l{k}"]


class Tiles(Protocol):
    """Pictures with labels, by number."""

    def __len__(self) -> int: ...
    def __getitem__(self, number: int) -> tuple[Image, Floats32]: ...


class Mixed:
    """The drawn tiles and the user's, those repeated until both are as many. Raises: BadFile when there are none."""

    def __init__(self, drawn: Tiles, folder: Path) -> None:
        self._drawn = drawn
        self._own = [tile for table in tables_in(folder) for tile in tiles_of(table)]
        if not self._own:
            raise BadFile(f"{folder}: no NAME.state.json with its picture", field="tables", value=str(folder))

    def __len__(self) -> int:
        return 2 * len(self._drawn)

    def __getitem__(self, number: int) -> tuple[Image, Floats32]:
        if number < len(self._drawn):
            return self._drawn[number]
        return self._own[(number - len(self._drawn)) % len(self._own)]
