"""One watcher over one source: looks at each frame, whatever its size, and at what was wished for meanwhile."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import cv2

from api.camera_health import Physician
from api.edged import edged
from api.health import CameraHealth
from api.job import Job
from api.sighting import Checked, Looked, Report, Said, Sighting
from api.wishes import Flag, Wishes
from calibration.resized import resized
from calibration.selfcheck import unfit
from models.base import Base, catalogue_of
from models.camera import Camera, CameraPose
from models.check import SelfCheck
from models.errors import BadInput, TableNotVisible
from models.timeline import EventLine
from vision.glance import Glance, Memory
from vision.glitches import Glitches
from vision.rectify import Picture, table_picture
from vision.sources import Frame
from vision.touching import checked

log = logging.getLogger(__name__)

PICTURE_PX_PER_MM = 1.0  # a phone's screen is about as wide in pixels as a table in millimetres
PICTURE_QUALITY = 72
WHOLE_QUALITY = 95  # of the picture in which corners are tapped: their edges are measured
PICTURE_MOVING_S = 0.4  # least time between two pictures while hands or miniatures move
PICTURE_STILL_S = 2.0  # and while nothing does
_RESIZED = "The camera was calibrated at {}x{} and sends {}x{}: taken for the same picture, made smaller or larger."


class Looker(Protocol):
    """What a `Watcher` does."""

    def look(self, frame: Frame) -> Glance: ...
    def register_again(self) -> None: ...
    def hang(self, pose: CameraPose) -> None: ...
    def change_camera(self, camera: Camera) -> None: ...
    def answer(self, question: str, ids: Sequence[str]) -> None: ...
    def expect(self, bases: Mapping[Base, int]) -> None: ...
    @property
    def memory(self) -> Memory: ...


class Lookout:
    """Keeps its watcher through every change of the pictures' size."""

    def __init__(
        self,
        job: Job,
        wishes: Wishes,
        watcher: Callable[[Job], Looker],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._job = job
        self._wishes = wishes
        self._watcher_of = watcher
        self._clock = clock
        self._watcher: Looker | None = None
        self._fitted = job
        self._painter = _Painter(wishes.pictures)
        self._glitches = Glitches()
        self._physician = Physician(clock=clock)
        self._has_news = False
        self._pose = job.pose  # the newest that was known, however long ago

    def believes(self, frame: Frame) -> bool:
        """Whether this frame is to be looked at; one that is all different waits for the next to bear it out."""
        return self._glitches.passes(frame)

    def see(self, frame: Frame, late_s: float, *, lines: tuple[EventLine, ...] = ()) -> Iterator[Report]:
        """What this frame makes known, after the lines that are told first.

        Raises: BadInput when the pictures have another shape than the camera was calibrated for.
        """
        yield from self.fit(frame)
        assert self._watcher is not None
        if self._wishes.takes(self._wishes.register):
            self._watcher.register_again()
        self._hand_on_answers()
        while not self._wishes.poses.empty():
            self._watcher.hang(self._wishes.poses.get())
        while not self._wishes.expected.empty():
            self._watcher.expect(self._wishes.expected.get())
        began_s = self._clock()
        glance = self._watcher.look(frame)
        self._has_news = self._has_news or bool(glance.lines)
        jpeg = self._painter.paint(frame, glance, self._fitted)
        fitted = self._fitted
        health = self._physician.look(frame.image, camera=fitted.camera, layout=fitted.layout, pose=glance.pose)
        lag_s = late_s + self._clock() - began_s
        yield _sighting(glance, lines=lines, lag_s=lag_s, jpeg=jpeg, health=health)
        self._pose = glance.pose or self._pose
        if self._wishes.takes(self._wishes.whole):
            yield Looked(_whole_jpeg(frame.image))
        if self._wishes.takes(self._wishes.edged):
            yield self._edged(frame.image)
        if self._wishes.takes(self._wishes.check):
            yield Checked(_check(frame, self._fitted))

    def _edged(self, image: Picture) -> Looked:
        """The picture without the room; none while nobody knows where the table ends."""
        if self._pose is None:
            return Looked(None, is_edged=True)
        job = self._fitted
        shown = edged(image, camera=job.camera, pose=self._pose, table_mm=job.layout.table_mm)
        return Looked(_whole_jpeg(shown), is_edged=True)

    def newly_known(self) -> Memory | None:
        """What the watcher knows, when that is more than it was when this was last asked."""
        has_news, self._has_news = self._has_news, False
        return self._watcher.memory if has_news and self._watcher is not None else None

    def _hand_on_answers(self) -> None:
        """What was said about who is who; what is settled by now, or was asked by another watcher, is dropped."""
        assert self._watcher is not None
        while not self._wishes.answers.empty():
            question, ids = self._wishes.answers.get()
            try:
                self._watcher.answer(question, ids)
            except BadInput as wrong:
                log.warning("answer dropped question=%s why=%s", question, wrong)

    def fit(self, frame: Frame) -> Iterator[Said]:
        """A camera of the frame's size, from here on. Raises: BadInput when no size of it has this shape."""
        height, width = frame.image.shape[:2]
        size, was = (width, height), self._fitted.camera.image_size
        if self._watcher is not None and size == was:
            return
        calibrated = self._job.camera
        camera = calibrated if size == calibrated.image_size else resized(calibrated, size)
        self._fitted = replace(self._job, camera=camera)
        if self._watcher is None:
            self._watcher = self._watcher_of(self._fitted)
        else:
            self._watcher.change_camera(camera)
        if camera is not calibrated:
            yield Said(_RESIZED.format(*calibrated.image_size, *size))


def _sighting(
    glance: Glance, *, lines: tuple[EventLine, ...], lag_s: float, jpeg: bytes | None, health: CameraHealth | None
) -> Sighting:
    return Sighting(
        t_s=glance.t_s,
        lines=(*lines, *glance.lines),
        is_settled=glance.is_settled,
        hand=glance.hand,
        is_visible=glance.pose is not None,
        lag_s=lag_s,
        jpeg=jpeg,
        halt=glance.halt,
        in_hand=glance.in_hand,
        hidden=glance.hidden,
        health=health,
    )


def _whole_jpeg(image: Picture) -> bytes:
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, WHOLE_QUALITY])[1].tobytes())


def _check(frame: Frame, job: Job) -> SelfCheck:
    """The self-check of one frame; a table that cannot be seen is what must be mended."""
    try:
        return checked(frame.image, camera=job.camera, layout=job.layout, catalogue=catalogue_of((job.edition,)))
    except TableNotVisible as wrong:
        return unfit(str(wrong))


class _Painter:
    """The table from above as JPEG, at most a few times a second and only while somebody wants it.

    A picture is sent when the frame after it shows that the camera had not been knocked away: through the old pose
    such a picture would show the room.
    """

    def __init__(self, wanted: Flag) -> None:
        self._wanted = wanted
        self._painted_at: float | None = None
        self._held: tuple[Picture, Job, CameraPose] | None = None

    def paint(self, frame: Frame, glance: Glance, job: Job) -> bytes | None:
        """The table and nothing beyond its edge; None when none is due."""
        held, self._held = self._held, None
        if glance.pose is None or glance.halt is not None:
            return None
        if self._painted_at is None:  # the first phone to come should not look at an empty table
            self._painted_at = frame.t_s
            return table_jpeg(frame.image, job, glance.pose)  # the pose is of this very frame
        if self._is_due(frame.t_s, is_settled=glance.is_settled):
            self._painted_at = frame.t_s
            self._held = (frame.image, job, glance.pose)
        return None if held is None else table_jpeg(*held)

    def _is_due(self, t_s: float, *, is_settled: bool) -> bool:
        assert self._painted_at is not None
        least_s = PICTURE_STILL_S if is_settled else PICTURE_MOVING_S
        return self._wanted.is_set() and t_s - self._painted_at >= least_s


def table_jpeg(image: Picture, job: Job, pose: CameraPose) -> bytes | None:
    """The table from above, and nothing beyond its edge: what else the camera saw is no player's business."""
    picture = table_picture(
        image, camera=job.camera, pose=pose, table_mm=job.layout.table_mm, px_per_mm=PICTURE_PX_PER_MM
    )
    ok, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, PICTURE_QUALITY])
    return jpeg.tobytes() if ok else None
