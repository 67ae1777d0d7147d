"""The front of a ranked unit is told by most of its bases, not by what stands on one, and by the unit's shape."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.arrays import Floats32
from models.base import catalogue_of
from tests.vision import regiments
from tests.vision.regiments import Stood, regiment
from vision.ranked.block import STEPS
from vision.ranked.block_fit import FittedBlock
from vision.ranked.block_pose import FrontLogOdds
from vision.ranked.ranked_units import certain_front, front_posterior, ranked_bases

AT_MM = (250.0, 200.0)
NOWHERE = FrontLogOdds((-3.0, -3.0, -3.0, -3.0))


def _fitted(stood: list[Stood]) -> FittedBlock:
    (found,) = regiments.blocks_in(regiments.photograph(stood), catalogue_of())
    return found


def _front(fitted: FittedBlock) -> int | None:
    return certain_front(front_posterior(fitted))


def _told(fitted: FittedBlock, *looks: FrontLogOdds) -> FittedBlock:
    """As if these looks at its layers had told so."""
    return replace(fitted, fronts=looks)


def _at(way: int, odds: float) -> FrontLogOdds:
    """Paint at these sides, so much likelier than none."""
    return FrontLogOdds(tuple(odds if other == way else -2.0 for other in range(4)))


def _coloured(fitted: FittedBlock, colours: Floats32) -> FittedBlock:
    return replace(
        fitted, sides=replace(fitted.sides, sampled_sides=replace(fitted.sides.sampled_sides, colours=colours))
    )


def _mixed(fitted: FittedBlock, way: int, share: float) -> FittedBlock:
    """With the edge that is painted, `way`, keeping this share of its paint."""
    colours = fitted.sides.sampled_sides.colours.copy()
    colours[:, way] = (1 - share) * colours[:, (way + 2) % 4] + share * colours[:, way]
    return _coloured(fitted, colours)


def _hidden(fitted: FittedBlock, way: int, share: float) -> FittedBlock:
    """With something that is painted so far like the front over the first rim that ends the block this way."""
    dx, dy = STEPS[way]
    free = [(x + dx, y + dy) not in fitted.block.cells for x, y in fitted.block.cells].index(True)
    colours = fitted.sides.sampled_sides.colours.copy()
    front = _front(fitted)
    colours[free, way] += share * (np.median(colours[:, front], axis=(0, 1)) - colours[free, way])
    return _coloured(fitted, colours)


@pytest.fixture(scope="module")
def rank() -> FittedBlock:
    return _fitted(regiment(AT_MM, 152.0, ranks=1, files=6, sides_mm=(20.0, 20.0)))


@pytest.fixture(scope="module")
def front(rank: FittedBlock) -> int:
    found = _front(rank)
    assert found is not None
    return found


def test_who_leans_over_the_end_of_a_rank_is_no_rival_of_its_painted_front(rank: FittedBlock, front: int) -> None:
    assert _front(_hidden(rank, (front + 1) % 4, share=0.75)) == front


def test_no_front_is_told_of_two_edges_that_many_bases_show_alike(rank: FittedBlock, front: int) -> None:
    behind = (front + 2) % 4
    colours = rank.sides.sampled_sides.colours.copy()
    colours[:, behind] = colours[:, front]
    alike = FrontLogOdds(tuple(3.0 if way in (front, behind) else -2.0 for way in range(4)))

    assert _front(_told(_coloured(rank, colours), alike)) is None


def test_a_faint_edge_is_no_front_where_the_layers_of_colour_tell_of_none(rank: FittedBlock, front: int) -> None:
    """It may be a shadow's."""
    faint = _mixed(rank, front, share=0.5)

    assert _front(_told(faint, NOWHERE)) is None
    assert _front(_told(faint, _at(front, 6.0))) == front


def test_an_edge_as_which_the_block_was_not_laid_is_no_front(rank: FittedBlock, front: int) -> None:
    """A wall in its own light stands out from the rims as paint does."""
    assert _front(_told(rank, _at((front + 1) % 4, 2.0))) is None


def test_layers_alone_tell_no_front_where_no_edge_stands_out(rank: FittedBlock, front: int) -> None:
    assert _front(_told(_mixed(rank, front, share=0.0), _at(front, 6.0))) is None


def test_an_edge_that_other_looks_did_not_take_for_the_front_is_less_sure(rank: FittedBlock, front: int) -> None:
    """A block that lies wrong looks otherwise from elsewhere."""
    faint, other, same = _mixed(rank, front, share=0.5), _at((front + 2) % 4, 4.0), _at(front, 4.0)
    steady, unsteady = (front_posterior(_told(faint, *looks)) for looks in ((same, same, same), (other, other, same)))

    assert steady[front] > unsteady[front] + 0.02


def test_a_figure_over_one_rim_of_a_lone_base_is_no_front() -> None:
    """A unit's other bases would tell that it is none; who stands alone has only the layers of its sides."""
    plain = _fitted(regiment(AT_MM, 152.0, ranks=1, files=1, sides_mm=(40.0, 40.0), is_marked=False))
    assert _front(plain) is None
    colours = plain.sides.sampled_sides.colours.copy()
    colours[0, 1] = colours[0, 1] + np.float32(90)
    over = _coloured(plain, colours)

    assert _front(_told(over, _at(3, 1.0))) is None
    assert _front(_told(over, _at(1, 6.0))) == 1


def test_a_single_file_faces_the_one_edge_that_is_painted() -> None:
    file = _fitted(regiment(AT_MM, 152.0, ranks=4, files=1, sides_mm=(40.0, 40.0)))
    front = _front(file)

    assert front is not None
    turned_deg = np.degrees(file.turns_rad) + 90 * front
    assert np.abs((turned_deg - 152.0 + 180) % 360 - 180).max() < 2.0


@pytest.fixture(scope="module")
def short() -> FittedBlock:
    """Its rear rank has two of five, and no front is painted."""
    missing = frozenset((2, file) for file in (2, 3, 4))
    stood = regiment(AT_MM, 152.0, ranks=3, files=5, sides_mm=(25.0, 25.0), missing=missing, is_marked=False)
    return _fitted(stood)


def _ahead(fitted: FittedBlock, facing_deg: float) -> int:
    """The way that looks there."""
    off = np.degrees(fitted.turns_rad[0]) + 90 * np.arange(4) - facing_deg
    return int(np.abs((off + 180) % 360 - 180).argmin())


def test_a_unit_most_likely_faces_away_from_its_short_rank_but_not_surely_by_that_alone(short: FittedBlock) -> None:
    chances = front_posterior(_told(short, NOWHERE))

    assert chances.argmax() == _ahead(short, 152.0)
    assert chances.max() > 0.8
    assert certain_front(chances) is None


def test_faint_paint_opposite_a_short_rank_is_the_front(short: FittedBlock) -> None:
    way = _ahead(short, 152.0)

    assert _front(_told(short, _at(way, 5.0))) == way
    assert _front(_told(short, _at((way + 1) % 4, 5.0))) is None


def test_bases_of_which_no_front_is_sure_tell_each_way_and_how_likely_it_is(short: FittedBlock) -> None:
    one, *_ = ranked_bases((_told(short, NOWHERE),), ())
    ways = one.facing.alternatives

    assert one.facing.is_ambiguous
    assert len(ways) == 4
    assert sum(share for _, share in ways) == pytest.approx(1.0)
    assert np.degrees(ways[0][0]) == pytest.approx(152.0, abs=2.0)
    assert one.place.rank is None
