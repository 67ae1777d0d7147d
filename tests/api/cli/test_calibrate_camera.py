"""The lens from a running source: recorded views stand for a camera."""

from pathlib import Path

import cv2
import pytest

from api.cli.serve import SHIPPED
from models.camera import Camera
from tests.api.cli.commands import run


def test_recorded_views_are_taken_until_the_lens_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the ten views that came with the recording, fewer do; which are missing is told all the while."""
    monkeypatch.setenv("TABLESIDE_PROFILES", str(tmp_path / "kept"))
    board, output = ("--board", SHIPPED / "board.json"), ("-o", tmp_path / "camera.json")
    done = run("calibrate", "camera", "--live", SHIPPED / "views", *board, *output, "--device", "webcam")
    camera = Camera.model_validate_json((tmp_path / "camera.json").read_bytes())
    listed = run("profiles")

    assert done.code == 0
    assert "hold the board at the " in done.err
    assert "done: the lens is known well enough" in done.err
    assert 4 <= len(camera.views) < 10
    assert camera.K[0][0] == pytest.approx(1037.5, abs=2)
    assert listed.out.startswith("webcam@1920x1080: webcam, ")


def test_a_source_that_shows_no_board_is_named(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "0.png"), cv2.imread(str(SHIPPED / "views" / "view00.jpg"))[:200, :200])
    done = run("calibrate", "camera", "--live", tmp_path, "--board", SHIPPED / "board.json", "-o", tmp_path / "c.json")

    assert done.code == 2
    assert not (tmp_path / "c.json").exists()
    assert "never seen" in done.err


def test_pictures_and_a_running_source_together_are_refused() -> None:
    done = run("calibrate", "camera", "a.png", "--live", "0", "--board", SHIPPED / "board.json", "-o", "c.json")

    assert (done.code, done.problem["field"]) == (2, "images")


def test_a_camera_that_nobody_keeps_is_refused_before_it_is_measured() -> None:
    done = run("calibrate", "camera", "a.png", "--board", SHIPPED / "board.json")

    assert (done.code, done.problem["field"]) == (2, "output")


CHAIN = """
cam0: {camera_model: pinhole, intrinsics: [1400, 1401, 960, 540], distortion_model: none, resolution: [1920, 1080]}
cam1: {camera_model: pinhole, intrinsics: [1000, 1001, 640, 360], distortion_model: none, resolution: [1280, 720]}
"""


def test_a_camera_of_another_program_becomes_a_camera_file(tmp_path: Path) -> None:
    (tmp_path / "camchain.yaml").write_text(CHAIN)
    ended = run("calibrate", "import", tmp_path / "camchain.yaml", "--name", "cam1", "-o", tmp_path / "camera.json")

    assert ended.out.startswith("Kalibr: cam1, brown, 1280 x 720 px, focal length 1000.0 px\nassumed")
    assert Camera.model_validate_json((tmp_path / "camera.json").read_text()).K[1][1] == 1001


@pytest.mark.parametrize("name", [(), ("--name", "cam2")])
def test_of_several_cameras_one_is_named(tmp_path: Path, name: tuple[str, ...]) -> None:
    (tmp_path / "camchain.yaml").write_text(CHAIN)
    ended = run("calibrate", "import", tmp_path / "camchain.yaml", *name, "-o", tmp_path / "camera.json")

    assert (ended.code, ended.problem["field"], ended.problem["detail"]) == (2, "name", "--name is one of cam0, cam1")
    assert not (tmp_path / "camera.json").exists()
