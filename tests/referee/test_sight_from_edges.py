"""Lines that begin on an edge, as those of a front rank do: the best is the best from any of its points."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.vocabulary import Point
from referee.geometry.shapes import RoundedShape, disc, polygon_area
from referee.line_of_sight import End, Obstacle, Wood, widest_lane
from tests.referee.oracles.widest_lane import plain_lane
from tests.referee.sight_tables import FAMILIES, Scene

_SEEN_MM = 1e-5  # to which a lane is told
_POINTS = 9
_BODY = ((495.8, 1022.7), (586.8, 944.3), (612.9, 974.6), (552.1, 1027.2), (521.7, 1053.1))
_WALL = ((1070.8, 826.4), (1166.4, 748.2), (1173.6, 757.0), (1078.0, 835.2))
_WOOD = (
    (863.2, 1032.8), (863.5, 1058.4), (857.8, 1085.1), (840.2, 1106.3), (815.5, 1118.2), (789.9, 1126.3),
    (762.2, 1132.4), (732.9, 1128.2), (710.1, 1109.5), (696.8, 1084.1), (689.4, 1058.4), (688.0, 1032.8),
    (694.9, 1008.9), (705.6, 987.3), (716.5, 963.6), (733.5, 938.8), (761.0, 925.0), (791.4, 929.3),
    (816.9, 944.2), (838.0, 961.8), (853.9, 983.1), (861.4, 1007.9),
)  # fmt: skip
"""As it lies on a table: with the edge's corner nearer to it than any other point."""


def _beside_a_wood() -> Scene:
    wall = Obstacle("wall", polygon_area(_WALL))
    wood = Wood("wood", polygon_area(_WOOD), 50.8, end_inside=True)
    return End(RoundedShape(((1340.4, 742.4), (1345.2, 766.9)))), End(RoundedShape(_BODY)), (wall,), (wood,)


def _from_points(scene: Scene) -> float:
    start, stop, walls, woods = scene
    places = (_between(*start.shape.points, k / (_POINTS - 1)) for k in range(_POINTS))
    return max(widest_lane(End(disc(place, 0.0)), stop, walls, woods).margin_mm for place in places)


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def test_the_best_line_from_an_edge_may_begin_at_its_corner() -> None:
    scene = _beside_a_wood()

    assert widest_lane(*scene).margin_mm >= _from_points(scene) - _SEEN_MM


def test_both_paths_find_the_same_line_from_a_corner() -> None:
    scene = _beside_a_wood()

    assert widest_lane(*scene).margin_mm == pytest.approx(plain_lane(*scene).margin_mm, abs=_SEEN_MM)


@given(st.sampled_from(["forests", "low_walls", "nested_walls"]), st.integers(0, 10**6))
@settings(max_examples=12, deadline=None)
def test_no_point_of_an_edge_sees_better_than_the_edge(family: str, seed: int) -> None:
    start, stop, walls, woods = FAMILIES[family](random.Random(f"edge {family}{seed}"))
    (x, y), reach = start.shape.centre, start.shape.reach_mm
    scene = End(RoundedShape(((x, y - reach), (x, y + reach)))), stop, walls, woods

    assert widest_lane(*scene).margin_mm >= _from_points(scene) - _SEEN_MM
