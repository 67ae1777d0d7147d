"""Tiles stacked to what the network's loss reads."""

from typing import Any

import numpy as np
import torch

from calibration.arrays import Floats32, Image
from vision.detection.network.proposals import KINDS

_ROUND, _RECT = KINDS.index("round"), KINDS.index("rect")


def batch_of(tiles: list[tuple[Image, Floats32]]) -> dict[str, Any]:
    """What the network's loss reads."""
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
