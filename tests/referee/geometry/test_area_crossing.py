"""The shortest stretch between a feature and a base, along lines that come from another base."""

import math
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from referee.geometry.area_crossing import least_run
from referee.geometry.shapes import Area, RoundedShape, disc, polygon_area

SOURCE, BASE = disc((0.0, 0.0), 15.0), disc((300.0, 0.0), 15.0)


def wall(left: float, near: float, right: float, far: float) -> Area:
    return polygon_area([(left, near), (right, near), (right, far), (left, far)])


def run_mm(area: Area) -> float | None:
    found = least_run(SOURCE, BASE, area)
    return None if found is None else found.mm


def test_straight_ahead_the_run_is_the_gap() -> None:
    assert run_mm(wall(260, -50, 270, 50)) == pytest.approx(15.0)


def test_a_wall_behind_the_base_is_crossed_by_no_line() -> None:
    assert run_mm(wall(316, -50, 320, 50)) is None


def test_a_wall_that_touches_the_base_from_behind_is_crossed_by_none_either() -> None:
    assert run_mm(wall(315, -50, 320, 50)) is None


def test_a_wall_beside_all_lines_is_crossed_by_none() -> None:
    assert run_mm(wall(100, 16, 200, 40)) is None


def test_a_wall_the_base_touches_leaves_no_stretch() -> None:
    assert run_mm(wall(280, -50, 285, 50)) == pytest.approx(0.0)


def test_a_slanting_wall_near_the_base_is_measured_along_the_line_and_not_across() -> None:
    """The wall's near end lies beside the base; the lines that cross the wall run past it a long way."""
    slanting = polygon_area([(300, 20), (100, 14), (100, 16), (300, 22)])

    assert run_mm(slanting) is not None
    assert (run_mm(slanting) or 0.0) > 100.0


coordinate = st.floats(20, 280)
height = st.floats(-40, 40)


@given(st.lists(st.tuples(coordinate, height), min_size=3, max_size=3), st.integers(0, 2**32))
def test_no_line_drawn_at_random_has_a_shorter_stretch(corners: list[tuple[float, float]], seed: int) -> None:
    """Lines from source to base are drawn and cut with the triangle by sampling: none may beat the least run."""
    assume(abs(sum(_cross(tuple(corners)))) > 50.0)
    area = polygon_area(corners)
    found, draw = run_mm(area), random.Random(seed)

    for _ in range(40):
        stretch = _drawn_stretch(draw, area.parts[0])
        if stretch is not None:
            assert found is not None
            assert found <= stretch + 0.5


def _cross(outline: tuple[tuple[float, float], ...]) -> list[float]:
    return [a[0] * b[1] - a[1] * b[0] for a, b in zip(outline, outline[1:] + outline[:1], strict=True)]


def _drawn_stretch(draw: random.Random, part: RoundedShape) -> float | None:
    """Along one line from a point of the source to one of the base: from where the area was last met to the base."""
    a, b = draw.uniform(0, math.tau), draw.uniform(0, math.tau)
    p = (15 * math.cos(a), 15 * math.sin(a))
    q = (300 + 15 * math.cos(b), 15 * math.sin(b))
    points = [(p[0] + (q[0] - p[0]) * k / 600, p[1] + (q[1] - p[1]) * k / 600) for k in range(601)]
    first = next(x for x in points if math.dist(x, (300.0, 0.0)) <= 15.0 + 1e-9)
    before = points[: points.index(first)]
    met = [x for x in before if _inside(part, x)]
    return math.dist(met[-1], first) if met else None


def _inside(part: RoundedShape, p: tuple[float, float]) -> bool:
    return all((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) >= 0.0 for a, b in part.edges())


@given(st.integers(0, 10_000))
def test_no_edge_of_the_outline_alone_has_a_shorter_run(seed: int) -> None:
    """Edges that lie too far off are passed over; none of them may have had it."""
    chance = random.Random(seed)
    middle = chance.uniform(40, 290), chance.uniform(-60, 60)
    corners = sorted(chance.uniform(0, math.tau) for _ in range(chance.randint(3, 9)))
    outline = [(middle[0] + 40 * math.cos(turn), middle[1] + 40 * math.sin(turn)) for turn in corners]
    found = least_run(SOURCE, BASE, polygon_area(outline))
    whole = math.inf if found is None else found.mm

    for k in range(len(outline)):
        a, b = outline[k - 1], outline[k]
        edge = least_run(SOURCE, BASE, Area((RoundedShape((a, b)),), (a, b)))
        assert whole <= (math.inf if edge is None else edge.mm) + 1e-9
