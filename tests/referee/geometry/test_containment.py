"""How deep bases lie in areas."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.geometry.containment import depth_of_base
from referee.geometry.shapes import Area, RoundedShape, disc, polygon_area
from tests.referee.shapes import bases, corner_block, rectangle, seen, seen_area


def test_a_long_base_over_the_inner_corner_of_an_area_is_not_wholly_inside() -> None:
    """All four of its corners are, but the corner of the area pokes into its side."""
    bend = polygon_area([(0, 0), (200, 0), (200, 40), (40, 40), (40, 200), (0, 200)])
    across = rectangle(40, 40, 100, 8, -math.pi / 4)

    assert depth_of_base(across, (bend,)) < 0


def test_two_areas_side_by_side_hold_a_base_between_them() -> None:
    halves = (
        polygon_area([(0, 0), (50, 0), (50, 100), (0, 100)]),
        polygon_area([(50, 0), (100, 0), (100, 100), (50, 100)]),
    )

    assert depth_of_base(disc((50, 50), 15), halves) == pytest.approx(35)


def test_a_hole_between_areas_is_outside() -> None:
    frame = tuple(
        polygon_area([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
        for x, y, w, h in ((0, 0, 300, 100), (0, 200, 300, 100), (0, 0, 100, 300), (200, 0, 100, 300))
    )

    assert depth_of_base(disc((150, 150), 15), frame) < 0


@given(base=bases, turn=st.floats(0, 3.1), thick=st.floats(20, 120))
@settings(max_examples=80)
def test_a_base_is_as_deep_as_shapely_finds_it(base: RoundedShape, turn: float, thick: float) -> None:
    area = corner_block(-120.0, -60.0, 240.0, 200.0, thick, turn)
    depth = depth_of_base(base, (area,))
    theirs = seen_area(area)

    if theirs.contains(seen(base)):
        assert depth == pytest.approx(seen(base).distance(theirs.boundary), abs=1e-2)
    else:
        assert depth < 1e-2


@given(base=bases, more=st.floats(0.1, 50))
@settings(max_examples=40)
def test_another_area_beside_never_makes_a_base_shallower(base: RoundedShape, more: float) -> None:
    one, other = Area((rectangle(0, 0, 300, 120),)), Area((disc((more, 0), 90.0),))

    assert depth_of_base(base, (one, other)) >= depth_of_base(base, (one,)) - 1e-2
