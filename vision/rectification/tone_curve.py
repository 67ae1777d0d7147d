"""Tone mapping: brightness on a logarithmic scale, so that a dim picture shows the same edges as a bright one.

Photometric normalisation: colours as log ratios, so that paint is the same in shade and in light.
"""

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image

_RATIO_DARK = 15.0  # grey level below which differences count alike
_SCALE = 60.0  # what doubles a colour counts about 40
_BRIGHTNESS, _RATIO_TINT = 0.6, 1.5  # brightness, which light changes too, counts for less
_AXES = np.array([[1, 1, 1], [1, -1, 0], [0.5, 0.5, -1]]) / np.sqrt([[3.0], [2.0], [1.5]])
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


def as_ratios(colours: Floats) -> Floats:
    """Log ratios of colours, (..., 3): brightness, and two tints that light does not change."""
    levels = _SCALE * np.log((colours + _RATIO_DARK) / _RATIO_DARK)
    return np.asarray(levels @ _AXES.T * (_BRIGHTNESS, _RATIO_TINT, _RATIO_TINT), np.float64)


def ring_mean(values: Floats, width: float) -> Floats:
    """Moving average over so many neighbours, the ends joined."""
    wide = max(1, int(width) | 1)
    closed = np.concatenate([values[-wide:], values, values[:wide]]).astype(np.float32)
    return np.asarray(cv2.blur(closed, (1, wide))[wide:-wide], np.float64)
