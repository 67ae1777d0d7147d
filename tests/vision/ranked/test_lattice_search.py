"""Blocks as the compiled way finds them, which must have been built here, are those that the plain one finds."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.arrays import Floats32
from models.base import RectBase
from vision.native import library
from vision.ranked.lattice_search import (
    CLEAR,
    FAINT,
    GrowthThresholds,
    Lattice,
    LineSums,
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
    seed: int, within_mm: float, limits: GrowthThresholds, monkeypatch: pytest.MonkeyPatch
) -> None:
    sums = LineSums(_ranks(seed))
    quick = [list(search_blocks(sums, size, within_mm=within_mm, limits=limits)) for size in SIZES]
    monkeypatch.setattr(library, "KERNEL", None)
    plain = [list(search_blocks(sums, size, within_mm=within_mm, limits=limits)) for size in SIZES]

    assert max(len(one.cells) for blocks in quick for one in blocks) >= 14
    assert [_places(one) for one in quick] == [_places(one) for one in plain]
    worth = [[one.worth_mm for blocks in both for one in blocks] for both in (quick, plain)]
    assert worth[0] == pytest.approx(worth[1], abs=1e-3)


def _places(blocks: list[Lattice]) -> list[list[tuple[tuple[int, int], tuple[float, float]]]]:
    """The cells of each, in the order in which they were found."""
    return [list(one.cells.items()) for one in blocks]


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
    quick = best_block(lines, SIZES, within_mm=within_mm)
    monkeypatch.setattr(library, "KERNEL", None)

    assert quick is not None
    assert quick == best_block(lines, SIZES, within_mm=within_mm)


@pytest.mark.parametrize("off_px", [0.0, 1.0])
def test_a_block_that_is_known_to_about_a_pixel_is_worth_what_it_was_found_for(off_px: float) -> None:
    sums = LineSums(_ranks(2))
    found = max(search_blocks(sums, SIZES[0], within_mm=1000.0), key=lambda one: one.worth_mm)
    about = replace(found, cells={cell: (x + off_px, y - off_px) for cell, (x, y) in found.cells.items()})

    assert block_worth_mm(sums, about) == pytest.approx(found.worth_mm, rel=0.02)


def test_a_block_where_no_lines_are_is_worth_nothing() -> None:
    bare = detect_lines(np.full((130, 190, 3), 110, np.uint8), px_per_mm=PX_PER_MM)

    assert block_worth_mm(LineSums(bare), Lattice(SIZES[0], {(0, 0): (60.0, 60.0), (1, 0): (86.0, 60.0)}, 50.0)) == 0.0
