"""Deployment by the name of the scenario: the zones that follow from it, and where their borders lie."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.verdict import Verdict
from tests.referee.editions.warhammer_9.tables import lone, table
from tests.referee.tables import asked

WIDE, DEEP = 1828.8, 1219.2
INCH = 25.4


def deploys(scenario: str, edge: str, x: float, y: float) -> Verdict:
    sides = [{"id": "red", "edge": edge}, {"id": "blue"}]
    state = table([], [lone("M", "red", (x, y), 90, type="monster")], sides=sides, scenario={"name": scenario})
    return asked(state, "deployment", who="M", manner="normal")


def by_the_book(scenario: str, edge: str, x: float, y: float) -> float:
    """How much farther than it must the nearest corner of the base is from the lines of the scenario."""
    corners = [(x + a, y + b) for a in (-25, 25) for b in (-25, 25)]
    if scenario == "battle-for-the-pass":
        sign = 1 if edge == "left" else -1
        return min(sign * (WIDE / 2 - a) for a, _ in corners) - 12 * INCH
    if scenario == "meeting-engagement":
        left, near = "left" in edge, "near" in edge
        seen = [(a if left else WIDE - a, b if near else DEEP - b) for a, b in corners]
        return min((1 - a / WIDE - b / DEEP) * WIDE * DEEP / math.hypot(WIDE, DEEP) for a, b in seen) - 6 * INCH
    far = 9 if scenario == "blood-and-glory" else 12
    sign = 1 if edge == "near" else -1
    found = min(sign * (DEEP / 2 - b) for _, b in corners) - far * INCH
    return found if far == 12 else min(found, *(min(a, WIDE - a) - 9 * INCH for a, _ in corners))


EDGES = {
    "battleline": ("near", "far"),
    "watchtower": ("near", "far"),
    "blood-and-glory": ("near", "far"),
    "battle-for-the-pass": ("left", "right"),
    "meeting-engagement": ("corner-near-left", "corner-near-right", "corner-far-left", "corner-far-right"),
}


@given(st.sampled_from(sorted(EDGES)), st.integers(0, 3), st.floats(25, WIDE - 25), st.floats(25, DEEP - 25))
def test_a_unit_may_stand_where_it_is_far_enough_from_the_lines(scenario: str, pick: int, x: float, y: float) -> None:
    edge = EDGES[scenario][pick % len(EDGES[scenario])]
    verdict, margin = deploys(scenario, edge, x, y), by_the_book(scenario, edge, x, y)

    assert verdict.answer == ("yes" if margin > 1e-6 else "no")
    if verdict.answer == "yes":
        assert verdict.margin_mm == pytest.approx(margin)


def test_exactly_as_far_as_told_is_not_farther() -> None:
    assert deploys("battleline", "near", 900, DEEP / 2 - 12 * INCH - 25).answer == "no"


@pytest.mark.parametrize(("scenario", "edge"), [("dawn-attack", "near"), ("battleline", "left"), ("elsewhere", "far")])
def test_a_scenario_whose_zones_nobody_knows_asks_for_them(scenario: str, edge: str) -> None:
    verdict = deploys(scenario, edge, 900, 100)

    assert (verdict.status, verdict.needs) == ("unknown", ("zones of red",))
