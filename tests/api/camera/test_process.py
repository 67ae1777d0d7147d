from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from api.camera.process import reports
from api.camera.protocol import (
    CameraCommands,
    FailureReport,
    FrameReport,
    Job,
    PlaybackRestart,
    Report,
    SelfCheckReport,
    SourceNotice,
)
from api.camera.table_pictures import PICTURE_STILL_S
from models.camera import Camera
from models.halt import Halt
from tests.api.cameras import CAMERA, LAYOUT, POSE
from tests.api.worlds import camera_commands
from vision.capture.sources import Frame
from vision.tracking.tracker import FrameResult

HALT = Halt(why="camera-moved", says="The camera was moved.", unlock="Register again.")
EVERY_S = 0.1  # how far apart the pictures of a folder are


class Watching:
    """A tracker who always sees the table at rest."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.registered_at: int | None = None

    def update(self, frame: Frame) -> FrameResult:
        self.seen.append(frame.index)
        return FrameResult(frame=frame.index, t_s=frame.t_s, lines=(), is_settled=True, hand=False, pose=POSE)

    def reset_pose(self) -> None:
        self.registered_at = len(self.seen)

    def change_camera(self, camera: Camera) -> None:
        raise AssertionError("every picture of the folder has the same size")


class Halting(Watching):
    def update(self, frame: Frame) -> FrameResult:
        return replace(super().update(frame), halt=HALT)


class Stumbling(Watching):
    def update(self, frame: Frame) -> FrameResult:
        raise ZeroDivisionError("one over none")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three pictures: left half red, right half blue, in the camera's size."""
    picture = np.zeros((240, 320, 3), np.uint8)
    picture[:, :160] = (0, 0, 200)
    picture[:, 160:] = (200, 0, 0)
    for name in ("0.png", "1.png", "2.png"):
        cv2.imwrite(str(tmp_path / name), picture)
    return tmp_path


def job(source: Path, *, is_looping: bool = False) -> Job:
    return Job(source=str(source), camera=CAMERA, layout=LAYOUT, edition="warmachine-prime", is_looping=is_looping)


def wanted(*, is_set: bool = True) -> CameraCommands:
    return camera_commands(wants_pictures=is_set)


def seen(said: Iterator[Report]) -> list[FrameReport]:
    return [report for report in said if isinstance(report, FrameReport)]


def test_every_frame_is_reported_and_the_end_is_told(folder: Path) -> None:
    *looks, last = reports(job(folder), wanted(), tracker=lambda _: Watching())

    assert [round(look.t_s / EVERY_S) for look in looks if isinstance(look, FrameReport)] == [0, 1, 2]
    assert isinstance(last, FailureReport)
    assert last.is_over
    assert last.problem["type"] == "world/recording_ended"


def test_a_looping_recording_says_so_and_starts_with_a_fresh_watcher(folder: Path) -> None:
    trackers: list[Watching] = []

    def fresh(_: Job) -> Watching:
        trackers.append(Watching())
        return trackers[-1]

    said = list(islice(reports(job(folder, is_looping=True), wanted(), tracker=fresh), 8))

    assert [type(report) for report in said] == [FrameReport] * 3 + [PlaybackRestart, SourceNotice] + [FrameReport] * 3
    assert [tracker.seen for tracker in trackers] == [[0, 1, 2], [0, 1, 2]]


def test_a_tracker_that_stumbles_is_reported_and_not_raised(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (said,) = reports(job(folder), wanted(), tracker=lambda _: Stumbling())

    assert isinstance(said, FailureReport)
    assert said.problem["type"] == "world/camera_failed"
    assert "one over none" in said.problem["detail"]
    assert "the camera's process failed" in caplog.text


def test_a_source_that_is_not_there_is_named(tmp_path: Path) -> None:
    (said,) = reports(job(tmp_path / "gone.mp4"), wanted(), tracker=lambda _: Watching())

    assert isinstance(said, FailureReport)
    assert (said.problem["field"], said.problem["value"]) == ("source", str(tmp_path / "gone.mp4"))


def test_pictures_at_rest_are_sent_seldom(folder: Path) -> None:
    first, *rest = seen(reports(job(folder), wanted(), tracker=lambda _: Watching()))

    assert PICTURE_STILL_S > 2 * EVERY_S
    assert first.jpeg is not None
    assert [look.jpeg for look in rest] == [None, None]


def test_a_picture_shows_the_table_and_nothing_beyond_it(folder: Path) -> None:
    first, *_ = seen(reports(job(folder), wanted(), tracker=lambda _: Watching()))

    assert first.jpeg is not None
    picture = cv2.imdecode(np.frombuffer(first.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (300, 400, 3)
    assert picture[150, 100, 2] > 150 > picture[150, 100, 0]  # left of the table is red
    assert picture[150, 300, 0] > 150 > picture[150, 300, 2]


def test_without_a_phone_no_picture_is_sent_but_the_first(folder: Path) -> None:
    first, *rest = seen(reports(job(folder), wanted(is_set=False), tracker=lambda _: Watching()))

    assert first.jpeg is not None
    assert all(look.jpeg is None for look in rest)


def test_a_wish_to_register_reaches_the_tracker_before_the_next_frame(folder: Path) -> None:
    tracker, flags = Watching(), wanted()
    flags.register.set()
    list(reports(job(folder), flags, tracker=lambda _: tracker))

    assert tracker.registered_at == 0
    assert not flags.register.is_set()


def test_a_check_of_a_table_that_is_not_seen_says_what_to_mend(folder: Path) -> None:
    flags = wanted()
    flags.check.set()
    said = reports(job(folder), flags, tracker=lambda _: Watching())
    (check,) = [report.check for report in said if isinstance(report, SelfCheckReport)]

    assert not check.is_fit
    assert "fiducials must be in sight" in check.says


def test_the_frames_after_a_halt_show_no_picture(folder: Path) -> None:
    first, *_ = seen(reports(job(folder), wanted(), tracker=lambda _: Halting()))

    assert first.halt == HALT
    assert first.jpeg is None


class Moving(Watching):
    """Something moves all the time; from the sixth picture on the camera is seen to have been knocked away."""

    def __init__(self, *, is_knocked: bool) -> None:
        super().__init__()
        self._is_knocked = is_knocked

    def update(self, frame: Frame) -> FrameResult:
        halt = HALT if self._is_knocked and frame.index >= 5 else None
        return replace(super().update(frame), is_settled=False, halt=halt)


@pytest.mark.parametrize(("is_knocked", "sent"), [(False, [20, 80]), (True, [20])])
def test_a_picture_is_sent_when_the_next_shows_that_the_camera_was_not_knocked_away(
    tmp_path: Path, is_knocked: bool, sent: list[int]
) -> None:
    """Through the pose from before, the picture of the knock would show the room."""
    for number in range(6):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((240, 320, 3), 20 + 15 * number, np.uint8))
    looks = seen(reports(job(tmp_path), wanted(), tracker=lambda _: Moving(is_knocked=is_knocked)))
    pictures = [np.frombuffer(look.jpeg, np.uint8) for look in looks if look.jpeg is not None]

    assert [int(np.median(cv2.imdecode(picture, cv2.IMREAD_COLOR))) for picture in pictures] == sent
