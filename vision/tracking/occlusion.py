"""Occlusion: what is to be seen where a base stood, bare ground or something that hides it."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Mask
from vision.measurement.base_fit import BaseFit
from vision.rectification.rectify import Window
from vision.tracking.base_masks import base_mask, crop_around, rim_distance_mm
from vision.tracking.change_detection import View

_AROUND = (0.2, 1.0)  # radii beyond its rim: there the ground of a base is looked at
_AROUND_RANKS = 6.0  # where bases stand all around: beyond them
_ENOUGH = 12  # pixels of ground
_WITHIN = 0.15  # radii from its rim inwards that may show the rim of another
_SPARED_MM = 3.0  # around other bases, which are no ground
_LIKE = 16  # grey levels within which two colours are of one ground
_SHARE = 0.7  # of the base's place that must look like the ground around it
_COLOURS = 64
_LARGE = 3.0  # times the base's own ground: what lies there is no base and no token


def is_vacated(
    view: View, window: Window, fit: BaseFit, *, others: Iterable[BaseFit], changed: Mask | None = None
) -> bool:
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
    view: View, window: Window, fit: BaseFit, others: tuple[BaseFit, ...], changed: Mask | None, *, reach: float
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """(N, 3) each: the colours of the base's place, and of the ground up to so many radii beyond its rim."""
    part = crop_around(view.seen.shape, window, fit, margin_mm=reach * fit.inradius_mm)
    outside, seen = rim_distance_mm(part, window, fit), view.seen[part]
    around = _is_surround(outside, fit, reach) & seen
    if changed is not None:
        around &= ~changed[part]
    for other in others:
        if _is_near(fit, other, reach):
            around &= rim_distance_mm(part, window, other) > _SPARED_MM
    picture = view.picture[part]
    place = picture[(outside < -_WITHIN * fit.inradius_mm) & seen]
    return place.astype(np.int16), picture[around].astype(np.int16)


def clear_share(window: Window, fit: BaseFit, changed: Mask) -> float:
    """Share of the ground around this base that looks as it did: no arm over it, no arm's shadow."""
    part = crop_around(changed.shape, window, fit, margin_mm=_AROUND[1] * fit.inradius_mm)
    around = _is_surround(rim_distance_mm(part, window, fit), fit, _AROUND[1])
    return float(1 - changed[part][around].mean()) if around.any() else 0.0


def is_occluded(mask: Mask, window: Window, fit: BaseFit) -> bool:
    """Whether what changed there is far larger than the base: an arm, a book, a template."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    ground = base_mask(fit, window, mask.shape)
    parts = np.unique(labels[ground & (labels > 0)])
    area_mm2 = sum(float(stats[part, cv2.CC_STAT_AREA]) for part in parts) / window.px_per_mm**2
    return area_mm2 > _LARGE * float(ground.sum()) / window.px_per_mm**2


def _is_surround(outside: Floats, fit: BaseFit, reach: float) -> Mask:
    """Where the ground of a base is looked at, by how far it lies beyond the rim."""
    return np.asarray((outside > _AROUND[0] * fit.inradius_mm) & (outside < reach * fit.inradius_mm))


def _is_near(fit: BaseFit, other: BaseFit, reach: float) -> bool:
    """Whether the other may reach onto the ground that is looked at."""
    apart_mm = float(np.hypot(*np.subtract(fit.at_mm, other.at_mm)))
    return apart_mm < fit.size_mm + reach * fit.inradius_mm + other.size_mm + _SPARED_MM
