"""What the phone is told of a live source: every loss once, every return once, and who is who stays known."""

from collections.abc import Iterable, Iterator

import numpy as np
import pytest

from api.camera.connection import SourceWarning, SourceWhole
from api.camera.frame_loop import FrameLoop
from api.camera.live_source import News, TimedFrame
from api.camera.process import LatestFrame, LiveLoop, pause_after
from api.camera.protocol import DamageReport, FailureReport, FrameReport, Job, Report, SourceNotice
from models.camera import Camera
from models.errors import SourceLost, SourceStalled
from models.timeline import EventLine
from tests.api.cameras import CAMERA, LAYOUT, POSE
from tests.api.worlds import camera_commands
from vision.capture.decoded_frame import frame_from_image
from vision.capture.sources import Frame
from vision.tracking.tracker import FrameResult

LOST = SourceLost("cam: no more pictures come", field="source", value="cam")
STALLED = SourceStalled("cam: it hangs", field="source", value="cam")
NOW_S = 500.0
HALF, OTHER_SHAPE = (160, 120), (320, 180)


class Watching:
    """A tracker who always sees the table at rest, and remembers the cameras it was given."""

    def __init__(self, camera: Camera) -> None:
        self.sizes = [camera.image_size]

    def update(self, frame: Frame) -> FrameResult:
        return FrameResult(frame=frame.index, t_s=frame.t_s, lines=(), is_settled=True, hand=False, pose=POSE)

    def reset_pose(self) -> None: ...

    def change_camera(self, camera: Camera) -> None:
        self.sizes.append(camera.image_size)


class Table:
    """Everything that is told of a table, and by how many trackers."""

    def __init__(self) -> None:
        self.trackers: list[Watching] = []

    def told(self, *news: News) -> list[Report]:
        job = Job(source="0", camera=CAMERA, layout=LAYOUT, edition="warmachine-prime")
        told: list[Report] = []
        latest = LatestFrame(told.append)
        frame_loop = FrameLoop(job, camera_commands(wants_pictures=False), self._tracker)
        reports = LiveLoop(latest, frame_loop, clock=lambda: NOW_S)
        for one in news:
            latest.take_news(one)
            if isinstance(one, TimedFrame):
                newest = latest.next()
                assert newest is not None
                told += reports.process_frame(newest)
        return told

    def _tracker(self, job: Job) -> Watching:
        self.trackers.append(Watching(job.camera))
        return self.trackers[-1]


@pytest.fixture
def table() -> Table:
    return Table()


def frame(index: int, size: tuple[int, int] = CAMERA.image_size, *, late_s: float = 0.0) -> TimedFrame:
    return TimedFrame(
        index, index / 4, frame_from_image(np.zeros((size[1], size[0], 3), np.uint8), came_s=NOW_S - late_s)
    )


def events(reports: Iterable[Report]) -> list[tuple[str, int]]:
    lines = [line for report in reports if isinstance(report, FrameReport | FailureReport) for line in report.lines]
    return [(line.type, line.frame) for line in lines if isinstance(line, EventLine)]


def test_a_loss_and_a_return_are_one_event_each(table: Table) -> None:
    reports = table.told(frame(0), frame(1), STALLED, LOST, LOST, frame(2), frame(3))

    assert events(reports) == [("lost-source", 1), ("back", 2)]


def test_every_word_on_a_loss_reaches_the_phone(table: Table) -> None:
    problems = [
        report.problem["type"] for report in table.told(frame(0), STALLED, LOST) if isinstance(report, FailureReport)
    ]

    assert problems == ["world/source_stalled", "world/source_lost"]


def test_the_tracker_outlives_a_loss(table: Table) -> None:
    table.told(frame(0), LOST, frame(1), LOST, frame(2))

    assert len(table.trackers) == 1


def test_how_late_a_frame_came_is_part_of_its_age(table: Table) -> None:
    (look,) = table.told(frame(0, late_s=0.75))

    assert isinstance(look, FrameReport)
    assert look.lag_s >= 0.75


def test_smaller_pictures_of_the_same_shape_are_looked_at_by_the_same_watcher(table: Table) -> None:
    reports = table.told(frame(0), frame(1, HALF), frame(2, HALF), frame(3))

    assert [tracker.sizes for tracker in table.trackers] == [[CAMERA.image_size, HALF, CAMERA.image_size]]
    assert [report.text[:36] for report in reports if isinstance(report, SourceNotice)] == [
        "The camera was calibrated at 320x240"
    ]


def test_pictures_of_another_shape_are_refused_once_and_taken_again_when_they_fit(table: Table) -> None:
    reports = table.told(frame(0), frame(1, OTHER_SHAPE), frame(2, OTHER_SHAPE), frame(3))

    assert [type(report).__name__ for report in reports] == ["FrameReport", "FailureReport", "FrameReport"]
    assert events(reports) == [("lost-source", 1), ("back", 3)]
    assert table.trackers[0].sizes == [CAMERA.image_size]


def test_damage_is_told_and_so_is_its_end(table: Table) -> None:
    told = table.told(SourceWarning("pictures come damaged"), SourceWhole())

    assert told == [DamageReport("pictures come damaged"), DamageReport(None)]


class Busy(Watching):
    """A tracker that measures for so long that the source is lost meanwhile."""

    def __init__(self, camera: Camera, latest: LatestFrame) -> None:
        super().__init__(camera)
        self._latest = latest

    def update(self, frame: Frame) -> FrameResult:
        self._latest.take_news(LOST)
        return super().update(frame)


def test_a_loss_is_told_while_a_picture_is_measured_and_still_holds_afterwards() -> None:
    told: list[Report] = []
    latest = LatestFrame(told.append)
    job = Job(source="0", camera=CAMERA, layout=LAYOUT, edition="warmachine-prime")
    frame_loop = FrameLoop(job, camera_commands(wants_pictures=False), lambda job: Busy(job.camera, latest))
    reports = LiveLoop(latest, frame_loop)
    latest.take_news(frame(0))
    newest = latest.next()
    assert newest is not None
    first, *later = reports.process_frame(newest)

    assert [type(report).__name__ for report in told] == ["FailureReport"]
    assert isinstance(first, FrameReport)
    assert [type(report).__name__ for report in later] == ["FailureReport"]
    assert events([*told, *later]) == [("lost-source", 0)]


def test_of_many_pictures_the_newest_is_looked_at() -> None:
    latest = LatestFrame([].append)
    for number in range(5):
        latest.take_news(frame(number))
    newest = latest.next()

    assert newest is not None
    assert newest.index == 4


def test_following_that_stumbles_is_told_and_ends(caplog: pytest.LogCaptureFixture) -> None:
    def stumbling() -> Iterator[News]:
        yield frame(0)
        raise ZeroDivisionError("one over none")

    told: list[Report] = []
    latest = LatestFrame(told.append)
    latest.read_news(stumbling())

    assert latest.next() is not None
    assert latest.next() is None
    assert [report.problem["type"] for report in told if isinstance(report, FailureReport)] == ["world/camera_failed"]
    assert "following the source failed" in caplog.text


@pytest.mark.parametrize(("took_s", "is_hand", "pause_s"), [
    (0.02, False, 0.48), (0.3, False, 0.2), (1.4, False, 0.0), (0.05, True, 0.15), (0.3, True, 0.0),
])  # fmt: skip
def test_a_light_table_looks_twice_a_second_and_faster_under_hands(
    took_s: float, is_hand: bool, pause_s: float
) -> None:
    assert pause_after(took_s, is_hand=is_hand) == pytest.approx(pause_s)


@pytest.mark.parametrize(("is_light", "expected"), [(True, [0.5]), (False, [])])
def test_only_a_light_table_waits_after_a_look(is_light: bool, expected: list[float]) -> None:
    pauses: list[float] = []
    job = Job(source="0", camera=CAMERA, layout=LAYOUT, edition="warmachine-prime")
    latest = LatestFrame(lambda _: None)
    looks = FrameLoop(job, camera_commands(wants_pictures=False), lambda fitted: Watching(fitted.camera))
    latest.read_news([frame(0)])
    loop = LiveLoop(latest, looks, is_light=is_light, clock=lambda: NOW_S, sleep=pauses.append)
    reports = list(loop.run())

    assert len([one for one in reports if isinstance(one, FrameReport)]) == 1
    assert pauses == expected
