"""Bases that turn about a point: what they meet first."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.geometry.distance import gap
from referee.geometry.shapes import Area, RoundedShape, disc
from referee.motion.rotational_sweep import contact_when_turning
from referee.motion.sweep import rotate_shape
from tests.referee.shapes import bases, corner_block, rectangle, seen, seen_area

BLOCK = rectangle(50, 10, 100, 20)


def area(shape: RoundedShape) -> Area:
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


@pytest.mark.parametrize("seed", range(20))
def test_no_wheel_overlaps_anything_before_its_contact(seed: int) -> None:
    r = random.Random(seed)
    other = rectangle(r.uniform(20, 120), r.uniform(50, 120), 30, 40, r.uniform(0, 3))

    met = contact_when_turning(BLOCK, (0, 0), math.pi, [("other", area(other))])

    last = met[1] if met else math.pi
    assert min(gap(rotate_shape(BLOCK, (0, 0), last * k / 400), other).mm for k in range(400)) > -1e-6
    if met:
        assert gap(rotate_shape(BLOCK, (0, 0), last + 1e-4), other).mm < 0


@given(
    mover=bases,
    pivot=st.tuples(st.floats(-60, 60), st.floats(-60, 60)),
    by=st.floats(-3.0, 3.0),
    turn=st.floats(0, 3.1),
)
@settings(max_examples=40)
def test_a_wheel_meets_ground_where_small_turns_find_it(
    mover: RoundedShape, pivot: tuple[float, float], by: float, turn: float
) -> None:
    """The whole turn by two hundred steps, each looked at by shapely."""
    ground = corner_block(30.0, 20.0, 120.0, 90.0, 25.0, turn)
    met = contact_when_turning(mover, pivot, by, [("ground", ground)])

    for k in range(200):
        angle = abs(by) * (k + 0.5) / 200
        overlap = seen(rotate_shape(mover, pivot, math.copysign(angle, by))).intersection(seen_area(ground)).area
        assert (met is not None and angle >= met[1]) or overlap < 1.0


@given(mover=bases, by=st.floats(0.1, 3.0))
@settings(max_examples=40)
def test_a_mirrored_wheel_meets_the_mirrored_base_just_as_late(mover: RoundedShape, by: float) -> None:
    here = contact_when_turning(mover, (10, 20), by, [("other", area(disc((90.0, 60.0), 20.0)))])
    mirrored = RoundedShape(tuple((x, -y) for x, y in reversed(mover.points)), mover.radius_mm)
    there = contact_when_turning(mirrored, (10, -20), -by, [("other", area(disc((90.0, -60.0), 20.0)))])

    assert (here is None) is (there is None)
    assert here is None or there is None or there[1] == pytest.approx(here[1], abs=1e-6)
