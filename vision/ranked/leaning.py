"""By which angle the lines in an upright picture of a block miss the upright."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ranked.lines import ALONG_MM

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

_REACH_RAD = np.radians(6.0)
_FEW_RAD = np.radians(2.0)  # by which lines of one angle differ: where most of them agree is looked for first
_NEAR_RAD = (np.radians(3.0), np.radians(2.0))  # and then their mean, so near, and nearer
_BIN_RAD = np.radians(0.2)
_FULL_STEP = 20.0  # grey levels per pixel; stronger steps count no more


def lean_of(upright: Picture, *, px_per_mm: float) -> float:
    """Radians from the picture's x towards its y, within 6 degrees of the upright and of the level.

    Figures have edges too, which may all lean one way: a step counts as far as it goes on in a straight line.
    """
    grey = cv2.GaussianBlur(cv2.cvtColor(upright, cv2.COLOR_BGR2GRAY), (0, 0), 0.8)
    across, down = (cv2.Sobel(grey, cv2.CV_32F, dx, 1 - dx, scale=1 / 8) for dx in (1, 0))
    along = round(ALONG_MM * px_per_mm) | 1
    up, level = np.abs(cv2.blur(across, (1, along))), np.abs(cv2.blur(down, (along, 1)))
    is_up = np.abs(across) > np.abs(down)
    lasting = np.where(is_up, np.minimum(up, np.abs(across)), np.minimum(level, np.abs(down)))
    weight = np.asarray(np.minimum(lasting, _FULL_STEP) ** 2, np.float64)
    off = np.asarray((np.arctan2(down, across) + np.pi / 4) % (np.pi / 2) - np.pi / 4, np.float64)
    mean = _most(off, weight)
    for within in _NEAR_RAD:
        near = weight * (np.abs(off - mean) < within)
        mean = float((near * off).sum() / max(near.sum(), 1e-6))
    return mean


def _most(off: Floats, weight: Floats) -> float:
    """The angle that most agree on."""
    ends = np.arange(-2 * _REACH_RAD, 2 * _REACH_RAD + _BIN_RAD / 2, _BIN_RAD)
    counts, _ = np.histogram(off, bins=ends, weights=weight)
    few = np.arange(-3 * _FEW_RAD, 3 * _FEW_RAD + _BIN_RAD / 2, _BIN_RAD)
    smooth = np.convolve(counts, np.exp(-((few / _FEW_RAD) ** 2) / 2), "same")
    middle = (ends[1:] + ends[:-1]) / 2
    return float(middle[np.where(np.abs(middle) < _REACH_RAD, smooth, -1.0).argmax()])
