"""What is to be seen where a base stood: bare ground, or something that hides it."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.change import Mask, View, half_mm
from vision.fit import RimFit
from vision.rectify import Window

_AROUND = (1.2, 2.0)  # radii between which the ground of a base is looked at
_SPARED_MM = 3.0  # around other bases, which are no ground
_LIKE = 16  # grey levels within which two colours are of one ground
_SHARE = 0.7  # of the base's place that must look like the ground around it
_COLOURS = 64
_LARGE = 3.0  # times the base's own ground: what lies there is no base and no token


def is_bare(view: View, window: Window, fit: RimFit, *, others: Iterable[RimFit], changed: Mask | None = None) -> bool:
    """Whether the place of this base looks like the ground around it, other bases left out, and what is new there."""
    radius, part = half_mm(fit), _part_of(view.seen.shape, window, fit)
    away, seen = _away(part, window, fit), view.seen[part]
    around = (away > _AROUND[0] * radius) & (away < _AROUND[1] * radius) & seen
    if changed is not None:
        around &= ~changed[part]
    for other in others:
        if _is_near(fit, other):
            around &= _away(part, window, other) > half_mm(other) + _SPARED_MM
    picture = view.picture[part]
    place = picture[(away < 0.85 * radius) & seen].astype(np.int16)
    ground = picture[around].astype(np.int16)
    if not len(ground) or not len(place):
        return False
    some = ground[:: max(1, len(ground) // _COLOURS)]
    off = np.abs(place[:, None] - some[None]).max(axis=2).min(axis=1)
    return float((off < _LIKE).mean()) > _SHARE


def share_clear(window: Window, fit: RimFit, changed: Mask) -> float:
    """How much of the ground around this base looks as it did: no arm over it, no arm's shadow."""
    part = _part_of(changed.shape, window, fit)
    away, radius = _away(part, window, fit), half_mm(fit)
    around = (away > _AROUND[0] * radius) & (away < _AROUND[1] * radius)
    return float(1 - changed[part][around].mean()) if around.any() else 0.0


def lies_under(mask: Mask, window: Window, fit: RimFit) -> bool:
    """Whether what changed there is far larger than the base: an arm, a book, a template."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    inside = labels[place_of(fit, window, mask.shape)]
    parts = np.unique(inside[inside > 0])
    area_mm2 = sum(float(stats[part, cv2.CC_STAT_AREA]) for part in parts) / window.px_per_mm**2
    return area_mm2 > _LARGE * np.pi * half_mm(fit) ** 2


def place_of(fit: RimFit, window: Window, shape: tuple[int, ...]) -> Mask:
    """The ground of this base."""
    whole = slice(0, shape[0]), slice(0, shape[1])
    return np.asarray(_away(whole, window, fit) < half_mm(fit))


Part = tuple[slice, slice]


def _part_of(shape: tuple[int, ...], window: Window, fit: RimFit) -> Part:
    """Rows and columns of the window that hold the base and the ground that is looked at around it."""
    (x, y), reach = window.to_px(np.array([fit.at_mm]))[0], _AROUND[1] * half_mm(fit) * window.px_per_mm + 1
    (top, bottom), (left, right) = (
        np.clip([int(at - reach), int(at + reach) + 2], 0, most).tolist() for at, most in ((y, shape[0]), (x, shape[1]))
    )
    return slice(top, bottom), slice(left, right)


def _is_near(fit: RimFit, other: RimFit) -> bool:
    """Whether the other reaches onto the ground that is looked at."""
    apart_mm = float(np.hypot(*np.subtract(fit.at_mm, other.at_mm)))
    return apart_mm < _AROUND[1] * half_mm(fit) + half_mm(other) + _SPARED_MM


def _away(part: Part, window: Window, fit: RimFit) -> NDArray[np.float64]:
    """How far each pixel of this part of the window is from the base's centre, mm."""
    (x, y) = window.to_px(np.array([fit.at_mm]))[0]
    rows, columns = np.ogrid[part]
    return np.asarray(np.hypot(columns - x, rows - y) / window.px_per_mm)
