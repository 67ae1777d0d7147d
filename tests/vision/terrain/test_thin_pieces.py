"""Pieces too thin to have an outline."""

import numpy as np
import pytest

from vision.rectification.rectify import Window
from vision.terrain.proposals import _simple_outline
from vision.terrain.segmentation import Blob


@pytest.mark.parametrize("sides", [(1, 1), (1, 40), (40, 1)])
def test_a_strip_of_one_pixel_has_no_outline_and_is_no_error(sides: tuple[int, int]) -> None:
    place = np.ones(sides, np.bool_)
    rows, columns = np.nonzero(place)
    blob = Blob(np.column_stack([columns, rows]).astype(np.float64), float(max(sides)), 1.0, 0.3, place)

    outline = _simple_outline(blob, Window(0, 0, 60, 60, 1.0))
    assert outline is None or outline.area < 60
