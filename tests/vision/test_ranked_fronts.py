"""The front of a ranked unit is told by most of its bases, not by what stands on one."""

from dataclasses import replace

import numpy as np
import pytest

from models.base import catalogue_of
from tests.vision import regiments
from tests.vision.regiments import Stood, regiment
from vision.ranked.aligning import Told
from vision.ranked.fitting import STEPS, FittedBlock
from vision.ranked.fronts import front_of

AT_MM = (250.0, 200.0)
NOT_TOLD = Told(None, 0.0)


def _fitted(stood: list[Stood]) -> FittedBlock:
    """The one block there, of whose layers nothing is known about a front."""
    (found,) = regiments.blocks_in(regiments.photograph(stood), catalogue_of())
    return replace(found, fronts=(NOT_TOLD,))


def _hidden(fitted: FittedBlock, way: int, share: float) -> FittedBlock:
    """With something that is painted so far like the front over the first rim that ends the block this way."""
    dx, dy = STEPS[way]
    free = [(x + dx, y + dy) not in fitted.block.cells for x, y in fitted.block.cells].index(True)
    colours = fitted.look.sampled.colours.copy()
    front = front_of(fitted)
    colours[free, way] += share * (np.median(colours[:, front], axis=(0, 1)) - colours[free, way])
    return replace(fitted, look=replace(fitted.look, sampled=replace(fitted.look.sampled, colours=colours)))


@pytest.fixture(scope="module")
def rank() -> FittedBlock:
    return _fitted(regiment(AT_MM, 152.0, ranks=1, files=6, sides_mm=(20.0, 20.0)))


def test_who_leans_over_the_end_of_a_rank_is_no_rival_of_its_painted_front(rank: FittedBlock) -> None:
    front = front_of(rank)
    assert front is not None

    assert front_of(_hidden(rank, (front + 1) % 4, share=0.75)) == front


def test_no_front_is_told_of_two_edges_that_many_bases_show_alike(rank: FittedBlock) -> None:
    front = front_of(rank)
    assert front is not None
    behind = (front + 2) % 4
    colours = rank.look.sampled.colours.copy()
    colours[:, behind] = colours[:, front]
    both = replace(rank, look=replace(rank.look, sampled=replace(rank.look.sampled, colours=colours)))

    assert front_of(both) is None


def test_a_faint_edge_is_no_front_where_the_layers_of_colour_tell_of_none(rank: FittedBlock) -> None:
    """It may be a shadow's."""
    front = front_of(rank)
    assert front is not None
    colours = rank.look.sampled.colours.copy()
    colours[:, front] = 0.75 * colours[:, (front + 2) % 4] + 0.25 * colours[:, front]
    faint = replace(rank, look=replace(rank.look, sampled=replace(rank.look.sampled, colours=colours)))

    assert front_of(replace(faint, fronts=(Told(front, 1.5),))) == front
    assert front_of(faint) is None


def test_an_edge_as_which_the_block_was_hardly_laid_is_no_front(rank: FittedBlock) -> None:
    """A wall in its own light stands out from the rims as paint does."""
    front = front_of(rank)
    assert front is not None

    assert front_of(replace(rank, fronts=(Told(front, 0.5),))) is None
    assert front_of(replace(rank, fronts=(Told(front, 1.5),))) == front


def test_an_edge_that_other_looks_did_not_take_for_the_front_is_none(rank: FittedBlock) -> None:
    """A block that lies wrong looks otherwise from elsewhere."""
    front = front_of(rank)
    assert front is not None
    other, same = Told((front + 2) % 4, 3.0), Told(front, 3.0)

    assert front_of(replace(rank, fronts=(other, same, same))) is None
    assert front_of(replace(rank, fronts=(same, same, same))) == front


def test_a_figure_over_one_rim_of_a_lone_base_is_no_front() -> None:
    """A unit's other bases would tell that it is none; who stands alone has only the layers of its sides."""
    stood = regiment(AT_MM, 152.0, ranks=1, files=1, sides_mm=(40.0, 40.0), is_marked=False)
    plain = _fitted(stood)
    assert front_of(plain) is None
    colours = plain.look.sampled.colours.copy()
    colours[0, 1] = colours[0, 1] + np.float32(90)
    over = replace(plain, look=replace(plain.look, sampled=replace(plain.look.sampled, colours=colours)))

    assert front_of(replace(over, fronts=(Told(3, 0.8),))) is None
    assert front_of(replace(over, fronts=(Told(1, 3.0),))) == 1


def test_a_single_file_faces_the_one_edge_that_is_painted() -> None:
    file = _fitted(regiment(AT_MM, 152.0, ranks=4, files=1, sides_mm=(40.0, 40.0)))
    front = front_of(file)

    assert front is not None
    turned_deg = np.degrees(file.turns_rad) + 90 * front
    assert np.abs((turned_deg - 152.0 + 180) % 360 - 180).max() < 2.0
