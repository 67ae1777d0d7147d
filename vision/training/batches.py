"""Batches: tiles turned, mirrored and in other light, stacked to what the network's loss reads."""

from typing import Any

import numpy as np

from calibration.arrays import Floats32, Image
from vision.detection.network.proposals import KINDS

Random = np.random.Generator
_ROUND, _RECT = KINDS.index("round"), KINDS.index("rect")


def augment(picture: Image, labels: Floats32, random: Random) -> tuple[Image, Floats32]:
    """One of the eight ways to lay the tile, in other light."""
    labels = labels.copy()
    last = picture.shape[0] - 1
    if random.random() < 0.5:
        picture = picture[:, ::-1]
        labels[:, 1], labels[:, 5] = last - labels[:, 1], np.pi - labels[:, 5]
    if random.random() < 0.5:
        picture = picture[::-1]
        labels[:, 2], labels[:, 5] = last - labels[:, 2], -labels[:, 5]
    if random.random() < 0.5:
        picture = picture.transpose(1, 0, 2)
        labels[:, [1, 2]], labels[:, 5] = labels[:, [2, 1]], np.pi / 2 - labels[:, 5]
    return _jitter_colours(picture, random), labels


def _jitter_colours(picture: Image, random: Random) -> Image:
    levels = np.arange(256) / 255
    tables = []
    gamma, gain, lift = np.exp(random.normal(0, 0.2)), np.exp(random.normal(0, 0.12)), random.normal(0, 0.02)
    for _ in range(3):
        tint = np.exp(random.normal(0, 0.05))
        tables.append(np.clip((levels**gamma * gain * tint + lift) * 255, 0, 255).astype(np.uint8))
    order = random.permutation(3) if random.random() < 0.1 else np.arange(3)
    return np.dstack([tables[k][picture[..., channel]] for k, channel in enumerate(order)])


def batch_of(tiles: list[tuple[Image, Floats32]]) -> dict[str, Any]:
    """What the network's loss reads."""
    import torch  # here, since augmentation needs none

    stacked = np.stack([np.ascontiguousarray(picture[..., ::-1].transpose(2, 0, 1)) for picture, _ in tiles])
    side = tiles[0][0].shape[0]
    rows = np.concatenate([labels for _, labels in tiles])
    owner = np.repeat(np.arange(len(tiles)), [len(labels) for _, labels in tiles])
    boxes = np.column_stack([(rows[:, 1:3] + 0.5) / side, rows[:, 3:5] / side, _visible_angle(rows)])
    return {
        "img": torch.from_numpy(stacked).float() / 255,
        "cls": torch.from_numpy(rows[:, :1].copy()),
        "bboxes": torch.from_numpy(boxes.astype(np.float32)),
        "batch_idx": torch.from_numpy(owner.astype(np.float32)),
    }


def _visible_angle(rows: Floats32) -> Floats32:
    """The angle that can be seen: none of a disc, a square's within a quarter turn, a half turn of all others."""
    kinds, square = rows[:, 0], np.abs(rows[:, 3] - rows[:, 4]) < 0.5
    period = np.where(square & (kinds == _RECT), np.pi / 2, np.pi)
    start = np.where(period == np.pi, -np.pi / 4, 0)
    turn = start + np.mod(rows[:, 5] - start, period)
    return np.where(kinds == _ROUND, 0, turn).astype(np.float32)
