"""A miniature that may look in one of several ways."""

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.parsing import parse_query
from models.state import TableState
from models.verdict import Verdict
from referee import ask
from tests.strategies import mini, state_of, tables

QUESTIONS: tuple[dict[str, Any], ...] = (
    {"kind": "in-front-arc", "viewer": "m0", "target": "m1"},
    {"kind": "in-back-arc", "viewer": "m0", "target": "m1"},
    {"kind": "los", "viewer": "m0", "target": "m1"},
    {"kind": "melee-range", "attacker": "m0", "target": "m1"},
)
SAMPLED = 0.01  # probabilities of doubt in many directions are drawn
ways = st.lists(st.integers(0, 359), min_size=2, max_size=3, unique=True)


def verdict(state: TableState, **query: Any) -> Verdict:
    return ask(state, parse_query(query))


def looking(state: TableState, **facing: Any) -> TableState:
    """The same table with m0 measured, armed and facing so."""
    raw = state.model_dump(mode="json")
    told = {"facing_deg": None, "facing_alternatives": [], "sigma": {"at_mm": 0.5, "facing_deg": 1.0}}
    raw["miniatures"][0] |= told | {"profile": {"melee": [{"name": "Blade", "reach_in": 2}]}} | facing
    return TableState.model_validate(raw)


def either(state: TableState, facings_deg: list[int], chances: list[float]) -> TableState:
    chosen = zip(facings_deg, chances, strict=True)
    return looking(state, facing_alternatives=[{"facing_deg": deg, "probability": p} for deg, p in chosen])


def even(facings_deg: list[int]) -> list[float]:
    return [1 / len(facings_deg)] * len(facings_deg)


@given(tables(most=4), ways, st.sampled_from(QUESTIONS))
def test_what_every_way_is_answered_alike_is_the_answer(
    state: TableState, facings_deg: list[int], query: dict[str, Any]
) -> None:
    each = [verdict(looking(state, facing_deg=deg), **query) for deg in facings_deg]
    told = verdict(either(state, facings_deg, even(facings_deg)), **query)

    answers = {one.answer for one in each}
    if len(answers) == 1:
        assert told.answer == each[0].answer
        assert told.margin_mm in [one.margin_mm for one in each]
        assert told.needs == ()
    elif {"yes", "no"} <= answers:
        assert told.answer == "too-close"
        assert told.needs == ("facing_deg of m0",)


@given(tables(most=3), ways, st.sampled_from(QUESTIONS))
def test_the_probability_is_that_of_each_way_times_its_own(
    state: TableState, facings_deg: list[int], query: dict[str, Any]
) -> None:
    chances = [0.7, 0.3] if len(facings_deg) == 2 else [0.5, 0.3, 0.2]
    each = [verdict(looking(state, facing_deg=deg), **query).probability or 0.0 for deg in facings_deg]
    told = verdict(either(state, facings_deg, chances), **query)

    assert told.probability == pytest.approx(sum(p * c for p, c in zip(each, chances, strict=True)), abs=SAMPLED)


def test_a_way_just_at_its_edge_does_not_answer_for_one_that_is_far_beyond() -> None:
    """m2 stands exactly between two alike: whichever way any of them is off, a lane opens, though none is wide.

    By its sign that lane is closed, as the arc is the other way; but its answer is yes.
    """
    state = state_of([mini("m0", 200, 400, 50), mini("m1", 1100, 400, 50), mini("m2", 251, 400, 50)])
    query = {"kind": "los", "viewer": "m0", "target": "m1"}
    each = [verdict(looking(state, facing_deg=deg), **query).answer for deg in (0, 105)]

    told = verdict(either(state, [0, 105], [0.7, 0.3]), **query)

    assert each == ["yes", "no"]
    assert (told.answer, told.probability) == ("too-close", pytest.approx(0.7, abs=SAMPLED))


@given(tables(most=3), ways, st.sampled_from(QUESTIONS))
def test_the_order_in_which_the_ways_are_told_changes_nothing(
    state: TableState, facings_deg: list[int], query: dict[str, Any]
) -> None:
    found = [
        verdict(either(state, list(order), even(facings_deg)), **query) for order in itertools.permutations(facings_deg)
    ]
    told = [one.model_dump(exclude={"state_id", "probability"}) for one in found]

    assert all(one == told[0] for one in told)
    assert all(one.probability == pytest.approx(found[0].probability, abs=SAMPLED) for one in found)


@given(tables(most=3), st.integers(0, 359), st.integers(1, 359), st.sampled_from(QUESTIONS))
def test_a_way_that_is_nearly_sure_is_answered_as_if_it_were_told(
    state: TableState, facing_deg: int, aside_deg: int, query: dict[str, Any]
) -> None:
    alone = verdict(looking(state, facing_deg=facing_deg), **query)
    told = verdict(either(state, [facing_deg, facing_deg + aside_deg], [1 - 1e-9, 1e-9]), **query)

    assert told.probability == pytest.approx(alone.probability, abs=SAMPLED)
    assert (told.answer, told.margin_mm, told.sigma_mm) == (alone.answer, alone.margin_mm, alone.sigma_mm)


def test_both_ways_are_named_with_their_probability_and_their_answer() -> None:
    told = verdict(pair(0.64, 0.36), kind="in-front-arc", viewer="m0", target="m1")

    assert (
        told.advice
        == "m0 may look to 0° (64 %: yes) or to 180° (36 %: no), and the answer depends on it: set its facing."
    )
    assert [(reason.effect or "").split(".")[0] for reason in told.because] == [
        "If m0 looks to 0° (64 %): yes",
        "If m0 looks to 180° (36 %): no",
    ]


def test_ways_that_leave_room_for_others_decide_only_what_holds_all_round() -> None:
    beside, wall = pair(0.4, 0.4, at=(300.0, 700.0)), {"id": "w", "kind": "wall", "height_mm": 100}
    wall |= {"polygon_mm": [[400, 0], [420, 0], [420, 1200], [400, 1200]]}

    assert verdict(pair(0.5, 0.5, at=(300.0, 700.0)), kind="in-front-arc", viewer="m0", target="m1").answer == "yes"
    assert verdict(beside, kind="in-front-arc", viewer="m0", target="m1").answer == "too-close"
    assert verdict(pair(0.4, 0.4, terrain=[wall]), kind="los", viewer="m0", target="m1").answer == "no"


def test_a_facing_that_is_told_with_another_keeps_its_margin_and_names_both() -> None:
    other = {"facing_alternatives": [{"facing_deg": 180.0, "probability": 0.3}]}
    told = verdict(
        state_of([mini("a", 300, 600, **other), mini("b", 500, 600)]), kind="in-front-arc", viewer="a", target="b"
    )

    assert (told.answer, told.probability, told.margin_mm) == ("too-close", pytest.approx(0.7), pytest.approx(215.0))
    assert "to 0° (70 %: yes) or to 180° (30 %: no)" in (told.advice or "")


def test_a_member_of_a_list_is_told_for_all_its_ways_together() -> None:
    """It strikes whoever leaves its front, and may look there or away."""
    blade = {"side": "red", "profile": {"melee": [{"name": "Blade", "reach_in": 2}]}}
    for chance, answer in ((0.6, "too-close"), (0.99, "yes")):
        may_look = [{"facing_deg": deg, "probability": p} for deg, p in ((0.0, chance), (180.0, 1 - chance))]
        striker = mini("e", 300, 300, facing=None, facing_alternatives=may_look, **blade)
        state = state_of([striker, mini("m", 345, 300, side="blue")])
        told = verdict(state, kind="free-strike", mover="m", path_mm=[[345, 300], [500, 300]])

        assert [(m.answer, m.probability) for m in told.members] == [(answer, pytest.approx(chance))]


def test_a_block_turns_as_one() -> None:
    """Ten that may look ahead or back are two possibilities and not a thousand."""
    back = [{"facing_deg": 90.0, "probability": 0.5}, {"facing_deg": 270.0, "probability": 0.5}]
    block = [
        ranked(f"a{k}", "A", 500 + 25 * (k % 5), 300 - 25 * (k // 5), facing_deg=None, facing_alternatives=back)
        for k in range(10)
    ]
    foe = [ranked("b0", "B", 550, 700, facing_deg=270.0)]
    units = [{"id": "A", "formation": "ranked", "side": "red"}, {"id": "B", "formation": "ranked", "side": "blue"}]
    told = verdict(
        state_of(block + foe, edition="warhammer-9", units=units), kind="in-front-arc", viewer="A", target="B"
    )

    assert (told.answer, told.probability) == ("too-close", 0.5)


def pair(ahead: float, behind: float, at: tuple[float, float] = (500.0, 600.0), **more: Any) -> TableState:
    """m0 may look along +x or -x; m1 stands there."""
    may_look = [{"facing_deg": deg, "probability": p} for deg, p in ((0.0, ahead), (180.0, behind))]
    return state_of([mini("m0", 300, 600, facing=None, facing_alternatives=may_look), mini("m1", *at)], **more)


def ranked(id_: str, unit: str, x: float, y: float, **facing: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "unit": unit,
        "base": {"shape": "rect", "width_mm": 25, "depth_mm": 25},
        "at_mm": [x, y],
    } | facing
