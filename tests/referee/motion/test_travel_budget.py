"""Travel with a budget, against a walk in small steps."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.geometry.distance import gap
from referee.geometry.shapes import Area, RoundedShape, disc, polygon_area
from referee.motion.travel_budget import TravelLimits, place_after, place_shape, straight_path, swept_gap, travel

BASE = disc((100.0, 100.0), 15.0)
_PLACE = st.floats(150, 450)


def square(x: float, y: float, side: float) -> Area:
    return polygon_area(((x, y), (x + side, y), (x + side, y + side), (x, y + side)))


def post(id_: str, x: float, y: float) -> tuple[str, Area]:
    return id_, Area((disc((x, y), 20.0),))


def test_open_ground_costs_its_length_and_rough_ground_twice() -> None:
    path = straight_path((100.0, 100.0), 0.0, 200.0)
    bog = (("bog", square(200.0, 60.0, 80.0)),)

    assert travel(BASE, path, TravelLimits(), 500.0).needed_mm == 200
    assert travel(BASE, path, TravelLimits(slow=bog), 500.0).needed_mm == 200 + 80 + 2 * 15  # in it from rim to rim


def test_the_budget_ends_it_in_the_rough() -> None:
    walked = travel(
        BASE, straight_path((100.0, 100.0), 0.0, 200.0), TravelLimits(slow=(("bog", square(200.0, 50.0, 400.0)),)), 105
    )

    assert (walked.travelled_mm, walked.spent_mm) == (85 + 10, 105)


def test_what_stops_it_does_so_at_contact() -> None:
    walked = travel(BASE, straight_path((100.0, 100.0), 0.0, 200.0), TravelLimits(stops=(post("b", 200.0, 100.0),)))

    assert (walked.travelled_mm, walked.stopped_by, walked.end) == (65, "b", (165, 100))


def test_what_may_be_crossed_stops_it_only_when_it_would_end_there() -> None:
    wall = TravelLimits(crossed=(("w", square(200.0, 50.0, 20.0)),))

    assert travel(BASE, straight_path((100.0, 100.0), 0.0, 140.0), wall).travelled_mm == 140
    short = travel(BASE, straight_path((100.0, 60.0), 0.0, 120.0), wall)
    assert (short.travelled_mm, short.stopped_by) == (85, "w")
    assert travel(BASE, straight_path((100.0, 60.0), 0.0, 135.0), wall).travelled_mm == 135  # its rim just clears it


def test_what_it_touches_at_the_start_stops_it_only_when_it_moves_into_it() -> None:
    beside = TravelLimits(stops=(post("b", 135.0, 100.0),))

    assert travel(BASE, straight_path((100.0, 100.0), 0.0, 50.0), beside).travelled_mm == 0
    assert travel(BASE, straight_path((100.0, 100.0), math.pi, 50.0), beside).travelled_mm == 50


@given(_PLACE, st.floats(60, 140), st.floats(20, 90), st.floats(50, 420), st.floats(-0.6, 0.6))
def test_a_walk_in_small_steps_comes_as_far(x: float, y: float, side: float, budget: float, heading: float) -> None:
    bog, pole = square(x, y, side), post("pole", 480.0, 130.0)
    path = straight_path((100.0, 100.0), heading, 400.0)
    walked = travel(BASE, path, TravelLimits(slow=(("bog", bog),), stops=(pole,)), budget)

    assert walked.travelled_mm == pytest.approx(_stepped(path, bog, pole[1], budget), abs=0.3)


def _stepped(path: tuple[tuple[float, float], ...], bog: Area, post: Area, budget: float) -> float:
    step, gone, spent = 0.05, 0.0, 0.0
    while gone < 400.0:
        here = place_shape(BASE, place_after(path, gone + step / 2))
        rate = 2.0 if min(gap(here, part).mm for part in bog.parts) <= 0 else 1.0
        if spent + rate * step > budget or gap(here, post.parts[0]).mm < 0:
            return gone
        gone, spent = gone + step, spent + rate * step
    return 400.0


@given(st.floats(150, 450), st.floats(40, 200), st.floats(-0.6, 0.6))
def test_the_swept_gap_is_the_least_along_the_way(x: float, y: float, heading: float) -> None:
    path, other = straight_path((100.0, 100.0), heading, 400.0), disc((x, y), 20.0)
    least = min(gap(place_shape(BASE, place_after(path, k * 0.5)), other).mm for k in range(801))

    assert swept_gap(BASE, path, other) == pytest.approx(least, abs=0.26)  # half a step off, right over its centre


def test_a_corner_of_the_path_is_gone_round() -> None:
    path = ((100.0, 100.0), (200.0, 100.0), (200.0, 200.0))

    assert place_after(path, 150.0) == (200, 150)
    assert travel(BASE, path, TravelLimits(), 150.0).end == (200, 150)
    assert travel(RoundedShape(BASE.points, 15.0), path, TravelLimits()).travelled_mm == 200
