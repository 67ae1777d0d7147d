"""House rules of charges and of who comes on: what each reading finds, and no word of it where nothing turns on it."""

from typing import Any

import pytest

from models.parsing import parse_query
from models.state import TableState
from models.verdict import Verdict
from referee import ask
from tests.referee.editions.warhammer_9.house_rule_tables import ASKEW, CHARGE, A
from tests.referee.scenarios.warhammer.field import field, unit
from tests.referee.tables import box

BESIDE = box("g", "impassable", 700, 400, 760, 410)
AHEAD = unit("E", (600, 600), 270, 5, 10, "blue")
TOO_SHORT = CHARGE | {"dice": {"charge": [6, 5]}}
FORWARD = {"kind": "move", "mover": "A", "steps": [{"do": "forward", "by_in": 3}]}
FIGHT = {"kind": "combat-bonuses", "a": ["U"], "b": ["E"]}
SILENT: list[tuple[str, dict[str, Any], TableState]] = [
    ("charge-line", CHARGE, field(A, ASKEW, terrain=[BESIDE])),
    ("failed-charge-way", TOO_SHORT, field(A, AHEAD, terrain=[BESIDE])),
    ("failed-charge-way", CHARGE, field(A, AHEAD, terrain=[box("g", "impassable", 620, 390, 700, 410)])),
    ("multi-charge-search", {"kind": "multi-charge", "attackers": ["A"], "targets": ["E"]},
     field(A, unit("E", (600, 520), 270, 5, 10, "blue"), unit("F", (760, 500), 270, 3, 3, "blue"))),
    ("rank-bonus-flank", FIGHT, field(unit("U", (600, 400), 90, 5, 20), unit("E", (600, 400), 270, 3, 3, "blue"))),
    ("rank-bonus-flank", FIGHT, field(unit("U", (600, 400), 90, 5, 30), unit("E", (550, 340), 0, 3, 3, "blue"))),
    ("reserve-depth", FORWARD, field(A)),
    ("reserve-depth", FORWARD | {"manner": "march"}, field(A | {"this_turn": {"moved": ["reinforced"]}})),
    ("reserve-depth", {"kind": "reinforcements", "who": "A", "edge": "edge:near"}, field(A)),
]  # fmt: skip


def under(state: TableState, query: dict[str, Any], **readings: str) -> Verdict:
    return ask(state.with_house_rules(**readings), parse_query(query))


@pytest.mark.parametrize(("key", "query", "state"), SILENT)
def test_where_nothing_turns_on_a_reading_it_is_not_named(key: str, query: dict[str, Any], state: TableState) -> None:
    assert key not in ask(state, parse_query(query)).house_rules


@pytest.mark.parametrize(
    ("reading", "distance"), [("shortest-gap", 253.81), ("shortest-clear-line", 254.23), ("way-round", 254.05)]
)
def test_a_charge_is_measured_along_the_agreed_line(reading: str, distance: float) -> None:
    """Closest are its front and the corner (551.7, 553.81), past a rock whose far corner is at (560, 410).

    Straight down 253.81; aslant over the corner 253.81 * 144.05 / 143.81; to the corner and straight down 144.05 + 110.
    """
    state = field(A, ASKEW, terrain=[box("g", "impassable", 540, 400, 560, 410)])
    value: Any = under(state, CHARGE, charge_line=reading).value

    assert value["distance_mm"] == pytest.approx(distance, abs=0.02)
    assert value["clear_line_mm"] == pytest.approx(254.23, abs=0.02)


def test_where_no_clear_line_leads_a_charge_measured_by_one_is_out_of_reach() -> None:
    """A wall of 400 stands across between units 100 wide."""
    state = field(A, unit("E", (600, 500), 270, 5, 10, "blue"), terrain=[box("g", "impassable", 400, 390, 800, 400)])
    odds: Any = under(
        state, {"kind": "charge-chance", "attacker": "A", "target": "E"}, charge_line="shortest-clear-line"
    )

    assert odds.value["chance"]["p"] == 0.0


def test_a_failed_charge_stops_short_of_what_is_in_its_way_or_goes_round_it() -> None:
    """A rock 90 ahead of its front reaches 30 into its lane: 90 less an inch straight on, or all of 6 inches round."""
    state = field(A, AHEAD, terrain=[box("g", "impassable", 620, 390, 700, 410)])
    straight, around = (under(state, TOO_SHORT, failed_charge_way=way) for way in ("straight", "free-path"))
    walked: Any = around.value["paths"]

    assert (straight.value["moves_mm"], straight.value["stopped_by"]) == (pytest.approx(64.6), "g")
    assert (around.value["moves_mm"], around.value["stopped_by"]) == (pytest.approx(152.4), None)
    assert sum(leg["length_mm"] for leg in walked["A"] if leg["do"] == "straight") == pytest.approx(152.4)


def test_exactly_an_inch_beside_something_a_failed_charge_goes_on() -> None:
    state = field(A, AHEAD, terrain=[box("g", "impassable", 675.4, 250, 720, 600)])

    assert under(state, TOO_SHORT).value["moves_mm"] == pytest.approx(152.4)


def test_one_fought_in_the_rear_counts_the_ranks_before_the_last() -> None:
    """Four ranks, the last of three: three behind the front of which two are whole, three before the rear."""
    state = field(unit("U", (600, 400), 90, 5, 18), unit("E", (600, 320), 90, 3, 3, "blue"))
    real, behind = (under(state, FIGHT, rank_bonus_flank=one).value for one in ("real-ranks", "behind-fighters"))

    assert (real["ranks"], behind["ranks"]) == ({"U": 2, "E": 0}, {"U": 3, "E": 0})


@pytest.mark.parametrize(("reading", "left"), [("placement", 0.0), ("then-moves", 101.6)])
def test_who_came_on_is_told_how_far_it_may_still_go(reading: str, left: float) -> None:
    at_edge = field(unit("A", (600, 40), 90, 5, 10))
    come = {"kind": "reinforcements", "who": "A", "edge": "edge:near"}

    assert under(at_edge, come, reserve_depth=reading).value["left_mm"] == pytest.approx(left)
