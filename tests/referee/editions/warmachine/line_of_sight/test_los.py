"""Line of sight: which models intervene."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.geometry.corridor import depth_in_corridor, distance_outside
from referee.geometry.shapes import Area, disc
from tests.referee.tables import asked, box, mini, table

small, place = st.floats(5, 60), st.floats(-200, 200)


def between(y: float, **more: Any) -> object:
    state = table(mini("v", 100, 300), mini("t", 300, 300, 180), mini("x", 200, y, **more))
    verdict = asked(state, "intervening", viewer="v", target="t", blocker="x")
    return verdict.answer, verdict.margin_mm, verdict.value["counts"], verdict.value["why"]


def test_a_base_across_the_middle_is_in_the_way() -> None:
    assert between(305) == ("yes", pytest.approx(25.0), True, None)


def test_a_base_that_grazes_the_corridor_still_meets_it() -> None:
    assert between(330) == ("yes", pytest.approx(0.0), True, None)


def test_a_base_beside_the_corridor_is_not() -> None:
    assert between(331) == ("no", pytest.approx(-1.0), True, None)


@pytest.mark.parametrize("edition", ["warmachine-prime", "hordes-mk2", "warmachine-mk1"])
@pytest.mark.parametrize(
    ("more", "why"),
    [({"status": ["knocked-down"]}, "knocked-down"), ({"abilities": ["incorporeal"]}, "incorporeal")],
)
def test_who_is_looked_past_is_in_nobodys_way(edition: str, more: Any, why: str) -> None:
    seen = {"edition": edition, "house_rules": {} if edition == "warmachine-prime" else {"measure-policy": "allow"}}
    state = table(mini("v", 100, 300), mini("t", 300, 300, 180), mini("x", 200, 300, sigma=5, **more), **seen)

    verdict = asked(state, "intervening", viewer="v", target="t", blocker="x")

    assert (verdict.answer, verdict.probability, verdict.value["counts"], verdict.value["why"]) == (
        "no",
        0.0,
        False,
        why,
    )
    assert verdict.value["depth_mm"] > 0  # type: ignore[operator]  # a JSON value


def test_a_smaller_base_does_not_count() -> None:
    state = table(mini("v", 100, 300), mini("t", 300, 300, mm=50), mini("x", 200, 300))
    verdict = asked(state, "intervening", viewer="v", target="t", blocker="x")

    assert (verdict.answer, verdict.value["why"]) == ("no", "smaller")


@given(small, small, small, place, place, st.floats(70, 300))
def test_the_corridor_is_every_base_on_the_way_from_one_to_the_other(
    ra: float, rb: float, r: float, x: float, y: float, apart: float
) -> None:
    """The hull is all discs between the two; how far off each lies has one valley, so halving finds the least."""
    a, b = disc((0.0, 0.0), ra), disc((apart, 0.0), rb)
    walked = _valley(lambda t: math.hypot(x - t * apart, y) - ra - t * (rb - ra))

    assert distance_outside(a, b)((x, y)) == pytest.approx(walked, abs=1e-4)
    assert depth_in_corridor(a, b, Area((disc((x, y), r),))) == pytest.approx(r - walked, abs=1e-4)


def _valley(value: Callable[[float], float]) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):
        third = (high - low) / 3
        low, high = (low, high - third) if value(low + third) < value(high - third) else (low + third, high)
    return value((low + high) / 2)


@pytest.mark.parametrize(("bottom", "answer"), [(60, "yes"), (0, "no")])
def test_one_sees_under_a_bridge(bottom: float, answer: str) -> None:
    bridge = box("w", "obstruction", 240, 100, 260, 500, height_mm=90, bottom_mm=bottom)
    state = table(mini("a", 100, 300), mini("t", 400, 300), terrain=[bridge])

    assert asked(state, "los", viewer="a", target="t").answer == answer
