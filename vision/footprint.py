"""The ground of a base in a small straightened picture: which pixels it takes, and how far off the others are."""

import numpy as np
from numpy.typing import NDArray

from models.base import OvalBase, RoundBase
from vision.fit import RimFit
from vision.rectify import Window

Mask = NDArray[np.bool_]
Part = tuple[slice, slice]  # rows and columns of a picture


def part_around(shape: tuple[int, ...], window: Window, fit: RimFit, *, margin_mm: float = 0.0) -> Part:
    """What holds the base and so much ground around it."""
    base = fit.base
    half_mm = base.radius_mm if isinstance(base, RoundBase) else float(np.hypot(base.width_mm, base.depth_mm)) / 2
    (x, y), reach = window.to_px(np.array([fit.at_mm]))[0], (half_mm + margin_mm) * window.px_per_mm + 1
    (top, bottom), (left, right) = (
        np.clip([int(at - reach), int(at + reach) + 2], 0, most).tolist() for at, most in ((y, shape[0]), (x, shape[1]))
    )
    return slice(top, bottom), slice(left, right)


def outside_mm(part: Part, window: Window, fit: RimFit) -> NDArray[np.float64]:
    """How far each pixel of this part lies beyond the base's rim; negative on the base."""
    (x, y), base = window.to_px(np.array([fit.at_mm]))[0], fit.base
    rows, columns = np.ogrid[part]
    right, up = (columns - x) / window.px_per_mm, (y - rows) / window.px_per_mm
    if isinstance(base, RoundBase):
        return np.asarray(np.hypot(right, up) - base.radius_mm)
    cos, sin = np.cos(fit.turn_rad), np.sin(fit.turn_rad)
    along, aside = np.abs(right * cos + up * sin), np.abs(up * cos - right * sin)
    if isinstance(base, OvalBase):
        return np.asarray((np.hypot(along * 2 / base.depth_mm, aside * 2 / base.width_mm) - 1) * fit.small_mm)
    return np.asarray(np.maximum(along - base.depth_mm / 2, aside - base.width_mm / 2))


def ground_of(fit: RimFit, window: Window, shape: tuple[int, ...]) -> Mask:
    """The ground of this base in the whole picture."""
    ground, part = np.zeros(shape, np.bool_), part_around(shape, window, fit)
    ground[part] = outside_mm(part, window, fit) <= 0
    return ground


def share_of(mask: Mask, window: Window, fit: RimFit) -> float:
    """How much of the base's ground is in the mask."""
    part = part_around(mask.shape, window, fit)
    inside = mask[part][outside_mm(part, window, fit) <= 0]
    return float(inside.mean()) if inside.size else 0.0
