"""Worked scenes, each with the answers a careful reader of the book gives.

Where our reading of the book is another, `ours` stands beside what was expected, with the reasons in `because`.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from models.parsing import parse_query
from models.state import TableState
from referee import ask
from tests.rows import every_row

_CASES = Path(__file__).with_name("cases")
_ROWS = [
    (row["id"], k, row["state"], one)
    for file in sorted(_CASES.glob("*.jsonl"))
    for row in map(json.loads, file.read_text().splitlines())
    for k, one in enumerate(row["asks"])
]
_ASKED = [
    pytest.param(state, one["query"], one.get("ours", one["expect"]), id=f"{id_}-{k}-{one['query']['kind']}")
    for id_, k, state, one in _ROWS
]


@every_row(("state", "query", "expected"), _ASKED)
def test_the_verdict_is_the_one_worked_out_by_hand(
    state: dict[str, Any], query: dict[str, Any], expected: dict[str, Any]
) -> None:
    verdict = ask(TableState.model_validate(state), parse_query(query)).model_dump(mode="json")

    tolerance = expected.pop("tolerance", 0.5)
    assert difference(expected, verdict, tolerance) is None


def difference(want: Any, got: Any, tolerance: float, path: str = "") -> str | None:
    """Where `got` first lacks what is wanted: numbers within the tolerance, lists of ids in any order."""
    if isinstance(want, dict):
        missing = [key for key in want if key not in got]
        if missing:
            return f"{path}: no {missing}"
        return next((d for k in want if (d := difference(want[k], got[k], tolerance, f"{path}.{k}"))), None)
    if isinstance(want, list) and want and isinstance(want[0], dict):
        key = next((k for k in ("id", "clause", "name") if k in want[0]), None)
        if key is None:
            pairs = zip(want, got, strict=True)
            return next((d for w, g in pairs if (d := difference(w, g, tolerance, path))), None)
        named = {one[key]: one for one in got}
        return next((d for w in want if (d := difference(w, named.get(w[key], {}), tolerance, path))), None)
    if isinstance(want, list) and all(isinstance(w, float | int) for w in want) and len(want) == len(got or ()):
        return next((d for w, g in zip(want, got, strict=True) if (d := difference(w, g, tolerance, path))), None)
    if isinstance(want, list) and any(isinstance(one, list) for one in want):
        return None if sorted(want) == sorted(got) else f"{path}: {want} is not {got}"
    if isinstance(want, list):
        return None if set(want) == set(got) else f"{path}: {want} is not {got}"
    if isinstance(want, float | int) and not isinstance(want, bool):
        return None if got is not None and abs(want - got) <= tolerance else f"{path}: {want} is not {got}"
    return None if want == got else f"{path}: {want!r} is not {got!r}"


def test_where_we_read_the_book_otherwise_we_say_why() -> None:
    rows = [row for file in _CASES.glob("*.jsonl") for row in map(json.loads, file.read_text().splitlines())]
    ours = [one for row in rows for one in row["asks"] if "ours" in one]

    assert all(one["because"] and one["ours"] != one["expect"] for one in ours)
    assert len(ours) == 1


def test_there_are_cases() -> None:
    assert len(_ASKED) >= 73
