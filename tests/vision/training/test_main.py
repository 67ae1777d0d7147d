"""Training commands at their edge: what is missing is named, and known tables are judged."""

import json
from pathlib import Path
from unittest import mock

import pytest

from tests.api.cli import commands
from tests.vision.training.known_tables import write_known_table
from vision.training.__main__ import main


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    write_known_table(tmp_path)
    return tmp_path


def run(*arguments: object) -> int:
    """The exit code of a command."""
    with mock.patch("sys.argv", ["vision.training", *map(str, arguments)]):
        try:
            main()
        except SystemExit as ended:
            return int(ended.code or 0)
    return 0


def test_training_without_its_packages_says_which_extra_brings_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with mock.patch.dict("sys.modules", {"torch": None}):
        code = run("train", tmp_path / "run")
    problem = json.loads(capsys.readouterr().err)

    assert code == 2
    assert (problem["field"], problem["value"]) == ("install", "train")
    assert commands.files_in(tmp_path) == set()


def test_a_known_table_is_judged(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run("evaluate", tables)
    lines = capsys.readouterr().out.splitlines()

    assert code == 0
    assert [line.split()[0] for line in lines] == ["small", "round", "oval", "rect", "all"]
    assert "| 2 bases |" in lines[-1]


def test_a_table_without_its_camera_is_named(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tables / "camera.json").unlink()

    assert run("evaluate", tables) == 2
    assert "small.camera.json" in json.loads(capsys.readouterr().err)["detail"]


def test_a_folder_without_tables_is_the_askers_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("evaluate", tmp_path) == 2
    assert json.loads(capsys.readouterr().err)["value"] == str(tmp_path)


@pytest.mark.parametrize("arguments", [("evaluate", "/nowhere"), ("train", "run", "--steps", "0")], ids=str)
def test_what_cannot_be_is_the_askers_fault(arguments: tuple[str, ...]) -> None:
    assert run(*arguments) == 2


@pytest.mark.parametrize("name", ["train", "evaluate"])
def test_the_old_command_says_where_it_went(name: str) -> None:
    ended = commands.run(name, "run", "--steps", 3)

    assert ended.code == 2
    assert f"python -m vision.training {name}" in ended.problem["detail"]
