"""The compiled votes are those of the same steps in NumPy."""

import numpy as np
import pytest

from calibration.arrays import Floats32
from vision.uncalibrated.hough_voting import hough_votes

SHAPE = (90, 117, 3)


@pytest.mark.parametrize("seed", range(3))
def test_both_vote_the_same_to_the_last_digit(seed: int) -> None:
    across, down = np.random.default_rng(seed).uniform(-40, 40, (2, *SHAPE)).astype(np.float32)

    for kernel, plain in zip(hough_votes(across, down, 6.0), _hough_votes_numpy(across, down, 6.0), strict=True):
        assert np.array_equal(kernel, plain)


def _hough_votes_numpy(across: Floats32, down: Floats32, half_vote: float) -> tuple[Floats32, Floats32]:
    xx, yy, xy = (_sum_channels(a, b) for a, b in ((across, across), (down, down), (across, down)))
    length = np.sqrt((xx - yy) ** 2 + 4 * xy * xy)
    strength = np.sqrt(np.maximum((xx + yy + length) / 2, 0))
    vote = strength / (strength + half_vote) / (length + 1e-6)
    return np.asarray(vote * (xx - yy), np.float32), np.asarray(vote * 2 * xy, np.float32)


def _sum_channels(a: Floats32, b: Floats32) -> Floats32:
    """(H, W) of (H, W, 3): the products of all channels together."""
    return np.asarray(sum(a[..., channel] * b[..., channel] for channel in range(3)), np.float32)
