"""Skirmishers and war machines: the ways that terrain closes to them."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.verdict import Verdict
from tests.referee.editions.warhammer_9.tables import block, lone, table
from tests.referee.tables import asked

INCH = 25.4


def rock(left: float, near: float, right: float, far: float, **more: Any) -> dict[str, Any]:
    outline = [[left, near], [right, near], [right, far], [left, far]]
    return {"id": "rock", "kind": "impassable", "polygon_mm": outline, **more}


def runs(to: tuple[float, float], *terrain: dict[str, Any], count: int = 1, **more: Any) -> Verdict:
    skirmishers = block("A", "red", (600, 300), 90, count, count, gap_mm=12.7, **{"formation": "skirmish", **more})
    state = table([skirmishers], terrain=list(terrain))
    return asked(state, "move", mover="A", manner="skirmish", to={"front_mm": to, "facing_deg": 90})


def longest(verdict: Verdict) -> float:
    told = verdict.value["longest_mm"]
    assert isinstance(told, float)
    return told


def way_round_mm(ahead: float, half: float, low: float, high: float) -> float:
    """From (0, 0) to (0, ahead) round a wall of |x| <= half, low <= y <= high, 10 + 25.4 mm aside: by tangents."""
    r, found = 10 + INCH, high - low
    for away in (low, ahead - high):
        reach = math.hypot(half, away)
        found += math.sqrt(reach**2 - r**2) + r * (math.asin(r / reach) + math.atan2(half, away))
    return found


@settings(max_examples=40)
@given(half=st.floats(60, 200), low=st.floats(60, 90), deep=st.floats(5, 30), on=st.floats(60, 120))
def test_the_way_of_one_is_that_of_a_cord_drawn_tight_round_the_rock(
    half: float, low: float, deep: float, on: float
) -> None:
    ahead = low + deep + on
    verdict = runs((600, 300 + ahead), rock(600 - half, 290 + low, 600 + half, 290 + low + deep))

    assert longest(verdict) == pytest.approx(way_round_mm(ahead, half, low, low + deep), rel=0.006)


@given(st.floats(-80, 80), st.floats(30, 100), st.integers(2, 6))
def test_nobody_goes_farther_than_straight_on_an_open_table(aside: float, ahead: float, count: int) -> None:
    verdict = runs((600 + aside, 300 + ahead), count=count)

    assert longest(verdict) <= math.hypot(aside, ahead) + 1e-6
    assert (verdict.answer == "yes") == (longest(verdict) <= 4 * INCH)


def test_a_rock_that_lies_aside_of_all_ways_changes_nothing() -> None:
    assert longest(runs((600, 390), rock(800, 326, 900, 336), count=5)) == pytest.approx(90)


def test_who_is_walled_in_goes_nowhere() -> None:
    walls = [
        rock(500, 330, 700, 340),
        rock(500, 240, 700, 250) | {"id": "b"},
        rock(500, 240, 510, 340) | {"id": "c"},
        rock(690, 240, 700, 340) | {"id": "d"},
    ]
    verdict = runs((600, 390), *walls)

    assert verdict.answer == "no"


def test_skirmishers_end_an_inch_from_what_is_no_ground() -> None:
    near, far = (runs((600, 360), rock(400, 360 + gap, 800, 500), count=3) for gap in (25, 26))

    assert (near.answer, far.answer) == ("no", "yes")
    assert near.value["violation"] == {"what": "one-inch", "thing": "rock"}


def test_skirmishers_who_have_marched_do_not_move_again() -> None:
    assert runs((600, 350), this_turn={"moved": ["march"]}).answer == "no"


@pytest.mark.parametrize(
    ("kind", "inches", "answer"),
    [("forest", 3, "no"), ("marsh", 3, "no"), ("river", 3, "no"), ("hill", 3, "yes"), ("forest", 1, "yes")],
)
def test_a_war_machine_is_moved_over_open_ground_and_hills_only(kind: str, inches: float, answer: str) -> None:
    machine = lone("M", "red", (600, 300), 90, type="war-machine")
    state = table([], [machine], terrain=[rock(400, 380, 800, 500) | {"kind": kind}])

    assert asked(state, "move", mover="M", steps=[{"do": "forward", "by_in": inches}]).answer == answer


def test_a_war_machine_set_up_in_a_forest_pivots_there_and_does_not_drive() -> None:
    machine = lone("M", "red", (600, 440), 90, type="war-machine")
    state = table([], [machine], terrain=[rock(400, 380, 800, 500) | {"kind": "forest"}])
    turn, drive = (
        asked(state, "move", mover="M", steps=[step], allowance_in=4)
        for step in ({"do": "pivot", "by_deg": 30}, {"do": "forward", "by_in": 1})
    )

    assert (turn.answer, drive.answer) == ("yes", "no")
