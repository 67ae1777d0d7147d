"""Deskewing: the angle by which the lines in a rectified patch of a block miss the upright."""

from collections.abc import Sequence
from typing import Protocol

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from vision.ranked.line_evidence import ALONG_MM

_REACH_RAD = np.radians(6.0)
_FEW_RAD = np.radians(2.0)  # by which lines of one angle differ: where most of them agree is looked for first
_NEAR_RAD = (np.radians(3.0), np.radians(2.0))  # and then their mean, so near, and nearer
_BIN_RAD = np.radians(0.2)
_FULL_STEP = 20.0  # grey levels per pixel; stronger steps count no more


class SkewEstimator(Protocol):
    """Estimates the skew in radians from the picture's x towards its y, within 6 degrees of the upright and of the
    level."""

    def __call__(self, upright: Image, *, px_per_mm: float) -> float: ...


def skew_of_lines(upright: Image, *, px_per_mm: float) -> float:
    """Skew of the edges that go on in a straight line: figures have edges too, which may all lean one way."""
    across, down = _gradients(upright)
    along = round(ALONG_MM * px_per_mm) | 1
    up, level = np.abs(cv2.blur(across, (1, along))), np.abs(cv2.blur(down, (along, 1)))
    is_up = np.abs(across) > np.abs(down)
    off, weight = _angle_errors(
        across, down, np.where(is_up, np.minimum(up, np.abs(across)), np.minimum(level, np.abs(down)))
    )
    return _trimmed_mean(_histogram_mode(off, weight), off, weight, _NEAR_RAD)


def skew_of_edges(upright: Image, *, px_per_mm: float) -> float:
    """Skew of most edges, however short: lines that are faint do not show from end to end."""
    across, down = _gradients(upright)
    off, weight = _angle_errors(across, down, np.hypot(across, down))
    return _trimmed_mean(0.0, off, weight, (_REACH_RAD, *_NEAR_RAD))


def _gradients(upright: Image) -> tuple[Floats32, Floats32]:
    grey = cv2.GaussianBlur(cv2.cvtColor(upright, cv2.COLOR_BGR2GRAY), (0, 0), 0.8)
    across, down = (np.asarray(cv2.Sobel(grey, cv2.CV_32F, dx, 1 - dx, scale=1 / 8), np.float32) for dx in (1, 0))
    return across, down


def _angle_errors(across: Floats32, down: Floats32, strength: Floats32) -> tuple[Floats, Floats]:
    """By how much each step misses the upright or the level, and how much it counts."""
    off = (np.arctan2(down, across) + np.pi / 4) % (np.pi / 2) - np.pi / 4
    return np.asarray(off, np.float64), np.asarray(np.minimum(strength, _FULL_STEP) ** 2, np.float64)


def _trimmed_mean(mean: float, off: Floats, weight: Floats, reaches_rad: Sequence[float]) -> float:
    for within in reaches_rad:
        near = weight * (np.abs(off - mean) < within)
        mean = float((near * off).sum() / max(near.sum(), 1e-6))
    return mean


def _histogram_mode(off: Floats, weight: Floats) -> float:
    """The angle that most agree on."""
    ends = np.arange(-2 * _REACH_RAD, 2 * _REACH_RAD + _BIN_RAD / 2, _BIN_RAD)
    counts, _ = np.histogram(off, bins=ends, weights=weight)
    few = np.arange(-3 * _FEW_RAD, 3 * _FEW_RAD + _BIN_RAD / 2, _BIN_RAD)
    smooth = np.convolve(counts, np.exp(-((few / _FEW_RAD) ** 2) / 2), "same")
    middle = (ends[1:] + ends[:-1]) / 2
    return float(middle[np.where(np.abs(middle) < _REACH_RAD, smooth, -1.0).argmax()])
