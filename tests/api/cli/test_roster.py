"""`tableside roster show`: a list in words and as JSON."""

import json
from pathlib import Path

from tests.api.cli.commands import run
from tests.api.rosters.lists import body, card, force, ros, selection


def _list(path: Path) -> Path:
    guns = card("Sling", Range="3-15", Attacks="1") + card("Squib", Range="D6", Attacks="1")
    reeves = selection("Reeve", "model", number=17, cards=body("Reeve", Base="30") + guns)
    path.write_bytes(ros(force(selection("Reeves", "unit", reeves))))
    return path


def test_show_says_units_models_numbers_and_what_was_not_read(tmp_path: Path) -> None:
    ended = run("roster", "show", _list(tmp_path / "list"))

    assert ended.code == 0
    assert "1 units, 17 miniatures" in ended.out
    assert "17 Reeve (base 30, speed 6, Sling range 3-15)" in ended.out
    assert "Reeve, Squib: range D6" in ended.out


def test_show_as_json(tmp_path: Path) -> None:
    shown = json.loads(run("roster", "show", _list(tmp_path / "list"), "--json").out)

    assert shown["units"][0]["models"][0]["count"] == 17


def test_a_file_that_is_no_list_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "picture.ros").write_bytes(b"\x89PNG\x00\x00")
    ended = run("roster", "show", tmp_path / "picture.ros")

    assert (ended.code, ended.problem["type"]) == (2, "roster/invalid")
