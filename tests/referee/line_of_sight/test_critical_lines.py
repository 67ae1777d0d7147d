"""Of all lines that touch two rims, those that rest on both are enough where things close whole lines."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.geometry.shapes import RoundedShape, disc
from referee.line_of_sight import End, Lane, Obstacle, widest_lane
from referee.line_of_sight.critical_lines import critical_segments, resting_segments
from referee.line_of_sight.segment_clearance import Complexes, to_convex
from tests.referee.oracles.widest_lane import plain_lane
from tests.referee.sight_tables import FAMILIES, Scene, round_area

# Their things close whole lines and are convex: what grows or shrinks of them is told by distances alone.
_PLAIN = ("crowd", "walls", "slits", "in_line", "touching", "collinear_walls", "ranks", "ovals", "slivers", "tangent")


def _scene(family: str, seed: int) -> Scene:
    return FAMILIES[family](random.Random(f"resting {family}{seed}"))


def _clearest_mm(scene: Scene, segments: tuple[Complexes, Complexes]) -> float:
    areas = [obstacle.area for obstacle in scene[2]]
    return float(np.max(np.min([to_convex(*segments, part) for area in areas for part in area.parts], axis=0)))


@given(st.sampled_from(_PLAIN), st.integers(0, 10**6), st.floats(-12, 12))
@settings(max_examples=150, deadline=None)
def test_where_any_critical_line_is_open_one_that_rests_on_what_it_touches_is(
    family: str, seed: int, growth_mm: float
) -> None:
    scene = _scene(family, seed)
    areas = [obstacle.area for obstacle in scene[2]]
    if not areas:
        return
    of_all = _clearest_mm(scene, critical_segments(*scene[:2], areas, growth_mm))
    of_resting = _clearest_mm(scene, resting_segments(*scene[:2], areas, growth_mm))

    assert of_resting >= growth_mm - 1e-6 or of_all < growth_mm - 1e-6


@given(st.sampled_from(_PLAIN), st.integers(0, 10**6))
@settings(max_examples=100, deadline=None)
def test_a_line_that_rests_is_open_as_long_as_any_lane_is(family: str, seed: int) -> None:
    """Just before the widest lane closes few lines are left, and what they rest on stands on either side of them."""
    scene = _scene(family, seed)
    margin_mm = widest_lane(*scene).margin_mm
    if margin_mm > 900:
        return
    before_mm = margin_mm - 0.002
    areas = [obstacle.area for obstacle in scene[2]]

    assert _clearest_mm(scene, resting_segments(*scene[:2], areas, before_mm)) >= before_mm - 1e-6


def test_few_lines_rest_on_ovals() -> None:
    """Two ends of twenty corners and one between them: 1,770 pairs of corners, but four lines rest on two shapes."""
    a, b, things, _ = next(scene for scene in (_scene("ovals", k) for k in range(100)) if _is_of_ovals(scene))

    assert len(resting_segments(a, b, [things[0].area], -1.0)[0]) < 100


def _is_of_ovals(scene: Scene) -> bool:
    shapes = (scene[0].shape, scene[1].shape, *(part for thing in scene[2] for part in thing.area.parts))
    return len(shapes) == 3 and not any(shape.is_disc() for shape in shapes)


@pytest.mark.parametrize("lane", [widest_lane, plain_lane], ids=["kernel", "plain"])
@pytest.mark.parametrize(
    ("ends", "things", "margin_mm"),
    [
        pytest.param(
            (disc((0, 0), 20), disc((0, 0), 20)), ((0, 0, 15),), 5.0, id="a ring about one that stands within"
        ),
        pytest.param((disc((0, 0), 15), disc((0, 0), 20)), ((0, 0, 15),), 0.0, id="just the rim"),
        pytest.param(
            (disc((-1, 0), 8), disc((1, 0), 8)),
            ((24, 0, 20), (-12, 12 * 3**0.5, 20), (-12, -12 * 3**0.5, 20)),
            4.0,
            id="a pocket between three",
        ),
    ],
)
def test_where_ends_overlap_a_point_is_a_line(
    lane: Callable[[End, End, tuple[Obstacle, ...]], Lane],
    ends: tuple[RoundedShape, RoundedShape],
    things: tuple[tuple[float, float, float], ...],
    margin_mm: float,
) -> None:
    obstacles = tuple(Obstacle(f"o{k}", round_area(*thing)) for k, thing in enumerate(things))

    assert lane(End(ends[0]), End(ends[1]), obstacles).margin_mm == pytest.approx(margin_mm, abs=1e-6)
