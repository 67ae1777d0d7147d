"""Turn detection: whether a base was turned on the spot, by what stands on it, where its rim shows no facing.

By how much cannot be told so: what stands up leans away from the camera, whichever way it is turned.
"""

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from vision.measurement.base_fit import BaseFit
from vision.rectification.rectify import Window
from vision.tracking.change_detection import View

_SPOKES = 72
_RADII = (0.3, 0.45, 0.6, 0.75, 0.88)  # of the base's
_AS_IT_WAS = 0.5  # of 1: who looks no more like before
_LEAST, _MORE = 0.45, 0.3  # and so much, and so much more, like before turned by some angle, was turned
_LEAST_LEVELS = 3.0  # grey levels of spread: on less nothing can be read


def has_rotated(before: View, after: View, window: Window, fit: BaseFit) -> bool:
    """Whether the base looks as before but for a turn."""
    then, now = (_unwrap_base(one.picture, window, fit) for one in (before, after))
    if min(then.std(), now.std()) < _LEAST_LEVELS:
        return False
    like = _rotation_correlation(then, now)
    return bool(like[0] < _AS_IT_WAS and like.max() > max(_LEAST, like[0] + _MORE))


def _unwrap_base(picture: Image, window: Window, fit: BaseFit) -> Floats:
    """(radii, spokes, 3): what stands on the base by angle; what lies evenly about its middle is taken off."""
    angle = np.arange(_SPOKES) * (2 * np.pi / _SPOKES)
    radii = np.array(_RADII)[:, None] * fit.inradius_mm
    at_mm = np.stack([fit.at_mm[0] + radii * np.cos(angle), fit.at_mm[1] + radii * np.sin(angle)], axis=-1)
    at_px = window.to_px(at_mm.reshape(-1, 2)).reshape(len(_RADII), _SPOKES, 2).astype(np.float32)
    seen = cv2.remap(picture, at_px[..., 0], at_px[..., 1], cv2.INTER_LINEAR).astype(np.float64)
    return np.asarray(seen - seen.mean(axis=1, keepdims=True))


def _rotation_correlation(then: Floats, now: Floats) -> Floats:
    """(spokes,): how alike the two are when the first is turned by so many spokes, 1 at best."""
    weight = np.sqrt(np.array(_RADII))[:, None, None]
    a, b = (np.fft.rfft(one * weight, axis=1) for one in (then, now))
    shared = np.fft.irfft(np.conj(a) * b, n=_SPOKES, axis=1).sum(axis=(0, 2))
    norm = np.sqrt(((then * weight) ** 2).sum() * ((now * weight) ** 2).sum())
    return np.asarray(shared / max(float(norm), 1e-9))
