"""Combat reforms: about the same centre and up to the enemy again, and nobody who touched one leaves contact."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.state import TableState
from models.verdict import Verdict
from tests.referee.editions.warhammer_9.tables import block, table
from tests.referee.tables import asked


def fight(wide: int = 5, count: int = 20, foes: int = 5, **more: Any) -> TableState:
    """A looks up at E, which looks down; their fronts lie at y = 600, their middles at x = 900."""
    return table(
        [block("A", "red", (900, 600), 90, wide, count, **more), block("E", "blue", (900, 600), 270, foes, 10)]
    )


def reform(state: TableState, **more: Any) -> Verdict:
    return asked(state, "reform", unit="A", manner="combat", **more)


def clauses(verdict: Verdict) -> dict[str, str]:
    told: Any = verdict.value["clauses"]
    return {one["clause"]: one["answer"] for one in told}


def test_as_it_stands_nobody_moves() -> None:
    assert reform(fight()).margin_mm == pytest.approx(203.2)


def test_a_wider_front_stays_in_contact() -> None:
    verdict = reform(fight(), files=10)
    poses: Any = verdict.value["poses"]

    assert verdict.answer == "yes"
    assert poses["A"]["front_mm"] == pytest.approx([900, 600])


def test_a_unit_struck_in_the_flank_turns_to_its_enemy_and_touches_it() -> None:
    state = table([block("A", "red", (900, 600), 90, 5, 20), block("E", "blue", (950, 560), 180, 4, 8)])
    verdict = reform(state, files=5, facing_deg=0)
    poses: Any = verdict.value["poses"]

    assert verdict.answer == "yes"
    assert poses["A"]["front_mm"] == pytest.approx([950, 560])


def test_the_strict_reading_keeps_the_centre_and_a_wider_front_is_none() -> None:
    verdict = reform(fight().with_house_rules(**{"combat-reform-centre": "kept"}), files=10)

    assert clauses(verdict)["keeps-contact"] == "no"


def test_a_pose_aside_is_chosen_only_where_any_place_is_agreed_on() -> None:
    aside = {"to": {"front_mm": [920, 600], "facing_deg": 90, "files": 10}}
    verdict = reform(fight(), **aside)

    assert clauses(verdict)["about-centre"] == "no"
    assert {flip.reading: flip.answer for flip in verdict.flips_under}["any-place"] == "yes"


@given(st.integers(3, 9))
def test_nobody_of_its_own_leaves_contact_by_a_narrower_front(files: int) -> None:
    verdict = reform(fight(wide=9, count=36, foes=9), files=files)

    assert (verdict.answer == "yes") == (files == 9)


def test_whoever_touched_an_enemy_touches_one_afterwards() -> None:
    verdict = reform(fight(wide=10, count=20), files=7)
    poses: Any = verdict.value["poses"]
    front = [id_ for id_, pose in poses.items() if id_ != "A" and pose["at_mm"][1] == pytest.approx(590)]

    assert verdict.answer == "yes"
    assert {f"A/0-{k}" for k in range(2, 8)} - {*front} <= {"A/0-2", "A/0-7"}
    assert {f"A/0-{k}" for k in (3, 4, 5, 6)} <= {*front}


def test_a_pose_and_files_are_not_told_at_once() -> None:
    with pytest.raises(ValueError, match="only one of to, files"):
        reform(fight(), files=5, to={"front_mm": [900, 600], "facing_deg": 90})
