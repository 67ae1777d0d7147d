"""A ranked unit at whose corners, or front edge, a person points."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from calibration.arrays import Image
from models.base import RectBase, catalogue_of
from models.errors import BadInput
from models.hint import Hint, RegimentHint
from models.tap import RegimentMeasurement
from models.vocabulary import Point
from tests.vision import regiments
from vision.locate import Sighting, with_hints
from vision.state_assembly import assign_ids, state_of
from vision.tapped_regiment import measure_regiment

SQUARE = RectBase(width_mm=25, depth_mm=25)
MIDDLE, FACING_DEG = (250.0, 200.0), 20.0
SHORT = frozenset({(2, 0), (2, 1)})  # the rear rank stands to the right
UNIT = regiments.regiment(MIDDLE, FACING_DEG, ranks=3, files=5)
SHORT_UNIT = regiments.regiment(MIDDLE, FACING_DEG, ranks=3, files=5, missing=SHORT)


@pytest.fixture(scope="module")
def picture() -> Image:
    return regiments.photograph(UNIT)


def _corners(*, seed: int, count: int = 4, slip_mm: float = 2.0) -> tuple[Point, ...]:
    """Front left, front right, rear right, rear left, as a finger taps them."""
    angle = math.radians(FACING_DEG)
    axes = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    half = np.array([3 * 25.4 / 2, 5 * 25.4 / 2])
    corners = np.array([(1, 1), (1, -1), (-1, -1), (-1, 1)]) * half @ axes + MIDDLE
    slips = np.random.default_rng(seed).normal(0, slip_mm, (4, 2))
    return tuple((x, y) for x, y in (corners + slips)[:count].tolist())


def _most_off_mm(measured: RegimentMeasurement, unit: Sequence[regiments.Stood]) -> float:
    told = [member.at_mm for member in measured.members]
    return max(min(math.dist(stood.at_mm, at) for at in told) for stood in unit)


@pytest.mark.parametrize("seed", [1, 2])
def test_four_corners_measure_every_member(picture: Image, seed: int) -> None:
    hint = RegimentHint(corners_mm=_corners(seed=seed), base=SQUARE, count=15)
    measured = measure_regiment(picture, hint, view=regiments.view())

    assert (measured.files, measured.seen, measured.is_measured) == (5, 15, True)
    assert _most_off_mm(measured, UNIT) < 0.8
    assert measured.facing_deg == pytest.approx(FACING_DEG, abs=0.5)


def test_the_ends_of_the_front_edge_are_enough_whichever_is_tapped_first(picture: Image) -> None:
    left, right = _corners(seed=3, count=2)
    for ends in ((left, right), (right, left)):
        hint = RegimentHint(corners_mm=ends, base=SQUARE, count=15)
        measured = measure_regiment(picture, hint, view=regiments.view())

        assert measured.facing_deg == pytest.approx(FACING_DEG, abs=0.5)
        assert _most_off_mm(measured, UNIT) < 0.8


def test_a_short_last_rank_is_met_where_it_stands() -> None:
    hint = RegimentHint(corners_mm=_corners(seed=4), base=SQUARE, count=13, files=5)
    measured = measure_regiment(regiments.photograph(SHORT_UNIT), hint, view=regiments.view())

    assert _most_off_mm(measured, SHORT_UNIT) < 0.8


def test_who_is_counted_and_shows_no_rim_is_said(picture: Image) -> None:
    """One who fell still stands in the list."""
    gone = regiments.regiment(MIDDLE, FACING_DEG, ranks=3, files=5, missing=frozenset({(2, 4)}))
    hint = RegimentHint(corners_mm=_corners(seed=5), base=SQUARE, count=15)
    measured = measure_regiment(regiments.photograph(gone), hint, view=regiments.view())

    assert [(m.rank, m.file) for m in measured.members if not m.is_seen] == [(2, 4)]


def test_where_no_rim_shows_the_unit_stands_where_the_hand_placed_it() -> None:
    corners = _corners(seed=6, slip_mm=0.0)
    hint = RegimentHint(corners_mm=corners, base=SQUARE, count=15)
    measured = measure_regiment(regiments.photograph([]), hint, view=regiments.view())

    assert not measured.is_measured
    assert measured.seen == 0
    assert _most_off_mm(measured, UNIT) < 1.5
    assert min(member.sigma_mm for member in measured.members) >= hint.sigma_mm


def test_corners_that_hold_no_such_unit_are_refused(picture: Image) -> None:
    hint = RegimentHint(corners_mm=_corners(seed=7), base=SQUARE, count=15, files=15)

    with pytest.raises(BadInput, match="another number of files"):
        measure_regiment(picture, hint, view=regiments.view())


def test_a_corner_off_the_table_is_named(picture: Image) -> None:
    (first, *rest) = _corners(seed=8)
    hint = RegimentHint(corners_mm=((-40.0, first[1]), *rest), base=SQUARE, count=15)

    with pytest.raises(BadInput) as refused:
        measure_regiment(picture, hint, view=regiments.view())
    assert refused.value.field == "corners_mm.0"


def test_a_hint_of_a_unit_stands_it_in_the_state(picture: Image) -> None:
    hint = Hint(regiment=RegimentHint(corners_mm=_corners(seed=9), base=SQUARE, count=15))
    seen = Sighting((), (), ())
    bases = with_hints(picture, seen, [hint], catalogue=catalogue_of(), view=regiments.view()).bases
    state = state_of(assign_ids(bases), view=regiments.view(), edition="warhammer-9")

    assert [unit.id for unit in state.units] == ["u1"]
    assert {(m.rank, m.file, m.placement) for m in state.miniatures} == {
        (rank, file, "measured") for rank in range(3) for file in range(5)
    }
    assert [m.facing_deg for m in state.miniatures] == pytest.approx([FACING_DEG] * 15, abs=0.5)
