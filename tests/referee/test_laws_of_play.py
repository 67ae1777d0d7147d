"""What must hold on every table for the questions of cover, melee and shooting."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.parsing import parse_query
from models.state import TableState
from models.verdict import Verdict
from referee import ask
from tests.strategies import moved, rigid_motions, tables

PAIRS: list[dict[str, Any]] = [
    {"kind": "aura", "source": "m0", "range_in": 8},
    {"kind": "nearest", "a": "m0"},
    {"kind": "bases-clear"},
    {"kind": "arc", "viewer": "m0", "target": "m1"},
    {"kind": "directly-facing", "viewer": "m0", "target": "m1"},
    {"kind": "damage-arc", "target": "m0", "attacker": "m1"},
    {"kind": "intervening", "viewer": "m0", "target": "m1", "blocker": "m2"},
    {"kind": "cover", "attacker": "m0", "target": "m1"},
    {"kind": "melee-terrain-bonus", "attacker": "m0", "target": "m1"},
    {"kind": "back-strike", "attacker": "m0", "target": "m1"},
    {"kind": "in-melee", "who": "m0"},
    {"kind": "in-melee-penalty", "attacker": "m0", "target": "m1"},
    {"kind": "in-melee-group", "attacker": "m0", "target": "m1"},
    {"kind": "may-shoot", "attacker": "m0"},
    {"kind": "target-legal", "attacker": "m0", "target": "m1", "attack": "melee"},
    {"kind": "attack-modifiers", "attacker": "m0", "target": "m1", "attack": "ranged"},
]
CARD = {"melee": [{"name": "Spear", "reach_in": 2}], "ranged": [{"name": "Gun", "rng_in": 10}]}


def armed(state: TableState) -> TableState:
    """The same table with three miniatures at least, all of them armed."""
    raw = state.model_dump(mode="json")
    known = {one["id"] for one in raw["miniatures"]}
    if "m2" not in known:
        raw["miniatures"].append(raw["miniatures"][0] | {"id": "m2", "at_mm": [50.0, 50.0]})
    for one in raw["miniatures"]:
        one["profile"] = CARD
    return TableState.model_validate(raw)


def verdict(state: TableState, query: dict[str, Any]) -> Verdict:
    return ask(state, parse_query(query))


@pytest.mark.parametrize("query", PAIRS, ids=lambda q: q["kind"])
@given(state=tables(most=5), motion=rigid_motions())
@settings(max_examples=12)
def test_moving_or_mirroring_the_whole_table_changes_nothing(
    query: dict[str, Any], state: TableState, motion: tuple[float, float, float, bool]
) -> None:
    here, there = verdict(armed(state), query), verdict(moved(armed(state), motion), query)

    assert there.status == here.status
    assert (there.margin_mm, there.margin_deg) == (
        pytest.approx(here.margin_mm, abs=1e-6),
        pytest.approx(here.margin_deg, abs=1e-6),
    )
    assert [m.margin_mm for m in there.members] == pytest.approx([m.margin_mm for m in here.members], abs=1e-6)


@given(state=tables(most=5, terrain=False))
@settings(max_examples=30)
def test_two_are_in_melee_with_each_other_or_not_at_all(state: TableState) -> None:
    one = verdict(armed(state), {"kind": "in-melee", "who": "m0", "against": "m1"})
    other = verdict(armed(state), {"kind": "in-melee", "who": "m1", "against": "m0"})

    assert one.margin_mm == pytest.approx(other.margin_mm, abs=1e-9)


@given(state=tables(most=5))
@settings(max_examples=30)
def test_who_earns_the_back_strike_is_not_in_the_front_arc(state: TableState) -> None:
    strike = verdict(state, {"kind": "back-strike", "attacker": "m0", "target": "m1"})
    front = verdict(state, {"kind": "in-front-arc", "viewer": "m1", "target": "m0"})

    assert strike.answer != front.answer


@given(state=tables(most=4, terrain=False), turn=st.floats(0, math.tau), far=st.floats(40, 300))
@settings(max_examples=30)
def test_only_who_was_engaged_on_the_way_and_left_is_struck_at(state: TableState, turn: float, far: float) -> None:
    """The whole way is looked at by small steps, each a question of its own."""
    x, y = state.miniatures[0].at_mm
    path = [[x, y], [x + far * math.cos(turn), y + far * math.sin(turn)]]
    asked = {"kind": "free-strike", "mover": "m0", "path_mm": path}
    answers = {m.id: m.margin_mm for m in verdict(armed(state), asked).members}

    for id_, margin in answers.items():
        engaged = [_reaches(armed(state), id_, path, k / 40) for k in range(41)]
        left = any(engaged[k] and not all(engaged[k:]) for k in range(41))
        assert margin is not None
        assert not left or margin > -1e-6


def _reaches(state: TableState, striker: str, path: list[list[float]], share: float) -> bool:
    (ax, ay), (bx, by) = path
    raw = state.model_dump(mode="json")
    raw["miniatures"][0]["at_mm"] = [ax + share * (bx - ax), ay + share * (by - ay)]
    engaged = {"kind": "engaged", "attacker": striker, "target": "m0"}
    return verdict(TableState.model_validate(raw), engaged).answer == "yes"
