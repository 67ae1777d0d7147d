"""Bases that move: what they meet, where, and what they leave."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.gaps import gap
from referee.motion import (
    along,
    clearance,
    contact_when_turning,
    contacts_along,
    first_contact,
    free_width,
    lengths_within,
    stretch_within,
    turned,
)
from referee.shapes import Rounded, disc, polygon_area

RIGHT = (1.0, 0.0)


def rectangle(x: float, y: float, w: float, h: float, turn: float = 0.0) -> Rounded:
    flat = Rounded(((x - w / 2, y - h / 2), (x + w / 2, y - h / 2), (x + w / 2, y + h / 2), (x - w / 2, y + h / 2)))
    return turned(flat, (x, y), turn)


shapes = st.one_of(
    st.builds(lambda x, y, r: disc((x, y), r), st.floats(-200, 200), st.floats(-80, 80), st.floats(5, 40)),
    st.builds(
        rectangle, st.floats(-200, 200), st.floats(-80, 80), st.floats(5, 80), st.floats(5, 80), st.floats(0, 3.1)
    ),
)


@given(mover=shapes, other=shapes, heading=st.floats(-3.1, 3.1), reach=st.floats(0, 30))
@settings(max_examples=80)
def test_the_ends_of_a_stretch_are_where_the_gap_is_the_reach(
    mover: Rounded, other: Rounded, heading: float, reach: float
) -> None:
    way = (math.cos(heading), math.sin(heading))

    span = stretch_within(mover, way, other, reach)

    if span is None:
        assert min(gap(along(mover, way, s), other).mm for s in range(-600, 600, 5)) > reach - 1e-6
    else:
        for end in span:
            assert gap(along(mover, way, end), other).mm == pytest.approx(reach, abs=1e-5)


def test_a_base_stops_at_the_first_it_meets() -> None:
    met = first_contact(disc((0, 0), 15), RIGHT, 200, [("far", disc((150, 10), 15)), ("near", disc((80, 0), 20))])

    assert [(c.id, c.after_mm) for c in met] == [("near", pytest.approx(45)), ("far", pytest.approx(150 - 20 * 2**0.5))]


def test_what_is_touched_and_left_is_not_met() -> None:
    assert first_contact(disc((0, 0), 15), RIGHT, 200, [("behind", disc((-30, 0), 15))]) == []


def test_grazing_with_no_room_to_spare_is_no_contact_of_a_slide() -> None:
    assert first_contact(disc((0, 0), 15), RIGHT, 200, [("beside", disc((80, 30), 15))]) == []


def test_a_path_round_a_corner_counts_its_travel_from_the_start() -> None:
    met = contacts_along(disc((0, 0), 10), ((0, 0), (100, 0), (100, 100)), (("end", disc((100, 80), 10)),))

    assert met[0].after_mm == pytest.approx(160)


def test_ground_is_crossed_from_the_first_part_of_the_base_to_the_last() -> None:
    wood = polygon_area([(50, -50), (90, -50), (90, 50), (50, 50)])

    assert lengths_within(disc((0, 0), 15), ((0, 0), (200, 0)), wood) == [(pytest.approx(35), pytest.approx(105))]


def test_leaving_a_reach_is_the_end_of_its_stretch() -> None:
    enemy = disc((0, 40), 15)

    span = stretch_within(disc((0, 0), 15), RIGHT, enemy, 50.8)

    assert span is not None
    assert span[1] == pytest.approx(math.sqrt(80.8**2 - 40**2))


def test_a_wheel_stops_where_its_corner_meets_a_wall() -> None:
    block = rectangle(50, 10, 100, 20)
    wall = rectangle(0, 70, 400, 20)

    met = contact_when_turning(block, (0, 0), math.pi / 2, [("wall", wall)])

    assert met is not None
    far_corner = math.hypot(100, 20)
    assert met[1] == pytest.approx(math.asin(60 / far_corner) - math.asin(20 / far_corner), abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_no_wheel_overlaps_anything_before_its_contact(seed: int) -> None:
    r = random.Random(seed)
    block, other = (
        rectangle(50, 10, 100, 20),
        rectangle(r.uniform(20, 120), r.uniform(50, 120), 30, 40, r.uniform(0, 3)),
    )

    met = contact_when_turning(block, (0, 0), math.pi, [("other", other)])

    last = met[1] if met else math.pi
    assert min(gap(turned(block, (0, 0), last * k / 400), other).mm for k in range(400)) > -1e-6
    if met:
        assert gap(turned(block, (0, 0), last + 1e-4), other).mm < 0


def test_a_passage_is_as_wide_as_the_gap() -> None:
    assert free_width(disc((0, 0), 15), disc((70, 0), 20)) == pytest.approx(35)


def test_a_place_is_free_by_its_least_gap() -> None:
    assert clearance(disc((0, 0), 15), [disc((40, 0), 15), disc((0, 60), 20)]) == pytest.approx(10)
