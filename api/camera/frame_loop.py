"""Frame loop: one tracker over one source, whatever the size of its frames; commands are taken in between."""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, Protocol

import cv2
import numpy as np

from api.camera.light_gate import LightGate
from api.camera.protocol import (
    CameraCommands,
    CameraHealth,
    FrameReport,
    ImageReport,
    Job,
    Report,
    SelfCheckReport,
    SettledPicture,
    SourceNotice,
)
from api.camera.table_pictures import TablePicture, TablePictures
from calibration.arrays import Image
from calibration.camera_model import projection
from calibration.camera_model.rescale import rescale_camera
from calibration.pose.mat_sides import corners_mm
from calibration.pose.pose_tracking import worst_sigma_mm
from calibration.self_check.run_checks import unfit_check
from calibration.view import View
from models.base import Base
from models.camera import Camera, CameraPose
from models.errors import BadInput, TableNotVisible
from models.hint import ConfirmedBase
from models.layout import Layout
from models.self_check import SelfCheck
from models.timeline import EventLine, StateLine
from vision.capture.sources import CorruptFrameFilter, Frame
from vision.self_check import check_picture
from vision.tracking.tracker import FrameResult, TrackerState

log = logging.getLogger(__name__)

ROOM_MARGIN_MM = 100.0  # a camera that was knocked a little still shows the mat's corners within it
_SIDE_STEPS = 24  # a lens bends the sides
WHOLE_QUALITY = 95  # of the picture in which corners are tapped: their edges are measured
_RESIZED = "The camera was calibrated at {}x{} and sends {}x{}: taken for the same picture, made smaller or larger."
EVERY_S = 1.0
_OVER_S = 5.0  # frames are counted over so long
_SMALL_PX = 640  # as wide as the picture in which light and blur are looked at
_DARK, _BLOWN, _MOST_BLOWN = 40.0, 250, 0.05


class TrackerProtocol(Protocol):
    """The tracker as the frame loop needs it."""

    def update(self, frame: Frame) -> FrameResult: ...
    def reset_pose(self) -> None: ...
    def set_pose(self, pose: CameraPose) -> None: ...
    def change_camera(self, camera: Camera) -> None: ...
    def resolve_identity(self, question: str, ids: Sequence[str | None]) -> None: ...
    def set_expected_counts(self, bases: Mapping[Base, int]) -> None: ...
    def set_confirmed_bases(self, bases: Sequence[ConfirmedBase]) -> None: ...
    @property
    def state(self) -> TrackerState: ...


class FrameLoop:
    """Frames in, reports out; the tracker outlives every change of the pictures' size."""

    def __init__(
        self,
        job: Job,
        commands: CameraCommands,
        tracker: Callable[[Job], TrackerProtocol],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._job = job
        self._commands = commands
        self._tracker_of = tracker
        self._clock = clock
        self._tracker: TrackerProtocol | None = None
        self._fitted = job
        self._painter = TablePictures(commands.pictures)
        self._frame_filter = CorruptFrameFilter()
        self._health_monitor = HealthMonitor(clock=clock)
        self._light_gate = LightGate()
        self._has_news = False
        self._has_settled = False
        self._pose = job.pose  # the newest that was known, however long ago
        self._posed_at_s = 0.0

    def see_light(self, frame: Frame) -> Iterator[Report] | None:
        """What a frame makes known on which a projector's light lies; None when it is black and may be measured in."""
        while not self._commands.lights.empty():
            self._light_gate.watch(self._commands.lights.get())
        return self._send_images(frame) if self._light_gate.is_lit(frame, self._view()) else None

    def _view(self) -> View | None:
        return None if self._pose is None else View(self._fitted.camera, self._pose, self._fitted.layout)

    def passes_filter(self, frame: Frame) -> bool:
        """Whether this frame is to be looked at; one that is all different waits for the next to bear it out."""
        return self._frame_filter.accepts(frame)

    def process_frame(self, frame: Frame, late_s: float, *, lines: tuple[EventLine, ...] = ()) -> Iterator[Report]:
        """What this frame makes known, after the lines that are told first.

        Raises: BadInput when the pictures have another shape than the camera was calibrated for.
        """
        yield from self.fit_camera(frame)
        assert self._tracker is not None
        if self._commands.take_flag(self._commands.register):
            self._tracker.reset_pose()
        self._resolve_identities()
        while not self._commands.poses.empty():
            self._tracker.set_pose(self._commands.poses.get())
        while not self._commands.expected.empty():
            self._tracker.set_expected_counts(self._commands.expected.get())
        while not self._commands.confirmed.empty():
            self._tracker.set_confirmed_bases(self._commands.confirmed.get())
        began_s = self._clock()
        result = self._tracker.update(frame)
        self._has_news = self._has_news or bool(result.lines)
        self._has_settled = self._has_settled or result.is_settled
        picture = self._painter.next_picture(frame, result, self._fitted)
        fitted = self._fitted
        health = self._health_monitor.examine(frame.image, camera=fitted.camera, layout=fitted.layout, pose=result.pose)
        if result.pose is not self._pose:
            self._posed_at_s = frame.t_s
        settled = _settled_picture(frame, result, fitted, self._posed_at_s) if fitted.keeps_pictures else None
        lag_s = late_s + self._clock() - began_s
        yield _make_report(result, lines=lines, lag_s=lag_s, picture=picture, health=health, settled=settled)
        self._pose = result.pose or self._pose
        yield from self._light_gate.reports(frame, self._view())
        yield from self._send_images(frame)
        if self._commands.take_flag(self._commands.check):
            yield SelfCheckReport(_run_self_check(frame, self._fitted))

    def _send_images(self, frame: Frame) -> Iterator[Report]:
        """The pictures that were asked for."""
        if self._commands.take_flag(self._commands.whole):
            yield ImageReport(encode_whole(frame.image))
        if self._commands.take_flag(self._commands.edged):
            yield self._mask_room(frame.image)

    def _mask_room(self, image: Image) -> ImageReport:
        """The picture without the room; none while nobody knows where the table ends."""
        if self._pose is None:
            return ImageReport(None, is_edged=True)
        job = self._fitted
        shown = mask_room(image, camera=job.camera, pose=self._pose, table_mm=job.layout.table_mm)
        return ImageReport(encode_whole(shown), is_edged=True, camera=job.camera, pose=self._pose)

    def has_settled(self) -> bool:
        """Whether the table was seen at rest by now."""
        return self._has_settled

    def new_tracker_state(self) -> TrackerState | None:
        """What the tracker knows, when that is more than it was when this was last asked."""
        has_news, self._has_news = self._has_news, False
        return self._tracker.state if has_news and self._tracker is not None else None

    def _resolve_identities(self) -> None:
        """What was said about who is who; what is settled by now, or was asked by another tracker, is dropped."""
        assert self._tracker is not None
        while not self._commands.answers.empty():
            question, ids = self._commands.answers.get()
            try:
                self._tracker.resolve_identity(question, ids)
            except BadInput as wrong:
                log.warning("answer dropped question=%s why=%s", question, wrong)

    def fit_camera(self, frame: Frame) -> Iterator[SourceNotice]:
        """A camera of the frame's size, from here on. Raises: BadInput when no size of it has this shape."""
        height, width = frame.image.shape[:2]
        size, was = (width, height), self._fitted.camera.image_size
        if self._tracker is not None and size == was:
            return
        calibrated = self._job.camera
        camera = calibrated if size == calibrated.image_size else rescale_camera(calibrated, size)
        self._fitted = replace(self._job, camera=camera)
        if self._tracker is None:
            self._tracker = self._tracker_of(self._fitted)
        else:
            self._tracker.change_camera(camera)
        if camera is not calibrated:
            yield SourceNotice(_RESIZED.format(*calibrated.image_size, *size))


def _make_report(
    result: FrameResult,
    *,
    lines: tuple[EventLine, ...],
    lag_s: float,
    picture: TablePicture | None,
    health: CameraHealth | None,
    settled: SettledPicture | None = None,
) -> FrameReport:
    return FrameReport(
        t_s=result.t_s,
        lines=(*lines, *result.lines),
        is_settled=result.is_settled,
        hand=result.hand,
        is_visible=result.pose is not None,
        lag_s=lag_s,
        jpeg=None if picture is None else picture.jpeg,
        changed=None if picture is None else picture.changed,
        halt=result.halt,
        in_hand=result.in_hand,
        hidden=result.hidden,
        health=health,
        settled=settled,
    )


def _settled_picture(frame: Frame, result: FrameResult, job: Job, posed_at_s: float) -> SettledPicture | None:
    """The picture in which the table was measured at rest; None where it was not, or nobody knows where it ends."""
    if result.pose is None or result.halt is not None or not any(isinstance(line, StateLine) for line in result.lines):
        return None
    shown = mask_room(frame.image, camera=job.camera, pose=result.pose, table_mm=job.layout.table_mm, margin_mm=0.0)
    return SettledPicture(
        jpeg=encode_whole(shown),
        t_s=frame.t_s,
        taken_at_s=time.time(),
        camera=job.camera,
        pose=result.pose,
        pose_age_s=max(0.0, frame.t_s - posed_at_s),
        table_mm=job.layout.table_mm,
    )


def encode_whole(image: Image) -> bytes:
    """A picture in the camera's own pixels, as JPEG."""
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, WHOLE_QUALITY])[1].tobytes())


def _run_self_check(frame: Frame, job: Job) -> SelfCheck:
    """The self-check of one frame; a table that cannot be seen is what must be mended."""
    try:
        return check_picture(frame.image, camera=job.camera, layout=job.layout, catalogue=job.catalogue().narrowed())
    except TableNotVisible as wrong:
        return unfit_check(str(wrong))


def mask_room(
    image: Image,
    *,
    camera: Camera,
    pose: CameraPose,
    table_mm: tuple[float, float],
    margin_mm: float = ROOM_MARGIN_MM,
) -> Image:
    """Room mask: the picture, black beyond the table's edge and the margin, as far as the pose knows where that is."""
    outward = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    around = corners_mm(table_mm) + margin_mm * outward
    share = np.arange(_SIDE_STEPS)[:, None] / _SIDE_STEPS
    sides = [around[i] + share * (around[(i + 1) % 4] - around[i]) for i in range(4)]
    rim = projection.project(np.concatenate(sides), camera=camera, pose=pose)
    shown = np.zeros(image.shape[:2], np.uint8)
    seen = rim[np.isfinite(rim).all(axis=1)].clip(-30_000, 30_000)
    if len(seen) >= 3:
        cv2.fillPoly(shown, [np.round(seen).astype(np.int32)], 255)
    return np.asarray(cv2.bitwise_and(image, image, mask=shown))


class HealthMonitor:
    """Counts frames, and once a second looks at one more closely."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._came_s: deque[float] = deque()
        self._looked_s = -EVERY_S
        self._sharpest = 1e-9

    def examine(self, image: Image, *, camera: Camera, layout: Layout, pose: CameraPose | None) -> CameraHealth | None:
        """How well the camera sees; None where that was said less than a second ago."""
        now_s = self._clock()
        self._came_s.append(now_s)
        while now_s - self._came_s[0] > _OVER_S:
            self._came_s.popleft()
        if now_s - self._looked_s < EVERY_S:
            return None
        self._looked_s = now_s
        grey = _shrink(image)
        edges = float(np.sqrt(np.mean(cv2.Laplacian(grey, cv2.CV_32F) ** 2)))
        self._sharpest = max(self._sharpest, edges)
        calibrated_px = camera.rms_px if camera.heldout_px is None else camera.heldout_px
        return CameraHealth(
            frames_per_s=round(self._frame_rate(now_s), 1),
            size_px=camera.image_size,
            sharpness=round(min(1.0, edges / self._sharpest), 2),
            brightness=round(float(grey.mean())),
            exposure=_judge_exposure(grey),
            calibration_px=round(calibrated_px, 3),
            table_sigma_mm=None if pose is None else round(worst_sigma_mm(View(camera, pose, layout)), 2),
        )

    def _frame_rate(self, now_s: float) -> float:
        took_s = now_s - self._came_s[0]
        return (len(self._came_s) - 1) / took_s if took_s > 0 else 0.0


def _shrink(image: Image) -> Image:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    share = min(1.0, _SMALL_PX / grey.shape[1])
    return np.asarray(cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)


def _judge_exposure(grey: Image) -> Literal["good", "dark", "bright"]:
    if float(grey.mean()) < _DARK:
        return "dark"
    return "bright" if float((grey >= _BLOWN).mean()) > _MOST_BLOWN else "good"
