"""Photometric normalisation: colours as log ratios, so that paint is the same in shade and in light."""

import cv2
import numpy as np

from calibration.arrays import Floats

_DARK, _SCALE = 15.0, 60.0  # grey level below which differences count alike; what doubles a colour counts about 40
_BRIGHTNESS, _TINT = 0.6, 1.5  # brightness, which light changes too, counts for less
_AXES = np.array([[1, 1, 1], [1, -1, 0], [0.5, 0.5, -1]]) / np.sqrt([[3.0], [2.0], [1.5]])


def as_ratios(colours: Floats) -> Floats:
    """Log ratios of colours, (..., 3): brightness, and two tints that light does not change."""
    levels = _SCALE * np.log((colours + _DARK) / _DARK)
    return np.asarray(levels @ _AXES.T * (_BRIGHTNESS, _TINT, _TINT), np.float64)


def ring_mean(values: Floats, width: float) -> Floats:
    """Moving average over so many neighbours, the ends joined."""
    wide = max(1, int(width) | 1)
    closed = np.concatenate([values[-wide:], values, values[:wide]]).astype(np.float32)
    return np.asarray(cv2.blur(closed, (1, wide))[wide:-wide], np.float64)
