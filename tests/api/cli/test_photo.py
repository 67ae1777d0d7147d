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
from tests.api.cli.commands import run
from tests.calibration.pose.test_marked_pose import CAMERA, SIZE, TABLE, camera_at

POSE = camera_at(away_mm=1400.0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "table.jpg"), np.full((SIZE[1], SIZE[0], 3), 120, np.uint8))
    at_px = project(corners_mm(TABLE), camera=CAMERA, pose=POSE).tolist()
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
