"""Brightness as the eye takes it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.rectification.tone_curve import tone_mapped


def test_black_and_white_stay() -> None:
    assert tone_mapped(np.array([0.0, 255.0], np.float32)).tolist() == pytest.approx([0, 255])


@given(a=st.floats(0, 255), b=st.floats(0, 255))
def test_what_is_brighter_stays_brighter(a: float, b: float) -> None:
    dim, bright = tone_mapped(np.array([min(a, b), max(a, b)], np.float32))

    assert dim <= bright


def test_the_same_step_counts_more_in_the_dark() -> None:
    dark, dark_step, light, light_step = tone_mapped(np.array([20, 40, 200, 220], np.float32))

    assert dark_step - dark > 2 * (light_step - light)
