"""Leadership: who rolls again, and what losses call for a test."""

from typing import Any

import pytest

from models.parsing import parse_query
from referee import ask
from tests.referee.editions.warhammer_9.tables import block, table

ENEMY = block("E", "blue", (600, 450), 270, 5, 10)
ORDERS: tuple[dict[str, Any], ...] = (
    {"kind": "march", "mover": "A"},
    {"kind": "charge-redirect", "attacker": "A"},
    {"kind": "reform", "unit": "A", "manner": "swift"},
    {"kind": "reform", "unit": "A", "manner": "restrain"},
)


@pytest.mark.parametrize("order", ORDERS)
def test_a_champion_lets_his_unit_roll_again(order: dict[str, Any]) -> None:
    led, plain = (
        ask(table([block("A", "red", (600, 300), 90, 5, 10, champion=told), ENEMY]), parse_query(order))
        for told in (True, False)
    )

    assert (led.value["chance"]["exact"], led.value["chance"]["with_reroll"]) == ("7/12", "119/144")
    assert "with_reroll" not in plain.value["chance"]


def test_a_champion_does_not_help_to_rally() -> None:
    units = [block("A", "red", (600, 300), 90, 5, 10, champion=True)]
    raw = table(units).model_dump(mode="json", exclude_none=True)
    for one in raw["miniatures"]:
        one["status"] = ["fleeing"]
    verdict = ask(table(units).model_validate(raw), parse_query({"kind": "rally", "who": "A"}))

    assert "with_reroll" not in verdict.value["chance"]


@pytest.mark.parametrize(("count", "threshold"), [(14, 4), (12, 3), (1, 1), (5, 2)])
def test_with_nothing_told_of_it_the_phase_begins_now(count: int, threshold: int) -> None:
    state = table([block("A", "red", (600, 300), 90, min(count, 5), count)])
    verdict = ask(state, parse_query({"kind": "morale-check", "cause": "casualties", "unit": "A"}))

    assert (verdict.value["threshold"], verdict.value["losses"]["A"]["lost"]) == (threshold, 0)
    assert [one.answer for one in verdict.members] in (["no"], [])
