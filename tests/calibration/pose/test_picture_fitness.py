"""What makes bases be missed in a picture is said with its number, and nothing is said of a good one."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.arrays import Image
from calibration.pose.picture_fitness import judge_picture
from tests.vision import rendered

EYE = rendered.Eye(size_px=(960, 720))
BASES = tuple(rendered.Base((80.0 + 110 * k, 120.0 + 40 * k), 40.0, seed=k, rim=rendered.BONE) for k in range(5))
CLEAN = rendered.photograph(rendered.Scene(BASES, eye=EYE))
VIEW = EYE.view()


def _noisy(image: Image, sigma: float) -> Image:
    rough = np.random.default_rng(3).normal(0, sigma, (*image.shape[:2], 1))
    return np.clip(image + rough, 0, 255).astype(np.uint8)


def _warnings(image: Image) -> str:
    return "; ".join(judge_picture(image, view=VIEW).warnings())


def test_nothing_is_said_of_a_good_picture() -> None:
    assert _warnings(CLEAN) == ""


@pytest.mark.parametrize(
    ("image", "says"),
    [
        (cv2.GaussianBlur(CLEAN, (0, 0), 2.0), "blurred"),
        (_noisy(CLEAN, 25.0), "noisy"),
        ((CLEAN * 0.2).astype(np.uint8), "dark"),
    ],
    ids=["blur", "noise", "dark"],
)
def test_each_fault_is_said(image: Image, says: str) -> None:
    assert says in _warnings(np.asarray(image, np.uint8))


@settings(max_examples=8, deadline=None)
@given(st.floats(1.0, 3.5))
def test_the_blur_that_is_said_is_the_blur_that_there_is_but_for_thin_rims(sigma: float) -> None:
    seen = judge_picture(np.asarray(cv2.GaussianBlur(CLEAN, (0, 0), sigma), np.uint8), view=VIEW).blur_px

    assert seen is not None
    assert 0.6 * sigma < seen < 1.25 * sigma


@settings(max_examples=8, deadline=None)
@given(st.floats(4.0, 20.0))
def test_the_noise_that_is_said_is_the_noise_that_there_is(sigma: float) -> None:
    assert judge_picture(_noisy(CLEAN, sigma), view=VIEW).noise == pytest.approx(sigma, rel=0.25)
