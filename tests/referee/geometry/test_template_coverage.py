"""Templates over bases: how deep, and how wholly."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.geometry.containment import covered_mm, depth_of_base
from referee.geometry.shapes import Area, RoundedShape, disc, polygon_area
from tests.referee.shapes import bases, corner_block, rectangle, seen, seen_area

SPRAY = polygon_area(((-63.0, 9.6), (-57.0, -9.6), (144.4, 16.1), (117.8, 102.1)))
BLAST = Area((disc((0.0, 0.0), 50.8),))
templates = st.sampled_from((SPRAY, BLAST, corner_block(-40.0, -30.0, 160.0, 120.0, 60.0, 0.4)))


def test_a_template_covers_by_how_deep_it_lies_over_the_base() -> None:
    depths = [covered_mm(BLAST, disc((x, 0), 15)) for x in (60.0, 65.8, 90.0)]

    assert depths == [pytest.approx(5.8), pytest.approx(0.0), pytest.approx(-24.2)]


def test_a_spray_covers_what_lies_under_its_far_end_only() -> None:
    template = polygon_area(((0.0, -10.0), (200.0, -30.0), (200.0, 30.0), (0.0, 10.0)))

    assert covered_mm(template, disc((190, 35), 15)) > 0
    assert covered_mm(template, disc((10, 35), 15)) < 0


@given(template=templates, base=bases)
@settings(max_examples=80)
def test_a_base_is_covered_touched_and_held_as_shapely_sees_it(template: Area, base: RoundedShape) -> None:
    theirs, mine = seen_area(template), seen(base)
    outside = mine.difference(theirs.buffer(-1e-3)).area > 1e-6
    depth, whole = covered_mm(template, base), depth_of_base(base, (template,))

    assert -depth == pytest.approx(mine.distance(theirs), abs=1e-2) or mine.intersects(theirs)
    assert (depth > 0) is bool(mine.intersection(theirs).area > 0) or abs(depth) < 1e-2
    assert (whole > 0) is not outside or abs(whole) < 1e-2


@given(template=templates, base=bases)
@settings(max_examples=60)
def test_what_lies_wholly_under_a_template_has_so_much_room_on_all_sides(template: Area, base: RoundedShape) -> None:
    whole = depth_of_base(base, (template,))

    if whole > 1e-2:
        rim = seen_area(template).boundary
        assert seen(base).distance(rim) == pytest.approx(whole, abs=1e-2)


def test_a_notch_between_the_corners_of_a_base_leaves_part_of_it_uncovered() -> None:
    """Its far side lies at 53, where the notch is 3.2 wide: its middle is 1.6 cos(atan(0.2)) from both sides of it."""
    outline = ((-50.0, 0.0), (50.0, 0.0), (50.0, 55.0), (2.0, 55.0), (0.0, 45.0), (-2.0, 55.0), (-50.0, 55.0))
    template = polygon_area(outline)

    assert depth_of_base(rectangle(0.0, 50.0, 22.0, 6.0, 0.0), (template,)) == pytest.approx(
        -1.6 / math.hypot(1, 0.2), abs=1e-4
    )
    assert depth_of_base(rectangle(0.0, 40.0, 22.0, 6.0, 0.0), (template,)) > 0
