"""Training commands at their edge: what is missing is named, and known tables are judged."""

import json
from pathlib import Path
from unittest import mock

import cv2
import pytest

from models.base import RoundBase
from models.miniature import Miniature
from models.state import TableSize, TableState
from tests.api.cli import commands
from tests.vision import rendered
from vision.training.__main__ import main

BASES = (rendered.Base((150.0, 120.0), 50.0), rendered.Base((400.0, 250.0), 40.0, seed=2))


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """A folder with one table: its picture, and what stands on it."""
    scene = rendered.Scene(BASES)
    state = TableState(
        edition="warmachine-prime",
        table=TableSize(width_mm=rendered.TABLE_MM[0], depth_mm=rendered.TABLE_MM[1]),
        miniatures=tuple(
            Miniature(id=f"m{k}", base=RoundBase(diameter_mm=one.diameter_mm), at_mm=one.at_mm)
            for k, one in enumerate(BASES)
        ),
    )
    cv2.imwrite(str(tmp_path / "small.png"), rendered.photograph(scene))
    (tmp_path / "small.state.json").write_text(state.model_dump_json(exclude_none=True))
    (tmp_path / "camera.json").write_text(scene.eye.camera().model_dump_json())
    (tmp_path / "layout.json").write_text(rendered.layout().model_dump_json(exclude_none=True))
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
