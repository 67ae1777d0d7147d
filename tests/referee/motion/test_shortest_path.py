"""Detours: lines and ways past what bars the straight one, by hand and against many lines tried one by one."""

import math
import random
from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from models.vocabulary import Point
from referee.geometry.shapes import RoundedShape
from referee.motion.shortest_path import Fence, is_barred, shortest_clear_line, shortest_path_round


def rect(x: float, y: float, wide: float, deep: float, turn_rad: float = 0.0) -> RoundedShape:
    c, s = math.cos(turn_rad), math.sin(turn_rad)
    corners = ((0.0, 0.0), (wide, 0.0), (wide, deep), (0.0, deep))
    return RoundedShape(tuple((x + c * a - s * b, y + s * a + c * b) for a, b in corners))


HERE, THERE = rect(0, 0, -0.001, -0.001), rect(80, 0, 0.001, 0.001)
WALL = rect(40, -30, 0.001, 60)


def test_where_nothing_lies_between_it_is_the_gap() -> None:
    for find in (shortest_clear_line, shortest_path_round):
        found = find([HERE], [THERE], [rect(40, 5, 10, 10)])

        assert found is not None
        assert found.mm == pytest.approx(80.0)
        assert found.points == (pytest.approx((0.0, 0.0)), pytest.approx((80.0, 0.0)))


def test_a_way_round_bends_at_the_corner_of_a_wall() -> None:
    found = shortest_path_round([HERE], [THERE], [WALL])

    assert found is not None
    assert found.mm == pytest.approx(100.0, abs=0.001)  # twice 30, 40, 50
    assert abs(found.points[1][1]) == 30.0


def test_between_specks_no_straight_line_leads_past_a_wall() -> None:
    assert shortest_clear_line([HERE], [THERE], [WALL]) is None


def test_a_straight_line_leads_past_a_wall_from_elsewhere_on_a_base() -> None:
    base = rect(-20, -10, 20, 20)
    found = shortest_clear_line([base], [THERE], [rect(40, -30, 0.001, 35)])

    assert found is not None
    assert found.points[0] == pytest.approx((0.0, 10.0), abs=1e-3)  # over (40, 5) from (80, 0)
    assert found.mm == pytest.approx(math.hypot(80, 10), abs=1e-3)


def test_what_is_closed_all_round_is_not_reached() -> None:
    ring = [rect(50, -40, 60, 5), rect(50, 35, 60, 5), rect(50, -40, 5, 80), rect(105, -40, 5, 80)]

    assert shortest_path_round([HERE], [THERE], ring) is None


POINTS = st.tuples(st.integers(-9, 9).map(float), st.integers(-9, 9).map(float))
OUTLINES = st.builds(
    rect, *[st.integers(-9, 9)] * 2, *[st.integers(1, 9)] * 2, st.sampled_from((0.0, 0.3, math.pi / 4))
)


@given(ends=st.lists(st.tuples(POINTS, POINTS), min_size=1, max_size=6), outlines=st.lists(OUTLINES, max_size=3))
def test_many_lines_at_once_are_barred_as_each_by_itself(
    ends: list[tuple[Point, Point]], outlines: list[RoundedShape]
) -> None:
    found = Fence(outlines).bars([a for a, _ in ends], [b for _, b in ends])

    assert found.tolist() == [is_barred(a, b, outlines) for a, b in ends]


def _rim(shape: RoundedShape) -> list[Point]:
    rim = shapely.Polygon(shape.points).exterior
    return [rim.interpolate(mm).coords[0] for mm in np.arange(0.0, rim.length, 4.0)]


@pytest.mark.parametrize("seed", range(12))
def test_no_line_of_many_is_shorter_and_neither_way_is_barred(seed: int) -> None:
    r = random.Random(seed)
    own, foe = rect(0, 0, 20, 60), rect(300, r.uniform(-40, 40), 20, 60, r.uniform(-0.5, 0.5))
    barring = [
        rect(r.uniform(60, 180), r.uniform(-60, 80), r.uniform(10, 60), r.uniform(10, 110), r.uniform(0.0, 1.5))
        for _ in range(r.randint(1, 4))
    ]
    closed = shapely.union_all([shapely.Polygon(one.points).buffer(-1e-4) for one in barring])
    lines = shapely.linestrings([[p, q] for p in _rim(own) for q in _rim(foe)])
    clear = shapely.length(lines[~shapely.intersects(closed, lines)])
    straight, around = shortest_clear_line([own], [foe], barring), shortest_path_round([own], [foe], barring)

    assert around is not None
    assert straight is None or around.mm <= straight.mm + 1e-6
    assert (straight is None) <= (not len(clear))
    for found in filter(None, (straight, around)):
        assert not closed.intersects(shapely.LineString(found.points))
        assert found.mm == pytest.approx(sum(math.dist(a, b) for a, b in pairwise(found.points)), abs=1e-6)
    assert straight is None or not len(clear) or -1e-3 <= float(clear.min()) - straight.mm <= 4.0
