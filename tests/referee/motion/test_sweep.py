"""Bases that slide: what they meet, where, and what they leave."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.vocabulary import Point
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape, disc, polygon_area
from referee.motion.sweep import first_contact, lengths_within, slide_shape, stretch_within
from tests.referee.shapes import bases, corner_block, seen, seen_area

RIGHT = (1.0, 0.0)


@given(mover=bases, other=bases, heading=st.floats(-3.1, 3.1), reach=st.floats(0, 30))
@settings(max_examples=80)
def test_the_ends_of_a_stretch_are_where_the_gap_is_the_reach(
    mover: RoundedShape, other: RoundedShape, heading: float, reach: float
) -> None:
    way = (math.cos(heading), math.sin(heading))

    span = stretch_within(mover, way, other, reach)

    if span is None:
        assert min(gap(slide_shape(mover, way, s), other).mm for s in range(-600, 600, 5)) > reach - 1e-6
    else:
        for end in span:
            assert gap(slide_shape(mover, way, end), other).mm == pytest.approx(reach, abs=1e-5)


def test_sides_that_all_but_lie_in_line_hide_nothing() -> None:
    """Rounding may turn the remnant between two sides of one line either way."""
    mover = RoundedShape(
        ((-5.908232128878952, -4.6800154552433675), (7.599535884895362, 16.35662408832574),
         (3.39220797618154, 19.058177691080605), (-10.115560037592774, -1.9784618524885045))
    )  # fmt: skip
    other = RoundedShape(
        ((2.5064236885486917, -17.27220377867171), (16.014191702323004, 3.7644357648973976),
         (-5.0224478412461036, 17.27220377867171), (-18.530215855020415, -3.7644357648973976))
    )  # fmt: skip
    way = (math.cos(-0.99999), math.sin(-0.99999))
    span = stretch_within(mover, way, other)

    assert span is not None
    assert [gap(slide_shape(mover, way, end), other).mm for end in span] == pytest.approx([0, 0], abs=1e-5)


def test_a_base_stops_at_the_first_it_meets() -> None:
    met = first_contact(disc((0, 0), 15), RIGHT, 200, [("far", disc((150, 10), 15)), ("near", disc((80, 0), 20))])

    assert [(c.id, c.after_mm) for c in met] == [("near", pytest.approx(45)), ("far", pytest.approx(150 - 20 * 2**0.5))]


def test_what_is_touched_and_left_is_not_met() -> None:
    assert first_contact(disc((0, 0), 15), RIGHT, 200, [("behind", disc((-30, 0), 15))]) == []


def test_grazing_with_no_room_to_spare_is_no_contact_of_a_slide() -> None:
    assert first_contact(disc((0, 0), 15), RIGHT, 200, [("beside", disc((80, 30), 15))]) == []


def test_ground_is_crossed_from_the_first_part_of_the_base_to_the_last() -> None:
    wood = polygon_area([(50, -50), (90, -50), (90, 50), (50, 50)])

    assert lengths_within(disc((0, 0), 15), ((0, 0), (200, 0)), wood) == [(pytest.approx(35), pytest.approx(105))]


def test_leaving_a_reach_is_the_end_of_its_stretch() -> None:
    enemy = disc((0, 40), 15)

    span = stretch_within(disc((0, 0), 15), RIGHT, enemy, 50.8)

    assert span is not None
    assert span[1] == pytest.approx(math.sqrt(80.8**2 - 40**2))


@given(
    mover=bases,
    heading=st.floats(-3.1, 3.1),
    far=st.floats(50, 300),
    turn=st.floats(0, 3.1),
    bend=st.floats(-2.0, 2.0),
    reach=st.sampled_from((0.0, 12.7)),
)
@settings(max_examples=40)
def test_a_path_lies_in_rough_ground_where_small_steps_find_it(
    mover: RoundedShape, heading: float, far: float, turn: float, bend: float, reach: float
) -> None:
    """The whole path walked by steps of two millimetres, each looked at by shapely."""
    ground = corner_block(20.0, -10.0, 130.0, 90.0, 30.0, turn)
    path = _path(mover.centre, [(heading, far), (heading + bend, far)])
    spans = lengths_within(mover, path, ground, reach)

    for k in range(int(2 * far / 2)):
        apart = seen(_walked(mover, path, 2.0 * k)).distance(seen_area(ground)) - reach
        inside = any(first <= 2.0 * k <= last for first, last in spans)
        assert inside is (apart <= 0) or abs(apart) < 1e-2


def _path(start: Point, legs: list[tuple[float, float]]) -> tuple[Point, ...]:
    path = [start]
    for heading, far in legs:
        x, y = path[-1]
        path.append((x + far * math.cos(heading), y + far * math.sin(heading)))
    return tuple(path)


def _walked(mover: RoundedShape, path: tuple[Point, ...], by_mm: float) -> RoundedShape:
    for a, b in pairwise(path):
        length = math.dist(a, b)
        if by_mm <= length:
            way = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
            start = slide_shape(mover, (a[0] - mover.centre[0], a[1] - mover.centre[1]), 1.0)
            return slide_shape(start, way, by_mm)
        by_mm -= length
    return slide_shape(mover, (path[-1][0] - mover.centre[0], path[-1][1] - mover.centre[1]), 1.0)


@given(mover=bases, other=bases, heading=st.floats(-3.1, 3.1), turn=st.floats(-3.1, 3.1), mirrored=st.booleans())
@settings(max_examples=60)
def test_moving_or_mirroring_the_whole_table_changes_no_stretch(
    mover: RoundedShape, other: RoundedShape, heading: float, turn: float, mirrored: bool
) -> None:
    sign = -1.0 if mirrored else 1.0
    here = stretch_within(mover, (math.cos(heading), math.sin(heading)), other, 5.0)
    ahead = (math.cos(sign * heading + turn), math.sin(sign * heading + turn))
    there = stretch_within(_moved(mover, turn, mirrored), ahead, _moved(other, turn, mirrored), 5.0)

    assert (here is None) is (there is None) or _grazes(mover, heading, other)
    if here is not None and there is not None:
        assert there == pytest.approx(here, abs=1e-6)


def _moved(shape: RoundedShape, turn: float, mirrored: bool) -> RoundedShape:
    c, s = math.cos(turn), math.sin(turn)
    flat = [(x, -y if mirrored else y) for x, y in shape.points]
    points = [(c * x - s * y + 70.0, s * x + c * y - 40.0) for x, y in flat]
    return RoundedShape(tuple(points[::-1] if mirrored else points), shape.radius_mm)


def _grazes(mover: RoundedShape, heading: float, other: RoundedShape) -> bool:
    """Whether a hair more reach would make a stretch of it, or a hair less would end it."""
    way = (math.cos(heading), math.sin(heading))
    wide, narrow = (stretch_within(mover, way, other, 5.0 + off) for off in (1e-6, -1e-6))
    return (wide is None) is not (narrow is None)


@given(mover=bases, other=bases, heading=st.floats(-3.1, 3.1), reach=st.floats(0, 40), more=st.floats(0, 40))
@settings(max_examples=60)
def test_a_longer_reach_never_shortens_a_stretch(
    mover: RoundedShape, other: RoundedShape, heading: float, reach: float, more: float
) -> None:
    way = (math.cos(heading), math.sin(heading))
    near, far = (stretch_within(mover, way, other, limit) for limit in (reach, reach + more))

    assert near is None or (far is not None and far[0] <= near[0] + 1e-9 and far[1] >= near[1] - 1e-9)
