"""The headings of a charge."""

import math
import random

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.fans import reaching_fans
from referee.shapes import Rounded, disc
from tests.referee.shapes import rectangle, seen


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


def test_a_wall_hides_what_is_behind_it() -> None:
    wall = rectangle(100, 60, 10, 120)

    fans = reaching_fans(disc((0, 0), 15), disc((250, 0), 25), 0.0, 400, (wall,))

    assert [(f.first_rad, f.last_rad) for f in fans] == [
        (pytest.approx(-math.asin(40 / 250)), pytest.approx(-math.asin(15 / 95), abs=1e-3))
    ]


def test_a_target_too_far_has_no_heading() -> None:
    assert reaching_fans(disc((0, 0), 15), disc((500, 0), 15), 12.7, 200) == []


def test_who_is_in_reach_already_may_head_anywhere() -> None:
    fans = reaching_fans(disc((0, 0), 15), disc((40, 0), 15), 12.7, 200)

    assert [fan.last_rad - fan.first_rad for fan in fans] == [pytest.approx(math.tau)]


def bases_of(r: random.Random, round_ones: bool) -> tuple[Rounded, Rounded, tuple[Rounded, ...]]:
    def base(x: float, y: float) -> Rounded:
        return disc((x, y), r.choice((15, 20, 25))) if round_ones else rectangle(x, y, 25, 50, r.uniform(0, 3))

    mover, target = base(0, 0), base(r.uniform(120, 300), r.uniform(-50, 50))
    others = tuple(base(r.uniform(40, 260), r.uniform(-90, 90)) for _ in range(4))
    return mover, target, tuple(o for o in others if seen(o).distance(seen(mover)) > 1.0)


@pytest.mark.parametrize("round_ones", [True, False], ids=["round", "rectangular"])
@pytest.mark.parametrize("seed", range(6))
def test_the_fans_are_those_that_single_headings_find(seed: int, round_ones: bool) -> None:
    r = random.Random(seed)
    mover, target, others = bases_of(r, round_ones)
    limit = r.uniform(100, 300)
    fans = reaching_fans(mover, target, 25.4, limit, others)

    for k in range(90):
        heading = -math.pi + (k + 0.37) * math.tau / 90
        inside = any(f.first_rad < heading + turn < f.last_rad for f in fans for turn in (0.0, math.tau))

        assert inside is walks_there(mover, target, heading, limit, others), heading


def walks_there(mover: Rounded, target: Rounded, heading: float, limit: float, others: tuple[Rounded, ...]) -> bool:
    """The same by walking in steps of half a millimetre, each looked at by shapely."""
    travel = np.arange(0.0, limit, 0.5)
    corners = np.array(mover.points)[None, :, :] + travel[:, None, None] * [math.cos(heading), math.sin(heading)]
    walked = shapely.points(corners[:, 0]) if mover.is_disc() else shapely.polygons(corners)

    def apart(other: Rounded) -> np.ndarray:
        core = shapely.Point(other.points[0]) if other.is_disc() else shapely.Polygon(other.points)
        return np.asarray(shapely.distance(walked, core)) - mover.radius_mm - other.radius_mm

    arrives = np.flatnonzero(apart(target) <= 25.4)
    stops = np.flatnonzero(np.min([apart(other) for other in others], axis=0) <= 0) if others else []
    return len(arrives) > 0 and (len(stops) == 0 or bool(arrives[0] <= stops[0]))


@given(turn=st.floats(-3.1, 3.1), mirrored=st.booleans(), seed=st.integers(0, 200), round_ones=st.booleans())
@settings(max_examples=15)
def test_moving_or_mirroring_the_whole_table_turns_the_fans_with_it(
    turn: float, mirrored: bool, seed: int, round_ones: bool
) -> None:
    mover, target, others = bases_of(random.Random(seed), round_ones)
    here = reaching_fans(mover, target, 25.4, 250.0, others)
    there = reaching_fans(*(_moved(s, turn, mirrored) for s in (mover, target)), 25.4, 250.0,
                          tuple(_moved(o, turn, mirrored) for o in others))  # fmt: skip

    widths = [
        sorted(f.last_rad - f.first_rad for f in fans if f.last_rad - f.first_rad > 1e-6) for fans in (here, there)
    ]
    assert sum(widths[1]) == pytest.approx(sum(widths[0]), abs=1e-6)


def _moved(shape: Rounded, turn: float, mirrored: bool) -> Rounded:
    c, s = math.cos(turn), math.sin(turn)
    flat = [(x, -y if mirrored else y) for x, y in shape.points]
    points = [(c * x - s * y + 70.0, s * x + c * y - 40.0) for x, y in flat]
    return Rounded(tuple(points[::-1] if mirrored else points), shape.radius_mm)


@given(seed=st.integers(0, 200), reach=st.floats(0, 40), more=st.floats(0, 40))
@settings(max_examples=40)
def test_a_longer_reach_never_takes_a_heading_away(seed: int, reach: float, more: float) -> None:
    mover, target, others = bases_of(random.Random(seed), round_ones=True)
    near, far = (
        sum(f.last_rad - f.first_rad for f in reaching_fans(mover, target, limit, 250.0, others))
        for limit in (reach, reach + more)
    )

    assert far >= near - 1e-9
