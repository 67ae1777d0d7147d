"""The compiled votes, which must have been built here, are the plain ones."""

import numpy as np
import pytest

from vision.detection.hough_voting import HoughAccumulator, cast_votes
from vision.native import library

SHAPE = (90, 117, 3)


def _votes(seed: int) -> HoughAccumulator:
    return cast_votes(np.random.default_rng(seed).integers(0, 256, SHAPE, dtype=np.uint8), reach_px=13)


@pytest.mark.parametrize("seed", range(3))
def test_both_vote_the_same_to_the_last_digit(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert library.KERNEL is not None
    quick = _votes(seed)
    monkeypatch.setattr(library, "KERNEL", None)
    plain = _votes(seed)

    assert np.array_equal(quick.cosines, plain.cosines)
    assert np.array_equal(quick.sines, plain.sines)
