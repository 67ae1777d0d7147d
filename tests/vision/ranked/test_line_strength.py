"""The compiled strength of lines is that of the same steps in NumPy."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.arrays import Floats32
from vision.ranked.line_evidence import line_strength


@pytest.mark.parametrize("is_across", [True, False])
@given(rows=st.integers(1, 30), columns=st.integers(1, 30), seed=st.integers(0, 99))
def test_both_find_lines_as_strong_up_to_the_ends_of_the_picture(
    *, rows: int, columns: int, seed: int, is_across: bool
) -> None:
    tones = np.random.default_rng(seed).uniform(0, 255, (rows, columns, 3)).astype(np.float32)

    plain, kernel = (
        _line_strength_numpy(tones, is_across=is_across),
        line_strength(tones, is_across=is_across),
    )

    assert np.abs(plain - kernel).max() < 1e-3


def _line_strength_numpy(tones: Floats32, *, is_across: bool) -> Floats32:
    kernels = (np.array(taps, np.float32) for taps in ([-0.5, 0.0, 0.5], [-0.35, 0.0, 0.7, 0.0, -0.35]))
    step, stripe = (cv2.filter2D(tones, cv2.CV_32F, taps[:, None] if is_across else taps[None]) for taps in kernels)
    squares = cv2.multiply(step, step) + cv2.multiply(stripe, stripe)
    return np.asarray(cv2.sqrt(cv2.transform(squares, np.ones((1, 3), np.float32))), np.float32)
