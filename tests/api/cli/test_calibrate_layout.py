"""`tableside calibrate layout` as a user calls it; the survey itself is tested where it lives."""

import json
from pathlib import Path

import cv2
import pytest

from tests.api.cli.commands import Ended, run
from tests.calibration import scene

EYES = ((610.0, 395.0, 930.0), (250.0, 300.0, 1000.0), (930.0, 460.0, 980.0))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three pictures of four tags, and the camera that took them."""
    folder = tmp_path_factory.mktemp("survey")
    for i, eye in enumerate(EYES):
        pose = scene.pose_towards(eye, (600.0, 400.0, 0.0))
        picture = scene.photograph_table(scene.layout(), camera=scene.camera(), pose=pose)
        cv2.imwrite(str(folder / f"{i}.png"), picture)
    (folder / "camera.json").write_text(scene.camera().model_dump_json())
    return folder


def _layout(home: Path, *more: object, pictures: int = 3) -> Ended:
    images = [home / f"{i}.png" for i in range(pictures)]
    words = ("--camera", home / "camera.json", "--tag-mm", 80, "-o", home / "layout.json")
    return run("calibrate", "layout", *images, *words, *more)


def test_the_layout_is_written_and_a_ruler_agrees(home: Path) -> None:
    scale = ("--distance", "0", "1", 1080.0)
    ended = _layout(home, *scale, "--table", 1200, 800, "--check", "0:top-left", "0:top-right", 80.0)
    written = json.loads((home / "layout.json").read_text())

    assert ended.code == 0
    assert "check: " in ended.out
    assert ended.out.rstrip().endswith("fits")
    assert written["table_mm"] == [1200, 800]
    assert [marker["id"] for marker in written["fiducials"]["markers"]] == [0, 1, 2, 3]


def test_a_ruler_that_contradicts_the_survey_is_told(home: Path) -> None:
    ended = _layout(home, "--distance", "0", "1", 1080.0, "--check", "0", "2", 1300.0, "--json")
    check = json.loads(ended.out)["check"]

    assert (check["known_mm"], check["fits"]) == (1300.0, False)


def test_two_pictures_are_bad_input_and_nothing_is_written(home: Path) -> None:
    (home / "layout.json").unlink(missing_ok=True)
    ended = _layout(home, pictures=2)

    assert (ended.code, ended.problem["field"], ended.problem["value"]) == (2, "images", 2)
    assert not (home / "layout.json").exists()


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("--distance", "0", "0", 10.0), "distance"),
        (("--check", "0:middle", "1", 10.0), "check"),
        (("--tags", "0;1"), "tags"),
        (("--near-left", "0", 10, 10), "near_left"),
    ],
)
def test_a_word_that_makes_no_sense_is_named(home: Path, words: tuple[object, ...], field: str) -> None:
    ended = _layout(home, *words)

    assert (ended.code, ended.problem["field"]) == (2, field)
