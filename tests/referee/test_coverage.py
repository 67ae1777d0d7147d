"""Templates over bases, and the headings of a charge."""

import math
import random

import pytest

from referee.coverage import covered_mm, disc_share, reaching_fans, spray
from referee.shapes import Area, disc


def test_a_template_covers_by_how_deep_it_lies_over_the_base() -> None:
    blast = Area((disc((0, 0), 50.8),))

    depths = [covered_mm(blast, disc((x, 0), 15)) for x in (60.0, 65.8, 90.0)]

    assert depths == [pytest.approx(5.8), pytest.approx(0.0), pytest.approx(-24.2)]


def test_a_spray_covers_what_lies_under_its_far_end_only() -> None:
    template = spray((0, 0), 0.0, 200.0, (20.0, 60.0))

    assert covered_mm(template, disc((190, 35), 15)) > 0
    assert covered_mm(template, disc((10, 35), 15)) < 0


def test_equal_discs_a_radius_apart_share_the_textbook_lens() -> None:
    share = disc_share(disc((0, 0), 15), disc((15, 0), 15))

    assert share == pytest.approx((2 * math.pi / 3 - math.sqrt(3) / 2) / math.pi)


def test_a_free_charge_may_head_a_little_to_either_side() -> None:
    """The worked example: 15 + 15 + 12.7 mm at 208 mm is 11.85 degrees."""
    fans = reaching_fans(disc((508, 609.6), 15), disc((716, 609.6), 15), 12.7, 1000)

    assert [(math.degrees(f.first_rad), math.degrees(f.last_rad)) for f in fans] == [
        (pytest.approx(-11.85, abs=0.01), pytest.approx(11.85, abs=0.01))
    ]


def test_a_base_in_the_way_parts_the_fan() -> None:
    fans = reaching_fans(disc((0, 0), 15), disc((250, 0), 25), 50.8, 400, (disc((120, 0), 5),))

    assert len(fans) == 2
    assert fans[0].last_rad == pytest.approx(-math.asin(20 / 120))


def test_a_target_too_far_has_no_heading() -> None:
    assert reaching_fans(disc((0, 0), 15), disc((500, 0), 15), 12.7, 200) == []


@pytest.mark.parametrize("seed", range(8))
def test_the_fans_are_those_that_single_headings_find(seed: int) -> None:
    r = random.Random(seed)
    mover, target = disc((0, 0), 15), disc((r.uniform(120, 300), r.uniform(-50, 50)), 20)
    others = tuple(disc((r.uniform(40, 260), r.uniform(-90, 90)), r.choice((15, 20, 25))) for _ in range(4))
    others = tuple(o for o in others if math.dist(o.centre, (0, 0)) > 16 + o.radius_mm)
    limit = r.uniform(100, 300)
    fans = reaching_fans(mover, target, 25.4, limit, others)

    for k in range(120):
        heading = -math.pi + (k + 0.37) * math.tau / 120
        inside = any(
            fan.first_rad < heading < fan.last_rad or fan.first_rad < heading + math.tau < fan.last_rad for fan in fans
        )

        assert inside is _walks_there(mover.centre, target.centre, heading, limit, others)


def _walks_there(
    start: tuple[float, float], goal: tuple[float, float], heading: float, limit: float, others: tuple[object, ...]
) -> bool:
    """The same by walking in steps of 0.05 mm."""
    for k in range(int(limit / 0.05) + 1):
        at = (start[0] + 0.05 * k * math.cos(heading), start[1] + 0.05 * k * math.sin(heading))
        if math.dist(at, goal) <= 15 + 20 + 25.4:
            return True
        if any(math.dist(at, o.centre) < 15 + o.radius_mm for o in others):  # type: ignore[attr-defined]
            return False
    return False
