"""Law: exactly at a limit everything that a verdict tells is of one mind, wherever on the table it happens."""

import math
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from models.parsing import parse_query
from models.state import TableState
from referee import ask
from tests.referee.editions.warhammer_9.tables import block, lone, moved, table

MOTIONS = st.tuples(st.floats(-math.pi, math.pi), st.tuples(st.floats(-40, 40), st.floats(-40, 40)))
INCH = 25.4


def _facing_each_other(apart_in: float, **more: Any) -> TableState:
    """Two units of five files, front to front, exactly so many inches apart."""
    return table(
        [
            block("A", "red", (600, 300), 90, 5, 10),
            block("E", "blue", (600, 300 + apart_in * INCH), 270, 5, 10),
        ],
        **more,
    )


def _ask(state: TableState, motion: Any, **query: Any) -> Any:
    return ask(moved(state, *motion), parse_query(query))


@given(st.integers(1, 6), MOTIONS)
@settings(max_examples=25)
def test_a_charge_that_rolls_what_it_needs_arrives(needed: int, motion: Any) -> None:
    verdict = _ask(
        _facing_each_other(4 + needed), motion, kind="charge", attacker="A", target="E", dice={"charge": [needed, 1]}
    )

    assert (verdict.answer, verdict.margin_mm) == ("yes", 0.0)
    assert "fails" not in verdict.value
    assert verdict.value["chance"]["needs"] == needed
    assert verdict.value["in_contact"] == {"A": 5, "E": 5}


@given(MOTIONS)
@settings(max_examples=25)
def test_a_charge_at_the_longest_may_be_declared(motion: Any) -> None:
    verdict = _ask(_facing_each_other(10), motion, kind="charge", attacker="A", target="E", step="declare")

    assert (verdict.answer, verdict.value["declare"]["answer"]) == ("yes", "yes")
    assert {one["answer"] for one in verdict.value["clauses"]} == {"yes"}
    assert verdict.value["chance"]["exact"] == "11/36"


@given(st.sampled_from((False, True)), MOTIONS)
@settings(max_examples=25)
def test_exactly_in_range_the_leadership_of_the_general_counts(towers: bool, motion: Any) -> None:
    reach_mm = (18 if towers else 12) * INCH
    card = {"ld": 9, "abilities": ["towering"] if towers else []}
    general = lone("G", "red", (600, 300 - 40 - reach_mm - 25), 90, role=["general"], profile=card)
    state = table([block("A", "red", (600, 300), 90, 5, 10)], [general])

    verdict = _ask(state, motion, kind="command-range", commander="G", who="A")

    assert (verdict.answer, verdict.margin_mm, verdict.value["ld"]) == ("yes", 0.0, 9)
    assert [one.role for one in verdict.witness] == ["clear"]


@given(MOTIONS)
@settings(max_examples=25)
def test_exactly_three_inches_off_a_unit_protects_a_character(motion: Any) -> None:
    hero = lone("H", "red", (600, 300 - 40 - 3 * INCH - 25), 90, role=["character"], type="infantry")
    verdict = _ask(
        table([block("A", "red", (600, 300), 90, 5, 10)], [hero]), motion, kind="look-out-sir", who="H", cause="shot"
    )

    assert (verdict.answer, verdict.value["how"], verdict.value["by"]) == ("yes", "roll", "A")
    assert verdict.value["chance"]["exact"] == "1/2"


@given(MOTIONS)
@settings(max_examples=25)
def test_exactly_eight_inches_off_an_enemy_calls_for_a_test_before_a_march(motion: Any) -> None:
    verdict = _ask(_facing_each_other(8), motion, kind="march", mover="A")

    assert (verdict.answer, verdict.margin_mm) == ("no", 0.0)
    assert verdict.value["chance"]["exact"] == "7/12"


@given(MOTIONS)
@settings(max_examples=25)
def test_exactly_six_inches_off_a_friend_tests_for_panic(motion: Any) -> None:
    state = table([block("A", "red", (600, 300), 90, 5, 10), block("B", "red", (600, 300 + 6 * INCH), 270, 5, 10)])

    verdict = _ask(state, motion, kind="morale-check", cause="destroyed", source="A")

    assert {one.id: one.answer for one in verdict.members} == {"B": "yes"}
    assert verdict.value["units"] == ["B"]
    assert list(verdict.value["chances"]) == ["B"]


@given(MOTIONS)
@settings(max_examples=25)
def test_exactly_in_range_a_spell_is_in_range(motion: Any) -> None:
    verdict = _ask(_facing_each_other(12), motion, kind="spell-target", caster="A", target="E", range_in=12)

    assert verdict.value["in_range"] is True
    assert {one["answer"] for one in verdict.value["clauses"]} == {"yes"}
    assert verdict.answer == "yes"
