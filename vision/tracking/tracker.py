"""Tracker: follows a table frame by frame, measures what changed once hands have left, reports what happened.

Only a settled table is measured. What did not change keeps its place to the last digit; what changed is found and
fitted anew and matched with what stood there before, and with whoever left the table earlier.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.arrays import Mask
from calibration.view import View
from models.base import Base, Catalogue
from models.camera import Camera, CameraPose
from models.halt import Halt
from models.hint import ConfirmedBase
from models.layout import Layout
from models.timeline import EventLine, StateLine
from models.vocabulary import EditionId, Point
from vision.candidates import Box
from vision.capture.sources import Frame
from vision.detection.network.finder import NetworkFinder
from vision.facing.facing_estimate import Facing
from vision.locate import FinderMaker, sight
from vision.measurement.base_fit import BaseFit
from vision.state_assembly import MeasuredBase, state_of
from vision.tracking.association import SURE, Track, is_occupied
from vision.tracking.camera_bump import CameraBumpDetector
from vision.tracking.change_detection import (
    Illumination,
    Overview,
    RectifiedView,
    base_mask,
    change_boxes,
    detect_change,
    detect_solid_change,
    has_arm,
    is_still,
)
from vision.tracking.confirmed_bases import ConfirmedBases, likely_places, placed_by_hand
from vision.tracking.departures import Comparison, LiftDetector, UnderArm, collect_changes, split_by_change
from vision.tracking.events import with_trajectory
from vision.tracking.remeasure_sweep import RemeasureSweep
from vision.tracking.track_registry import TrackRegistry
from vision.tracking.transit_log import TransitLog, UnconfirmedLog

_STILL_S = 0.18  # the table is settled when nothing moved for this long
_REDRAWN_MM = 0.25  # a pose that is off by so much needs a new overview
_ALL_MOVED = 0.12  # of the picture: the camera itself may have moved
_RESTS_S = 12.0  # nobody holds an arm this still
_HIDDEN_S = 3.0  # something small that lies where a base stood for so long has taken its place

Lines = tuple[StateLine | EventLine, ...]


@dataclass(frozen=True)
class FrameResult:
    """Result of one frame. `pose` is None when the table cannot be seen; `halt` says why no ruling is given."""

    frame: int
    t_s: float
    lines: tuple[StateLine | EventLine, ...]
    is_settled: bool
    hand: bool
    pose: CameraPose | None
    halt: Halt | None = None
    in_hand: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True)
class TrackerState:
    """State that a tracker hands on: who is who, where the camera hung last, and what players placed."""

    registry: TrackRegistry
    pose: CameraPose | None
    confirmed: ConfirmedBases = field(default_factory=ConfirmedBases)


class Tracker:
    """Tracks one source. Hand it the frames in order; it keeps what it needs and nothing of the future."""

    def __init__(
        self,
        camera: Camera,
        layout: Layout,
        *,
        edition: EditionId,
        catalogue: Catalogue,
        start: CameraPose | None = None,
        state: TrackerState | None = None,
        make_finder: FinderMaker = NetworkFinder,
    ) -> None:
        """`start` is where the camera hangs, told from outside, for a table whose fiducials cannot be seen.

        `state` is that of a tracker of the same table that has ended. `make_finder`: who proposes candidates.
        """
        self._camera, self._layout, self._edition = camera, layout, edition
        self._sizes = self._catalogue = catalogue
        self._make_finder = make_finder
        self._finder = make_finder(catalogue, layout)
        self._pose: CameraPose | None = None
        self._overview: Overview | None = None
        self._settled: RectifiedView | None = None  # the table as it was last measured
        self._bare: RectifiedView | None = None  # the same before something came to rest over the table's edge
        self._last: RectifiedView | None = None
        self._first: RectifiedView | None = None  # in whose light looks are compared
        self._still_since_s = 0.0
        self._registry = TrackRegistry() if state is None else state.registry
        self._confirmed = ConfirmedBases() if state is None else state.confirmed
        self._transit_log, self._sweep, self._lift_detector = TransitLog(), RemeasureSweep(), LiftDetector()
        self._bump_detector = CameraBumpDetector(camera, layout, start=(state and state.pose) or start)
        self._unconfirmed = UnconfirmedLog()
        self._drawn_at: CameraPose | None = None
        self._was_settled = False
        self._improvements = 0
        self._answers: list[tuple[str, tuple[str | None, ...]]] = []

    @property
    def state(self) -> TrackerState:
        """State so far; it goes on changing with the next frame."""
        return TrackerState(self._registry, self._pose, self._confirmed)

    @property
    def _view(self) -> View:
        """As the camera hangs now."""
        assert self._pose is not None
        return View(self._camera, self._pose, self._layout)

    def reset_pose(self) -> None:
        """Registers the table again and measures all of it, once somebody says that the camera hangs well and still."""
        self._bump_detector.reset_pose()
        self._settled = None

    def set_pose(self, pose: CameraPose) -> None:
        """Somebody says where the camera hangs: it is believed at the next frame, and all of the table is measured."""
        self._bump_detector.set_pose(pose)
        self._settled = None

    def set_expected_counts(self, bases: Mapping[Base, int]) -> None:
        """Somebody says how many bases of each size belong to this game; nothing: nobody says so any more."""
        self._registry.expected = dict(bases) or None

    def set_confirmed_bases(self, bases: Iterable[ConfirmedBase]) -> None:
        """All bases of which players say where they stand, at the next look at a table at rest."""
        self._confirmed.confirmed = tuple(bases)

    def resolve_identity(self, question: str, ids: Sequence[str | None]) -> None:
        """Somebody says who stands at the places a question asks about; told with the next frame.

        Raises: BadInput when nothing of that name is asked, or the answer is none of those asked for.
        """
        if question in self._confirmed.questions:
            self._confirmed.check_answer(question, ids)
        else:
            self._registry.check_answer(question, _names(ids))
        self._answers.append((question, tuple(ids)))

    def change_camera(self, camera: Camera) -> None:
        """Takes images of another size through the same lens: the table is registered again, everybody is kept."""
        self._camera = camera
        self._bump_detector = CameraBumpDetector(camera, self._layout, start=self._pose)
        self._pose = self._drawn_at = self._overview = None
        self._last = None  # the settled view stays: straightened, the table looks as it did
        self._improvements = 0
        self._transit_log.clear()

    def update(self, frame: Frame) -> FrameResult:
        """Take one more frame. Raises: BadInput for a picture of another size than the camera's."""
        was_settled = self._was_settled and self._settled is not None
        view, motion = self._detect_motion(frame)
        lines: Lines = self._find_table(frame, motion)
        if self._pose is None or self._overview is None:
            return FrameResult(frame.index, frame.t_s, lines, False, False, None)
        lines += self._apply_answers(frame)
        if self._bump_detector.halt is not None:
            return self._halt(frame, lines, view)
        if view is None or self._last is None:
            view, motion = self._overview.make_view(frame.image), None
        moving = motion is None or not is_still(motion, self._overview.window)
        self._last = view
        if moving:
            self._still_since_s = frame.t_s
        still_s = frame.t_s - self._still_since_s
        is_same = was_settled and motion is not None and self._settled is not None
        change = motion if is_same else self._detect_change(view)
        arm = None if change is None else self._find_arm(view, change)
        if arm is not None and still_s > _RESTS_S:
            self._bare, arm = self._bare or self._settled, None  # no arm: what lies around the table is another now
        settled = not moving and arm is None and still_s >= _STILL_S
        lines += self._measure_settled(frame, view, change) if settled else self._observe_transit(frame, view, arm)
        self._was_settled = settled
        hand = moving or arm is not None
        registry = self._registry
        return FrameResult(
            frame.index, frame.t_s, lines, settled, hand, self._pose, in_hand=registry.in_hand, hidden=registry.hidden
        )

    def _detect_change(self, view: RectifiedView) -> Mask | None:
        return detect_change(self._settled, view) if self._settled is not None else None

    def _find_arm(self, view: RectifiedView, change: Mask) -> UnderArm | None:
        """The table under something other than a shadow that reaches over the edge and did not lie there before."""
        assert self._overview is not None
        assert self._settled is not None
        window = self._overview.window
        if is_still(change, window):
            return None
        solid, bare = detect_solid_change(self._settled, view), self._bare
        is_there = has_arm(change, solid, window, view.seen)
        if is_there and bare is not None:
            is_there = has_arm(detect_change(bare, view), detect_solid_change(bare, view), window, view.seen)
        return UnderArm(view, change, solid, window) if is_there else None

    def _observe_transit(self, frame: Frame, view: RectifiedView, arm: UnderArm | None) -> Lines:
        """What is seen while the table is not settled."""
        if self._settled is None:
            return ()
        self._transit_log.record(view, t_s=frame.t_s)
        if arm is None:
            return ()
        fits = {id_: track.seen.fit for id_, track in self._registry.standing.items()}
        return self._registry.record_lift(frame, self._lift_detector.update(arm, fits, t_s=frame.t_s))

    def _halt(self, frame: Frame, lines: Lines, view: RectifiedView | None) -> FrameResult:
        """Nothing is measured while nobody knows where the camera hangs."""
        self._last, self._still_since_s, self._was_settled = view, frame.t_s, False
        return FrameResult(frame.index, frame.t_s, lines, False, False, self._pose, self._bump_detector.halt)

    def _detect_motion(self, frame: Frame) -> tuple[RectifiedView | None, Mask | None]:
        """The table in this frame as the camera hung last, and what moved since the frame before.

        While the table is settled the frame before looked as the settled one does: the two need not both be compared.
        """
        if self._overview is None:
            return None, None
        view = self._overview.make_view(frame.image)
        if self._last is None:
            return view, None
        before = self._settled if self._was_settled and self._settled is not None else self._last
        return view, detect_change(before, view)

    def _find_table(self, frame: Frame, motion: Mask | None) -> Lines:
        """Where the camera hangs now; a shift that matters starts a new overview and is told."""
        all_moved = motion is not None and bool(motion.mean() > _ALL_MOVED)
        lines = self._bump_detector.update(frame, is_disturbed=all_moved, at_rest=self._was_settled)
        pose = self._bump_detector.pose
        if pose is None or pose is self._pose:
            return lines
        self._pose = pose
        if self._bump_detector.improvements > self._improvements:
            self._improvements = self._bump_detector.improvements
            self._settled = None  # what was measured through the poorer pose is measured again
        if self._drawn_at is None or self._bump_detector.shift_mm(self._drawn_at, pose) > _REDRAWN_MM:
            self._overview = Overview(self._layout.table_mm, camera=self._camera, pose=pose)
            self._drawn_at = pose
            self._last = None  # the settled view stays: straightened, the table looks as it did from the other place
            self._still_since_s = frame.t_s
        return lines

    def _apply_answers(self, frame: Frame) -> Lines:
        """What follows from answers that came since the last frame."""
        answers, self._answers = self._answers, []
        events: list[EventLine] = []
        for question, ids in answers:
            if question in self._confirmed.questions:
                events += self._confirmed.resolve(frame, question, ids, self._registry, view=self._view)
            else:
                events += self._registry.resolve_question(frame, question, _names(ids))
        is_other = any(line.renamed or line.type != "unsure" for line in events)
        return (*events, self._state_line(frame)) if is_other else tuple(events)

    def _measure_settled(self, frame: Frame, view: RectifiedView, change: Mask | None) -> Lines:
        """Measure what changed since the table was last settled; else look closely at one base now and then."""
        assert self._overview is not None
        is_unchanged = change is not None and is_still(change, self._overview.window)
        lines = () if is_unchanged else self._measure(frame, view, mask=change)
        if self._confirmed.has_news:
            scene = self._compare(frame, view, None, is_close=True)
            self._confirmed.follow_confirmed(scene, self._registry, view=self._view)
            lines = (*lines, self._state_line(frame))
        self._transit_log.clear()
        self._lift_detector.reset()
        if self._registry.put_down() and not lines:
            lines = (self._state_line(frame),)
        if not is_unchanged:
            self._settled = view
            return lines
        return (*lines, *self._sweep_next(frame, view))

    def _sweep_next(self, frame: Frame, view: RectifiedView) -> Lines:
        """What measuring the next base again, or what hides one, makes known."""
        assert self._overview is not None
        assert self._pose is not None
        if not self._sweep.is_due(frame.t_s):
            return ()
        standing = self._registry.standing
        doubtful = self._sweep.remeasure_next(frame, standing, view=self._view)
        overdue = [
            id_
            for id_, track in standing.items()
            if track.hidden_since_s is not None
            and frame.t_s - track.hidden_since_s > _HIDDEN_S
            and not self._confirmed.is_asked_about(id_)
        ]
        if not doubtful and not overdue:
            return ()
        mask = np.zeros(view.seen.shape, np.bool_)
        for id_ in (*doubtful, *overdue):
            mask |= base_mask(standing[id_].seen.fit, self._overview.window, view.seen.shape)
        return self._measure(frame, view, mask=mask, is_close=True)

    def _measure(self, frame: Frame, view: RectifiedView, *, mask: Mask | None, is_close: bool = False) -> Lines:
        """Everything, or what lies on changed ground, measured and matched."""
        assert self._overview is not None
        assert self._pose is not None
        standing = self._registry.standing
        measured = self._detect(frame, None if mask is None else change_boxes(mask, self._overview.window))
        touched, came = split_by_change(measured, standing, mask, self._overview.window)
        scene = self._compare(frame, view, mask, is_close=is_close)
        came = self._confirmed.keep_unchanged(scene, touched, came, standing)
        change = collect_changes(scene, touched, came, standing, self._transit_log)
        searched = self._confirmed.search_departed(scene, change, standing, view=self._view)
        if likely := likely_places(searched, standing):
            came = (*(base for base in came if not is_occupied(base, by=likely)), *likely)
            change = collect_changes(scene, touched, came, standing, self._transit_log)
        change = replace(change, vanished=change.vanished - placed_by_hand(searched, standing, likely))
        events = self._registry.update(frame, change, pose=self._pose)
        events += self._confirmed.settle_found(frame, events)
        events += self._confirmed.ask(frame, searched, self._registry)
        lines = self._with_trajectories(events, {id_: track.seen.fit for id_, track in standing.items()}, view)
        is_told = not is_close or lines or _places(standing) != _places(self._registry.standing)
        return (*lines, self._state_line(frame)) if is_told else ()

    def _compare(self, frame: Frame, view: RectifiedView, mask: Mask | None, *, is_close: bool) -> Comparison:
        assert self._overview is not None
        assert self._pose is not None
        light = Illumination.estimate(self._first, view) if self._first is not None else None
        self._first = self._first or view
        return Comparison(
            frame.image, view, self._settled, mask, self._overview.window, self._camera, self._pose, light, is_close
        )

    def _with_trajectories(
        self, events: tuple[EventLine, ...], before: Mapping[str, BaseFit], view: RectifiedView
    ) -> Lines:
        """The same events, with the trajectories of those who moved for sure."""
        assert self._overview is not None
        assert self._pose is not None
        moves = {event.ids[0]: event for event in events if event.type == "moved" and (event.confidence or 0) >= SURE}
        if self._settled is None or not moves:
            return events
        fits = {id_: (before[id_], self._registry.known[id_].seen.fit) for id_ in moves}
        ways = self._transit_log.trajectories(
            fits, self._settled, view, self._overview.window, camera_mm=self._pose.centre_mm
        )
        return tuple(
            with_trajectory(event, ways.get(event.ids[0], ())) if event.type == "moved" else event for event in events
        )

    def _detect(self, frame: Frame, boxes: tuple[Box, ...] | None) -> tuple[MeasuredBase, ...]:
        """Every base in these boxes, and those that stand in one block with any of them."""
        assert self._pose is not None
        self._weigh_sizes()
        standing = () if boxes is None else self._outside(boxes)
        seen = sight(
            frame.image, self._finder, catalogue=self._catalogue, view=self._view, boxes=boxes, standing=standing
        )
        self._unconfirmed.note(seen.unconfirmed(), boxes)
        return seen.bases

    def _outside(self, boxes: tuple[Box, ...]) -> tuple[BaseFit, ...]:
        """Who stands outside of these boxes."""
        fits = (track.seen.fit for track in self._registry.standing.values())
        return tuple(
            fit
            for fit in fits
            if not any(x0 <= fit.at_mm[0] <= x1 and y0 <= fit.at_mm[1] <= y1 for x0, y0, x1, y1 in boxes)
        )

    def _weigh_sizes(self) -> None:
        """Sizes that are expected or stand on the table are as usual as those of the edition."""
        known = (track.seen.fit.base for track in self._registry.standing.values())
        catalogue = self._sizes.with_usual((*(self._registry.expected or ()), *known))
        if catalogue != self._catalogue:
            self._catalogue, self._finder = catalogue, self._make_finder(catalogue, self._layout)

    def _state_line(self, frame: Frame) -> StateLine:
        assert self._pose is not None
        seen = {id_: track.seen for id_, track in self._registry.standing.items()}
        state = state_of(seen, view=self._view, edition=self._edition)
        unconfirmed = self._unconfirmed.apart_from(base.fit for base in seen.values())
        sighted = state.with_sightings(looked_for=self._catalogue.bases, unconfirmed=unconfirmed)
        return StateLine(t_s=frame.t_s, frame=frame.index, settled_at_s=self._still_since_s, state=sighted)


def _names(ids: Sequence[str | None]) -> tuple[str, ...]:
    return tuple(id_ for id_ in ids if id_ is not None)


def _places(standing: Mapping[str, Track]) -> dict[str, tuple[Point, Facing | None]]:
    """Where everybody stands, facing where: what a state would tell."""
    return {id_: (track.seen.fit.at_mm, track.seen.facing) for id_, track in standing.items()}
