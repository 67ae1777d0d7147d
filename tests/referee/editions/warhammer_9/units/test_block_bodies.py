"""Block bodies: who is written as a block is as tall as it says, and sees over what is lower."""

from typing import Any

from models.parsing import parse_query
from referee import ask
from tests.referee.editions.warhammer_9.tables import block, table

WALL = {"id": "w", "kind": "wall", "polygon_mm": [[500, 550], [700, 550], [700, 560], [500, 560]], "height_mm": 12}
CHARGED = parse_query({"kind": "charge", "attacker": "A", "target": "E", "step": "declare"})


def _units(**body: float) -> list[dict[str, Any]]:
    units = [block("A", "red", (600, 300), 90, 5, 10), block("E", "blue", (600, 560), 270, 5, 10)]
    for unit in units:
        unit["block"] |= body
    return units


def test_each_of_a_block_has_the_body_that_is_told_of_it() -> None:
    assert {one.body_mm for one in table(_units(body_mm=30)).miniatures} == {30.0}
    assert {one.body_mm for one in table(_units()).miniatures} == {None}


def test_a_block_taller_than_a_wall_is_seen_across_it_and_charged() -> None:
    verdict = ask(table(_units(body_mm=30), terrain=[WALL]), CHARGED)

    assert (verdict.answer, verdict.value["defended"]) == ("yes", "w")
