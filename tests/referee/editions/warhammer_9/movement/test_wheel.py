"""Wheels: alone or within a move they are one and the same, and carry nobody over twice the Movement."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.state import TableState
from models.verdict import Verdict
from tests.referee.editions.warhammer_9.tables import block, drawn, regiments_of, table
from tests.referee.tables import asked

SPEED_IN = 4


def wheel_and_move(state: TableState, mover: str, way: str, by_deg: float, **more: Any) -> tuple[Verdict, Verdict]:
    alone = asked(state, "wheel", mover=mover, way=way, by_deg=by_deg, **more)
    return alone, asked(state, "move", mover=mover, steps=[{"do": f"wheel-{way}", "by_deg": by_deg}], **more)


@given(seed=st.integers(0, 300), way=st.sampled_from(("left", "right")), by_deg=st.floats(1, 180), pick=st.integers(0))
def test_a_wheel_and_a_move_of_that_wheel_agree(seed: int, way: str, by_deg: float, pick: int) -> None:
    state = drawn(seed)
    units = regiments_of(state)
    alone, within = wheel_and_move(state, units[pick % len(units)], way, by_deg)

    assert alone.answer == within.answer
    assert alone.margin_mm == pytest.approx(within.margin_mm)


@given(st.integers(1, 8), st.integers(1, 6), st.floats(1, 180))
def test_no_wheel_within_a_move_carries_a_corner_over_twice_the_movement(files: int, ranks: int, by_deg: float) -> None:
    state = table([block("A", "red", (900, 600), 90, max(files, ranks), ranks * max(files, ranks))])
    far = math.hypot(20 * max(files, ranks), 20 * ranks) * math.radians(by_deg)
    verdict = asked(state, "move", mover="A", manner="march", steps=[{"do": "wheel-left", "by_deg": by_deg}])

    assert (verdict.answer == "yes") == (far <= 2 * SPEED_IN * 25.4)


def test_a_wheel_of_more_than_half_a_turn_costs_its_whole_arc() -> None:
    alone, within = wheel_and_move(table([block("A", "red", (900, 600), 90, 5, 5)]), "A", "left", 270)

    assert alone.value["cost_mm"] == pytest.approx(100 * 1.5 * math.pi)
    assert within.value["spent_mm"] == pytest.approx(100 * 1.5 * math.pi)


@pytest.mark.parametrize("measure", ["outer-corner", "chord", "outer-centre"])
@pytest.mark.parametrize("held", ["every-model", "front-rank"])
def test_the_widest_wheel_that_is_told_is_legal_and_a_wider_one_is_not(measure: str, held: str) -> None:
    state = table(
        [block("A", "red", (900, 600), 90, 7, 28)],
        house_rules={"wheel-measure": measure, "wheel-double-move": held},
    )
    most = asked(state, "wheel", mover="A", way="left", allowance_in=8).value["most_deg"]

    assert isinstance(most, float)
    assert asked(state, "wheel", mover="A", way="left", by_deg=most - 0.01, allowance_in=8).answer == "yes"
    assert asked(state, "wheel", mover="A", way="left", by_deg=most + 0.01, allowance_in=8).answer == "no"


@pytest.mark.parametrize("did", [{"moved": ["reform"]}, {"moved": ["march"]}, {"charge_failed": True}])
def test_who_gave_up_its_move_wheels_no_more(did: dict[str, Any]) -> None:
    alone, _ = wheel_and_move(table([block("A", "red", (900, 600), 90, 5, 5, this_turn=did)]), "A", "left", 10)

    assert alone.answer == "no"


def test_a_place_far_off_the_table_is_answered() -> None:
    state = table([block("A", "red", (600, 300), 90, 5, 10)])
    verdict = asked(state, "move", mover="A", to={"front_mm": [0, -90_000], "facing_deg": 3})

    assert verdict.answer == "no"
