"""`tableside watch`: a recording in, a timeline out, and a named problem when something is wrong."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from pydantic import TypeAdapter

from api.cli.serve import SHIPPED
from models.timeline import EventLine, StateLine, TimelineLine
from tests.api.cli.commands import Ended, files_in, run
from tests.vision import rendered

LINE: TypeAdapter[StateLine | EventLine] = TypeAdapter(TimelineLine)
CALM = rendered.Scene(
    (
        rendered.Base((150.0, 140.0), 40.0, 60.0, "front-half", paint=rendered.WHITE),
        rendered.Base((420.0, 230.0), 30.0, seed=2),
    )
)
MOVED = replace(CALM, bases=(replace(CALM.bases[0], at_mm=(220.0, 290.0)), CALM.bases[1]))
UNSEEN = replace(CALM, has_fiducials=False)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, ...]:
    """The options that name the camera and the layout of the rendered table."""
    folder = tmp_path_factory.mktemp("table")
    (folder / "camera.json").write_text(CALM.eye.camera().model_dump_json())
    (folder / "layout.json").write_text(rendered.layout().model_dump_json(exclude_none=True))
    return "--camera", folder / "camera.json", "--layout", folder / "layout.json"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A folder of pictures: a table at rest, and after a move."""
    return _film(tmp_path / "game", CALM, CALM, CALM, CALM, MOVED, MOVED, MOVED, MOVED)


def _film(folder: Path, *scenes: rendered.Scene) -> Path:
    folder.mkdir()
    pictures = {scene: rendered.photograph(scene) for scene in dict.fromkeys(scenes)}
    for index, scene in enumerate(scenes):
        cv2.imwrite(str(folder / f"{index:03}.jpg"), pictures[scene], [cv2.IMWRITE_JPEG_QUALITY, 95])
    return folder


def _lines(path: Path) -> list[StateLine | EventLine]:
    return [LINE.validate_json(line) for line in path.read_text().splitlines()]


def _watch(source: Path, files: tuple[object, ...], *options: object) -> Ended:
    return run("watch", source, *files, "-o", source.parent / "timeline.jsonl", *options)


def test_every_line_that_is_written_is_a_line_of_a_timeline(game: Path, files: tuple[object, ...]) -> None:
    ended = _watch(game, files)
    lines = _lines(game.parent / "timeline.jsonl")

    assert (ended.code, ended.err) == (0, "")
    assert [line.type for line in lines] == ["state", "moved", "state"]


def test_lines_come_in_the_order_in_which_they_could_be_known(game: Path, files: tuple[object, ...]) -> None:
    _watch(game, files)
    frames = [line.frame for line in _lines(game.parent / "timeline.jsonl")]

    assert frames == sorted(frames)
    assert frames[0] < 4 <= frames[1] < 8


def test_with_json_a_summary_is_printed(game: Path, files: tuple[object, ...]) -> None:
    ended = _watch(game, files, "--json")

    assert json.loads(ended.out) == {"lines": 3, "timeline": str(game.parent / "timeline.jsonl")}


def test_the_same_recording_gives_the_same_bytes(game: Path, files: tuple[object, ...]) -> None:
    _watch(game, files)
    first = (game.parent / "timeline.jsonl").read_bytes()
    _watch(game, files)

    assert (game.parent / "timeline.jsonl").read_bytes() == first


def test_a_recording_that_never_shows_the_table_ends_with_3(tmp_path: Path, files: tuple[object, ...]) -> None:
    game = _film(tmp_path / "game", *[UNSEEN] * 4)
    ended = _watch(game, files)

    assert ended.code == 3
    assert ended.problem["type"] == "world/table_not_visible"
    assert (ended.problem["field"], ended.problem["value"]) == ("video", str(game))
    assert files_in(tmp_path) == {"game"}


def test_a_video_that_breaks_off_writes_nothing_and_says_only_what_is_wrong(
    tmp_path: Path, files: tuple[object, ...]
) -> None:
    """In a process of its own, whose whole stderr is read: decoders grumble there."""
    cut = tmp_path / "cut.mp4"
    cut.write_bytes((SHIPPED / "game.mp4").read_bytes()[:600_000])
    camera = CALM.eye.camera().model_copy(update={"image_size": (1920, 1080)})
    (tmp_path / "camera.json").write_text(camera.model_dump_json())
    words = ("watch", cut, "--camera", tmp_path / "camera.json", *files[2:], "-o", tmp_path / "timeline.jsonl")
    code = "from api.cli import main; main()"
    ended = subprocess.run([sys.executable, "-c", code, *map(str, words)], capture_output=True, text=True, check=False)
    problem = Ended(ended.returncode, ended.stdout, ended.stderr).problem

    assert (ended.returncode, ended.stdout) == (2, "")
    assert (problem["field"], problem["value"]) == ("source", str(cut))
    assert problem["frames"] > 0
    assert files_in(tmp_path) == {"cut.mp4", "camera.json"}


def test_a_video_that_is_none_says_only_what_is_wrong(tmp_path: Path, files: tuple[object, ...]) -> None:
    text = tmp_path / "text.mp4"
    text.write_text("once upon a time")
    words = ("watch", text, *files, "-o", tmp_path / "timeline.jsonl")
    code = "from api.cli import main; main()"
    ended = subprocess.run([sys.executable, "-c", code, *map(str, words)], capture_output=True, text=True, check=False)
    problem = Ended(ended.returncode, ended.stdout, ended.stderr).problem

    assert (ended.returncode, problem["field"], problem["value"]) == (2, "source", str(text))
    assert files_in(tmp_path) == {"text.mp4"}


def test_a_picture_that_is_cut_off_in_the_midst_leaves_nothing_written(game: Path, files: tuple[object, ...]) -> None:
    cut = game / "005.jpg"
    cut.write_bytes(cut.read_bytes()[:-6000])
    ended = _watch(game, files)

    assert (ended.code, ended.problem["value"]) == (2, str(cut))
    assert files_in(game.parent) == {"game"}


def test_an_empty_folder_is_named(tmp_path: Path, files: tuple[object, ...]) -> None:
    game = _film(tmp_path / "game")
    ended = _watch(game, files)

    assert (ended.code, ended.problem["field"], ended.problem["value"]) == (2, "source", str(game))


def test_a_recording_that_is_not_there_is_named(tmp_path: Path, files: tuple[object, ...]) -> None:
    ended = _watch(tmp_path / "missing.mp4", files)

    assert (ended.code, ended.problem["value"]) == (2, str(tmp_path / "missing.mp4"))
    assert files_in(tmp_path) == set()


def test_a_recording_of_another_size_names_both_sizes(tmp_path: Path, files: tuple[object, ...]) -> None:
    game = _film(tmp_path / "game")
    cv2.imwrite(str(game / "0.png"), rendered.photograph(CALM)[::2, ::2])
    ended = _watch(game, files)

    assert ended.code == 2
    assert (ended.problem["field"], ended.problem["value"]) == ("image_size", [480, 360])
    assert files_in(tmp_path) == {"game"}


def test_an_unknown_field_of_the_camera_is_named(game: Path, files: tuple[object, ...]) -> None:
    camera = game.parent / "camera.json"
    camera.write_text(json.dumps(CALM.eye.camera().model_dump(mode="json") | {"zoom": 2}))
    ended = _watch(game, ("--camera", camera, *files[2:]))

    assert ended.code == 2
    assert (ended.problem["type"], ended.problem["field"], ended.problem["value"]) == ("camera/invalid", "zoom", 2)
    assert files_in(game.parent) == {"game", "camera.json"}


def test_a_timeline_that_was_there_survives_a_recording_that_is_refused(
    tmp_path: Path, files: tuple[object, ...]
) -> None:
    (tmp_path / "timeline.jsonl").write_text("what was there")
    _watch(_film(tmp_path / "game", *[UNSEEN] * 4), files)

    assert (tmp_path / "timeline.jsonl").read_text() == "what was there"
