"""Tone mapping: brightness on a logarithmic scale, so that a dim picture shows the same edges as a bright one."""

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image

_DARK = 60.0  # grey level below which equal differences count alike, above it equal ratios


def tone_mapped(colours: Image | Floats32) -> Floats32:
    """Tone mapping of grey levels 0 to 255: linear in the dark and logarithmic above, 0 to 255 again."""
    if colours.dtype == np.uint8:
        return np.asarray(cv2.LUT(np.ascontiguousarray(colours), LEVELS), np.float32)
    return _tone_curve(np.asarray(colours, np.float32))


def _tone_curve(colours: Floats32) -> Floats32:
    top = np.log1p(255.0 / _DARK)
    return np.asarray(np.log1p(colours / _DARK) * (255.0 / top), np.float32)


LEVELS = _tone_curve(np.arange(256, dtype=np.float32))


_TINT = 160.0  # a pure colour stands as far from grey as a good part of black from white
_SHADE = 0.6  # a shadow changes brightness and leaves the tint


def tint_weighted(colours: Floats32 | Floats) -> Floats:
    """Colours (N, 3) with brightness held down and tint brought out, (N, 4), as paint differs from plastic."""
    flat = np.asarray(colours, np.float64)
    mean = flat.mean(axis=1, keepdims=True)
    tint = (flat - mean) / (mean + _DARK) * _TINT
    return np.concatenate([tone_mapped(mean.astype(np.float32)) * _SHADE * np.sqrt(3), tint], axis=1)
