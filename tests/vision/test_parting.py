"""Bases of a block that are several smaller ones, told apart by lines too weak to pay for a base each."""

import numpy as np
import pytest

from models.base import RectBase, catalogue_of
from models.miniature import Miniature
from tests.vision import regiments
from tests.vision.regiments import Look
from vision.locating import locate
from vision.ranked.lattice import Found, sizes_of
from vision.ranked.lines import ABSENT, Lines
from vision.ranked.parting import parted

SOFT = Look(lip_mm=0.2, inset_mm=0.2, rim=(40, 70, 60), blur_px=1.2)
SIZES = sizes_of([RectBase(width_mm=25, depth_mm=25), RectBase(width_mm=25, depth_mm=50)])
LARGE = next(size for size in SIZES if (size.wide_mm, size.tall_mm) == (25, 50))


@pytest.mark.parametrize(("sides_mm", "ranks"), [((25.0, 25.0), 4), ((25.0, 50.0), 2)])
def test_in_a_soft_picture_thin_rims_tell_two_ranks_from_one_of_deeper_bases(
    sides_mm: tuple[float, float], ranks: int
) -> None:
    stood = regiments.regiment((250, 200), 20.0, ranks=ranks, files=4, sides_mm=sides_mm, gap_mm=0.3)
    state = locate(
        regiments.photograph(stood, SOFT), camera=regiments.camera(SOFT), pose=regiments.pose(SOFT),
        layout=regiments.layout(), catalogue=catalogue_of(), edition="warhammer-9",
    )  # fmt: skip

    assert [_size(one) for one in state.miniatures] == [sides_mm] * len(stood)


@pytest.mark.parametrize(("clean", "parts"), [(0.2, True), (-0.15, True), (-0.5, False)])
def test_a_line_through_all_bases_parts_them_if_nothing_like_it_runs_beside_it(clean: float, parts: bool) -> None:
    assert _parts(_crossed({100: clean})) is parts


def test_lines_all_over_a_base_part_it_nowhere() -> None:
    assert not _parts(_crossed(dict.fromkeys(range(90, 112, 3), 0.2)))


def test_a_line_through_some_of_the_bases_parts_none() -> None:
    lines = _crossed({100: 0.2})
    lines.across[:, 100:] = ABSENT

    assert not _parts(lines)


def test_each_part_stands_in_the_middle_of_its_share() -> None:
    block = parted(_crossed({100: 0.5}), _block(), SIZES)

    assert {cell: at[1] for cell, at in block.cells.items() if cell[0] == 0} == {(0, 0): 84.375, (0, 1): 115.625}


def _crossed(rows: dict[int, float]) -> Lines:
    """Lines across at these rows of pixels, so clean, and none that run up."""
    across = np.full((200, 250), ABSENT, np.float32)
    for row, clean in rows.items():
        across[row] = clean
    return Lines(np.full_like(across, ABSENT), across, 1.25)


def _block() -> Found:
    """Four bases of 25 x 50 side by side, whose middles lie on one row of pixels."""
    return Found(LARGE, {(k, 0): (60.0 + 32 * k, 100.0) for k in range(4)}, 100.0)


def _parts(lines: Lines) -> bool:
    return len(parted(lines, _block(), SIZES).cells) == 8


def _size(one: Miniature) -> tuple[float, float]:
    assert isinstance(one.base, RectBase)
    return one.base.width_mm, one.base.depth_mm
