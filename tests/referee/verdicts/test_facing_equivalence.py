"""Asking less where the answer is sure, be it for all facings or for all errors, changes no answer."""

import math
from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from models.parsing import parse_query
from models.queries import BaseQuery, InFrontArc
from models.state import TableState
from referee import ask
from referee.rules.rule_result import RuleResult
from referee.verdicts.facing_equivalence import EquivalentFacings
from tests.strategies import examples, mini, state_of, tables

PAIRS: tuple[dict[str, Any], ...] = (
    {"kind": "los", "viewer": "m0", "target": "m1"},
    {"kind": "melee-range", "attacker": "m0", "target": "m1"},
    {"kind": "engaged", "attacker": "m0", "target": "m1"},
    {"kind": "charge", "attacker": "m0", "target": "m1"},
    {"kind": "in-melee-penalty", "attacker": "m0", "target": "m1"},
    {"kind": "target-legal", "attacker": "m0", "target": "m1", "attack": "melee"},
)


@st.composite
def unsure(draw: st.DrawFn) -> TableState:
    """A measured table of two sides on which m0 may look in up to three ways, or in any."""
    raw = draw(tables(most=5)).model_dump(mode="json")
    at_mm, turn_deg = draw(st.sampled_from([0.1, 0.5, 2.0])), draw(st.sampled_from([0.0, 1.0, 4.0]))
    for k, one in enumerate(raw["miniatures"]):
        card = {"spd_in": 6, "melee": [{"name": "Blade", "reach_in": 2}]}
        one |= {"side": ("red", "blue")[k % 2], "sigma": {"at_mm": at_mm, "facing_deg": turn_deg}, "profile": card}
    ways = draw(st.lists(st.integers(0, 359), max_size=3, unique=True))
    whole = draw(st.sampled_from([1.0, 0.99, 0.9])) if ways else 0.0
    may_look = [{"facing_deg": deg, "probability": whole / len(ways)} for deg in ways]
    raw["miniatures"][0] |= {"facing_deg": None, "facing_alternatives": may_look}
    return TableState.model_validate(raw)


@examples(30)
@given(unsure(), st.sampled_from(PAIRS))
def test_it_is_answered_as_if_each_had_been_asked(state: TableState, asked: dict[str, Any]) -> None:
    assert_it_is_answered_as_each(state, asked)


def assert_it_is_answered_as_each(state: TableState, asked: dict[str, Any]) -> None:
    query = parse_query(asked)
    told = ask(state, query)
    with patch.object(EquivalentFacings, "nearest", return_value=None):
        each = ask(state.model_copy(), query)

    assert told == each


def test_a_way_whose_ruling_is_made_of_other_conditions_is_asked_however_far_off_it_is() -> None:
    blade, sides = [{"name": "Blade", "reach_in": 2}], [{"id": "red", "edge": "near"}, {"id": "blue", "edge": "far"}]
    ways = [{"facing_deg": deg, "probability": 0.5} for deg in (30, 8)]  # just in front and just behind
    a = mini("a", 419, 578, 30, None, facing_alternatives=ways, side="red", profile={"melee": blade})
    b = mini("b", 342, 663, 50, side="blue")
    state = state_of([one | {"sigma": {"at_mm": 0.5}} for one in (a, b)], sides=sides)

    assert_it_is_answered_as_each(state, {"kind": "melee-range", "attacker": "a", "target": "b"})


@examples(30)
@given(unsure(), st.sampled_from(PAIRS))
def test_the_doubt_of_one_way_is_that_of_another_that_changes_nothing(state: TableState, asked: dict[str, Any]) -> None:
    assert_each_way_has_the_doubt_that_is_told(state, parse_query(asked))


def test_one_way_that_is_the_mirror_image_of_another_has_a_doubt_of_its_own() -> None:
    ways = [{"facing_deg": deg, "probability": 0.5} for deg in (95, -95)]
    a = mini("a", 300, 600, 30, None, facing_alternatives=ways)
    b = mini("b", 560, 600, 50, covariance_mm2=((1.0, 0.9), (0.9, 1.0)))

    assert_each_way_has_the_doubt_that_is_told(state_of([a, b]), InFrontArc(viewer="a", target="b"))


def assert_each_way_has_the_doubt_that_is_told(state: TableState, query: BaseQuery) -> None:
    told = ask(state, query)
    with patch.object(RuleResult, "numeric_key", lambda _: object()):
        each = ask(state.model_copy(), query)

    assert told == each


@examples(30)
@given(unsure(), st.sampled_from(PAIRS))
def test_what_is_sure_is_answered_as_it_would_be_by_drawing_tables(state: TableState, asked: dict[str, Any]) -> None:
    query = parse_query(asked)
    told = ask(state, query)
    with patch("referee.uncertainty.sensitivity._SURE", math.inf):
        drawn = ask(state.model_copy(), query)

    assert (told.answer, told.margin_mm, told.needs) == (drawn.answer, drawn.margin_mm, drawn.needs)


@examples(30)
@given(unsure(), st.sampled_from(PAIRS))
def test_a_reading_that_is_decided_by_the_same_turns_no_sure_answer(state: TableState, asked: dict[str, Any]) -> None:
    query = parse_query(asked)
    told = ask(state, query)
    with patch("referee.verdicts.ask.is_decided_alike", return_value=False):
        each = ask(state.model_copy(), query)

    assert told == each
