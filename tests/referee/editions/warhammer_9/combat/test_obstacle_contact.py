"""Defended obstacles: a charge over one goes for those behind it, and they fight as if it were not there."""

import random
from typing import Any

import pytest

from models.state import TableState
from models.verdict import Verdict
from tests.referee.editions.warhammer_9.tables import block, table
from tests.referee.tables import asked


def wall(low: float, high: float, near: float = 550, far: float = 560, **more: Any) -> dict[str, Any]:
    outline = [[low, near], [high, near], [high, far], [low, far]]
    return {"id": "w", "kind": "wall", "polygon_mm": outline, **more}


def over_a_wall(charger: dict[str, Any], **more: Any) -> TableState:
    return table([charger, block("E", "blue", (600, 560), 270, 5, 10)], terrain=[wall(400, 800, **more)])


def after(state: TableState, verdict: Verdict) -> TableState:
    """The table once that charge is done."""
    raw, poses = state.model_dump(mode="json", exclude_none=True), verdict.value["poses"]
    assert isinstance(poses, dict)
    for one in raw["miniatures"]:
        one |= poses.get(one["id"], {})
    return TableState.model_validate(raw)


def counts(state: TableState) -> dict[str, int]:
    told: Any = asked(state, "combat-contacts", among=["A", "E"]).value["counts"]
    return {unit: told[unit]["contact"] for unit in ("A", "E")}


@pytest.mark.parametrize("seed", range(12))
def test_as_many_fight_over_a_wall_as_the_charge_says(seed: int) -> None:
    r = random.Random(seed)
    files = r.randint(3, 8)
    state = over_a_wall(block("A", "red", (r.uniform(450, 750), r.uniform(350, 450)), 90, files, 2 * files))
    verdict = asked(state, "charge", attacker="A", target="E")

    assert verdict.value["defended"] == "w"
    assert verdict.value["in_contact"] == counts(after(state, verdict))


@pytest.mark.parametrize("aside", [-95, -40, 0, 35, 90])
def test_a_charge_over_a_wall_brings_as_many_into_contact_as_one_without_it(aside: float) -> None:
    charger = block("A", "red", (600 + aside, 400), 90, 4, 8)
    bare = table([charger, block("E", "blue", (600, 550), 270, 5, 10)])
    over, plain = (asked(one, "charge", attacker="A", target="E") for one in (over_a_wall(charger), bare))

    assert over.value["in_contact"] == plain.value["in_contact"]


def test_who_stands_beside_the_others_over_a_wall_does_not_fight() -> None:
    assert counts(over_a_wall(block("A", "red", (701, 550), 90, 5, 5))) == {"A": 0, "E": 0}
    assert counts(over_a_wall(block("A", "red", (690, 550), 90, 5, 5))) == {"A": 1, "E": 1}


def test_nobody_fights_over_a_wall_that_he_does_not_touch() -> None:
    assert counts(over_a_wall(block("A", "red", (600, 549), 90, 5, 5))) == {"A": 0, "E": 0}


def test_over_a_wide_barricade_only_who_charged_fights() -> None:
    charged = {"this_turn": {"moved": ["charge"], "charged": "E"}}
    idle, fighting = (over_a_wall(block("A", "red", (600, 520), 90, 5, 5, **more), near=520) for more in ({}, charged))

    assert counts(idle) == {"A": 0, "E": 0}
    assert counts(fighting) == {"A": 5, "E": 5}


def test_a_low_wall_hides_nobody_who_defends_it_and_of_a_high_one_one_has_to_ask() -> None:
    charger = block("A", "red", (600, 450), 90, 5, 10)
    low, high = (
        asked(over_a_wall(charger, height_mm=mm), "charge", attacker="A", target="E", step="declare") for mm in (12, 40)
    )

    assert (low.answer, low.advice) == ("yes", None)
    assert high.answer == "no"
    assert high.advice is not None
    assert "4+" in high.advice
