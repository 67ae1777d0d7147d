"""Where frames come from, and what is refused."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from api.cli.serve import SHIPPED
from models.errors import BadFile
from vision.capture.sources import frame_count, read_frames


def _write(path: Path, grey: int) -> None:
    cv2.imwrite(str(path), np.full((24, 32, 3), grey, np.uint8))


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Seven frames, each brighter than the last, ten a second."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for index in range(7):
        writer.write(np.full((48, 64, 3), 30 * index + 10, np.uint8))
    writer.release()
    return path


def test_the_pictures_of_a_folder_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name, grey in (("c.png", 90), ("a.png", 10), ("b.PNG", 50)):
        _write(tmp_path / name, grey)

    assert [int(frame.image[0, 0, 0]) for frame in read_frames(tmp_path)] == [10, 50, 90]


def test_what_is_no_picture_in_a_folder_is_passed_over(tmp_path: Path) -> None:
    _write(tmp_path / "a.png", 10)
    (tmp_path / "notes.txt").write_text("the light was bad")

    assert [frame.index for frame in read_frames(tmp_path)] == [0]


def test_frames_of_a_folder_are_numbered_and_timed(tmp_path: Path) -> None:
    for name in ("0.png", "1.png", "2.png"):
        _write(tmp_path / name, 10)

    assert [(frame.index, frame.t_s) for frame in read_frames(tmp_path)] == [(0, 0.0), (1, 0.1), (2, 0.2)]


def test_one_picture_is_one_frame(tmp_path: Path) -> None:
    _write(tmp_path / "a.png", 77)
    (frame,) = read_frames(tmp_path / "a.png")

    assert (frame.index, frame.t_s, frame.image.shape) == (0, 0.0, (24, 32, 3))


def test_the_frames_of_a_film_come_in_their_order(film: Path) -> None:
    greys = [float(frame.image.mean()) for frame in read_frames(film)]

    assert greys == sorted(greys)
    assert len(greys) == 7


def test_the_times_of_a_film_are_those_of_its_frames(film: Path) -> None:
    assert [frame.t_s for frame in read_frames(film)] == pytest.approx([0.1 * index for index in range(7)])


def test_a_source_says_how_many_frames_it_has(film: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("0.png", "1.png", "2.png"):
        _write(folder / name, 10)

    assert (frame_count(film), frame_count(folder), frame_count(folder / "1.png")) == (7, 3, 1)


def test_a_source_that_is_not_there_is_refused_by_its_name(tmp_path: Path) -> None:
    missing = tmp_path / "missing.mp4"

    with pytest.raises(BadFile, match="no such file") as wrong:
        list(read_frames(missing))
    assert (wrong.value.field, wrong.value.value) == ("source", str(missing))


def test_an_empty_folder_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no pictures") as wrong:
        list(read_frames(tmp_path, passes_over=True))
    assert (wrong.value.field, wrong.value.value) == ("source", str(tmp_path))


def test_a_text_is_no_video(tmp_path: Path) -> None:
    text = tmp_path / "text.mp4"
    text.write_text("once upon a time")

    with pytest.raises(BadFile, match="no video") as wrong:
        list(read_frames(text))
    assert (wrong.value.field, wrong.value.value) == ("source", str(text))


def test_a_video_that_breaks_off_gives_its_whole_frames_and_then_says_so(tmp_path: Path) -> None:
    cut = tmp_path / "cut.mp4"
    cut.write_bytes((SHIPPED / "game.mp4").read_bytes()[:600_000])
    frames: list[int] = []

    with pytest.raises(BadFile, match="breaks off") as wrong:
        frames.extend(frame.index for frame in read_frames(cut))
    assert (wrong.value.field, wrong.value.value) == ("source", str(cut))
    assert 0 < wrong.value.facts["frames"] < 292


def test_a_picture_that_is_cut_off_is_refused_and_not_filled_with_grey(tmp_path: Path) -> None:
    _write(tmp_path / "a.jpg", 200)
    cut = tmp_path / "b.jpg"
    cut.write_bytes((tmp_path / "a.jpg").read_bytes()[:-40])

    with pytest.raises(BadFile, match="cut off") as wrong:
        next(read_frames(cut))
    assert (wrong.value.field, wrong.value.value) == ("source", str(cut))


def test_a_text_is_no_picture(tmp_path: Path) -> None:
    text = tmp_path / "text.jpg"
    text.write_text("once upon a time")

    with pytest.raises(BadFile, match="no picture"):
        list(read_frames(text))


def test_a_corrupt_picture_in_a_folder_does_not_end_the_others(tmp_path: Path) -> None:
    for name in ("1.png", "2.png", "3.png"):
        _write(tmp_path / name, 10)
    (tmp_path / "2.png").write_bytes((tmp_path / "2.png").read_bytes()[:40])

    assert [frame.index for frame in read_frames(tmp_path, passes_over=True)] == [0, 2]


def test_a_folder_of_corrupt_pictures_only_is_refused(tmp_path: Path) -> None:
    (tmp_path / "1.png").write_bytes(b"no picture")
    with pytest.raises(BadFile, match="none of its 1 pictures can be read"):
        list(read_frames(tmp_path, passes_over=True))
