"""Pictures full of printed squares hold no base."""

from collections.abc import Callable

import numpy as np
import pytest

from calibration.arrays import Image
from models.base import catalogue_of
from tests.vision import rendered
from vision.locate import locate

EYE = rendered.Eye()


def _checkerboard(rows: int, columns: int) -> Image:
    cell = (np.add.outer(np.arange(rows) // 30, np.arange(columns) // 30) % 2).astype(np.uint8)
    return np.repeat((60 + 130 * cell)[..., None], 3, axis=2)


def _grid(rows: int, columns: int) -> Image:
    lines = (np.arange(rows) % 25 < 2)[:, None] | (np.arange(columns) % 25 < 2)[None]
    return np.where(lines[..., None], np.uint8(30), np.uint8(120)) * np.ones(3, np.uint8)


@pytest.mark.parametrize("draw", [_checkerboard, _grid])
def test_no_more_than_a_handful_of_bases_is_told_of_a_printed_pattern(draw: Callable[[int, int], Image]) -> None:
    width, height = EYE.camera().image_size
    state = locate(draw(height, width), view=EYE.view(), catalogue=catalogue_of(), edition="open")  # fmt: skip

    assert len(state.miniatures) < 6
