"""Base masks: which pixels of a small rectified view a base takes, and how far off the others are."""

import numpy as np

from calibration.arrays import Floats, Mask
from models.base import OvalBase, RoundBase
from vision.measurement.base_fit import BaseFit
from vision.rectification.rectify import Window

Crop = tuple[slice, slice]  # rows and columns of a picture


def crop_around(shape: tuple[int, ...], window: Window, fit: BaseFit, *, margin_mm: float = 0.0) -> Crop:
    """Rows and columns that hold the base and so much ground around it."""
    base = fit.base
    half_mm = base.radius_mm if isinstance(base, RoundBase) else float(np.hypot(base.width_mm, base.depth_mm)) / 2
    (x, y), reach = window.to_px(np.array([fit.at_mm]))[0], (half_mm + margin_mm) * window.px_per_mm + 1
    (top, bottom), (left, right) = (
        np.clip([int(at - reach), int(at + reach) + 2], 0, most).tolist() for at, most in ((y, shape[0]), (x, shape[1]))
    )
    return slice(top, bottom), slice(left, right)


def rim_distance_mm(part: Crop, window: Window, fit: BaseFit) -> Floats:
    """Distance of each pixel of this crop beyond the base's rim; negative on the base."""
    (x, y), base = window.to_px(np.array([fit.at_mm]))[0], fit.base
    rows, columns = np.ogrid[part]
    right, up = (columns - x) / window.px_per_mm, (y - rows) / window.px_per_mm
    if isinstance(base, RoundBase):
        return np.asarray(np.hypot(right, up) - base.radius_mm)
    cos, sin = np.cos(fit.turn_rad), np.sin(fit.turn_rad)
    along, aside = np.abs(right * cos + up * sin), np.abs(up * cos - right * sin)
    if isinstance(base, OvalBase):
        return np.asarray((np.hypot(along * 2 / base.depth_mm, aside * 2 / base.width_mm) - 1) * fit.inradius_mm)
    return np.asarray(np.maximum(along - base.depth_mm / 2, aside - base.width_mm / 2))


def base_mask(fit: BaseFit, window: Window, shape: tuple[int, ...]) -> Mask:
    """Mask of this base's ground in the whole view."""
    ground, part = np.zeros(shape, np.bool_), crop_around(shape, window, fit)
    ground[part] = rim_distance_mm(part, window, fit) <= 0
    return ground


def covered_share(mask: Mask, window: Window, fit: BaseFit) -> float:
    """Share of the base's ground that is in the mask."""
    part = crop_around(mask.shape, window, fit)
    inside = mask[part][rim_distance_mm(part, window, fit) <= 0]
    return float(inside.mean()) if inside.size else 0.0
