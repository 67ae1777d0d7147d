"""Doubt of the open edition's measures: the stated probability beside tables drawn again and again."""

import random
from typing import Any

import pytest

from models.parsing import parse_query
from models.state import TableState
from referee import ask
from tests.referee.tables import box, mini, table

SIGMA_MM, DRAWS = 0.5, 400
BODY = [[260, 260], [340, 260], [340, 340], [260, 340]]
LOW_WALL, SIDE_WALL = box("w", "wall", 395, 200, 405, 400, height_mm=27.61), box("w", "wall", 390, 299.9, 410, 500)
CASES: dict[str, tuple[float, dict[str, str], dict[str, Any], dict[str, Any]]] = {
    "action": (406.5, {}, {"kind": "action", "attacker": "a", "target": "b", "length_in": 3}, {}),
    "hull": (481.6, {"open-measure": "hull"}, {"kind": "within", "a": "a", "b": "b", "range_in": 5}, {}),
    "body": (500.0, {"open-sight": "body"}, {"kind": "los", "viewer": "a", "target": "b"}, {"terrain": [LOW_WALL]}),
    "lines": (
        500.0,
        {"open-cover": "lines"},
        {"kind": "cover", "attacker": "a", "target": "b"},
        {"terrain": [SIDE_WALL]},
    ),
}


def _table(x: float, dx: tuple[float, ...], chosen: dict[str, str], more: dict[str, Any], sigma: float) -> TableState:
    outline = [[px + dx[0], py + dx[1]] for px, py in BODY]
    a = mini("a", 300 + dx[0], 300 + dx[1], outline_mm=outline, sigma=sigma)
    return table(a, mini("b", x + dx[2], 300 + dx[3], 180, sigma=sigma), edition="open", house_rules=chosen, **more)


@pytest.mark.parametrize("name", CASES)
def test_the_stated_probability_is_that_of_tables_drawn_again(name: str) -> None:
    x, chosen, asked, more = CASES[name]
    query, draw = parse_query(asked), random.Random(name)
    stated = ask(_table(x, (0.0,) * 4, chosen, more, SIGMA_MM), query).probability
    met = 0
    for _ in range(DRAWS):
        moved = tuple(draw.gauss(0, SIGMA_MM) for _ in range(4))
        met += ask(_table(x, moved, chosen, more, 0.0), query).answer == "yes"

    assert stated == pytest.approx(met / DRAWS, abs=0.08)
    assert 0.1 < met / DRAWS < 0.9
