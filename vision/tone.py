"""Brightness as the eye takes it: equal ratios look alike, so a dim picture shows the same edges as a bright one."""

import cv2
import numpy as np
from numpy.typing import NDArray

_DARK = 60.0  # grey level below which equal differences count alike, above it equal ratios


def perceived(colours: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
    """Grey levels 0 to 255 on a scale that is linear in the dark and logarithmic above, 0 to 255 again."""
    if colours.dtype == np.uint8:
        return np.asarray(cv2.LUT(np.ascontiguousarray(colours), LEVELS), np.float32)
    return _perceived(np.asarray(colours, np.float32))


def _perceived(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    top = np.log1p(255.0 / _DARK)
    return np.asarray(np.log1p(colours / _DARK) * (255.0 / top), np.float32)


LEVELS = _perceived(np.arange(256, dtype=np.float32))


_TINT = 160.0  # a pure colour stands as far from grey as a good part of black from white
_SHADE = 0.6  # a shadow changes brightness and leaves the tint


def painted(colours: NDArray[np.float32] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Colours (N, 3) as paint tells itself from plastic: (N, 4), brightness held down and tint brought out."""
    flat = np.asarray(colours, np.float64)
    mean = flat.mean(axis=1, keepdims=True)
    tint = (flat - mean) / (mean + _DARK) * _TINT
    return np.concatenate([perceived(mean.astype(np.float32)) * _SHADE * np.sqrt(3), tint], axis=1)
