"""Obstacle crossing: past obstacles and flags, and through gaps between bases."""

from typing import Any

import pytest

from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table

INCH = 25.4
WALL = box("w", "wall", 350, 500, 360, 700, height_mm=20)


def cross(distance: float | None, terrain: Any = WALL, me: Any = None, **fields: Any) -> Verdict:
    state = table(mini("m", 300, 600, 0, **(me or {"profile": {"spd_in": 6}})), terrain=[terrain])
    told = {} if distance is None else {"distance_in": distance / INCH}
    return asked(state, "cross-obstacle", mover="m", feature=terrain["id"], heading_deg=0, **told, **fields)


def test_an_obstacle_takes_travel_enough_to_get_wholly_past() -> None:
    verdict = cross(75)

    assert (verdict.answer, round(verdict.margin_mm or 0, 9), verdict.value["needed_mm"]) == ("yes", 0, 75)
    assert (verdict.value["stop_mm"], verdict.value["needed_mm"]) == (35, 75)
    assert cross(74).answer == "no"
    assert cross(None).margin_mm == pytest.approx(6 * INCH - 75)


def test_a_charge_does_not_cross_but_with_pathfinder() -> None:
    assert cross(200, manner="charge").answer == "no"
    assert cross(200, me={"abilities": ["pathfinder"]}, manner="charge").answer == "yes"


def test_an_obstruction_is_crossed_by_flight_alone() -> None:
    tall = box("w", "wall", 350, 500, 360, 700, height_mm=60)

    assert cross(200, tall).answer == "no"
    assert cross(200, tall, me={"abilities": ["flight"]}).answer == "yes"


def test_a_flag_is_moved_through_with_enough_movement() -> None:
    state = table(mini("m", 300, 600, 0), objectives=[{"id": "f", "kind": "flag", "at_mm": [380, 600]}])

    def through(length: float) -> Verdict:
        return asked(state, "cross-obstacle", mover="m", feature="f", heading_deg=0, distance_in=length / INCH)

    assert through(115).answer == "yes"
    assert through(114).answer == "no"


def gap_of(width: float, **fields: Any) -> Verdict:
    state = table(mini("m", 100, 100), mini("a", 500, 500), mini("b", 500, 530 + width), **fields.pop("state", {}))
    return asked(state, "fits-between", mover="m", a="a", b="b", **fields)


def test_a_gap_as_wide_as_the_base_lets_an_advance_through_and_stops_a_charge() -> None:
    assert (gap_of(30).answer, gap_of(30).margin_mm) == ("yes", 0)
    assert gap_of(29.9).answer == "no"
    assert gap_of(30, manner="charge").answer == "no"
    assert gap_of(30, manner="charge", state={"house_rules": {"graze": "passes"}}).answer == "yes"
