"""Hough votes by the compiled kernel: the twin of `_hough_votes_numpy`."""

import ctypes

import numpy as np

from calibration.arrays import Floats32
from vision.native.library import KERNEL, address


def hough_votes_native(across: Floats32, down: Floats32, half_vote: float) -> tuple[Floats32, Floats32]:
    """Cosines and sines, (H, W) each, that gradients (H, W, 3) vote."""
    assert KERNEL is not None
    steps = [np.ascontiguousarray(one) for one in (across, down)]
    cosines, sines = (np.empty(across.shape[:2], np.float32) for _ in range(2))
    pixels, half = ctypes.c_long(cosines.size), ctypes.c_float(half_vote)
    KERNEL.hough_votes(*map(address, steps), pixels, half, address(cosines), address(sines))
    return cosines, sines
