"""Rectangles are looked for where straight edges run both ways."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.arrays import Floats
from vision.ranked.edge_orientations import EdgePixels, OrientationMap, colour_edges, grey_edges
from vision.rectification.rectify import Window

Colour = tuple[int, int, int]

WINDOW = Window(0.0, 0.0, 300.0, 200.0, 0.8)
TABLE = np.array([[0.0, 0.0], [300.0, 0.0], [300.0, 200.0], [0.0, 200.0]])


SQUARE = [(100.0, 50.0), (150.0, 50.0), (150.0, 150.0), (100.0, 150.0)]
GREY, LIGHT = (90, 90, 90), (200, 200, 200)
BROWN, AS_BRIGHT_A_BLUE = (60, 90, 130), (150, 90, 95)


def _drawn(corners_mm: list[tuple[float, float]], *, on: Colour = GREY, of: Colour = LIGHT) -> NDArray[np.uint8]:
    width, height = WINDOW.size_px
    picture = np.full((height, width, 3), on, np.uint8)
    points = np.rint(WINDOW.to_px(np.array(corners_mm)) * 16).astype(np.int32)
    cv2.fillPoly(picture, [points], of, cv2.LINE_AA, shift=4)
    return picture


def _slants(steps: EdgePixels, inside_mm: Floats = TABLE) -> OrientationMap:
    return OrientationMap(steps, WINDOW, inside_mm=inside_mm, least=14.0)


@pytest.mark.parametrize("steps_of", [grey_edges, colour_edges])
def test_the_corner_of_a_rectangle_is_a_place_to_look_at(steps_of: Callable[[NDArray[np.uint8]], EdgePixels]) -> None:
    slant = _slants(steps_of(_drawn(SQUARE))).strongest()

    assert slant is not None
    assert min(slant.turn_rad, np.pi / 2 - slant.turn_rad) < np.radians(3)
    assert 80 < slant.at_mm[0] < 170
    assert 30 < slant.at_mm[1] < 170


@pytest.mark.parametrize("lean_mm", [0, 40, 150])
def test_one_long_line_is_none(lean_mm: float) -> None:
    beyond = [(100, -50), (100 + lean_mm, 250), (900, 250), (900, -50)]

    assert _slants(grey_edges(_drawn(beyond))).strongest() is None
    assert _slants(colour_edges(_drawn(beyond))).strongest() is None


def test_a_rectangle_as_bright_as_the_mat_is_told_by_its_colour() -> None:
    picture = _drawn(SQUARE, on=BROWN, of=AS_BRIGHT_A_BLUE)

    assert _slants(grey_edges(picture)).strongest() is None
    assert _slants(colour_edges(picture)).strongest() is not None


def test_what_lies_beyond_the_table_is_not_looked_at() -> None:
    picture = _drawn([(200, 50), (250, 50), (250, 150), (200, 150)])
    near_half = TABLE * [0.5, 1.0]

    assert _slants(grey_edges(picture), near_half).strongest() is None
    assert _slants(grey_edges(picture)).strongest() is not None


@given(x_mm=st.floats(-200, 500), y_mm=st.floats(-200, 400), size_mm=st.floats(1, 80))
def test_what_is_forgotten_may_lie_anywhere(x_mm: float, y_mm: float, size_mm: float) -> None:
    slants = _slants(grey_edges(_drawn(SQUARE)))
    seen = slants.strongest()
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size_mm + [x_mm, y_mm]

    slants.suppress(square)

    is_beyond = (square.max(axis=0) < -60).any() or (square.min(axis=0) > [360, 260]).any()
    assert slants.strongest() == seen or not is_beyond
