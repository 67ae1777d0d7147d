"""Every table worked by hand, mirrored and turned by an odd angle, is answered as it was: no rule knows north."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from models.parsing import parse_query
from models.state import TableState
from models.vocabulary import EditionId
from referee import ask
from tests.referee.scenario import Scenario
from tests.referee.test_rules_covered import BOOKS

TURN_DEG = 137.0
HANDS = {"left": "right", "right": "left", "wheel-left": "wheel-right", "wheel-right": "wheel-left"}
OF_THE_TABLE = {"deployment", "reinforcements"}  # these hang on its edges
NUMBERED = {"ranked-formation"}  # places are numbered from the left
KNIFE_EDGES = {"charge-path-edge": "a way exactly as wide as the unit: rounding closes it"}
TIES = {"intervening-terrain-edge", "cover-obstacle-edge"}  # two conditions of one margin: either may be told
POINTS = {"at", "to", "target", "origin", "centre"}
NO_POINTS = {"size_mm", "bases_mm"}


def _is_point(key: str | None, value: Any) -> bool:
    numbers = isinstance(value, list | tuple) and len(value) in (2, 3) and all(type(v) in (int, float) for v in value)
    return numbers and key is not None and key not in NO_POINTS and (key.endswith("_mm") or key in POINTS)


def _changed(value: Any, key: str | None, at: Callable[[Any], list[float]]) -> Any:
    """The same part of a state or question, mirrored and turned."""
    if key == "sigma":
        return value
    if isinstance(value, dict):
        return {name: _changed(one, name, at) for name, one in value.items()}
    if _is_point(key, value):
        return at(value)
    if isinstance(value, list | tuple):
        return [_changed(one, key, at) for one in value]
    if key in ("facing_deg", "heading_deg", "axis_deg") and value is not None:
        return (180.0 - value + TURN_DEG) % 360.0
    return HANDS.get(value, value) if isinstance(value, str) else value


def turned(scenario: Scenario) -> tuple[TableState, dict[str, Any]]:
    """The scenario mirrored and turned about the middle of its table."""
    size, c, s = scenario.state.table, math.cos(math.radians(TURN_DEG)), math.sin(math.radians(TURN_DEG))

    def at(point: Any) -> list[float]:
        x, y = size.width_mm / 2 - point[0], point[1] - size.depth_mm / 2
        return [c * x - s * y + size.width_mm / 2, s * x + c * y + size.depth_mm / 2, *point[2:]]

    raw = scenario.state.model_dump(mode="json", exclude_none=True)
    return TableState.model_validate(_changed(raw, None, at)), _changed(scenario.query, None, at)


def _findings(state: TableState, query: dict[str, Any], *, lengths: bool) -> list[object]:
    verdict = ask(state, parse_query(query))
    margins = [None if mm is None else round(mm, 4) + 0.0 for mm in (verdict.margin_mm, verdict.margin_deg)]
    return [verdict.status, verdict.answer, *(margins if lengths else [])]


@pytest.mark.parametrize("book", BOOKS)
def test_a_table_mirrored_and_turned_is_answered_alike(book: EditionId) -> None:
    asked = [one for one in BOOKS[book] if one.query["kind"] not in OF_THE_TABLE | NUMBERED]
    differing = {}
    for one in asked:
        state, query = turned(one)
        there, here = (
            _findings(*told, lengths=one.name not in TIES) for told in ((state, query), (one.state, one.query))
        )
        if there != here and one.name not in KNIFE_EDGES:
            differing[one.name] = (here, there)

    assert len(asked) > 100
    assert differing == {}
