"""Bases of a block that are several smaller ones, told apart by lines too weak to pay for a base each."""

import cv2
import numpy as np
import pytest

from calibration.arrays import Floats, Image
from models.base import RectBase, catalogue_of
from models.miniature import Miniature
from tests.vision import regiments
from tests.vision.regiments import Look
from vision.locate import locate
from vision.ranked.block_splitting import Seam, SeamEvidence, are_clear, merge_pair, split_block
from vision.ranked.lattice_search import Lattice, OrientedSize, oriented_sizes
from vision.ranked.line_evidence import detect_lines

PX_PER_MM = 1.25
SIZES = oriented_sizes([RectBase(width_mm=25, depth_mm=25), RectBase(width_mm=25, depth_mm=50)])
LARGE = next(size for size in SIZES if (size.wide_mm, size.tall_mm) == (25, 50))
ROW, LEFT, RIGHT = 100, 44, 172  # of pixels: half-way up the block, and where it begins and ends
COLOURS = ((40, 200, 220), (200, 40, 60), (230, 230, 220), (30, 30, 30))


@pytest.mark.parametrize(("sides_mm", "ranks"), [((25.0, 25.0), 4), ((25.0, 50.0), 2)])
def test_in_a_soft_picture_thin_rims_tell_two_ranks_from_one_of_deeper_bases(
    sides_mm: tuple[float, float], ranks: int
) -> None:
    assert _located(sides_mm, ranks, Look(lip_mm=0.2, inset_mm=0.2, rim=(40, 70, 60), blur_px=1.2)) == {sides_mm}


@pytest.mark.parametrize(("lip_mm", "blur_px"), [(0.05, 1.2), (0.2, 1.5)])
def test_a_unit_whose_rims_hardly_show_is_told_as_no_base_of_another_shape(lip_mm: float, blur_px: float) -> None:
    look = Look(lip_mm=lip_mm, inset_mm=0.2, rim=(40, 70, 60), blur_px=blur_px)

    assert _located((25.0, 25.0), 4, look) == {(25.0, 25.0)}


def test_a_weak_line_of_one_colour_from_end_to_end_parts_all_bases_it_runs_through() -> None:
    assert _is_parted(_crossed(_bare(), LEFT, RIGHT))


def test_a_line_through_half_of_the_bases_parts_none() -> None:
    assert not _is_parted(_crossed(_bare(), LEFT, (LEFT + RIGHT) // 2))


def test_figures_that_stand_in_a_row_part_no_base() -> None:
    picture = _bare()
    for k in range(16):
        cv2.circle(picture, (LEFT + 4 + 8 * k, ROW), 3, COLOURS[k % len(COLOURS)], -1)

    assert not _is_parted(picture)


def test_lines_all_over_a_base_part_it_nowhere() -> None:
    picture = _bare()
    for row in range(ROW - 9, ROW + 10, 3):
        picture[row, LEFT:RIGHT] -= 8

    assert not _is_parted(picture)


def test_the_smaller_bases_stand_on_the_ground_of_the_larger_ones() -> None:
    rows = {at[1] for at in _parted(_crossed(_bare(), LEFT, RIGHT)).cells.values()}

    assert sorted(rows) == pytest.approx([ROW - 15.6, ROW + 15.6], abs=1.5)


def test_a_line_through_one_base_must_be_clearer_than_one_through_many() -> None:
    """What stands on a base, or is painted there, may be a line of its own."""
    one, many = ((Seam(True, 50.0, np.zeros((bases, 2)), _Clear(1.7)),) for bases in (1, 2))

    assert not are_clear(one, clarity=1.2)
    assert are_clear(many, clarity=1.2)
    assert are_clear((Seam(True, 50.0, np.zeros((1, 2)), _Clear(2.5)),), clarity=1.2)


@pytest.mark.parametrize(("lines", "unclear", "is_told"), [(6, 1, True), (6, 2, False), (4, 1, False)])
def test_of_many_lines_one_may_be_hidden(lines: int, unclear: int, is_told: bool) -> None:
    clarity = [-0.9] * unclear + [2.5] * (lines - unclear)

    assert are_clear([Seam(True, 50.0, np.zeros((4, 2)), _Clear(one)) for one in clarity], clarity=1.2) == is_told


SQUARE = next(size for size in SIZES if (size.wide_mm, size.tall_mm) == (25, 25))


def _two(picture: Image, sizes: tuple[OrientedSize, ...] = SIZES) -> Lattice:
    """Two squares, one on the other half of the first base from the other, as they are taken to be."""
    places = {(0, 0): (LEFT + 16.0, ROW - 15.5), (0, 1): (LEFT + 16.0, ROW + 15.5)}
    return merge_pair(picture, detect_lines(picture, px_per_mm=PX_PER_MM), Lattice(SQUARE, places, 80.0), sizes)


def test_two_bases_that_a_line_parts_stay_two() -> None:
    assert len(_two(_crossed(_bare(), LEFT, RIGHT)).cells) == 2


def test_two_bases_that_no_line_parts_are_the_one_that_they_make() -> None:
    one = _two(_bare())

    assert (one.size.wide_mm, one.size.tall_mm) == (25, 50)
    assert one.cells == {(0, 0): (LEFT + 16.0, float(ROW))}


def test_two_bases_that_no_line_parts_are_worth_half_where_no_size_is_that_of_both() -> None:
    assert _two(_bare(), (SQUARE,)).worth_mm == 40.0


def test_a_figure_across_one_base_does_not_make_two_of_it() -> None:
    picture = _bare()
    for k in range(4):
        cv2.circle(picture, (LEFT + 4 + 8 * k, ROW), 3, COLOURS[k % len(COLOURS)], -1)

    assert len(_two(picture).cells) == 1


@pytest.mark.parametrize(
    ("sides_mm", "ranks", "files"),
    [((25.0, 25.0), 2, 1), ((25.0, 25.0), 1, 2), ((50.0, 50.0), 2, 1), ((30.0, 30.0), 1, 2), ((25.0, 50.0), 1, 2)],
)
def test_two_bases_side_by_side_are_told_as_two(sides_mm: tuple[float, float], ranks: int, files: int) -> None:
    assert _located(sides_mm, ranks, Look(), files=files) == {sides_mm}


class _Clear(SeamEvidence):
    """Lines that are all so clear."""

    def __init__(self, clarity: float) -> None:
        super().__init__(_bare(), px_per_mm=PX_PER_MM)
        self._clarity = clarity

    def clarity(self, middles_px: Floats, length_mm: float, *, is_up: bool) -> float:
        return self._clarity


def _located(sides_mm: tuple[float, float], ranks: int, look: Look, *, files: int = 4) -> set[tuple[float, float]]:
    """The sizes told of a unit, four wide if nothing else is said, all of whose bases are told."""
    stood = regiments.regiment((250, 200), 20.0, ranks=ranks, files=files, sides_mm=sides_mm, gap_mm=0.3)
    state = locate(
        regiments.photograph(stood, look), view=regiments.view(look), catalogue=catalogue_of(), edition="warhammer-9"
    )
    assert len(state.miniatures) == len(stood)
    return {_size(one) for one in state.miniatures}


def _bare() -> Image:
    """Four dark bases of 25 x 50 side by side on a light mat, with rims between them."""
    picture = np.full((200, 220, 3), 170, np.uint8)
    picture[ROW - 31 : ROW + 31, LEFT:RIGHT] = 90
    for column in range(LEFT, RIGHT + 1, 32):
        picture[ROW - 31 : ROW + 31, column - 1 : column + 1] = 40
    return picture


def _crossed(picture: Image, left: int, right: int) -> Image:
    """A little darker half-way up."""
    picture[ROW - 1 : ROW + 1, left:right] -= 8
    return picture


def _is_parted(picture: Image) -> bool:
    return len(_parted(picture).cells) == 8


def _parted(picture: Image) -> Lattice:
    block = Lattice(LARGE, {(k, 0): (LEFT + 16.0 + 32 * k, float(ROW)) for k in range(4)}, 100.0)
    return split_block(picture, detect_lines(picture, px_per_mm=PX_PER_MM), block, SIZES)


def _size(one: Miniature) -> tuple[float, float]:
    assert isinstance(one.base, RectBase)
    return one.base.width_mm, one.base.depth_mm
