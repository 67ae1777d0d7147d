"""Follows a table frame by frame: waits for hands to leave, measures what changed, says what happened.

Only a settled table is measured. What did not change keeps its place to the last digit; what changed is found and
fitted anew and matched with what stood there before.
"""

from dataclasses import dataclass

import numpy as np

from calibration.tracking import shift_mm
from models.base import Catalogue
from models.camera import Camera, CameraPose
from models.halt import Halt
from models.layout import Layout
from models.timeline import EventLine, StateLine
from models.units import degrees
from models.words import EditionId
from vision.camera_watch import CameraWatch
from vision.change import Mask, Overview, View, boxes_of, changed, has_arm, is_still, stands_on, touches
from vision.identity import Known, matched
from vision.locating import SeenBase, measured, named, state_of
from vision.look import look_of
from vision.rings import RingFinder
from vision.sources import Frame

_STILL_S = 0.18  # the table is settled when nothing moved for this long
_REDRAWN_MM = 0.25  # a pose that is off by so much needs a new overview
_MOVED_MM = 1.5
_MOVED_SIGMAS = 3.0
_TURNED_DEG = 12.0
_ALL_MOVED = 0.12  # of the picture: the camera itself may have moved
_RESTS_S = 12.0  # nobody holds an arm this still


@dataclass(frozen=True)
class Glance:
    """What one frame made known. `pose` is None when the table cannot be seen; `halt` says why no ruling is given."""

    frame: int
    t_s: float
    lines: tuple[StateLine | EventLine, ...]
    is_settled: bool
    hand: bool
    pose: CameraPose | None
    halt: Halt | None = None


class Watcher:
    """Follows one source. Hand it the frames in order; it keeps what it needs and nothing of the future."""

    def __init__(
        self,
        camera: Camera,
        layout: Layout,
        *,
        edition: EditionId,
        catalogue: Catalogue,
        start: CameraPose | None = None,
    ) -> None:
        """`start` is where the camera hangs, told from outside, for a table whose fiducials cannot be seen."""
        self._camera, self._layout, self._edition = camera, layout, edition
        self._finder = RingFinder(catalogue, layout)
        self._pose: CameraPose | None = None
        self._overview: Overview | None = None
        self._settled: View | None = None  # the table as it was last measured
        self._last: View | None = None
        self._still_since_s = 0.0
        self._known: dict[str, Known] = {}
        self._count = 0
        self._camera_watch = CameraWatch(camera, layout, start=start)
        self._drawn_at: CameraPose | None = None
        self._was_settled = False
        self._improvements = 0

    def register_again(self) -> None:
        """Somebody says that the camera hangs well and still: find the table anew, and measure all of it."""
        self._camera_watch.register_again()
        self._settled = None

    def change_camera(self, camera: Camera) -> None:
        """The pictures come in another size now, through the same lens: the table is found anew, everybody is kept."""
        self._camera = camera
        self._camera_watch = CameraWatch(camera, self._layout, start=self._pose)
        self._pose = self._drawn_at = self._overview = None
        self._last = None  # the settled view stays: straightened, the table looks as it did
        self._improvements = 0

    def look(self, frame: Frame) -> Glance:
        """Take one more frame. Raises: BadInput for a picture of another size than the camera's."""
        view, motion = self._motion(frame)
        lines = self._find_table(frame, motion)
        if self._pose is None or self._overview is None:
            return Glance(frame.index, frame.t_s, lines, False, False, None)
        if self._camera_watch.halt is not None:
            return self._halted(frame, lines, view)
        if view is None or self._last is None:
            view, motion = self._overview.of(frame.image), None
        moving = motion is None or not is_still(motion, self._overview.window)
        self._last = view
        if moving:
            self._still_since_s = frame.t_s
        change = changed(self._settled, view) if self._settled is not None else None
        arm = change is not None and has_arm(change, self._overview.window)
        if arm and frame.t_s - self._still_since_s > _RESTS_S:
            change, arm = None, False  # no arm: what lies around the table is another now
        settled = not moving and not arm and frame.t_s - self._still_since_s >= _STILL_S
        if settled:
            lines += self._settle(frame, view, change)
        self._was_settled = settled
        return Glance(frame.index, frame.t_s, lines, settled, arm or moving, self._pose)

    def _halted(self, frame: Frame, lines: tuple[StateLine | EventLine, ...], view: View | None) -> Glance:
        """Nothing is measured while nobody knows where the camera hangs."""
        self._last, self._still_since_s, self._was_settled = view, frame.t_s, False
        return Glance(frame.index, frame.t_s, lines, False, False, self._pose, self._camera_watch.halt)

    def _motion(self, frame: Frame) -> tuple[View | None, Mask | None]:
        """The table in this frame as the camera hung last, and what moved since the frame before."""
        if self._overview is None:
            return None, None
        view = self._overview.of(frame.image)
        return view, changed(self._last, view) if self._last is not None else None

    def _find_table(self, frame: Frame, motion: Mask | None) -> tuple[StateLine | EventLine, ...]:
        """Where the camera hangs now; a shift that matters starts a new overview and is told."""
        all_moved = motion is not None and bool(motion.mean() > _ALL_MOVED)
        lines = self._camera_watch.look(frame, is_disturbed=all_moved, at_rest=self._was_settled)
        pose = self._camera_watch.pose
        if pose is None or pose is self._pose:
            return lines
        self._pose = pose
        if self._camera_watch.improvements > self._improvements:
            self._improvements = self._camera_watch.improvements
            self._settled = None  # what was measured through the poorer pose is measured again
        if self._drawn_at is None or self._shift_mm(self._drawn_at, pose) > _REDRAWN_MM:
            self._overview = Overview(self._layout.table_mm, camera=self._camera, pose=pose)
            self._drawn_at = pose
            self._last = None  # the settled view stays: straightened, the table looks as it did from the other place
            self._still_since_s = frame.t_s
        return lines

    def _shift_mm(self, before: CameraPose, after: CameraPose) -> float:
        return shift_mm(before, after, camera=self._camera, layout=self._layout)

    def _settle(self, frame: Frame, view: View, change: Mask | None) -> tuple[StateLine | EventLine, ...]:
        """Measure what changed since the table was last settled; nothing to say when nothing did."""
        assert self._overview is not None
        if change is None:
            lines = self._measure(frame, mask=None)
        elif is_still(change, self._overview.window):
            return ()
        else:
            lines = self._measure(frame, mask=change)
        self._settled = view
        return lines

    def _measure(self, frame: Frame, *, mask: Mask | None) -> tuple[StateLine | EventLine, ...]:
        """Everything, or what lies on changed ground, measured and matched."""
        assert self._overview is not None
        assert self._pose is not None
        window = self._overview.window
        boxes = None if mask is None else boxes_of(mask, window)
        proposed = self._finder.find(frame.image, camera=self._camera, pose=self._pose, boxes=boxes)
        seen = measured(frame.image, proposed, camera=self._camera, pose=self._pose, layout=self._layout)
        gone = dict(self._known)
        if mask is not None:
            gone = {id_: one for id_, one in gone.items() if touches(mask, window, one.seen.fit)}
            stayed = self._known.keys() - gone.keys()
            seen = tuple(one for one in seen if stands_on(mask, window, one.fit) and not self._is_taken(one, by=stayed))
        return (*self._update(frame, gone, seen), self._state_line(frame))

    def _is_taken(self, seen: SeenBase, *, by: set[str]) -> bool:
        """Whether a miniature that did not change stands where this base would."""
        return any(
            np.hypot(*np.subtract(seen.fit.at_mm, self._known[id_].seen.fit.at_mm))
            < 0.8 * (seen.fit.base.radius_mm + self._known[id_].seen.fit.base.radius_mm)
            for id_ in by
        )

    def _update(self, frame: Frame, gone: dict[str, Known], seen: tuple[SeenBase, ...]) -> tuple[EventLine, ...]:
        assert self._pose is not None
        first = self._count == 0
        looks = [look_of(frame.image, one.fit, camera=self._camera, pose=self._pose) for one in seen]
        before = list(gone.values())
        matching = matched(before, list(zip(seen, looks, strict=True)))
        events: list[EventLine] = []
        fresh = iter(named(tuple(one for one, id_ in zip(seen, matching.ids, strict=True) if id_ is None)).values())
        order = {id(one.fit): k for k, one in enumerate(fresh)}
        count = self._count
        for one, look, id_ in zip(seen, looks, matching.ids, strict=True):
            if id_ is None:
                id_ = f"m{count + order[id(one.fit)] + 1}"
                self._count += 1
                if not first:
                    events.append(_event(frame, "appeared", ids=(id_,), to_mm=one.fit.at_mm))
            else:
                events += _happened(frame, id_, gone[id_].seen, one)
            self._known[id_] = Known(id_, one, look)
        for id_ in gone.keys() - set(matching.ids):
            events.append(_event(frame, "removed", ids=(id_,), from_mm=self._known.pop(id_).seen.fit.at_mm))
        if matching.unsure:
            events.append(_event(frame, "unsure", ids=matching.unsure, detail="these look alike and changed together"))
        return tuple(events)

    def _state_line(self, frame: Frame) -> StateLine:
        assert self._pose is not None
        seen = {id_: self._known[id_].seen for id_ in sorted(self._known, key=lambda name: int(name[1:]))}
        state = state_of(seen, camera=self._camera, pose=self._pose, layout=self._layout, edition=self._edition)
        return StateLine(t_s=frame.t_s, frame=frame.index, settled_at_s=self._still_since_s, state=state)


def _event(frame: Frame, kind: str, **facts: object) -> EventLine:
    return EventLine.model_validate({"type": kind, "t_s": frame.t_s, "frame": frame.index} | facts)


def _happened(frame: Frame, id_: str, before: SeenBase, after: SeenBase) -> list[EventLine]:
    """Moved, turned, or nothing worth telling."""
    far_mm = float(np.hypot(*np.subtract(after.fit.at_mm, before.fit.at_mm)))
    spread_mm = float(np.sqrt(np.trace(before.fit.covariance_mm2 + after.fit.covariance_mm2)))
    if far_mm > max(_MOVED_MM, _MOVED_SIGMAS * spread_mm):
        facts = {"from_mm": before.fit.at_mm, "to_mm": after.fit.at_mm} | _turn(before, after)
        return [_event(frame, "moved", ids=(id_,), **facts)]
    turn = _turn(before, after)
    if turn and abs((turn["to_deg"] - turn["from_deg"] + 180) % 360 - 180) > _TURNED_DEG:
        return [_event(frame, "turned", ids=(id_,), **turn)]
    return []


def _turn(before: SeenBase, after: SeenBase) -> dict[str, float]:
    if before.facing is None or after.facing is None or before.facing.is_either_way or after.facing.is_either_way:
        return {}
    return {"from_deg": degrees(before.facing.facing_rad), "to_deg": degrees(after.facing.facing_rad)}
