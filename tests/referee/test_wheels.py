"""Bases that turn about a point: what they meet, and how long they stay in reach."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.gaps import gap
from referee.motion import turned
from referee.shapes import Area, Rounded, disc
from referee.wheels import contact_when_turning, turns_within, wheeled_mm
from tests.referee.shapes import bases, corner_block, rectangle, seen, seen_area

BLOCK = rectangle(50, 10, 100, 20)


def area(shape: Rounded) -> Area:
    return Area((shape,))


def test_a_wheel_stops_where_its_corner_meets_a_wall() -> None:
    met = contact_when_turning(BLOCK, (0, 0), math.pi / 2, [("wall", area(rectangle(0, 70, 400, 20)))])

    assert met is not None
    assert met[1] == pytest.approx(math.asin(60 / math.hypot(100, 20)) - math.asin(20 / math.hypot(100, 20)), abs=1e-9)


def test_what_a_wheel_only_touches_is_not_met() -> None:
    beside = rectangle(50, -10, 100, 20)

    assert contact_when_turning(BLOCK, (0, 0), math.pi / 2, [("beside", area(beside))]) is None


def test_what_touches_and_is_turned_into_is_met_at_once() -> None:
    beside = rectangle(50, -10, 100, 20)

    assert contact_when_turning(BLOCK, (0, 0), -math.pi / 2, [("beside", area(beside))]) == ("beside", 0.0)


def test_a_wheel_is_as_long_as_its_outer_corner_goes() -> None:
    assert wheeled_mm(BLOCK, (0, 0), math.pi / 3) == pytest.approx(math.pi / 3 * math.hypot(100, 20))


@pytest.mark.parametrize("seed", range(20))
def test_no_wheel_overlaps_anything_before_its_contact(seed: int) -> None:
    r = random.Random(seed)
    other = rectangle(r.uniform(20, 120), r.uniform(50, 120), 30, 40, r.uniform(0, 3))

    met = contact_when_turning(BLOCK, (0, 0), math.pi, [("other", area(other))])

    last = met[1] if met else math.pi
    assert min(gap(turned(BLOCK, (0, 0), last * k / 400), other).mm for k in range(400)) > -1e-6
    if met:
        assert gap(turned(BLOCK, (0, 0), last + 1e-4), other).mm < 0


@given(
    mover=bases,
    pivot=st.tuples(st.floats(-60, 60), st.floats(-60, 60)),
    by=st.floats(-3.0, 3.0),
    reach=st.sampled_from((0.0, 25.4)),
    turn=st.floats(0, 3.1),
)
@settings(max_examples=40)
def test_a_wheel_is_in_reach_where_small_turns_find_it(
    mover: Rounded, pivot: tuple[float, float], by: float, reach: float, turn: float
) -> None:
    """The whole turn by two hundred steps, each looked at by shapely."""
    ground = corner_block(30.0, 20.0, 120.0, 90.0, 25.0, turn)
    spans = turns_within(mover, pivot, by, ground, reach)

    for k in range(200):
        angle = abs(by) * (k + 0.5) / 200
        apart = seen(turned(mover, pivot, math.copysign(angle, by))).distance(seen_area(ground)) - reach
        inside = any(first <= angle <= last for first, last in spans)
        assert inside is (apart <= 0) or abs(apart) < 1e-2


@given(mover=bases, by=st.floats(0.1, 3.0), reach=st.floats(0, 30), more=st.floats(0, 30))
@settings(max_examples=40)
def test_a_longer_reach_never_shortens_a_turn_in_it(mover: Rounded, by: float, reach: float, more: float) -> None:
    other = area(disc((90.0, 60.0), 20.0))
    near, far = (turns_within(mover, (0, 0), by, other, limit) for limit in (reach, reach + more))

    assert sum(b - a for a, b in far) >= sum(b - a for a, b in near) - 1e-9


@given(mover=bases, by=st.floats(0.1, 3.0), reach=st.floats(0, 30))
@settings(max_examples=40)
def test_a_mirrored_wheel_is_in_reach_just_as_long(mover: Rounded, by: float, reach: float) -> None:
    here = turns_within(mover, (10, 20), by, area(disc((90.0, 60.0), 20.0)), reach)
    mirrored = Rounded(tuple((x, -y) for x, y in reversed(mover.points)), mover.radius_mm)
    there = turns_within(mirrored, (10, -20), -by, area(disc((90.0, -60.0), 20.0)), reach)

    assert sum(b - a for a, b in there) == pytest.approx(sum(b - a for a, b in here), abs=1e-6)
