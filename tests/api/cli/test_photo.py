"""`tableside photo`: camera and pose from a photograph and its marks, or a named problem and nothing written."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera_model.projection import project
from calibration.pose.mat_sides import corners_mm
from models.camera import Camera, CameraPose
from models.marks import CORNERS
from models.state import TableState
from tests.api.cli.commands import Ended, run
from tests.calibration.pose.test_marked_pose import CAMERA, SIZE, TABLE, camera_at

POSE = camera_at(away_mm=1400.0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    at_px = project(corners_mm(TABLE), camera=CAMERA, pose=POSE).tolist()
    table = cv2.fillPoly(
        np.full((SIZE[1], SIZE[0], 3), 60, np.uint8), [np.rint(at_px).astype(np.int32)], (90, 160, 120)
    )
    cv2.imwrite(str(tmp_path / "table.jpg"), table)
    marks = [{"kind": "corner", "corner": name, "at_px": at} for name, at in zip(CORNERS, at_px, strict=True)]
    (tmp_path / "marks.json").write_text(json.dumps({"table_mm": TABLE, "marks": marks}))
    return tmp_path


def test_what_is_written_says_where_the_camera_was(folder: Path) -> None:
    ended = run("photo", folder / "table.jpg", "--marks", folder / "marks.json", "-o", folder / "out")
    camera = Camera.model_validate_json((folder / "out" / "camera.json").read_bytes())
    pose = CameraPose.model_validate_json((folder / "out" / "pose.json").read_bytes())

    assert (ended.code, ended.err) == (0, "")
    assert "a phone's usual lens" in ended.out
    assert camera.K[0][0] == pytest.approx(CAMERA.K[0][0], rel=0.02)
    assert pose.centre_mm == pytest.approx(POSE.centre_mm, abs=15.0)
    assert pose.table_mm == TABLE


def test_photographs_and_marks_come_in_pairs(folder: Path) -> None:
    picture = folder / "table.jpg"
    ended = run("photo", picture, picture, "--marks", folder / "marks.json", "-o", folder / "out")

    assert (ended.code, json.loads(ended.err)["field"]) == (2, "marks")
    assert not (folder / "out").exists()


def test_a_photograph_that_is_none_is_named(folder: Path) -> None:
    (folder / "none.jpg").write_text("no picture")
    ended = run("photo", folder / "none.jpg", "--marks", folder / "marks.json", "-o", folder / "out")

    assert ended.code == 2
    assert "none.jpg" in json.loads(ended.err)["detail"]
    assert not (folder / "out").exists()


def test_a_corner_at_the_picture_s_edge_is_refused(folder: Path) -> None:
    marks = json.loads((folder / "marks.json").read_text())
    marks["marks"][0]["at_px"][0] = 0.0
    (folder / "marks.json").write_text(json.dumps(marks))
    ended = run("photo", folder / "table.jpg", "--marks", folder / "marks.json", "-o", folder / "out")
    problem = json.loads(ended.err)

    assert (ended.code, problem["field"]) == (2, "marks.0.at_px")
    assert "two places on each of its sides" in problem["detail"]


@pytest.fixture
def two(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[TableState]:
    """Two photographs of one moment, and what each of them shows."""
    (folder / "other.jpg").write_bytes((folder / "table.jpg").read_bytes())
    states = [
        _state({"m1": (100.0, 100.0), "m2": (300.0, 200.0)}),
        _state({"m1": (100.4, 100.0), "m2": (500.0, 300.0)}),
    ]
    waiting = iter(states)
    monkeypatch.setattr("vision.locate.locate", lambda *_, **__: next(waiting))
    return states


def _state(places: dict[str, tuple[float, float]]) -> TableState:
    table = {"width_mm": TABLE[0], "depth_mm": TABLE[1]}
    base, sigma = {"shape": "round", "diameter_mm": 30}, {"at_mm": 0.5}
    bases = [{"id": id_, "base": base, "at_mm": at_mm, "sigma": sigma} for id_, at_mm in places.items()]
    return TableState.model_validate({"edition": "warmachine-prime", "table": table, "miniatures": bases})


def _joined(folder: Path) -> Ended:
    marks, pictures = folder / "marks.json", (folder / "table.jpg", folder / "other.jpg")
    return run("photo", *pictures, "--marks", marks, "--marks", marks, "-o", folder / "out", "--locate")


def test_photographs_of_one_moment_join(folder: Path, two: list[TableState]) -> None:
    ended = _joined(folder)
    state = TableState.model_validate_json((folder / "out" / "state.json").read_bytes())

    assert ended.code == 0
    assert "3 bases; other.jpg shows 1 of them too" in ended.out
    assert sorted(round(m.at_mm[0]) for m in state.miniatures) == [100, 300, 500]


def test_photographs_that_do_not_fit_each_other_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "other.jpg").write_bytes((folder / "table.jpg").read_bytes())
    places = {f"m{k}": (100.0 + 90 * k, 120.0 + 40 * k) for k in range(5)}
    moved = {id_: (x + 7.0, y) for id_, (x, y) in places.items()}
    waiting = iter([_state(places), _state(moved)])
    monkeypatch.setattr("vision.locate.locate", lambda *_, **__: next(waiting))
    ended = _joined(folder)

    assert ended.code == 3
    assert "other.jpg does not fit" in json.loads(ended.err)["detail"]
    assert not (folder / "out" / "state.json").exists()
