"""`tableside calibrate`: files in, files out, and a named problem when something is wrong with them."""

import json
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from calibration.camera_model import projection
from calibration.pose.mat_sides import corners_mm
from models.board import BoardFile
from models.camera import Camera, CameraPose
from tests.calibration import boards, scene

TRUE = boards.camera()
OVER = scene.camera()
ABOVE = scene.pose_at((610.0, 395.0, 900.0))


def _run(*words: object) -> subprocess.CompletedProcess[str]:
    code = "from api.cli import main; main()"
    return subprocess.run([sys.executable, "-c", code, *map(str, words)], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Views of a board, a table with its fiducials, and the files that describe them."""
    folder = tmp_path_factory.mktemp("pictures")
    for name, picture in boards.views(boards.CHESS, TRUE):
        cv2.imwrite(str(folder / name), picture)
    described = BoardFile(board=boards.CHESS, image_size=TRUE.image_size)
    (folder / "board.json").write_text(described.model_dump_json(exclude_none=True))
    (folder / "layout.json").write_text(scene.layout().model_dump_json(exclude_none=True))
    (folder / "over.json").write_text(OVER.model_dump_json(exclude_none=True))
    table = scene.photograph_table(scene.layout(), camera=OVER, pose=ABOVE)
    cv2.imwrite(str(folder / "table.jpg"), table, [cv2.IMWRITE_JPEG_QUALITY, 95])
    return folder


def test_a_camera_file_comes_of_pictures_of_a_board(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "camera.json"
    ended = _run(
        "calibrate",
        "camera",
        *sorted(folder.glob("view*.png")),
        "--board",
        folder / "board.json",
        "-o",
        output,
        "--json",
    )
    camera = Camera.model_validate_json(output.read_bytes())

    assert ended.returncode == 0, ended.stderr
    assert camera.K[0][0] == pytest.approx(TRUE.K[0][0], rel=0.003)
    assert json.loads(ended.stdout)["camera"]["rms_px"] == camera.rms_px


def test_a_pose_file_comes_of_a_picture_of_the_table(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "pose.json"
    files = ("--camera", folder / "over.json", "--layout", folder / "layout.json", "-o", output)
    ended = _run("calibrate", "table", folder / "table.jpg", *files)
    pose = CameraPose.model_validate_json(output.read_bytes())

    assert ended.returncode == 0, ended.stderr
    assert pose.centre_mm == pytest.approx(ABOVE.centre_mm, abs=1.0)
    assert "on the table" in ended.stdout


MAT = projection.project(corners_mm((1200.0, 800.0)), camera=OVER, pose=ABOVE)
CORNERS = ("--corners", *(f"{x:.1f},{y:.1f}" for x, y in MAT))


def test_a_pose_file_comes_of_the_mats_corners_alone(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "pose.json"
    files = ("--camera", folder / "over.json", "-o", output, "--map", tmp_path / "map.svg")
    ended = _run("calibrate", "table", folder / "table.jpg", *CORNERS, "--size-mm", 1200, 800, *files)
    pose = CameraPose.model_validate_json(output.read_bytes())

    assert ended.returncode == 0, ended.stderr
    assert pose.centre_mm == pytest.approx(ABOVE.centre_mm, abs=8.0)
    assert "from the mat's corners" in ended.stdout
    assert (tmp_path / "map.svg").read_text().startswith("<svg")


def test_corners_and_fiducials_are_taken_together(folder: Path, tmp_path: Path) -> None:
    files = ("--camera", folder / "over.json", "--layout", folder / "layout.json", "-o", tmp_path / "pose.json")
    ended = _run("calibrate", "table", folder / "table.jpg", *CORNERS, *files)

    assert ended.returncode == 0, ended.stderr
    assert "fiducials 0, 1, 2, 3 and the mat's corners" in ended.stdout
    assert "they agree" in ended.stdout


@pytest.mark.parametrize(
    ("words", "field"),
    [
        ((), "layout"),
        (CORNERS, "size_mm"),
        (("--corners", "1,2", "3;4", "5,6", "7,8", "--size-mm", "1200", "800"), "corners"),
        ((*CORNERS, "--size-mm", "1200", "3"), "size_mm"),
    ],
)
def test_what_a_pose_cannot_be_made_of_is_named(
    words: tuple[str, ...], field: str, folder: Path, tmp_path: Path
) -> None:
    output = tmp_path / "pose.json"
    ended = _run("calibrate", "table", folder / "table.jpg", *words, "--camera", folder / "over.json", "-o", output)

    assert (ended.returncode, json.loads(ended.stderr)["field"]) == (2, field)
    assert not output.exists()


def test_a_picture_without_fiducials_ends_with_3_and_writes_nothing(folder: Path, tmp_path: Path) -> None:
    empty, output = tmp_path / "empty.png", tmp_path / "pose.json"
    cv2.imwrite(str(empty), scene.photograph(lambda p: 0 * p[:, 0], camera=OVER, pose=ABOVE, around_mm=[]))
    files = ("--camera", folder / "over.json", "--layout", folder / "layout.json", "-o", output)
    ended = _run("calibrate", "table", empty, *files)

    assert (ended.returncode, json.loads(ended.stderr)["missing"]) == (3, [0, 1, 2, 3])
    assert not output.exists()


def test_a_cut_off_picture_ends_with_2_and_its_name(folder: Path, tmp_path: Path) -> None:
    cut, output = tmp_path / "cut.jpg", tmp_path / "pose.json"
    cut.write_bytes((folder / "table.jpg").read_bytes()[:-9000])
    files = ("--camera", folder / "over.json", "--layout", folder / "layout.json", "-o", output)
    ended = _run("calibrate", "table", cut, *files)

    assert (ended.returncode, json.loads(ended.stderr)["value"]) == (2, str(cut))
    assert not output.exists()


def test_a_wrong_word_in_the_board_file_is_named(folder: Path, tmp_path: Path) -> None:
    board = tmp_path / "board.json"
    board.write_text('{"board": {"type": "chessboard", "corners_x": 8, "corners_y": 1, "square_mm": 28}}')
    ended = _run("calibrate", "camera", folder / "view0.png", "--board", board, "-o", tmp_path / "camera.json")

    assert ended.returncode == 2
    assert "corners_y" in json.loads(ended.stderr)["field"]


def test_the_same_picture_twice_is_refused(folder: Path, tmp_path: Path) -> None:
    view = folder / "view0.png"
    ended = _run("calibrate", "camera", view, view, "--board", folder / "board.json", "-o", tmp_path / "camera.json")

    assert (ended.returncode, json.loads(ended.stderr)["value"]) == (2, str(view))
