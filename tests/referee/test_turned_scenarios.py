"""No rule knows north: a table mirrored and turned is answered as it was.

Tables worked by hand are turned by an odd angle; random ones by a quarter, so that their edges lie where they lay.
"""

import math
from collections.abc import Callable
from typing import Any

import pytest

from models.parsing import parse_query
from models.state import TableState
from models.vocabulary import EditionId
from referee import ask
from tests.referee.test_legal_poses import AT_ONCE, FIRST_TABLES, questions_of, ranked_table, round_table
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


def _changed(value: Any, key: str | None, at: Callable[[Any], list[float]], turn_deg: float = TURN_DEG) -> Any:
    """The same part of a state or question, mirrored and turned."""
    if key == "sigma":
        return value
    if isinstance(value, dict):
        return {name: _changed(one, name, at, turn_deg) for name, one in value.items()}
    if _is_point(key, value):
        return at(value)
    if isinstance(value, list | tuple):
        return [_changed(one, key, at, turn_deg) for one in value]
    if key in ("facing_deg", "heading_deg", "axis_deg") and value is not None:
        return (180.0 - value + turn_deg) % 360.0
    return HANDS.get(value, value) if isinstance(value, str) else value


def turned(state: TableState, query: dict[str, Any], turn_deg: float) -> tuple[TableState, dict[str, Any]]:
    """The table and its question mirrored and turned about the middle of the table."""
    raw, at = state.model_dump(mode="json", exclude_none=True), _motion(state, turn_deg)
    return TableState.model_validate(_changed(raw, None, at, turn_deg)), _changed(query, None, at, turn_deg)


def _motion(state: TableState, turn_deg: float) -> Callable[[Any], list[float]]:
    size, c, s = state.table, math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))

    def at(point: Any) -> list[float]:
        x, y = size.width_mm / 2 - point[0], point[1] - size.depth_mm / 2
        return [c * x - s * y + size.width_mm / 2, s * x + c * y + size.depth_mm / 2, *point[2:]]

    return at


def _findings(state: TableState, query: dict[str, Any], *, lengths: bool) -> list[object]:
    verdict = ask(state, parse_query(query))
    margins = [None if mm is None else round(mm, 4) + 0.0 for mm in (verdict.margin_mm, verdict.margin_deg)]
    return [verdict.status, verdict.answer, *(margins if lengths else [])]


@pytest.mark.parametrize("book", BOOKS)
def test_a_table_mirrored_and_turned_is_answered_alike(book: EditionId) -> None:
    asked = [one for one in BOOKS[book] if one.query["kind"] not in OF_THE_TABLE | NUMBERED]
    differing = {}
    for one in asked:
        state, query = turned(one.state, one.query, TURN_DEG)
        there, here = (
            _findings(*told, lengths=one.name not in TIES) for told in ((state, query), (one.state, one.query))
        )
        if there != here and one.name not in KNIFE_EDGES:
            differing[one.name] = (here, there)

    assert len(asked) > 100
    assert differing == {}


@pytest.mark.parametrize("first", FIRST_TABLES)
@pytest.mark.parametrize("book", BOOKS)
def test_a_random_table_mirrored_and_turned_is_answered_alike(book: EditionId, first: int) -> None:
    differing = {}
    for seed in range(first, first + AT_ONCE):
        state, quarter = ranked_table(seed) if book == "warhammer-9" else round_table(seed, book), 90.0 * (seed % 4)
        for query in questions_of(state, seed):
            here, there = (ask(at, parse_query(q)) for at, q in ((state, query), turned(state, query, quarter)))
            expected = _changed(here.value.get("poses"), None, _motion(state, quarter), quarter)
            pairs = [(here.answer, there.answer), (here.margin_mm, there.margin_mm)]
            pairs.append((_places(expected, book), _places(there.value.get("poses"), book)))
            if any(_differs(a, b) for a, b in pairs):
                differing[f"{seed} {query}"] = pairs[:2]

    assert differing == {}


def _places(poses: Any, book: EditionId) -> Any:
    """Where all end; of a regiment its middle, as its places are numbered from the left."""
    if book != "warhammer-9" or not poses:
        return poses
    return [sum(pose["at_mm"][k] for pose in poses.values()) / len(poses) for k in (0, 1)]


def _differs(a: Any, b: Any) -> bool:
    """Whether two values part by more than rounding; directions are taken round the circle."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() != b.keys() or any(_differs(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) != len(b) or any(_differs(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, int | float) and isinstance(b, int | float):
        return min(abs(a - b), abs(abs(a - b) - 360.0)) > 1e-4
    return bool(a != b)
