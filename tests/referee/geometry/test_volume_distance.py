"""Distances between volumes."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.geometry.distance import Volume, apart_mm, area_gap, rise_mm
from referee.geometry.shapes import Area, RoundedShape, disc
from tests.referee.shapes import bases


def standing(shape: RoundedShape, low: float = 0.0, tall: float = 44.5) -> Volume:
    return Volume(Area((shape,)), low, low + tall)


def volume_distance_mm(a: Volume, b: Volume) -> float:
    return apart_mm(area_gap(a.area, b.area).mm, rise_mm(a, b))


def test_on_one_level_the_distance_is_that_of_the_bases() -> None:
    assert volume_distance_mm(standing(disc((0, 0), 15)), standing(disc((80, 0), 20))) == pytest.approx(45)


def test_a_volume_on_a_cliff_is_farther_by_the_height_between() -> None:
    low, high = standing(disc((0, 0), 15)), standing(disc((70, 0), 15), low=74.5)

    assert volume_distance_mm(low, high) == pytest.approx(50.0)


def test_straight_above_only_the_height_counts() -> None:
    assert volume_distance_mm(standing(disc((0, 0), 15)), standing(disc((5, 0), 15), low=60.0)) == pytest.approx(15.5)


heights = st.floats(0, 120)


@given(a=bases, b=bases, low_a=heights, low_b=heights)
def test_volumes_are_as_far_apart_seen_from_either_side(
    a: RoundedShape, b: RoundedShape, low_a: float, low_b: float
) -> None:
    one, other = standing(a, low_a), standing(b, low_b)

    assert volume_distance_mm(one, other) == pytest.approx(volume_distance_mm(other, one), abs=1e-9)


@given(a=bases, b=bases, low_a=heights, low_b=heights)
def test_no_points_of_two_volumes_are_closer_than_their_gap(
    a: RoundedShape, b: RoundedShape, low_a: float, low_b: float
) -> None:
    """The closest points in plan, at every height of either volume, five millimetres at a time."""
    one, other = standing(a, low_a), standing(b, low_b)
    plan = max(0.0, area_gap(one.area, other.area).mm)
    levels = [[v.low_mm + k * (v.high_mm - v.low_mm) / 9 for k in range(10)] for v in (one, other)]
    closest = min(math.hypot(plan, p - q) for p in levels[0] for q in levels[1])

    assert volume_distance_mm(one, other) <= closest + 1e-9
    assert volume_distance_mm(one, other) >= closest - 5.0


@given(a=bases, b=bases, low=heights, lift=st.floats(0, 50))
def test_lifting_the_higher_one_never_brings_it_closer(
    a: RoundedShape, b: RoundedShape, low: float, lift: float
) -> None:
    ground = standing(a)
    here, there = standing(b, low), standing(b, low + lift)

    assert volume_distance_mm(ground, there) >= volume_distance_mm(ground, here) - 1e-9
    assert rise_mm(ground, there) >= rise_mm(ground, here)
