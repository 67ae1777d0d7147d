"""On any table, whatever is asked of whom: an answer, and the same one wherever the table stands."""

import random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from models.errors import UnknownThing
from models.parsing import parse_query
from models.queries import BaseQuery
from models.state import TableState
from referee import ask
from tests.referee.editions.warhammer_9.tables import drawn, moved, regiments_of

_PAIRS: list[dict[str, Any]] = [
    {"kind": "distance", "a": "?", "b": "?"},
    {"kind": "within", "a": "?", "b": "?", "range_in": 9},
    {"kind": "in-front-arc", "viewer": "?", "target": "?"},
    {"kind": "arc", "viewer": "?", "target": "?"},
    {"kind": "los", "viewer": "?", "target": "?"},
    {"kind": "range", "attacker": "?", "target": "?", "weapon": "bow"},
    {"kind": "shooters", "attacker": "?", "target": "?"},
    {"kind": "charge-chance", "attacker": "?", "target": "?"},
    {"kind": "stand-and-shoot", "attacker": "?", "target": "?"},
    {"kind": "charge", "attacker": "?", "target": "?", "step": "declare"},
    {"kind": "march", "mover": "?"},
    {"kind": "wheel", "mover": "?", "way": "left", "by_deg": 30},
    {"kind": "reform", "unit": "?", "files": 5},
    {"kind": "unit-strength", "unit": "?"},
    {"kind": "ranked-formation", "unit": "?"},
    {
        "kind": "one-inch-rule",
        "mover": "?",
        "steps": [{"do": "forward", "by_in": 3}, {"do": "wheel-right", "by_deg": 20}],
    },
]
_OTHERS: list[dict[str, Any]] = [
    {"kind": "cover", "attacker": "?", "target": "?"},
    {"kind": "attack-modifiers", "attacker": "?", "target": "?", "attack": "ranged"},
    {"kind": "shooters", "attacker": "?", "target": "?", "manner": "volley"},
    {"kind": "shooting-into-combat", "attacker": "?", "target": "?"},
    {"kind": "may-shoot", "attacker": "?"},
    {"kind": "template-hits", "at": [900, 600], "diameter_in": 5, "hole": True},
    {"kind": "spray-hits", "attacker": "?", "heading_deg": 40},
    {"kind": "stone-thrower", "attacker": "?", "at": [900, 600]},
    {"kind": "cannon", "attacker": "?", "at": [900, 600], "dice": {"scatter": "hit", "bounce": 8}},
    {"kind": "bolt-thrower", "attacker": "?", "target": "?"},
    {"kind": "war-machine-pivot", "who": "?", "target": "?"},
    {"kind": "war-machine-combat", "attackers": ["?"], "target": "?"},
    {"kind": "line-hits", "attacker": "?", "heading_deg": 40, "length_in": 12},
    {"kind": "vortex", "caster": "?", "diameter_in": 3, "distance_in": 8},
    {"kind": "push", "attacker": "?", "target": "?", "distance_in": 4},
    {"kind": "flee", "mover": "?", "threats": ["?"], "dice": {"flee": 7}},
    {"kind": "pursuit", "winner": "?", "loser": "?", "dice": {"flee": 5, "pursue": 8}},
    {"kind": "random-move", "mover": "?", "dice": {"move": 6}},
    {"kind": "table-edge", "mover": "?", "distance_in": 10, "cause": "flee"},
    {"kind": "morale-check", "cause": "destroyed", "source": "?"},
    {"kind": "command-range", "commander": "?", "who": "?", "purpose": "leadership"},
    {"kind": "look-out-sir", "who": "?", "cause": "template"},
    {"kind": "combat-contacts"},
    {"kind": "combat-bonuses", "a": ["?"], "b": ["?"]},
    {"kind": "steadfast", "unit": "?"},
    {"kind": "nudge", "mover": "?", "target": "?"},
    {"kind": "multi-charge", "attackers": ["?"], "targets": ["?"]},
    {"kind": "frenzy", "who": "?"},
    {"kind": "charge-redirect", "attacker": "?"},
    {"kind": "rally", "who": "?"},
    {"kind": "hazard", "mover": "?", "manner": "march", "steps": [{"do": "forward", "by_in": 6}]},
    {"kind": "move", "mover": "?", "steps": [{"do": "forward", "by_in": 3}]},
    {"kind": "fits-between", "mover": "?", "a": "?", "b": "?"},
    {"kind": "reinforcements", "who": "?", "edge": "edge:near"},
    {"kind": "bases-clear"},
    {"kind": "aura", "source": "?", "range_in": 12, "only": "friends"},
    {"kind": "impact-attacks", "attacker": "?"},
    {"kind": "score"},
]


def _filled(query: dict[str, Any], state: TableState, seed: int) -> dict[str, Any]:
    """The same question about some units of this table."""
    r = random.Random(seed)
    ids = r.sample(regiments_of(state), 4)
    assume(state.units)

    def put(name: str, value: Any) -> Any:
        if isinstance(value, list):
            return [put(name, one) for one in value]
        if value != "?":
            return value
        return r.choice(state.units).id if name == "unit" else ids.pop()

    return {name: put(name, value) for name, value in query.items()}


@pytest.mark.parametrize("query", [*_PAIRS, *_OTHERS], ids=lambda q: q["kind"])
@given(seed=st.integers(0, 10**6), measured=st.booleans())
@settings(max_examples=3, deadline=None)
def test_whatever_is_asked_is_answered(query: dict[str, Any], seed: int, measured: bool) -> None:
    state = drawn(seed, sigma_mm=0.3 if measured else 0.0)

    verdict = ask(state, parse_query(_filled(query, state, seed)))
    assert verdict.status in ("decided", "measured", "unknown")
    assert verdict.because


def _without(state: TableState, ranks: set[int]) -> TableState:
    """The table after these ranks of every unit have been taken off."""
    raw = state.model_dump(mode="json", exclude_none=True)
    raw["miniatures"] = [m for m in raw["miniatures"] if m.get("rank") not in ranks]
    return TableState.model_validate(raw)


@pytest.mark.parametrize("query", [*_PAIRS, *_OTHERS], ids=lambda q: q["kind"])
@given(seed=st.integers(0, 10**6), lost=st.sampled_from([{0}, {1}, {0, 2}]))
@settings(max_examples=3, deadline=None)
def test_units_that_lost_whole_ranks_are_answered_about(query: dict[str, Any], seed: int, lost: set[int]) -> None:
    state = drawn(seed)
    left = _without(state, lost)
    assume(all(any(m.unit == one.id for m in left.miniatures) for one in state.units))

    assert ask(left, parse_query(_filled(query, state, seed))).status in ("decided", "measured", "unknown")


def _said(state: TableState, query: BaseQuery) -> str | tuple[str | None, str]:
    """The status, or the field and the unit of which nobody is left."""
    try:
        return ask(state, query).status
    except UnknownThing as told:
        return told.field, told.value


@pytest.mark.parametrize("query", [*_PAIRS, *_OTHERS], ids=lambda q: q["kind"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=3, deadline=None)
def test_who_asks_about_a_unit_of_which_nobody_is_left_is_told_so(query: dict[str, Any], seed: int) -> None:
    state = drawn(seed)
    gone = _without(state, set(range(100)))
    asked = parse_query(_filled(query, state, seed))
    assert _said(gone, asked) in {"decided", "measured", "unknown", *asked.names()}


@pytest.mark.parametrize("query", _PAIRS, ids=lambda q: q["kind"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=4, deadline=None)
def test_a_reading_that_is_decided_by_the_same_turns_no_sure_answer(query: dict[str, Any], seed: int) -> None:
    state = drawn(seed, sigma_mm=0.3)
    asked = parse_query(_filled(query, state, seed))
    told = ask(state, asked)
    with patch("referee.verdicts.ask.is_decided_alike", return_value=False):
        assert ask(state.model_copy(), asked) == told


@pytest.mark.parametrize("query", _PAIRS, ids=lambda q: q["kind"])
@given(seed=st.integers(0, 10**6), turn=st.floats(-3, 3), dx=st.floats(-300, 300), dy=st.floats(-300, 300))
@settings(max_examples=4, deadline=None)
def test_moving_and_turning_the_whole_table_changes_no_margin(
    query: dict[str, Any], seed: int, turn: float, dx: float, dy: float
) -> None:
    state = drawn(seed)
    asked = parse_query(_filled(query, state, seed))
    here, there = ask(moved(state, 0.0, (0.0, 0.0)), asked), ask(moved(state, turn, (dx, dy)), asked)

    assert (there.answer, there.margin_mm) == (here.answer, pytest.approx(here.margin_mm, abs=1e-5))
