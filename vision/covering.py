"""What is to be seen where a base stood: bare ground, or something that hides it."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.change import Mask, View, half_mm
from vision.fit import RimFit
from vision.rectify import Window

_AROUND = (1.2, 2.0)  # radii between which the ground of a base is looked at
_LIKE = 16  # grey levels within which two colours are of one ground
_SHARE = 0.7  # of the base's place that must look like the ground around it
_COLOURS = 64
_LARGE = 3.0  # times the base's own ground: what lies there is no base and no token


def is_bare(view: View, window: Window, fit: RimFit, *, others: Iterable[RimFit], changed: Mask | None = None) -> bool:
    """Whether the place of this base looks like the ground around it, other bases left out, and what is new there."""
    away = _away(view.seen.shape, window, fit)
    radius = half_mm(fit)
    around = (away > _AROUND[0] * radius) & (away < _AROUND[1] * radius) & view.seen
    if changed is not None:
        around &= ~changed
    for other in others:
        around &= _away(view.seen.shape, window, other) > half_mm(other) + 3.0
    place = view.picture[(away < 0.85 * radius) & view.seen].astype(np.int16)
    ground = view.picture[around].astype(np.int16)
    if not len(ground) or not len(place):
        return False
    some = ground[:: max(1, len(ground) // _COLOURS)]
    off = np.abs(place[:, None] - some[None]).max(axis=2).min(axis=1)
    return float((off < _LIKE).mean()) > _SHARE


def lies_under(mask: Mask, window: Window, fit: RimFit) -> bool:
    """Whether what changed there is far larger than the base: an arm, a book, a template."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    inside = labels[_away(mask.shape, window, fit) < half_mm(fit)]
    parts = np.unique(inside[inside > 0])
    area_mm2 = sum(float(stats[part, cv2.CC_STAT_AREA]) for part in parts) / window.px_per_mm**2
    return area_mm2 > _LARGE * np.pi * half_mm(fit) ** 2


def place_of(fit: RimFit, window: Window, shape: tuple[int, ...]) -> Mask:
    """The ground of this base."""
    return np.asarray(_away(shape, window, fit) < half_mm(fit))


def _away(shape: tuple[int, ...], window: Window, fit: RimFit) -> NDArray[np.float64]:
    """How far each pixel of the window is from the base's centre, mm."""
    (x, y) = window.to_px(np.array([fit.at_mm]))[0]
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    return np.asarray(np.hypot(columns - x, rows - y) / window.px_per_mm)
