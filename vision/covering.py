"""What is to be seen where a base stood: bare ground, or something that hides it."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.change import View
from vision.fit import RimFit
from vision.footprint import Mask, ground_of, outside_mm, part_around
from vision.rectify import Window

_AROUND = (0.2, 1.0)  # radii beyond its rim: there the ground of a base is looked at
_AROUND_RANKS = 6.0  # where bases stand all around: beyond them
_ENOUGH = 12  # pixels of ground
_WITHIN = 0.15  # radii from its rim inwards that may show the rim of another
_SPARED_MM = 3.0  # around other bases, which are no ground
_LIKE = 16  # grey levels within which two colours are of one ground
_SHARE = 0.7  # of the base's place that must look like the ground around it
_COLOURS = 64
_LARGE = 3.0  # times the base's own ground: what lies there is no base and no token


def is_bare(view: View, window: Window, fit: RimFit, *, others: Iterable[RimFit], changed: Mask | None = None) -> bool:
    """Whether the place of this base looks like the ground around it, other bases left out, and what is new there."""
    fits = tuple(others)
    place, ground = _place_and_ground(view, window, fit, fits, changed, reach=_AROUND[1])
    if len(ground) < _ENOUGH:
        place, ground = _place_and_ground(view, window, fit, fits, changed, reach=_AROUND_RANKS)
    if not len(ground) or not len(place):
        return False
    some = ground[:: max(1, len(ground) // _COLOURS)]
    off = np.abs(place[:, None] - some[None]).max(axis=2).min(axis=1)
    return float((off < _LIKE).mean()) > _SHARE


def _place_and_ground(
    view: View, window: Window, fit: RimFit, others: tuple[RimFit, ...], changed: Mask | None, *, reach: float
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """(N, 3) each: the colours of the base's place, and of the ground up to so many radii beyond its rim."""
    part = part_around(view.seen.shape, window, fit, margin_mm=reach * fit.small_mm)
    outside, seen = outside_mm(part, window, fit), view.seen[part]
    around = _is_around(outside, fit, reach) & seen
    if changed is not None:
        around &= ~changed[part]
    for other in others:
        if _is_near(fit, other, reach):
            around &= outside_mm(part, window, other) > _SPARED_MM
    picture = view.picture[part]
    place = picture[(outside < -_WITHIN * fit.small_mm) & seen]
    return place.astype(np.int16), picture[around].astype(np.int16)


def share_clear(window: Window, fit: RimFit, changed: Mask) -> float:
    """How much of the ground around this base looks as it did: no arm over it, no arm's shadow."""
    part = part_around(changed.shape, window, fit, margin_mm=_AROUND[1] * fit.small_mm)
    around = _is_around(outside_mm(part, window, fit), fit, _AROUND[1])
    return float(1 - changed[part][around].mean()) if around.any() else 0.0


def lies_under(mask: Mask, window: Window, fit: RimFit) -> bool:
    """Whether what changed there is far larger than the base: an arm, a book, a template."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    ground = ground_of(fit, window, mask.shape)
    parts = np.unique(labels[ground & (labels > 0)])
    area_mm2 = sum(float(stats[part, cv2.CC_STAT_AREA]) for part in parts) / window.px_per_mm**2
    return area_mm2 > _LARGE * float(ground.sum()) / window.px_per_mm**2


def _is_around(outside: NDArray[np.float64], fit: RimFit, reach: float) -> Mask:
    """Where the ground of a base is looked at, by how far it lies beyond the rim."""
    return np.asarray((outside > _AROUND[0] * fit.small_mm) & (outside < reach * fit.small_mm))


def _is_near(fit: RimFit, other: RimFit, reach: float) -> bool:
    """Whether the other may reach onto the ground that is looked at."""
    apart_mm = float(np.hypot(*np.subtract(fit.at_mm, other.at_mm)))
    return apart_mm < fit.size_mm + reach * fit.small_mm + other.size_mm + _SPARED_MM
