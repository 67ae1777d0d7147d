"""Whether a base was turned on the spot: told by what stands on it, where its rim shows no facing.

By how much cannot be told so: what stands up leans away from the camera, whichever way it is turned.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.change import View
from vision.fit import RimFit
from vision.rectify import Picture, Window

Floats = NDArray[np.float64]

_SPOKES = 72
_RADII = (0.3, 0.45, 0.6, 0.75, 0.88)  # of the base's
_AS_IT_WAS = 0.5  # of 1: who looks no more like before
_LEAST, _MORE = 0.45, 0.3  # and so much, and so much more, like before turned by some angle, was turned
_LEAST_LEVELS = 3.0  # grey levels of spread: on less nothing can be read


def was_turned(before: View, after: View, window: Window, fit: RimFit) -> bool:
    """Whether the base looks as before but for a turn."""
    then, now = (_unrolled(one.picture, window, fit) for one in (before, after))
    if min(then.std(), now.std()) < _LEAST_LEVELS:
        return False
    like = _likeness(then, now)
    return bool(like[0] < _AS_IT_WAS and like.max() > max(_LEAST, like[0] + _MORE))


def _unrolled(picture: Picture, window: Window, fit: RimFit) -> Floats:
    """(radii, spokes, 3): what stands on the base by angle; what lies evenly about its middle is taken off."""
    angle = np.arange(_SPOKES) * (2 * np.pi / _SPOKES)
    radii = np.array(_RADII)[:, None] * fit.small_mm
    at_mm = np.stack([fit.at_mm[0] + radii * np.cos(angle), fit.at_mm[1] + radii * np.sin(angle)], axis=-1)
    at_px = window.to_px(at_mm.reshape(-1, 2)).reshape(len(_RADII), _SPOKES, 2).astype(np.float32)
    seen = cv2.remap(picture, at_px[..., 0], at_px[..., 1], cv2.INTER_LINEAR).astype(np.float64)
    return np.asarray(seen - seen.mean(axis=1, keepdims=True))


def _likeness(then: Floats, now: Floats) -> Floats:
    """(spokes,): how alike the two are when the first is turned by so many spokes, 1 at best."""
    weight = np.sqrt(np.array(_RADII))[:, None, None]
    a, b = (np.fft.rfft(one * weight, axis=1) for one in (then, now))
    shared = np.fft.irfft(np.conj(a) * b, n=_SPOKES, axis=1).sum(axis=(0, 2))
    norm = np.sqrt(((then * weight) ** 2).sum() * ((now * weight) ** 2).sum())
    return np.asarray(shared / max(float(norm), 1e-9))
