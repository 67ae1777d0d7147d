"""Charges of ranked units against small steps: none is missed that they find, and none runs into anything."""

from typing import Any

import pytest

from models.parsing import parse_query
from referee import ask
from tests.referee.editions.warhammer_9.charges.stepped_charges import Table, faults, random_table, steps_find
from tests.referee.editions.warhammer_9.tables import block, table

CHARGE = parse_query({"kind": "charge", "attacker": "A", "target": "T", "step": "declare"})


def _charged(world: Table) -> Any:
    return ask(world.state, CHARGE).value


@pytest.mark.parametrize("seed", range(12))
def test_a_way_is_found_wherever_small_steps_find_one_and_breaks_no_rule(seed: int) -> None:
    world = random_table(seed)
    value = _charged(world)

    is_found = bool(value.get("paths")) and not value["must_also"]
    assert not is_found or faults(world, value) == []
    assert is_found or value["side"] is None or steps_find(world, value["side"]) is None


def test_who_walks_the_ways_sees_one_that_is_wrong() -> None:
    world = random_table(0)
    value = _charged(world)
    straight = value["paths"]["A"][0]
    straight["length_mm"] += 60.0

    assert {"runs through its target", "ends elsewhere than told"} <= set(faults(world, value))


def test_what_every_way_touches_too_must_be_charged_as_well() -> None:
    units = [
        block("A", "red", (600, 300), 90, 8, 24),
        block("T", "blue", (600, 450), 270, 2, 4),
        block("L", "blue", (545, 450), 270, 3, 6),
        block("R", "blue", (655, 450), 270, 3, 6),
    ]
    value = ask(table(units), CHARGE).value

    assert value["must_also"] in (["L"], ["R"])


def test_one_that_sees_no_room_for_its_front_finds_no_way() -> None:
    rocks = [
        {"id": k, "kind": "impassable", "polygon_mm": [[x, 380], [x + 500, 380], [x + 500, 400], [x, 400]]}
        for k, x in (("left", 60.0), ("right", 659.0))
    ]
    units = [block("A", "red", (610, 300), 90, 5, 10), block("T", "blue", (610, 470), 270, 5, 10)]
    narrow = ask(table(units, terrain=rocks), CHARGE)
    rocks[1]["polygon_mm"] = [[x + 2, y] for x, y in rocks[1]["polygon_mm"]]
    wide = ask(table(units, terrain=rocks), CHARGE)

    assert (narrow.answer, wide.answer) == ("no", "yes")
