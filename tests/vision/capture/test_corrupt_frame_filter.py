"""Single pictures that fit neither neighbour are left out; what stays is believed with its second picture."""

from collections.abc import Sequence

import numpy as np
import pytest

from calibration.arrays import Image
from vision.capture.sources import CorruptFrameFilter, Frame

RNG = np.random.default_rng(8)
TABLE: Image = RNG.integers(60, 200, (192, 256, 3)).astype(np.uint8)
NOISE: Image = RNG.integers(0, 256, TABLE.shape).astype(np.uint8)
DARK: Image = (TABLE // 4).astype(np.uint8)


def with_half_grey(picture: Image) -> Image:
    out = picture.copy()
    out[len(out) // 2 :] = 10
    return out


def with_hand(picture: Image, at: int) -> Image:
    out = picture.copy()
    out[60:, at : at + 30] = (120, 140, 220)
    return out


def passed(pictures: Sequence[Image]) -> list[int]:
    frame_filter = CorruptFrameFilter()
    return [k for k, picture in enumerate(pictures) if frame_filter.accepts(Frame(k, k / 10, picture))]


@pytest.mark.parametrize("glitch", [NOISE, with_half_grey(TABLE), np.zeros_like(TABLE)])
def test_a_single_picture_that_fits_neither_neighbour_is_left_out(glitch: Image) -> None:
    assert passed([TABLE, TABLE, glitch, TABLE, TABLE]) == [0, 1, 3, 4]


def test_two_different_glitches_in_a_row_are_left_out() -> None:
    assert passed([TABLE, NOISE, with_half_grey(TABLE), TABLE]) == [0, 3]


def test_a_lamp_that_is_switched_off_is_believed_with_the_second_picture() -> None:
    assert passed([TABLE, DARK, DARK, DARK]) == [0, 2, 3]


def test_a_hand_is_no_glitch() -> None:
    assert passed([TABLE, with_hand(TABLE, 40), with_hand(TABLE, 120), TABLE]) == [0, 1, 2, 3]


def test_a_picture_that_never_rests_is_looked_at_now_and_then() -> None:
    pictures = [RNG.integers(0, 256, TABLE.shape).astype(np.uint8) for _ in range(10)]

    assert passed(pictures) == [0, 4, 8]


def test_another_size_is_no_glitch() -> None:
    assert passed([TABLE, TABLE[::2, ::2], TABLE]) == [0, 1, 2]
