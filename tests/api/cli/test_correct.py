"""`tableside correct`: a state file with corrections laid over it, or a named problem and nothing written."""

import json
from pathlib import Path
from typing import Any

import pytest

from models.base import RoundBase
from models.miniature import Miniature
from models.state import TableState
from tests.api.cli.commands import run

STANDING = {"id": "m1", "base": {"shape": "round", "diameter_mm": 30}, "at_mm": [100, 100]}
TABLE = {"edition": "warmachine-prime", "table": {"width_mm": 600, "depth_mm": 400}, "miniatures": [STANDING]}
MISSED = {"do": "base", "id": "giant", "at_mm": [300, 200], "base": {"shape": "round", "diameter_mm": 50}}


@pytest.fixture
def state(tmp_path: Path) -> Path:
    (tmp_path / "state.json").write_text(json.dumps(TABLE))
    return tmp_path / "state.json"


def _corrected(state: Path, corrections: Any) -> TableState:
    ended = run("correct", state, json.dumps(corrections), "-o", state.parent / "out.json")
    assert (ended.code, ended.err) == (0, "")
    return TableState.model_validate_json((state.parent / "out.json").read_bytes())


def test_a_missed_base_stands_where_somebody_says(state: Path) -> None:
    giant = _corrected(state, MISSED).by_id["giant"]

    assert isinstance(giant, Miniature)
    assert (giant.at_mm, giant.base, giant.placement) == ((300.0, 200.0), RoundBase(diameter_mm=50), "by-hand")


def test_a_wrong_size_is_healed_and_the_table_called_complete(state: Path) -> None:
    healed = MISSED | {"id": "m1", "at_mm": [100, 100], "base": {"shape": "round", "diameter_mm": 40}}
    table = _corrected(state, [healed, {"do": "complete"}])

    assert [m.base for m in table.miniatures] == [RoundBase(diameter_mm=40)]
    assert table.called.is_complete


def test_corrections_come_from_a_file_too(state: Path) -> None:
    (state.parent / "told.json").write_text(json.dumps([MISSED]))
    ended = run("correct", state, state.parent / "told.json", "-o", state.parent / "out.json")

    assert ended.code == 0
    assert "giant: a 50 mm base, placed by hand" in ended.out


@pytest.mark.parametrize(
    ("correction", "field"),
    [
        (MISSED | {"at_mm": [900, 200]}, "0.at_mm"),
        (MISSED | {"at_mm": [105, 100]}, "0.at_mm"),
        (MISSED | {"id": "m7"}, "0.id"),
        ({"do": "miniature", "ids": ["nobody"], "name": "Mara"}, "0.ids.0"),
        ({"do": "base", "id": "giant"}, "0.base.at_mm"),
    ],
    ids=["off the table", "upon another", "a camera's name", "of another table", "without a place"],
)
def test_what_cannot_be_is_named_and_nothing_is_written(state: Path, correction: Any, field: str) -> None:
    ended = run("correct", state, json.dumps(correction), "-o", state.parent / "out.json")

    assert (ended.code, json.loads(ended.err)["field"]) == (2, field)
    assert not (state.parent / "out.json").exists()


def test_a_file_that_is_not_there_is_named(state: Path) -> None:
    ended = run("correct", state, "nowhere.json", "-o", state.parent / "out.json")

    assert (ended.code, json.loads(ended.err)["value"]) == (2, "nowhere.json")
