"""Camera-bump detection: follows small drifts, halts rulings after large shifts, and registers the table again.

The fiducials and the standing background are looked at together. Two looks must agree before anything is believed, so
that a blurred picture or a hand raises no alarm.
"""

from collections import deque

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Mask
from calibration.pose import anchor_patches
from calibration.pose.anchor_patches import BACKGROUND, Anchors, SmallImage
from calibration.pose.locate_table import locate_table, refine_pose
from calibration.pose.pose_tracking import TrackedPose, pose_shift_mm, track_pose, worst_sigma_mm
from calibration.view import View
from models.camera import Camera, CameraPose
from models.errors import TableNotVisible
from models.halt import Halt
from models.layout import Layout
from models.timeline import EventLine
from vision.capture.sources import Frame
from vision.tracking.events import make_event

_LOOK_AGAIN_S = 0.25  # how often is looked while nothing happens
_BUMP_MM = 0.4  # 0.5 mm must raise the alarm, and is not measured to the last digit
_SIGMAS = 4.0
_FAR_MM = 15.0  # half a small base: beyond it a picture from before no longer tells which base is which
_AGREE_MM = 0.3  # two looks at a camera that hangs still
_SWINGS_MM = 1.0  # an alarm that is a matter of a hidden fiducial, not of the camera
_FOLLOW_MM = 0.1  # less drift than that is not worth a new pose
_LATELY_S = 1.0  # what happens more slowly than this is a drift, not a bump
_HIDDEN_S = 1.0  # a hand may pass over the fiducials
_STALE_LOOKS = 24  # a piece that was not found for so long at rest is replaced
_IMPROVE_S = 2.0  # how often more fiducials are looked for than the table was registered by
_ENOUGH_MARKERS = 3  # one of them may be wrong, and it would show

_UNLOCK = f"Let {_ENOUGH_MARKERS} fiducials be seen, or register the table again."

_TAP = "Tap the mat's corners again: on the phone under Table, or with tableside calibrate corners."

_SWINGING = Halt(
    why="camera-moved", says="The camera is moving.", unlock="It goes on by itself when the camera hangs still."
)
_HIDDEN = Halt(
    why="camera-hidden",
    says="Neither the fiducials nor the table around them can be made out: nobody can say whether the camera moved.",
    unlock="Clear the view of the camera.",
)


class CameraBumpDetector:
    """Camera pose, look by look. `pose` is None until the table was seen once."""

    def __init__(self, camera: Camera, layout: Layout, *, start: CameraPose | None = None) -> None:
        """`start` is where the camera hangs, told from outside, until fiducials say it better."""
        self.pose: CameraPose | None = None
        self.halt: Halt | None = None
        self.improvements = 0
        self._camera, self._layout, self._start = camera, layout, start
        self._has_no_fiducials = not layout.fiducials.markers
        self._registered: CameraPose | None = None
        self._anchors: Anchors | None = None
        self._misses: NDArray[np.int64] = np.zeros(0, np.int64)
        self._reduction = 1
        self._recent: deque[tuple[float, CameraPose]] = deque()
        self._pending: CameraPose | None = None
        self._candidate: CameraPose | None = None
        self._has_alarmed = False
        self._is_lost = False
        self._looked_s = self._improved_s = -1e9
        self._hidden_since_s: float | None = None
        self._is_asked_again = False
        self._told_pose: CameraPose | None = None

    def set_pose(self, pose: CameraPose) -> None:
        """Somebody tapped where the table lies: the camera hangs there, from the next look on."""
        self._start = self._told_pose = pose

    def reset_pose(self) -> None:
        """Asks that the table be registered again; done at the next look that sees it."""
        self._is_asked_again = True

    def update(self, frame: Frame, *, is_disturbed: bool, at_rest: bool) -> tuple[EventLine, ...]:
        """Take one more frame; a disturbed picture, or one after a first suspicion, is looked at at once."""
        is_asked = self._is_asked_again or self._told_pose is not None
        is_urgent = is_disturbed or self._pending is not None or is_asked
        if self.pose is not None and not is_urgent and frame.t_s - self._looked_s < _LOOK_AGAIN_S:
            return ()
        self._looked_s = frame.t_s
        if self._told_pose is not None:
            self._register(frame, self._told_pose)
            return self._report_recovery(frame)
        if self.pose is None or self._is_asked_again:
            return self._register_first(frame)
        small = anchor_patches.shrink_image(frame.image, by=self._reduction)
        track = self._track_pose(small)
        if self.halt is not None and self.halt.why == "camera-moved" and self.halt is not _SWINGING:
            return self._recover_registration(frame, track, is_disturbed=is_disturbed)
        if track is None:
            return self._judge_untracked(frame, small)
        events = (*self._report_recovery(frame), *self._report_obstruction(frame, track))
        events += self._judge_shift(frame, track.pose, sigma_mm=track.sigma_mm, is_tracked=True)
        if at_rest and self._pending is None:
            self._replace_stale_anchors(small, track)
            self._improve_registration(frame, track)
        return events

    def _track_pose(self, small: SmallImage) -> TrackedPose | None:
        assert self._anchors is not None
        assert self._registered is not None
        assert self.pose is not None
        last = self._pending or self.pose
        return track_pose(small, self._anchors, registered=self._view(self._registered), last=last)

    def _register_first(self, frame: Frame) -> tuple[EventLine, ...]:
        """The first registration, or one that was asked for."""
        try:
            pose = self._locate(frame)
        except TableNotVisible as lost:
            return self._refuse_registration(frame, str(lost))
        self._register(frame, pose)
        return self._report_recovery(frame)

    def _locate(self, frame: Frame) -> CameraPose:
        """By the fiducials; the first time, where they cannot tell, as it was told. Raises: TableNotVisible."""
        try:
            return locate_table(frame.image, camera=self._camera, layout=self._layout)
        except TableNotVisible:
            if self._start is None or self._is_asked_again:
                raise
            return self._start

    def _refuse_registration(self, frame: Frame, why: str) -> tuple[EventLine, ...]:
        """Registering failed. When it was asked for, no ruling is given until it succeeds."""
        if self._is_asked_again and self.pose is not None:
            self._is_asked_again = False
            says = f"The table could not be registered: {why}."
            self.halt = Halt(why="camera-moved", says=says, unlock=self._unlock)
        return self._report_loss(frame, why)

    def _register(self, frame: Frame, pose: CameraPose) -> None:
        """This is where the camera hangs, whatever was thought before."""
        small = anchor_patches.shrink_to_table_scale(frame.image, view=self._view(pose))
        self._reduction, self._registered = small.by, pose
        self._anchors = anchor_patches.select_anchors(small, view=self._view(pose))
        self._misses = np.zeros(len(self._anchors), np.int64)
        self._is_asked_again, self._told_pose = False, None
        self._adopt(pose)

    def _adopt(self, pose: CameraPose) -> None:
        self.pose, self.halt = pose, None
        self._pending = self._candidate = None
        self._has_alarmed = False
        self._recent.clear()

    def _judge_shift(
        self, frame: Frame, pose: CameraPose, *, sigma_mm: float, is_tracked: bool
    ) -> tuple[EventLine, ...]:
        """Unmoved, drifting, or bumped. A pose that was not tracked comes from the fiducials alone."""
        assert self.pose is not None
        since = self._recent[0][1] if self._recent else self.pose
        jump_mm = self.shift_mm(since, pose)
        if jump_mm < max(_BUMP_MM, _SIGMAS * sigma_mm):
            self._follow_drift(frame, pose)
            return ()
        before, self._pending = self._pending, pose
        if before is None:
            return ()
        events = () if self._has_alarmed else (_make_moved_event(frame, jump_mm, sigma_mm),)
        self._has_alarmed = True
        if self.shift_mm(before, pose) > _AGREE_MM:
            self.halt = _SWINGING
        elif jump_mm > _FAR_MM or (not is_tracked and len(pose.markers) < _ENOUGH_MARKERS):
            self.halt = Halt(why="camera-moved", says=_describe_shift(jump_mm), unlock=self._unlock)
        elif is_tracked:
            self._adopt(pose)
        else:
            self._register(frame, pose)
        return events

    def _follow_drift(self, frame: Frame, pose: CameraPose) -> None:
        """Nothing happened at once; a slow drift is taken along."""
        assert self.pose is not None
        self._pending, self.halt, self._has_alarmed = None, None, False
        if self.shift_mm(self.pose, pose) > _FOLLOW_MM:
            self.pose = pose
        self._recent.append((frame.t_s, pose))
        while frame.t_s - self._recent[0][0] > _LATELY_S:
            self._recent.popleft()

    def _judge_untracked(self, frame: Frame, small: SmallImage) -> tuple[EventLine, ...]:
        """The background is not found again: the fiducials alone must say."""
        assert self.pose is not None
        pose = self._locate_by_fiducials(frame)
        if pose is None:
            self.halt = self.halt or _HIDDEN
            return self._report_loss(frame, _HIDDEN.says)
        events = self._report_recovery(frame)
        sigma_mm = worst_sigma_mm(self._view(pose))
        if self.shift_mm(self.pose, pose) < max(_SWINGS_MM, _SIGMAS * sigma_mm):
            self._pending, self.halt = None, None
            self._refresh_anchors(small)
            return events
        return (*events, *self._judge_shift(frame, pose, sigma_mm=sigma_mm, is_tracked=False))

    def _recover_registration(
        self, frame: Frame, track: TrackedPose | None, *, is_disturbed: bool
    ) -> tuple[EventLine, ...]:
        """After a large shift: registered again by itself when two looks at three or more fiducials agree."""
        pose = self._locate_by_fiducials(frame)
        before, self._candidate = self._candidate, pose
        if pose is None or before is None or is_disturbed or len(pose.markers) < _ENOUGH_MARKERS:
            return ()
        if self.shift_mm(before, pose) > _AGREE_MM:
            return ()
        if track is not None and self.shift_mm(track.pose, pose) < _SWINGS_MM:
            self._adopt(track.pose)  # of the two the one that keeps what was measured in its place
        else:
            self._register(frame, pose)
        return self._report_recovery(frame)

    def _locate_by_fiducials(self, frame: Frame) -> CameraPose | None:
        assert self.pose is not None
        near = self._candidate or self._pending or self.pose
        try:
            return refine_pose(frame.image, near, camera=self._camera, layout=self._layout)
        except TableNotVisible:
            return self._locate_anywhere(frame)

    def _locate_anywhere(self, frame: Frame) -> CameraPose | None:
        try:
            return locate_table(frame.image, camera=self._camera, layout=self._layout)
        except TableNotVisible:
            return None

    def _report_obstruction(self, frame: Frame, track: TrackedPose) -> tuple[EventLine, ...]:
        """Said once when the background alone keeps the camera's place, and once when it no longer has to."""
        if self._has_no_fiducials or len(track.fiducials) >= 2:
            was_reported, self._hidden_since_s = self._hidden_since_s == -1.0, None
            return (make_event(frame, "back"),) if was_reported else ()
        if self._hidden_since_s is None:
            self._hidden_since_s = frame.t_s
        if self._hidden_since_s < 0 or frame.t_s - self._hidden_since_s < _HIDDEN_S:
            return ()
        self._hidden_since_s = -1.0
        seen = ", ".join(map(str, track.fiducials)) or "none"
        says = f"fiducials in sight: {seen}; the background keeps the camera's place to {track.sigma_mm:.2f} mm"
        return (make_event(frame, "obstructed", detail=says),)

    def _replace_stale_anchors(self, small: SmallImage, track: TrackedPose) -> None:
        """Pieces of background that are not there any more give way to others."""
        assert self._anchors is not None
        self._misses = np.where(track.held, 0, self._misses + 1)
        stale = (self._misses > _STALE_LOOKS) & (self._anchors.of == BACKGROUND)
        if stale.any() and (self._has_no_fiducials or len(track.fiducials) >= 2):
            self._refresh_anchors(small, kept=~stale)

    def _improve_registration(self, frame: Frame, track: TrackedPose) -> None:
        """A table that was registered by some of its fiducials is registered again when more are in sight."""
        assert self._registered is not None
        known = len(self._registered.markers)
        if known == len(self._layout.fiducials.markers) or frame.t_s - self._improved_s < _IMPROVE_S:
            return
        self._improved_s = frame.t_s
        try:
            pose = refine_pose(frame.image, track.pose, camera=self._camera, layout=self._layout)
        except TableNotVisible:
            return
        if len(pose.markers) > known:
            self._register(frame, pose)
            self.improvements += 1

    def _refresh_anchors(self, small: SmallImage, *, kept: Mask | None = None) -> None:
        """New pieces of background, as they look now, beside those that are kept."""
        assert self._anchors is not None
        assert self.pose is not None
        markers = self._anchors.of != BACKGROUND
        kept_anchors = self._anchors.select(markers if kept is None else kept)
        fresh = anchor_patches.select_anchors(small, view=self._view(self.pose))
        self._anchors = kept_anchors.concatenate(fresh.select(_is_new_background(kept_anchors, fresh)))
        self._misses = np.zeros(len(self._anchors), np.int64)

    @property
    def _unlock(self) -> str:
        return _TAP if self._has_no_fiducials else _UNLOCK

    def _report_loss(self, frame: Frame, why: str) -> tuple[EventLine, ...]:
        if self._is_lost:
            return ()
        self._is_lost = True
        return (make_event(frame, "obstructed", detail=why),)

    def _report_recovery(self, frame: Frame) -> tuple[EventLine, ...]:
        was, self._is_lost = self._is_lost, False
        return (make_event(frame, "back"),) if was else ()

    def shift_mm(self, before: CameraPose, after: CameraPose) -> float:
        """How far the second pose puts the table's farthest corner from where the first did."""
        return pose_shift_mm(self._view(before), after)

    def _view(self, pose: CameraPose) -> View:
        return View(self._camera, pose, self._layout)


def _is_new_background(kept: Anchors, fresh: Anchors) -> Mask:
    """Pieces of background where none is kept."""
    near = np.linalg.norm(fresh.points_mm[:, None, :2] - kept.points_mm[None, :, :2], axis=2) < 30.0
    return np.asarray((fresh.of == BACKGROUND) & ~near.any(axis=1))


def _describe_shift(jump_mm: float) -> str:
    return f"The camera was moved by {jump_mm:.0f} mm on the table."


def _make_moved_event(frame: Frame, jump_mm: float, sigma_mm: float) -> EventLine:
    doubt = f" +- {sigma_mm:.1f}" if sigma_mm > 0.05 else ""
    return make_event(frame, "camera-moved", detail=f"{jump_mm:.1f}{doubt} mm on the table")
