"""The compiled look for a size's cleanest rim, which must have been built here, says what the plain one says."""

import cv2
import numpy as np
import pytest

from models.base import RectBase
from vision import compiled
from vision.ranked.lattice import Size, Sums, best_block, sizes_of
from vision.ranked.lines import Lines, lines_of

PX_PER_MM = 1.25
SIZES = sizes_of([RectBase(width_mm=20, depth_mm=20), RectBase(width_mm=25, depth_mm=50)])


def _lines(seed: int) -> Lines:
    """Of a rectangle on ground with coarse noise."""
    random = np.random.default_rng(seed)
    picture = 110 + 40 * cv2.GaussianBlur(random.normal(0, 1, (170, 210, 3)), (0, 0), 1.2)
    cv2.rectangle(picture, (90, 70), (121, 133), random.uniform(0, 255, 3).tolist(), 2)
    return lines_of(np.clip(picture, 0, 255).astype(np.uint8), px_per_mm=PX_PER_MM)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", SIZES)
def test_both_find_the_same_cleanest_rim(size: Size, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sums = Sums(_lines(seed))
    quick = sums.best_rim(size, 55, 40)
    monkeypatch.setattr(compiled, "KERNEL", None)

    assert quick == pytest.approx(sums.best_rim(size, 55, 40), abs=1e-5)


@pytest.mark.parametrize("within_mm", [20.0, 90.0])
def test_both_find_the_same_block_with_and_without_room_beside_it(
    within_mm: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = _lines(5)
    quick = best_block(lines, SIZES, within_mm=within_mm)
    monkeypatch.setattr(compiled, "KERNEL", None)

    assert quick is not None
    assert quick == best_block(lines, SIZES, within_mm=within_mm)
