"""What a moving base comes to and leaves, what it slips between, and where it may end."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.gaps import gap
from referee.motion import along
from referee.passages import clearance, clearance_on_table, free_width, room_between, visits_along, visits_turning
from referee.shapes import Area, Rounded, disc
from tests.referee.shapes import bases, rectangle

AHEAD = (1.0, 0.0)


def test_a_base_enters_and_leaves_the_reach_of_those_it_passes() -> None:
    path = ((0.0, 0.0), (300.0, 0.0))
    others = (("far", Area((disc((200, 60), 15),)), 50.8), ("near", Area((disc((0, 50), 15),)), 25.4))

    visits = visits_along(disc((0, 0), 15), path, others)

    half_far, half_near = math.sqrt(80.8**2 - 60**2), math.sqrt(55.4**2 - 50**2)
    assert [(v.id, v.enters, v.leaves, v.from_start, v.to_end) for v in visits] == [
        ("near", 0.0, pytest.approx(half_near), True, False),
        ("far", pytest.approx(200 - half_far), pytest.approx(200 + half_far), False, False),
    ]


def test_one_who_ends_in_reach_does_not_leave_it() -> None:
    visits = visits_along(disc((0, 0), 15), ((0, 0), (150, 0)), [("e", Area((disc((200, 0), 15),)), 50.8)])

    assert [(v.from_start, v.to_end) for v in visits] == [(False, True)]


def test_a_wheel_enters_reach_by_the_turn() -> None:
    visits = visits_turning(
        rectangle(50, 10, 100, 20), (0, 0), math.pi / 2, [("w", Area((rectangle(0, 140, 400, 20),)), 30.0)]
    )

    far = math.hypot(100, 20)
    assert visits[0].enters == pytest.approx(math.asin(100 / far) - math.asin(20 / far))


def test_a_passage_is_as_wide_as_the_gap() -> None:
    assert free_width(disc((0, 0), 15), disc((70, 0), 20)) == pytest.approx(35)


def test_a_long_base_fits_lengthways_and_not_across() -> None:
    posts = disc((100, 30), 10), disc((100, -30), 10)

    assert room_between(rectangle(0, 0, 75, 25), AHEAD, *posts) == pytest.approx(15)
    assert room_between(rectangle(0, 0, 75, 50), AHEAD, *posts) == pytest.approx(-10)


@given(mover=bases, upper=st.floats(10, 90), lower=st.floats(10, 90))
@settings(max_examples=40)
def test_what_fits_slides_through_on_the_middle_line_and_what_does_not_touches(
    mover: Rounded, upper: float, lower: float
) -> None:
    """Walked by steps of a millimetre in the middle of the passage: the least clearance is half of the room."""
    above, below = rectangle(0, 40 + upper, 60, 80), rectangle(0, -40 - lower, 60, 80)
    room = room_between(mover, AHEAD, above, below)
    low = -mover.support((0.0, -1.0))
    high = mover.support((0.0, 1.0))
    middle = along(mover, (-mover.centre[0], (upper - lower) / 2 - (low + high) / 2), 1.0)
    walked = min(clearance(along(middle, AHEAD, float(s)), (above, below)) for s in range(-150, 150))

    assert walked == pytest.approx(room / 2, abs=1e-6) or room < 0 > walked


def test_a_place_is_free_by_its_least_gap() -> None:
    assert clearance(disc((0, 0), 15), [disc((40, 0), 15), disc((0, 60), 20)]) == pytest.approx(10)


def test_a_base_over_the_edge_is_off_the_table_by_what_sticks_out() -> None:
    assert clearance_on_table(disc((5, 300), 15), 1000, 1000) == pytest.approx(-10)
    assert clearance_on_table(rectangle(500, 980, 20, 20), 1000, 1000) == pytest.approx(10)


@given(mover=bases, other=bases)
@settings(max_examples=40)
def test_a_place_is_as_free_seen_from_either_side(mover: Rounded, other: Rounded) -> None:
    assert clearance(mover, [other]) == pytest.approx(gap(other, mover).mm, abs=1e-9)
