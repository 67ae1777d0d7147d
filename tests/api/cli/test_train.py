"""`tableside train` and `tableside evaluate` at their edge: what is missing is named, and known tables are judged."""

import sys
from pathlib import Path

import cv2
import pytest

from models.base import RoundBase
from models.miniature import Miniature
from models.state import TableSize, TableState
from tests.api.cli.commands import files_in, run
from tests.vision import rendered

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


def test_training_without_its_packages_says_which_extra_brings_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    ended = run("train", tmp_path / "run")

    assert ended.code == 2
    assert (ended.problem["field"], ended.problem["value"]) == ("install", "train")
    assert files_in(tmp_path) == set()


def test_a_known_table_is_judged(tables: Path) -> None:
    ended = run("evaluate", tables)
    lines = ended.out.splitlines()

    assert ended.code == 0
    assert [line.split()[0] for line in lines] == ["small", "round", "oval", "rect", "all"]
    assert "| 2 bases |" in lines[-1]


def test_a_table_without_its_camera_is_named(tables: Path) -> None:
    (tables / "camera.json").unlink()
    ended = run("evaluate", tables)

    assert ended.code == 2
    assert "small.camera.json" in ended.problem["detail"]


def test_a_folder_without_tables_is_the_askers_fault(tmp_path: Path) -> None:
    ended = run("evaluate", tmp_path)

    assert ended.code == 2
    assert ended.problem["value"] == str(tmp_path)


def test_a_folder_that_is_not_there_is_the_askers_fault(tmp_path: Path) -> None:
    assert run("evaluate", tmp_path / "nowhere").code == 2
