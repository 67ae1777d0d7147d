"""Impact hits and stomps: how many attackers touch, and how many hits each makes."""

from typing import Any

import pytest

from models.parsing import parse_query
from referee import ask
from tests.referee.editions.warhammer_9.tables import block, lone, table

MONSTER = lone("M", "red", (600, 275), 90, type="monster")


@pytest.mark.parametrize(("foe", "each"), [
    (block("E", "blue", (600, 300), 270, 5, 10), "1d6"),
    (block("E", "blue", (600, 300), 270, 1, 1), "1d3"),
    (block("E", "blue", (600, 300), 270, 5, 5, formation="skirmish", gap_mm=12.7), "1d3"),
])  # fmt: skip
def test_a_stomp_rolls_less_against_the_lone_and_the_loose(foe: dict[str, Any], each: str) -> None:
    query = parse_query({"kind": "impact-attacks", "attacker": "M", "attack": "stomp"})

    assert ask(table([foe], [MONSTER]), query).value["hits"] == {"E": {"by": 1, "each": each}}


def test_every_rider_in_contact_makes_one_impact_hit() -> None:
    riders = block("R", "red", (600, 300), 90, 4, 8, type="cavalry", this_turn={"charged": "E"})
    state = table([riders, block("E", "blue", (600, 300), 270, 5, 10)])

    verdict = ask(state, parse_query({"kind": "impact-attacks", "attacker": "R"}))

    assert verdict.value["hits"] == {"E": {"by": 4, "each": "1"}}
