"""Decoding: the network's answer as bases, each with its doubts."""

import math
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats32
from vision.detection.network.channels import KINDS, SIZES, SLICES, STRIDE, UNIT_MM

_APART = 0.6  # of the sum of their smaller half sides: bases that stand nearer would overlap


@dataclass(frozen=True)
class SeenBase:
    """What the network says of one base; lengths and places in pixels of its picture, angles clockwise from +x.

    `sizes`: chance of every size of SIZES given the kind. `axis_rad`: along its long side, for a square along one of
    its sides. `facing`: a unit vector's share, shorter the less sure; `marked` is the chance that a mark is in sight.
    """

    kind: str
    score: float
    kinds: Floats32
    at_px: tuple[float, float]
    long_px: float
    short_px: float
    sigma_px: float
    sigma_log_size: float
    sizes: Floats32
    axis_rad: float
    facing: tuple[float, float]
    marked: float
    markings: Floats32
    mark_px: tuple[float, float]
    ranked: float
    seen: float


def seen_bases(instances: Floats32, *, least_score: float) -> list[SeenBase]:
    """Bases of one picture, surest first, from (C, H, W); of two that cannot both stand the surer."""
    heat = instances[SLICES["heat"]]
    best = heat.max(axis=0)
    around = np.pad(best, 1, constant_values=-1.0)
    height, width = best.shape
    ring = np.max([around[i : i + height, j : j + width] for i in range(3) for j in range(3)], axis=0)
    rows, columns = np.nonzero((best >= least_score) & (best >= ring))
    kept: list[SeenBase] = []
    for k in np.argsort(-best[rows, columns]):
        base = _read(instances[:, rows[k], columns[k]], int(rows[k]), int(columns[k]))
        if all(_can_stand_beside(base, other) for other in kept):
            kept.append(base)
    return kept


def _can_stand_beside(a: SeenBase, b: SeenBase) -> bool:
    return math.dist(a.at_px, b.at_px) > _APART * (a.short_px + b.short_px) / 2


def _read(cell: Floats32, row: int, column: int) -> SeenBase:
    part = {name: cell[channels] for name, channels in SLICES.items()}
    number = int(part["heat"].argmax())
    kind = KINDS[number]
    x = float((column + part["offset"][0] + 0.5) * STRIDE - 0.5)
    y = float((row + part["offset"][1] + 0.5) * STRIDE - 0.5)
    long, short = (float(UNIT_MM * math.exp(float(np.clip(side, -2, 2)))) for side in part["sides"])
    fits = part["size"] * np.array([name == kind for name, _, _ in SIZES])
    is_square = kind == "rect" and long < 1.12 * short
    double, turns = (part["square"], 4) if is_square else (part["axis"], 2)
    spread = np.exp(np.clip(part["spread"], -5, 2)) * math.sqrt(2)
    mark = part["mark"] * long / 2
    return SeenBase(
        kind=kind,
        score=float(part["heat"][number]),
        kinds=part["heat"],
        at_px=(x, y),
        long_px=max(long, short),
        short_px=min(long, short),
        sigma_px=float(spread[0]) * STRIDE,
        sigma_log_size=float(spread[1]),
        sizes=np.asarray(fits / max(float(fits.sum()), 1e-9), np.float32),
        axis_rad=math.atan2(float(double[1]), float(double[0])) / turns,
        facing=(float(part["facing"][0]), float(part["facing"][1])),
        marked=float(part["marked"][0]),
        markings=part["marking"],
        mark_px=(x + float(mark[0]), y + float(mark[1])),
        ranked=float(part["ranked"][0]),
        seen=float(part["seen"][0]),
    )
