"""`tableside cards`: import, check and show."""

import json
from pathlib import Path

import pytest

from tests.api.cli.commands import run
from tests.api.rosters.lists import body, force, ros, selection


def _list(path: Path) -> Path:
    reeves = selection("Fen Reeve", "model", number=4, cards=body("Fen Reeve", Base="30"))
    path.write_bytes(ros(force(selection("Fen Reeves", "unit", reeves))))
    return path


def test_import_then_check_then_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLESIDE_CARDS", str(tmp_path / "cards"))
    imported = run("cards", "import", _list(tmp_path / "mine.ros"))
    checked, facts = run("cards", "check"), json.loads(run("cards", "check", "--json").out)
    shown = run("cards", "show", "fen reeves", "--json")

    assert (imported.code, checked.code) == (0, 0)
    assert "1 cards" in imported.out
    assert "Fen Reeve: no weapon" in checked.out
    assert facts[0]["missing"] == {"Fen Reeve": ["weapon"]}
    assert [card["name"] for card in json.loads(shown.out)] == ["Fen Reeve"]


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    target = tmp_path / "mine.toml"
    target.write_text("mine")
    ended = run("cards", "import", _list(tmp_path / "mine.ros"), "-o", target)

    assert (ended.code, target.read_text()) == (2, "mine")


def test_a_wrong_card_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text('faction = "X"\n[[card]]\nid = "a"\nname = "Ann"\nspeed = "fast"\n')
    ended = run("cards", "check", tmp_path / "bad.toml")

    assert (ended.code, ended.problem["field"], ended.problem["value"]) == (2, "speed", "fast")
    assert "Ann" in ended.problem["detail"]


def test_the_shipped_faction_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLESIDE_CARDS", str(tmp_path))
    shown = run("cards", "show")

    assert "Reeve (reeve): base 30 round, speed 6, command 7, Bill reach 2; invented for Tableside" in shown.out


def test_a_card_that_nobody_has_is_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLESIDE_CARDS", str(tmp_path))

    assert run("cards", "show", "Grobbler of Nowhere").code == 2
