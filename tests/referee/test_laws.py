"""What must hold on every table."""

import math
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from models.parsing import parse_query
from models.state import TableState
from models.verdict import Verdict
from referee import ask
from tests.strategies import moved, rigid_motions, screened, tables

PAIRS: list[dict[str, Any]] = [
    {"kind": "within", "a": "m0", "b": "m1", "range_in": 8},
    {"kind": "completely-within", "a": "m0", "b": "m1", "range_in": 8},
    {"kind": "b2b", "a": "m0", "b": "m1"},
    {"kind": "in-front-arc", "viewer": "m0", "target": "m1"},
    {"kind": "in-back-arc", "viewer": "m0", "target": "m1"},
    {"kind": "range", "attacker": "m0", "target": "m1", "range_in": 8},
    {"kind": "los", "viewer": "m0", "target": "m1"},
    {"kind": "melee-range", "attacker": "m0", "target": "m1", "reach_in": 2},
]


def verdict(state: TableState, query: dict[str, Any]) -> Verdict:
    return ask(state, parse_query(query))


@pytest.mark.parametrize("query", PAIRS, ids=lambda q: q["kind"])
@given(state=tables(), motion=rigid_motions())
@settings(max_examples=40)
def test_moving_or_mirroring_the_whole_table_changes_no_margin(
    query: dict[str, Any], state: TableState, motion: tuple[float, float, float, bool]
) -> None:
    here, there = verdict(state, query), verdict(moved(state, motion), query)

    assert there.margin_mm == pytest.approx(here.margin_mm, abs=1e-6)


@given(state=tables(terrain=False))
def test_distance_is_the_same_both_ways(state: TableState) -> None:
    there = verdict(state, {"kind": "distance", "a": "m0", "b": "m1"}).value["distance_mm"]
    back = verdict(state, {"kind": "distance", "a": "m1", "b": "m0"}).value["distance_mm"]

    assert there == pytest.approx(back, abs=1e-9)


@given(state=tables())
@settings(max_examples=60)
def test_removing_a_blocker_never_loses_sight(state: TableState) -> None:
    assume(len(state.miniatures) > 2)
    query = {"kind": "los", "viewer": "m0", "target": "m1"}
    fewer = TableState.model_validate(state.model_dump(mode="json") | {"miniatures": [
        m.model_dump(mode="json") for m in state.miniatures[:-1]
    ]})  # fmt: skip

    before, after = verdict(state, query), verdict(fewer, query)

    assert before.margin_mm is not None
    assert after.margin_mm is not None
    assert after.margin_mm >= before.margin_mm - 1e-6


@given(state=tables(terrain=False), longer=st.floats(0, 10), kind=st.sampled_from(["within", "range"]))
def test_a_longer_reach_never_turns_yes_into_no(state: TableState, longer: float, kind: str) -> None:
    fields = ("a", "b") if kind == "within" else ("attacker", "target")
    short = {"kind": kind, fields[0]: "m0", fields[1]: "m1", "range_in": 6}

    before, after = verdict(state, short), verdict(state, short | {"range_in": 6 + longer})

    assert not (before.answer == "yes" and after.answer == "no")


@given(state=tables(terrain=False))
def test_the_ruler_measures_what_the_distance_says(state: TableState) -> None:
    told = verdict(state, {"kind": "distance", "a": "m0", "b": "m1"})
    assert told.witness[0].points_mm is not None

    a, b = told.witness[0].points_mm

    assert math.dist(a, b) == pytest.approx(told.value["distance_mm"], abs=1e-6)


@given(state=screened())
@settings(max_examples=60)
def test_the_line_of_sight_stays_as_clear_as_its_margin_says(state: TableState) -> None:
    import shapely

    told = verdict(state, {"kind": "los", "viewer": "m0", "target": "m1"})
    assume(told.value["decided_by"] == "lane" and told.blockers == () and "lane_mm" in told.value)
    line = shapely.LineString(next(w for w in told.witness if w.role == "clear").points_mm)
    target = state.miniatures[1].base.diameter_mm  # type: ignore[union-attr]
    others = [m for m in state.miniatures[2:] if m.base.diameter_mm >= target]  # type: ignore[union-attr]

    least = min(line.distance(shapely.Point(m.at_mm)) - m.base.diameter_mm / 2 for m in others)  # type: ignore[union-attr]

    assert least == pytest.approx(told.margin_mm, abs=1e-6)


@given(state=tables())
@settings(max_examples=40)
def test_front_and_back_never_hold_together(state: TableState) -> None:
    front = verdict(state, {"kind": "in-front-arc", "viewer": "m0", "target": "m1"})
    back = verdict(state, {"kind": "in-back-arc", "viewer": "m0", "target": "m1"})

    assert (front.answer == "yes") is not (back.answer == "yes")


@given(state=tables())
@settings(max_examples=30)
def test_the_same_question_has_the_same_bytes(state: TableState) -> None:
    noisy = state.model_dump(mode="json")
    for one in noisy["miniatures"]:
        one["sigma"] = {"at_mm": 0.3, "facing_deg": 1.0}
    query = {"kind": "los", "viewer": "m0", "target": "m1"}

    first, second = (verdict(TableState.model_validate(noisy), query).model_dump_json() for _ in range(2))

    assert first == second
