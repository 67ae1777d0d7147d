"""Frozen features on disk: what the frozen blocks give for a tile, worked out once for each of its variants."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from vision.training.dense.augmentation import Sample, augment_sample, lay_sample
from vision.training.dense.network import pictures_tensor
from vision.training.dense.tile_shards import SHARD_TILES, GrowingTiles

VARIANTS = 4  # layings and lights of each tile
Key = tuple[int, int]  # shard and tile


@dataclass(frozen=True)
class _ShardFeatures:
    """Arrays of one shard, mapped into memory; sparse on disk until they are filled."""

    parts: tuple[NDArray[np.float16], ...]
    ready: NDArray[np.uint8]


class FrozenFeatures:
    """Features of `network.early` (`early_parts`) at half precision, by shard, tile and variant."""

    def __init__(self, folder: Path, network: Any, *, seed: int, side_px: int) -> None:
        self._folder, self._network, self._seed, self._side_px = folder, network, seed, side_px
        self._shards: dict[int, _ShardFeatures] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def batch(
        self, tiles: GrowingTiles, keys: list[Key], random: np.random.Generator
    ) -> tuple[list[Sample], tuple[Tensor, ...]]:
        """The samples of these tiles, each in one of its variants, and their features."""
        variants = random.integers(VARIANTS, size=len(keys)).tolist()
        samples, parts = [], []
        for (shard, number), variant in zip(keys, variants, strict=True):
            kept, place = self._shard(shard), (number, variant)
            own = np.random.default_rng([self._seed, shard, number, variant])
            if not kept.ready[place]:
                sample = augment_sample(tiles.sample(shard, number), own)
                for part, value in zip(kept.parts, self._early(sample), strict=True):
                    part[place] = value
                kept.ready[place] = 1
            else:
                sample = lay_sample(tiles.sample(shard, number), own)
            samples.append(sample)
            parts.append([part[place] for part in kept.parts])
        stacked = (torch.from_numpy(np.stack(values)).float() for values in zip(*parts, strict=True))
        return samples, tuple(value.contiguous(memory_format=torch.channels_last) for value in stacked)

    def _early(self, sample: Sample) -> list[NDArray[np.float16]]:
        with torch.inference_mode():
            parts = self._network.early(pictures_tensor([sample[0]]))
        return [part[0].half().numpy() for part in parts]

    def _shard(self, number: int) -> _ShardFeatures:
        if number not in self._shards:
            count = (SHARD_TILES, VARIANTS)
            sides = [
                (channels, self._side_px // stride, self._side_px // stride)
                for channels, stride in self._network.early_parts
            ]
            paths = [self._folder / f"{number:05d}-{k}.npy" for k in range(len(sides))]
            parts = tuple(_open_map(path, (*count, *side), np.float16) for path, side in zip(paths, sides, strict=True))
            ready = _open_map(self._folder / f"{number:05d}-ready.npy", count, np.uint8)
            self._shards[number] = _ShardFeatures(parts, ready)
        return self._shards[number]


def _open_map(path: Path, shape: tuple[int, ...], kind: type) -> Any:
    if path.exists():
        return np.load(path, mmap_mode="r+")
    return np.lib.format.open_memmap(path, mode="w+", dtype=kind, shape=shape)
