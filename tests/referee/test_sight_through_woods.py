"""Lines through a wood: what is left of its depth is left by the ends, wherever the wood itself ends."""

import math
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.parsing import parse_query
from models.state import TableState
from referee import ask
from referee.geometry.shapes import disc, polygon_area
from referee.line_of_sight import End, Wood, lane_between
from tests.strategies import mini, state_of

_DEPTH_MM = 76.2
_WIDE = ((0.0, 0.0), (900.0, 0.0), (900.0, 600.0), (0.0, 600.0))
_SIGMA_MM = 0.5


@given(st.floats(1.0, 140.0), st.floats(0.0, math.pi), st.floats(12.0, 40.0))
@settings(max_examples=25, deadline=None)
def test_two_ends_in_a_wood_leave_of_its_depth_what_they_are_not_apart(
    apart_mm: float, turn_rad: float, radius_mm: float
) -> None:
    x, y = (apart_mm + 2 * radius_mm) * math.cos(turn_rad), (apart_mm + 2 * radius_mm) * math.sin(turn_rad)
    wood = Wood("wood", polygon_area(_WIDE), _DEPTH_MM)

    lane = lane_between(End(disc((400.0, 200.0), radius_mm)), End(disc((400.0 + x, 200.0 + y), radius_mm)), (), (wood,))

    assert lane.margin_mm == pytest.approx(_DEPTH_MM - apart_mm, abs=1e-3)


@pytest.mark.parametrize("viewer_x", [286.0, 294.5, 400.0], ids=["outside", "across the edge", "inside"])
@pytest.mark.parametrize("spare_mm", [-0.6, 0.3])
def test_a_line_through_nearly_all_the_depth_is_as_doubtful_as_the_places_of_its_ends(
    viewer_x: float, spare_mm: float
) -> None:
    begins = max(viewer_x + 15.0, 308.8)
    target_x = begins + _DEPTH_MM - spare_mm + 15.0
    spread = _SIGMA_MM * math.sqrt(2 if begins > 308.8 else 1)

    query = parse_query({"kind": "los", "viewer": "a", "target": "t"})
    verdict = ask(_two_about_a_forest(viewer_x, target_x), query)

    assert verdict.probability == pytest.approx(NormalDist().cdf(spare_mm / spread), abs=0.06)


def _two_about_a_forest(viewer_x: float, target_x: float) -> TableState:
    measured = {"sigma": {"at_mm": _SIGMA_MM, "facing_deg": 1.0}}
    forest = {"id": "f", "kind": "forest", "polygon_mm": [[308.8, 100], [900, 100], [900, 500], [308.8, 500]]}
    two = [
        mini("a", viewer_x, 300, facing_deg=0.0, **measured),
        mini("t", target_x, 300, facing_deg=180.0, **measured),
    ]
    return state_of(two, edition="warmachine-prime", terrain=[forest])
