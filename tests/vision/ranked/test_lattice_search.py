"""The blocks that the kernel finds are those of the same steps in NumPy."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.arrays import Floats32
from models.base import RectBase
from tests.vision.oracles.lattice_search import search_blocks_numpy
from vision.ranked.lattice_search import (
    CLEAR,
    FAINT,
    GrowthThresholds,
    Lattice,
    LineSums,
    OrientedSize,
    best_block,
    block_worth_mm,
    oriented_sizes,
    search_blocks,
)
from vision.ranked.line_evidence import LineMaps, detect_lines

PX_PER_MM = 1.25
SIZES = oriented_sizes([RectBase(width_mm=20, depth_mm=20), RectBase(width_mm=25, depth_mm=50)])


def _lines(seed: int) -> LineMaps:
    """Of a rectangle on ground with coarse noise."""
    random = np.random.default_rng(seed)
    picture = 110 + 40 * cv2.GaussianBlur(random.normal(0, 1, (170, 210, 3)), (0, 0), 1.2)
    cv2.rectangle(picture, (90, 70), (121, 133), random.uniform(0, 255, 3).tolist(), 2)
    return detect_lines(np.clip(picture, 0, 255).astype(np.uint8), px_per_mm=PX_PER_MM)


def _ranks(seed: int) -> LineMaps:
    """Of three ranks of five small squares that begin at an end of the picture, one of them missing."""
    random = np.random.default_rng(seed)
    picture = 110 + 12 * cv2.GaussianBlur(random.normal(0, 1, (130, 190, 3)), (0, 0), 1.2)
    for column, row in np.ndindex(5, 3):
        if (column, row) != (3, 1):
            x, y = (round(4 + 20.6 * PX_PER_MM * cell) for cell in (column, row))
            cv2.rectangle(picture, (x, y), (x + 24, y + 24), random.uniform(0, 90, 3).tolist(), 2)
    return detect_lines(np.clip(picture, 0, 255).astype(np.uint8), px_per_mm=PX_PER_MM)


@pytest.mark.parametrize("limits", [CLEAR, FAINT])
@pytest.mark.parametrize("within_mm", [20.0, 1000.0])
@pytest.mark.parametrize("seed", range(6))
def test_both_find_the_same_blocks_up_to_the_ends_of_the_picture(
    seed: int, within_mm: float, limits: GrowthThresholds
) -> None:
    sums = LineSums(_ranks(seed))
    kernel, plain = _both(sums, SIZES, within_mm, limits)

    assert max(len(block.cells) for block in kernel) >= 14
    _assert_alike(kernel, plain)


@pytest.mark.parametrize("limits", [CLEAR, FAINT])
@pytest.mark.parametrize("shape", [(40, 70), (70, 40), (9, 90), (90, 9), (1, 60), (60, 1), (2, 60)])
@pytest.mark.parametrize("seed", range(4))
def test_both_find_the_same_in_a_patch_that_is_smaller_than_a_base(
    seed: int, shape: tuple[int, int], limits: GrowthThresholds
) -> None:
    picture = np.random.default_rng(seed).integers(0, 256, (*shape, 3), dtype=np.uint8)
    sums = LineSums(detect_lines(picture, px_per_mm=PX_PER_MM))
    large = oriented_sizes([RectBase(width_mm=25, depth_mm=50), RectBase(width_mm=100, depth_mm=150)])

    _assert_alike(*_both(sums, large, 1000.0, limits))


def _both(
    sums: LineSums, sizes: Sequence[OrientedSize], within_mm: float, limits: GrowthThresholds
) -> tuple[list[Lattice], list[Lattice]]:
    kernel, plain = (
        [block for size in sizes for block in search(sums, size, within_mm=within_mm, limits=limits)]
        for search in (search_blocks, search_blocks_numpy)
    )
    return kernel, plain


def _assert_alike(kernel: list[Lattice], plain: list[Lattice]) -> None:
    assert [block.size for block in kernel] == [block.size for block in plain]
    assert [list(block.cells.items()) for block in kernel] == [list(block.cells.items()) for block in plain]
    assert [block.worth_mm for block in kernel] == pytest.approx([block.worth_mm for block in plain], abs=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_a_lone_base_is_worth_its_sides_as_a_whole_or_at_their_ends(seed: int) -> None:
    size, lines = oriented_sizes([RectBase(width_mm=25, depth_mm=50)])[1], _lines(seed)
    (one,) = search_blocks(LineSums(lines), size, within_mm=20.0)
    ((x, y),) = (tuple(map(int, at)) for at in one.cells.values())
    half_x, half_y = (round(side / 2 * PX_PER_MM) for side in (size.wide_mm, size.tall_mm))
    upright = sum(_side(lines.up[:, x + away], y, size.tall_mm) for away in (-half_x, half_x))
    level = sum(_side(lines.across[y + away], x, size.wide_mm) for away in (-half_y, half_y))

    assert one.worth_mm == pytest.approx(upright * size.tall_mm + level * size.wide_mm - 12.0, abs=1e-3)


def _side(line: Floats32, middle: int, side_mm: float) -> float:
    """By adding up what lies along it: nine tenths of it, or three tenths of that at both ends."""
    length = round(0.9 * side_mm * PX_PER_MM) | 1
    end = round(0.3 * length) | 1
    first = middle - length // 2
    ends = [*line[first : first + end], *line[first + length - end : first + length]]
    return float(min(np.mean(line[first : first + length]), np.mean(ends)))


@pytest.mark.parametrize("within_mm", [20.0, 90.0])
def test_both_find_the_same_block_with_and_without_room_beside_it(
    within_mm: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = _lines(5)
    kernel = best_block(lines, SIZES, within_mm=within_mm)
    monkeypatch.setattr("vision.ranked.lattice_search.search_blocks", search_blocks_numpy)

    assert kernel is not None
    assert kernel == best_block(lines, SIZES, within_mm=within_mm)


@pytest.mark.parametrize("off_px", [0.0, 1.0])
def test_a_block_that_is_known_to_about_a_pixel_is_worth_what_it_was_found_for(off_px: float) -> None:
    sums = LineSums(_ranks(2))
    found = max(search_blocks(sums, SIZES[0], within_mm=1000.0), key=lambda one: one.worth_mm)
    about = replace(found, cells={cell: (x + off_px, y - off_px) for cell, (x, y) in found.cells.items()})

    assert block_worth_mm(sums, about) == pytest.approx(found.worth_mm, rel=0.02)


def test_a_block_where_no_lines_are_is_worth_nothing() -> None:
    bare = detect_lines(np.full((130, 190, 3), 110, np.uint8), px_per_mm=PX_PER_MM)

    assert block_worth_mm(LineSums(bare), Lattice(SIZES[0], {(0, 0): (60.0, 60.0), (1, 0): (86.0, 60.0)}, 50.0)) == 0.0
