"""House rules of moves and charges: another reading finds something else, and the verdict says which was used."""

from typing import Any

import pytest

from models.reading import read_query
from referee import ask
from tests.referee.scenarios.warhammer.field import field, unit

A = unit("A", (600, 300), 90, 5, 10)
MARSH = {"id": "marsh", "kind": "marsh", "polygon_mm": [[550, 320], [590, 320], [590, 360], [550, 360]]}
ROCK = {"id": "rock", "kind": "impassable", "polygon_mm": [[645, 340], [745, 340], [745, 380], [645, 380]]}
SWITCHES = [
    ("wheel-measure", "outer-centre", [A], {"kind": "wheel", "mover": "A", "way": "left", "by_deg": 60}, {}),
    ("wheel-measure", "chord", [A], {"kind": "wheel", "mover": "A", "way": "left", "by_deg": 60}, {}),
    ("wheel-double-move", "front-rank", [unit("A", (600, 300), 90, 5, 25)],
     {"kind": "wheel", "mover": "A", "way": "left", "by_deg": 90, "allowance_in": 8}, {}),
    ("reform-partner", "by-place", [A], {"kind": "reform", "unit": "A", "facing_deg": 270}, {}),
    ("dangerous-who", "whole-unit", [A], {"kind": "hazard", "mover": "A", "manner": "march",
     "steps": [{"do": "forward", "by_in": 3}]}, {"terrain": [MARSH]}),
    ("one-inch-exact", "too-near", [A],
     {"kind": "one-inch-rule", "mover": "A", "steps": [{"do": "forward", "by_in": 0}]},
     {"terrain": [ROCK | {"polygon_mm": [[600, 325.4], [700, 325.4], [700, 340], [600, 340]]}]}),
    ("toward-from", "closest-points", [A, unit("E", (760, 420), 250, 5, 10, "blue")],
     {"kind": "flee", "mover": "A", "threats": ["E"], "dice": {"flee": 4}}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("key", "reading", "units", "query", "more"), SWITCHES)
def test_another_reading_finds_something_else(
    key: str, reading: str, units: list[dict[str, Any]], query: dict[str, Any], more: dict[str, Any]
) -> None:
    default = ask(field(*units, **more), read_query(query))
    other = ask(field(*units, **more, house_rules={key: reading}), read_query(query))

    assert (other.margin_mm, other.answer, other.value) != (default.margin_mm, default.answer, default.value)
    decides = (other.margin_mm, other.answer) != (default.margin_mm, default.answer)
    assert (key in default.house_rules) is (decides or default.status == "measured")


@pytest.mark.parametrize("reading", ["whole-base", "area"])
def test_who_straddles_a_line_counts_by_the_agreed_part_of_his_base(reading: str) -> None:
    units = [unit("A", (752, 402), 135, 5, 10), unit("E", (600, 500), 270, 5, 10, "blue")]
    query = read_query({"kind": "charge", "attacker": "A", "target": "E", "step": "declare"})
    count: Any = ask(field(*units, house_rules={"charge-side-by": reading}), query).value["side_count"]

    assert count == ({"front": 2, "left": 2} if reading == "whole-base" else count)
    assert sum(count.values()) == (4 if reading == "whole-base" else 5)
