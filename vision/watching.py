"""Follows a table frame by frame: waits for hands to leave, measures what changed, says what happened.

Only a settled table is measured. What did not change keeps its place to the last digit; what changed is found and
fitted anew and matched with what stood there before, and with whoever left the table earlier.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from calibration.tracking import shift_mm
from models.base import Base, Catalogue, RectBase
from models.camera import Camera, CameraPose
from models.layout import Layout
from models.timeline import EventLine, StateLine
from models.words import EditionId, Point
from vision.camera_watch import CameraWatch
from vision.candidates import Box
from vision.change import (
    Light,
    Overview,
    View,
    boxes_of,
    changed,
    has_arm,
    is_still,
    solidly_changed,
    stands_on,
    touches,
)
from vision.covering import is_bare, lies_under
from vision.facing import Facing
from vision.fit import RimFit
from vision.footprint import Mask, ground_of
from vision.glance import Glance, Memory
from vision.happening import with_way
from vision.identity import SURE, Known
from vision.lifting import Lifting, UnderArm
from vision.locating import SeenBase, every_finder, seen_in, state_of
from vision.look import Look, look_of, unlike
from vision.roll import Change, Roll
from vision.sources import Frame
from vision.sweep import Sweep
from vision.taking import blocks_of, is_taken, standing_in
from vision.turning import was_turned
from vision.witness import Witness

_STILL_S = 0.18  # the table is settled when nothing moved for this long
_REDRAWN_MM = 0.25  # a pose that is off by so much needs a new overview
_ALL_MOVED = 0.12  # of the picture: the camera itself may have moved
_RESTS_S = 12.0  # nobody holds an arm this still
_HIDDEN_S = 3.0  # something small that lies where a base stood for so long has taken its place
_STILL_THERE = 9.0  # grey levels within which a base that was not found anew looks as it did


Lines = tuple[StateLine | EventLine, ...]


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
        memory: Memory | None = None,
    ) -> None:
        """`start` is where the camera hangs, told from outside, for a table whose fiducials cannot be seen.

        `memory` is that of a watcher of the same table who looks no more.
        """
        self._camera, self._layout, self._edition = camera, layout, edition
        self._catalogue, self._finder = catalogue, every_finder(catalogue, layout)
        self._pose: CameraPose | None = None
        self._overview: Overview | None = None
        self._settled: View | None = None  # the table as it was last measured
        self._bare: View | None = None  # the same before something came to rest over the table's edge
        self._last: View | None = None
        self._first: View | None = None  # in whose light looks are compared
        self._light: Light | None = None
        self._still_since_s = 0.0
        self._roll = Roll() if memory is None else memory.roll
        self._witness, self._sweep, self._lifting = Witness(), Sweep(), Lifting()
        self._camera_watch = CameraWatch(camera, layout, start=(memory and memory.pose) or start)
        self._drawn_at: CameraPose | None = None
        self._was_settled = False
        self._improvements = 0
        self._answers: list[tuple[str, tuple[str, ...]]] = []

    @property
    def memory(self) -> Memory:
        """What is known so far; it goes on changing with the next frame."""
        return Memory(self._roll, self._pose)

    def register_again(self) -> None:
        """Somebody says that the camera hangs well and still: find the table anew, and measure all of it."""
        self._camera_watch.register_again()
        self._settled = None

    def hang(self, pose: CameraPose) -> None:
        """Somebody says where the camera hangs: it is believed at the next look, and all of the table is measured."""
        self._camera_watch.hang(pose)
        self._settled = None

    def expect(self, bases: Mapping[Base, int]) -> None:
        """Somebody says how many bases of each size belong to this game; nothing: nobody says so any more."""
        self._roll.expected = dict(bases) or None

    def answer(self, question: str, ids: Sequence[str]) -> None:
        """Somebody says who stands at the places a question asks about; told with the next frame.

        Raises: BadInput when nothing of that name is asked, or the answer is none of those asked for.
        """
        self._roll.check_answer(question, ids)
        self._answers.append((question, tuple(ids)))

    def change_camera(self, camera: Camera) -> None:
        """The pictures come in another size now, through the same lens: the table is found anew, everybody is kept."""
        self._camera = camera
        self._camera_watch = CameraWatch(camera, self._layout, start=self._pose)
        self._pose = self._drawn_at = self._overview = None
        self._last = None  # the settled view stays: straightened, the table looks as it did
        self._improvements = 0
        self._witness.forget()

    def look(self, frame: Frame) -> Glance:
        """Take one more frame. Raises: BadInput for a picture of another size than the camera's."""
        was_settled = self._was_settled and self._settled is not None
        view, motion = self._motion(frame)
        lines: Lines = self._find_table(frame, motion)
        if self._pose is None or self._overview is None:
            return Glance(frame.index, frame.t_s, lines, False, False, None)
        lines += self._answered(frame)
        if self._camera_watch.halt is not None:
            return self._halted(frame, lines, view)
        if view is None or self._last is None:
            view, motion = self._overview.of(frame.image), None
        moving = motion is None or not is_still(motion, self._overview.window)
        self._last = view
        if moving:
            self._still_since_s = frame.t_s
        still_s = frame.t_s - self._still_since_s
        is_same = was_settled and motion is not None and self._settled is not None
        change = motion if is_same else self._changed(view)
        arm = None if change is None else self._arm(view, change)
        if arm is not None and still_s > _RESTS_S:
            self._bare, arm = self._bare or self._settled, None  # no arm: what lies around the table is another now
        settled = not moving and arm is None and still_s >= _STILL_S
        lines += self._settle(frame, view, change) if settled else self._wait(frame, view, arm)
        self._was_settled = settled
        hand = moving or arm is not None
        roll = self._roll
        return Glance(
            frame.index, frame.t_s, lines, settled, hand, self._pose, in_hand=roll.in_hand, hidden=roll.hidden
        )

    def _changed(self, view: View) -> Mask | None:
        return changed(self._settled, view) if self._settled is not None else None

    def _arm(self, view: View, change: Mask) -> UnderArm | None:
        """The table under something other than a shadow that reaches over the edge and did not lie there before."""
        assert self._overview is not None
        assert self._settled is not None
        window = self._overview.window
        if is_still(change, window):
            return None
        solid, bare = solidly_changed(self._settled, view), self._bare
        is_there = has_arm(change, solid, window, view.seen)
        if is_there and bare is not None:
            is_there = has_arm(changed(bare, view), solidly_changed(bare, view), window, view.seen)
        return UnderArm(view, change, solid, window) if is_there else None

    def _wait(self, frame: Frame, view: View, arm: UnderArm | None) -> Lines:
        """What is seen while the table is not settled."""
        if self._settled is None:
            return ()
        self._witness.note(view, t_s=frame.t_s)
        if arm is None:
            return ()
        fits = {id_: one.seen.fit for id_, one in self._roll.standing.items()}
        return self._roll.lift(frame, self._lifting.look(arm, fits, t_s=frame.t_s))

    def _halted(self, frame: Frame, lines: Lines, view: View | None) -> Glance:
        """Nothing is measured while nobody knows where the camera hangs."""
        self._last, self._still_since_s, self._was_settled = view, frame.t_s, False
        return Glance(frame.index, frame.t_s, lines, False, False, self._pose, self._camera_watch.halt)

    def _motion(self, frame: Frame) -> tuple[View | None, Mask | None]:
        """The table in this frame as the camera hung last, and what moved since the frame before.

        While the table is settled the frame before looked as the settled one does: the two need not both be compared.
        """
        if self._overview is None:
            return None, None
        view = self._overview.of(frame.image)
        if self._last is None:
            return view, None
        before = self._settled if self._was_settled and self._settled is not None else self._last
        return view, changed(before, view)

    def _find_table(self, frame: Frame, motion: Mask | None) -> Lines:
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

    def _answered(self, frame: Frame) -> Lines:
        """What follows from answers that came since the last frame."""
        answers, self._answers = self._answers, []
        events = [line for question, ids in answers for line in self._roll.answer(frame, question, ids)]
        return (*events, self._state_line(frame)) if any(line.renamed for line in events) else tuple(events)

    def _settle(self, frame: Frame, view: View, change: Mask | None) -> Lines:
        """Measure what changed since the table was last settled; else look closely at one base now and then."""
        assert self._overview is not None
        is_unchanged = change is not None and is_still(change, self._overview.window)
        lines = () if is_unchanged else self._measure(frame, view, mask=change)
        self._witness.forget()
        self._lifting.forget()
        if self._roll.put_down() and not lines:
            lines = (self._state_line(frame),)
        if not is_unchanged:
            self._settled = view
            return lines
        return (*lines, *self._swept(frame, view))

    def _swept(self, frame: Frame, view: View) -> Lines:
        """What a close look at the next base, or at what hides one, makes known."""
        assert self._overview is not None
        assert self._pose is not None
        if not self._sweep.is_due(frame.t_s):
            return ()
        standing = self._roll.standing
        doubtful = self._sweep.look(frame, standing, camera=self._camera, pose=self._pose)
        overdue = [
            id_
            for id_, one in standing.items()
            if one.hidden_since_s is not None and frame.t_s - one.hidden_since_s > _HIDDEN_S
        ]
        if not doubtful and not overdue:
            return ()
        mask = np.zeros(view.seen.shape, np.bool_)
        for id_ in (*doubtful, *overdue):
            mask |= ground_of(standing[id_].seen.fit, self._overview.window, view.seen.shape)
        return self._measure(frame, view, mask=mask, is_looked_at_closely=True)

    def _measure(self, frame: Frame, view: View, *, mask: Mask | None, is_looked_at_closely: bool = False) -> Lines:
        """Everything, or what lies on changed ground, measured and matched."""
        assert self._overview is not None
        assert self._pose is not None
        window = self._overview.window
        boxes = None if mask is None else boxes_of(mask, window)
        seen, standing = self._seen(frame, boxes), self._roll.standing
        touched = [id_ for id_, one in standing.items() if mask is None or touches(mask, window, one.seen.fit)]
        if mask is not None:
            came = [one for one in seen if stands_on(mask, window, one.fit)]
            blocks = blocks_of(came) | blocks_of(seen, on=[standing[id_] for id_ in touched])
            touched += standing_in(blocks, seen, {id_: one for id_, one in standing.items() if id_ not in touched})
            stayed = [one for id_, one in standing.items() if id_ not in touched]
            came += [one for one in seen if one.place is not None and one.place.unit in blocks and one not in came]
            seen = tuple(one for one in came if not is_taken(one, by=stayed))
        self._light = Light.between(self._first, view) if self._first is not None else None
        self._first = self._first or view
        change = self._change(frame, view, mask, touched, seen, is_looked_at_closely=is_looked_at_closely)
        fits = {id_: one.seen.fit for id_, one in self._roll.standing.items()}
        before = _stand(self._roll.standing)
        events = self._with_ways(self._roll.update(frame, change, pose=self._pose), fits, view)
        is_told = not is_looked_at_closely or events or before != _stand(self._roll.standing)
        return (*events, self._state_line(frame)) if is_told else ()

    def _with_ways(self, events: tuple[EventLine, ...], before: Mapping[str, RimFit], view: View) -> Lines:
        """The same events, with the ways of those who moved for sure."""
        assert self._overview is not None
        assert self._pose is not None
        moves = {one.ids[0]: one for one in events if one.type == "moved" and (one.confidence or 0) >= SURE}
        if self._settled is None or not moves:
            return events
        fits = {id_: (before[id_], self._roll.known[id_].seen.fit) for id_ in moves}
        ways = self._witness.ways(fits, self._settled, view, self._overview.window, camera_mm=self._pose.centre_mm)
        return tuple(with_way(one, ways.get(one.ids[0], ())) if one.type == "moved" else one for one in events)

    def _seen(self, frame: Frame, boxes: tuple[Box, ...] | None) -> tuple[SeenBase, ...]:
        """Every base in these boxes, and those that stand in one block with any of them."""
        assert self._pose is not None
        return seen_in(
            frame.image, self._finder, catalogue=self._catalogue, camera=self._camera, pose=self._pose,
            layout=self._layout, boxes=boxes,
        )  # fmt: skip

    def _change(
        self,
        frame: Frame,
        view: View,
        mask: Mask | None,
        touched: list[str],
        seen: tuple[SeenBase, ...],
        *,
        is_looked_at_closely: bool,
    ) -> Change:
        assert self._overview is not None
        window, known = self._overview.window, self._roll.known
        before = self._settled
        old = [known[id_].seen.fit for id_ in touched]
        new = [one.fit for one in seen]
        excluded = (
            np.zeros((len(old), len(new)), np.bool_)
            if before is None
            else self._witness.excluded(before, view, window, old=old, new=new)
        )
        unchanged = mask is None or before is None
        around = mask if unchanged or before is None else solidly_changed(before, view)
        vanished = frozenset(
            id_
            for id_ in touched
            if self._has_vanished(frame, view, around, known[id_], seen, is_late=is_looked_at_closely)
        )
        found = tuple((one, self._look_of(frame, one)) for one in seen)
        turned = frozenset(id_ for id_ in touched if before is not None and self._has_turned(before, view, known[id_]))
        return Change(tuple(touched), found, vanished, excluded, turned)

    def _has_turned(self, before: View, view: View, one: Known) -> bool:
        """Whether what stands there, if it is still the same, was turned; under something that cannot be seen."""
        assert self._overview is not None
        is_clear = one.presence != "hidden" and not isinstance(one.seen.fit.base, RectBase)
        return is_clear and was_turned(before, view, self._overview.window, one.seen.fit)

    def _has_vanished(
        self, frame: Frame, view: View, mask: Mask | None, one: Known, seen: Iterable[SeenBase], *, is_late: bool
    ) -> bool:
        """Whether the place where it stood is seen without it."""
        assert self._overview is not None
        fit, window = one.seen.fit, self._overview.window
        if is_taken(one.seen, by=seen):
            return True
        others = [other.fit for other in seen]
        others += [other.seen.fit for id_, other in self._roll.standing.items() if id_ != one.id]
        if is_bare(view, window, fit, others=others, changed=mask):
            return True
        if unlike(self._look_of(frame, one.seen), one.look) < _STILL_THERE:
            return False
        if one.presence == "in-hand":  # the place was seen without it before something else came to lie there
            return True
        return is_late and one.hidden_since_s is not None and not (mask is not None and lies_under(mask, window, fit))

    def _look_of(self, frame: Frame, seen: SeenBase) -> Look:
        assert self._pose is not None
        assert self._overview is not None
        light = None if self._light is None else self._light.at(seen.fit.at_mm, self._overview.window)
        return look_of(frame.image, seen.fit, camera=self._camera, pose=self._pose, light=light)

    def _state_line(self, frame: Frame) -> StateLine:
        assert self._pose is not None
        seen = {id_: one.seen for id_, one in self._roll.standing.items()}
        state = state_of(seen, camera=self._camera, pose=self._pose, layout=self._layout, edition=self._edition)
        return StateLine(t_s=frame.t_s, frame=frame.index, settled_at_s=self._still_since_s, state=state)


def _stand(standing: Mapping[str, Known]) -> dict[str, tuple[Point, Facing | None]]:
    """Where everybody stands, facing where: what a state would tell."""
    return {id_: (one.seen.fit.at_mm, one.seen.facing) for id_, one in standing.items()}
