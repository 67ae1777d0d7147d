"""Templates over bases: how deep, how wholly, and how much."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.coverage import covered_mm, covered_share, disc_share, spray, teardrop, wholly_covered_mm
from referee.shapes import Area, Rounded, disc, polygon_area
from tests.referee.shapes import bases, corner_block, rectangle, seen, seen_area

SPRAY = spray((-60.0, 0.0), 0.3, 200.0, (20.0, 90.0))
FLAME = teardrop((-60.0, 0.0), 0.3, 203.2, 60.0)
BLAST = Area((disc((0.0, 0.0), 50.8),))
templates = st.sampled_from((SPRAY, FLAME, BLAST, corner_block(-40.0, -30.0, 160.0, 120.0, 60.0, 0.4)))


def test_a_template_covers_by_how_deep_it_lies_over_the_base() -> None:
    depths = [covered_mm(BLAST, disc((x, 0), 15)) for x in (60.0, 65.8, 90.0)]

    assert depths == [pytest.approx(5.8), pytest.approx(0.0), pytest.approx(-24.2)]


def test_a_spray_covers_what_lies_under_its_far_end_only() -> None:
    template = spray((0, 0), 0.0, 200.0, (20.0, 60.0))

    assert covered_mm(template, disc((190, 35), 15)) > 0
    assert covered_mm(template, disc((10, 35), 15)) < 0


def test_a_flame_is_as_long_and_as_wide_as_told() -> None:
    flame = teardrop((0, 0), 0.0, 203.2, 60.0)

    assert covered_mm(flame, disc((203.2 + 15, 0), 15)) == pytest.approx(0.0, abs=1e-9)
    assert covered_mm(flame, disc((173.2, 45), 15)) == pytest.approx(0.0, abs=1e-9)
    assert covered_mm(flame, disc((-15, 0), 15)) == pytest.approx(0.0, abs=1e-9)


def test_equal_discs_a_radius_apart_share_the_textbook_lens() -> None:
    share = disc_share(disc((0, 0), 15), disc((15, 0), 15))

    assert share == pytest.approx((2 * math.pi / 3 - math.sqrt(3) / 2) / math.pi)


@given(template=templates, base=bases)
@settings(max_examples=80)
def test_a_base_is_covered_touched_and_held_as_shapely_sees_it(template: Area, base: Rounded) -> None:
    theirs, mine = seen_area(template), seen(base)
    outside = mine.difference(theirs.buffer(-1e-3)).area > 1e-6
    depth, whole = covered_mm(template, base), wholly_covered_mm(template, base)

    assert -depth == pytest.approx(mine.distance(theirs), abs=1e-2) or mine.intersects(theirs)
    assert (depth > 0) is bool(mine.intersection(theirs).area > 0) or abs(depth) < 1e-2
    assert (whole > 0) is not outside or abs(whole) < 1e-2


@given(template=templates, base=bases)
@settings(max_examples=60)
def test_what_lies_wholly_under_a_template_has_so_much_room_on_all_sides(template: Area, base: Rounded) -> None:
    whole = wholly_covered_mm(template, base)

    if whole > 1e-2:
        rim = seen_area(template).boundary
        assert seen(base).distance(rim) == pytest.approx(whole, abs=1e-2)


@given(template=templates, base=bases)
@settings(max_examples=60)
def test_the_share_under_a_template_goes_with_how_it_covers(template: Area, base: Rounded) -> None:
    share = covered_share(template, base)

    assert 0.0 <= share <= 1.0 + 1e-9
    assert (share > 1e-9) is (covered_mm(template, base) > 0) or share < 1e-3
    assert (share > 1 - 1e-9) is (wholly_covered_mm(template, base) >= 0) or share > 0.999


def test_half_a_base_under_a_straight_edge_is_half_of_it() -> None:
    assert covered_share(Area((rectangle(100, 0, 200, 400),)), disc((0, 0), 15)) == pytest.approx(0.5, abs=1e-6)


def test_a_notch_between_the_corners_of_a_base_leaves_part_of_it_uncovered() -> None:
    """Its far side lies at 53, where the notch is 3.2 wide: its middle is 1.6 cos(atan(0.2)) from both sides of it."""
    outline = ((-50.0, 0.0), (50.0, 0.0), (50.0, 55.0), (2.0, 55.0), (0.0, 45.0), (-2.0, 55.0), (-50.0, 55.0))
    template = polygon_area(outline)

    assert wholly_covered_mm(template, rectangle(0.0, 50.0, 22.0, 6.0, 0.0)) == pytest.approx(
        -1.6 / math.hypot(1, 0.2), abs=1e-4
    )
    assert wholly_covered_mm(template, rectangle(0.0, 40.0, 22.0, 6.0, 0.0)) > 0
