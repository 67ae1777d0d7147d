"""Training targets: labels of tiles as what the network should say in every cell."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats32
from vision.detection.network.channels import KINDS, MARKINGS, STRIDE, UNIT_MM
from vision.training.scenes.tile import COLUMNS

PLACE = {name: number for number, name in enumerate(COLUMNS)}
LEAST_SEEN = 0.12  # of its rim: bases hidden more are not asked for
_LEAST_WEIGHT = 0.3
_SQUARE = 1.04
_TICKS = MARKINGS.index("ticks")
# what is asked of a cell, and how much it counts: a row a base, spread over the cells near its centre
NUMBERS = (
    "x", "y", "log_long", "log_short", "size_class", "axis_cos", "axis_sin", "square_cos", "square_sin", "facing_cos",
    "facing_sin", "marking", "marked", "mark_x", "mark_y", "ranked", "seen", "has_axis", "is_square", "has_facing",
)  # fmt: skip


@dataclass(frozen=True)
class Target:
    """`heat` (kinds, H, W); `loud` (H, W): 0 where nothing is held against the network; `owner` (H, W): the base whose
    numbers a cell should tell, -1 for none, with `weight`; `numbers` (N, len(NUMBERS))."""

    heat: Floats32
    loud: Floats32
    owner: NDArray[np.int64]
    weight: Floats32
    numbers: Floats32


def target_of(labels: Floats32, side_px: int) -> Target:
    """The target of one tile. Cells' centres are at STRIDE * (k + 0.5) - 0.5 px."""
    side = side_px // STRIDE
    heat = np.zeros((len(KINDS), side, side), np.float32)
    loud, owner = np.ones((side, side), np.float32), np.full((side, side), -1, np.int64)
    weight = np.zeros((side, side), np.float32)
    rows, columns = np.mgrid[:side, :side].astype(np.float32)
    for number, row in enumerate(labels):
        x, y = (row[PLACE["x"]] + 0.5) / STRIDE - 0.5, (row[PLACE["y"]] + 0.5) / STRIDE - 0.5
        short = row[PLACE["short"]] / STRIDE
        away = (columns - x) ** 2 + (rows - y) ** 2
        if row[PLACE["seen"]] < LEAST_SEEN:
            loud[away < (0.5 * short) ** 2] = 0
            continue
        bell = np.exp(-away / (2 * float(np.clip(0.13 * short, 0.55, 2.0)) ** 2))
        peak = int(np.clip(round(float(y)), 0, side - 1)), int(np.clip(round(float(x)), 0, side - 1))
        bell[peak] = 1.0
        layer = heat[int(row[PLACE["kind"]])]
        np.maximum(layer, bell, out=layer)
        takes = (bell > _LEAST_WEIGHT) & (bell > weight)
        owner[takes], weight[takes] = number, bell[takes]
    loud[heat.max(axis=0) == 1.0] = 1
    return Target(heat, loud, owner, weight, numbers_of(labels))


def numbers_of(labels: Floats32) -> Floats32:
    """A row of NUMBERS for each base."""
    column = {name: labels[:, place] for name, place in PLACE.items()}
    is_round = column["kind"] == KINDS.index("round")
    is_square = (column["kind"] == KINDS.index("rect")) & (column["long"] < _SQUARE * column["short"])
    ticked = (column["marking"] == _TICKS) & (column["mark_seen"] > 0)
    axis = np.where(is_round, column["facing"], column["axis"])
    half = np.maximum(column["long"], 1) / 2
    made = {
        "x": (column["x"] + 0.5) / STRIDE - 0.5,
        "y": (column["y"] + 0.5) / STRIDE - 0.5,
        "log_long": np.log(np.maximum(column["long"], 1) / UNIT_MM),
        "log_short": np.log(np.maximum(column["short"], 1) / UNIT_MM),
        "size_class": column["size_class"],
        "axis_cos": np.cos(2 * axis),
        "axis_sin": np.sin(2 * axis),
        "square_cos": np.cos(4 * column["axis"]),
        "square_sin": np.sin(4 * column["axis"]),
        "facing_cos": np.cos(column["facing"]),
        "facing_sin": np.sin(column["facing"]),
        "marking": column["marking"] * (column["mark_seen"] > 0),
        "marked": column["mark_seen"],
        "mark_x": (column["mark_x"] - column["x"]) / half,
        "mark_y": (column["mark_y"] - column["y"]) / half,
        "ranked": column["ranked"],
        "seen": column["seen"],
        "has_axis": np.where(is_round, ticked, ~is_square),
        "is_square": is_square,
        "has_facing": (column["mark_seen"] > 0) & (column["marking"] != _TICKS),
    }
    return np.column_stack([made[name] for name in NUMBERS]).astype(np.float32).reshape(-1, len(NUMBERS))
