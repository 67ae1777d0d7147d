"""Track registry: everybody who ever stood on the table, where, and which identities are open.

Facing continuity: who stands where he stood looks as he did, unless his rim says otherwise. Who was moved mostly still
looks into the half that he looked into, after a nudge nearly always: how often is assumed here and not measured, and it
is given as a probability, so that it decides nothing alone.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats, Mask
from models.base import Base
from models.camera import CameraPose
from models.errors import BadInput
from models.timeline import EventLine, Naming
from models.vocabulary import Point
from vision.capture.sources import Frame
from vision.facing.facing_estimate import Facing
from vision.state_assembly import MeasuredBase, assign_ids
from vision.tracking.association import LISTED, NEW, AmbiguousAssociation, Appearance, Association, Track, associate
from vision.tracking.events import detect_motion, distance_mm, has_moved, make_event
from vision.tracking.unit_membership import UnitMembership, group_motion_prior

_SAME_RAD = math.radians(12.0)  # within which two readings are of one facing
_KEPT_IN_NUDGE, _KEPT_IN_MOVE = 0.95, 0.75  # how often the half is kept that one looks into
_OPEN = 12  # questions that wait for an answer; the oldest is given up for the next


@dataclass(frozen=True)
class Question:
    """Question: since `since_s` these places bear the first of these namings; any of them may be right."""

    id: str
    since_s: float
    places_mm: tuple[Point, ...]
    namings: tuple[tuple[str, ...], ...]
    probabilities: tuple[float, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """Everybody who may be concerned."""
        return tuple(sorted({id_ for naming in self.namings for id_ in naming}))

    def renames_by(self, answer: Sequence[str]) -> dict[str, str]:
        """Renames that follow if this naming is right: each wrong name and the right one. Nobody is lost by it.

        Raises: BadInput when it is none of the namings.
        """
        if tuple(answer) not in self.namings:
            known = "; ".join(", ".join(naming) for naming in self.namings)
            raise BadInput(f"{self.id} asks for one of: {known}", field="ids", value=", ".join(answer))
        bearers = self.namings[0]
        renamed = {said: right for said, right in zip(bearers, answer, strict=True) if said != right}
        for id_ in set(renamed.values()) - set(renamed):  # a name that was thought to be elsewhere gives its place up
            end = id_
            sources = {right: said for said, right in renamed.items()}
            while end in sources:
                end = sources[end]
            renamed[id_] = end
        return dict(sorted(renamed.items()))

    def with_renames(self, renamed: Mapping[str, str]) -> "Question":
        """The same question after other renames."""
        namings = tuple(tuple(renamed.get(id_, id_) for id_ in naming) for naming in self.namings)
        return Question(self.id, self.since_s, self.places_mm, namings, self.probabilities)


def name_order(id_: str) -> tuple[float, str]:
    """Names that the tracker gave in their order, then those that players gave."""
    return (int(id_[1:]), "") if id_[:1] == "m" and id_[1:].isdecimal() else (math.inf, id_)


def keep_facing(before: Facing | None, now: Facing | None, *, is_turned: bool) -> Facing | None:
    """Facing of one who did not move. `is_turned`: what stands there looks turned; then only the rim tells."""
    if is_turned or before is None:
        return now
    if now is None:
        return before
    still = [
        rad
        for rad, _ in now.alternatives
        if any(_angle_between_rad(rad, was) < _SAME_RAD for was, _ in before.alternatives)
    ]
    learns = before.is_ambiguous and not now.is_ambiguous
    return before if still and not learns else now


def propagate_facing(before: Facing | None, now: Facing | None, *, is_nudged: bool) -> Facing | None:
    """Facing of one who moved: of several ways those are the likelier that keep the half he looked into."""
    if before is None or now is None or not now.is_ambiguous or now.symmetry != 2:
        return now
    kept = _KEPT_IN_NUDGE if is_nudged else _KEPT_IN_MOVE
    weighed = [(rad, share * _kept_probability(before, rad, kept)) for rad, share in now.alternatives]
    all_, open_ = sum(share for _, share in weighed), sum(share for _, share in now.alternatives)
    ends = sorted(((rad, share / all_ * open_) for rad, share in weighed), key=lambda end: -end[1])
    return replace(now, facing_rad=ends[0][0], hypotheses=tuple(ends))


def _kept_probability(before: Facing, facing_rad: float, kept: float) -> float:
    """How likely one who looked as before looks there now."""
    ends = before.alternatives
    known = sum(p * (kept if _angle_between_rad(was, facing_rad) < math.pi / 2 else 1 - kept) for was, p in ends)
    return known + (1 - sum(p for _, p in ends)) / 2


def _angle_between_rad(a_rad: float, b_rad: float) -> float:
    return abs(math.remainder(a_rad - b_rad, math.tau))


@dataclass(frozen=True)
class ChangeSet:
    """Change set of one update: who was there, what is there now, and who cannot be what.

    `vanished` are those of `touched` whose place was seen without them; the others that are not found are hidden.
    `turned` are those who look turned where they stand, whatever their rims show.
    """

    touched: tuple[str, ...]
    found: tuple[tuple[MeasuredBase, Appearance], ...]
    vanished: frozenset[str]
    excluded: Mask  # (touched, found)
    turned: frozenset[str] = frozenset()


class TrackRegistry:
    """Registry of tracks. Nobody is ever forgotten: who leaves the table may come back."""

    def __init__(self) -> None:
        self.known: dict[str, Track] = {}
        self.questions: dict[str, Question] = {}
        self.expected: Mapping[Base, int] | None = None  # how many of each size, if somebody said so
        self._count = 0
        self._asked = 0
        self._units = UnitMembership()

    @property
    def standing(self) -> dict[str, Track]:
        """Tracks on the table, in the order in which they came."""
        present = (track for track in self.known.values() if track.away_since_s is None)
        return {track.id: track for track in sorted(present, key=lambda track: name_order(track.id))}

    def update(self, frame: Frame, change: ChangeSet, *, pose: CameraPose) -> tuple[EventLine, ...]:
        """Associate what was found and report what happened."""
        is_first = not self.known
        here = [self.known[id_] for id_ in change.touched]
        everyone = [*here, *(track for track in self.known.values() if track.away_since_s is not None)]
        association = self._associate(here, everyone, change)
        ids = self._assign_names(association, change.found)
        events: list[EventLine] = []
        for id_, (seen, appearance), sure in zip(ids, change.found, association.probabilities, strict=True):
            if not is_first:
                is_turned = id_ in change.turned
                events += self._report_motion(frame, id_, seen, pose=pose, confidence=sure, is_turned=is_turned)
            self._update_track(id_, seen, appearance, is_turned=id_ in change.turned)
        for id_ in sorted(set(change.touched) - set(ids), key=name_order):
            events += self._report_absence(frame, id_, is_gone=id_ in change.vanished)
        self._update_units(change, ids)
        asked = [self._ask_question(frame, ambiguity, ids, change) for ambiguity in association.ambiguities]
        return (*events, *asked) if not is_first else ()

    @property
    def in_hand(self) -> tuple[str, ...]:
        """Ids that were lifted since the table was last settled."""
        return tuple(id_ for id_, track in self.standing.items() if track.presence == "in-hand")

    @property
    def hidden(self) -> tuple[str, ...]:
        """Ids that are covered by something, and stand where they stood until their places are seen."""
        return tuple(id_ for id_, track in self.standing.items() if track.presence == "hidden")

    def next_question(self) -> str:
        """A name for one more question."""
        self._asked += 1
        return f"q{self._asked}"

    def record_lift(self, frame: Frame, ids: Sequence[str]) -> tuple[EventLine, ...]:
        """Events, one for each who left his place."""
        fresh = [id_ for id_ in ids if self.known[id_].presence != "in-hand"]
        for id_ in fresh:
            self.known[id_] = replace(self.known[id_], lifted_s=frame.t_s)
        return tuple(make_event(frame, "in-hand", ids=(id_,), from_mm=self.known[id_].seen.fit.at_mm) for id_ in fresh)

    def put_down(self) -> bool:
        """Whether somebody was in a hand; who was not measured elsewhere stands where he stood."""
        lifted = self.in_hand
        for id_ in lifted:
            self.known[id_] = replace(self.known[id_], lifted_s=None)
        return bool(lifted)

    def check_answer(self, question: str, ids: Sequence[str]) -> None:
        """Raises: BadInput when nothing of that name is asked, or this is no answer to it."""
        if question not in self.questions:
            raise BadInput(f"there is no open question {question!r}", field="question", value=question)
        self.questions[question].renames_by(ids)

    def resolve_question(self, frame: Frame, question: str, ids: Sequence[str]) -> tuple[EventLine, ...]:
        """Events that follow when somebody says who stands where a question asks. Raises: BadInput."""
        self.check_answer(question, ids)
        asked = self.questions[question]
        renamed = asked.renames_by(ids)
        del self.questions[question]
        settled = {"question": question, "since_s": asked.since_s, "places_mm": asked.places_mm}
        if not renamed:
            sure = (Naming(ids=tuple(ids), probability=1.0),)
            return (
                make_event(frame, "unsure", ids=asked.ids, namings=sure, detail="settled: as it was told", **settled),
            )
        self._rename(renamed)
        says = "settled: " + ", ".join(f"{said} was {right}" for said, right in renamed.items())
        return (
            make_event(frame, "swapped", ids=tuple(renamed), renamed=renamed, detail=says, confidence=1.0, **settled),
        )

    def _rename(self, renamed: dict[str, str]) -> None:
        old = dict(self.known)
        for said, right in renamed.items():
            if said in old:
                self.known[right] = replace(old[said], id=right)
            else:
                self.known.pop(right, None)
        self._count_ranks((*renamed, *renamed.values()))
        self.questions = {id_: question.with_renames(renamed) for id_, question in self.questions.items()}

    def _associate(self, here: list[Track], everyone: list[Track], change: ChangeSet) -> Association:
        """Those off the table may be anything that was found; common movement concerns those that were on it."""
        excluded = np.zeros((len(everyone), len(change.found)), np.bool_)
        excluded[: len(here)] = change.excluded
        favour = np.zeros(excluded.shape)
        favour[: len(here)] = _motion_prior(here, [seen for seen, _ in change.found])
        fresh = self._new_track_costs([seen.fit.base for seen, _ in change.found])
        return associate(everyone, change.found, excluded=excluded, favour=favour, fresh=fresh)

    def _new_track_costs(self, bases: Sequence[Base]) -> Floats:
        """What it costs to take each for somebody never seen before: more when all of its size are known already."""
        if not self.expected:
            return np.full(len(bases), NEW)
        known: Counter[Base] = Counter(track.seen.fit.base for track in self.known.values())
        return np.array([NEW + (-LISTED if self.expected.get(base, 0) > known[base] else LISTED) for base in bases])

    def _assign_names(
        self, association: Association, detections: Sequence[tuple[MeasuredBase, Appearance]]
    ) -> list[str]:
        """The matched names, and fresh ones in reading order."""
        fresh = [seen for (seen, _), id_ in zip(detections, association.ids, strict=True) if id_ is None]
        order = {id(seen): k for k, seen in enumerate(assign_ids(tuple(fresh)).values(), start=1)}
        ids = [
            f"m{self._count + order[id(seen)]}" if id_ is None else id_
            for (seen, _), id_ in zip(detections, association.ids, strict=True)
        ]
        self._count += len(fresh)
        return ids

    def _report_motion(
        self, frame: Frame, id_: str, seen: MeasuredBase, *, pose: CameraPose, confidence: float, is_turned: bool
    ) -> tuple[EventLine, ...]:
        sure = round(confidence, 3)
        before = self.known.get(id_)
        if before is None:
            return (make_event(frame, "appeared", ids=(id_,), to_mm=seen.fit.at_mm, confidence=sure),)
        if before.away_since_s is not None:
            says = f"back on the table, which it left at {before.away_since_s:.1f} s"
            facts = {"from_mm": before.seen.fit.at_mm, "to_mm": seen.fit.at_mm, "confidence": sure}
            return (make_event(frame, "appeared", ids=(id_,), detail=says, **facts),)
        return detect_motion(
            frame, id_, before.seen, seen, pose=pose, confidence=confidence, lifted_s=before.lifted_s,
            is_turned=is_turned,
        )  # fmt: skip

    def _update_track(self, id_: str, seen: MeasuredBase, appearance: Appearance, *, is_turned: bool) -> None:
        """Where it stands now; what did not move keeps the place it had, and the facing unless its rim says otherwise.

        A facing that was known is known no more when what stands there was turned and its rim cannot be read again.
        """
        before = self.known.get(id_)
        if before is not None and before.away_since_s is None:
            was, now = before.seen.facing, seen.facing
            if before.seen.placement == "by-hand" != seen.placement:
                seen = replace(seen, placement="measured")  # the hand's place ends here
            elif has_moved(before.seen, seen):
                is_nudged = distance_mm(before.seen, seen) < seen.fit.inradius_mm
                seen = replace(seen, facing=propagate_facing(was, now, is_nudged=is_nudged))
            else:
                seen = replace(before.seen, facing=keep_facing(was, now, is_turned=is_turned))
        self.known[id_] = Track(id_, seen, appearance)

    def _update_units(self, change: ChangeSet, ids: Sequence[str]) -> None:
        """Units of what changed: bases that were seen in one block are of one unit."""
        blocks: dict[int, list[str]] = {}
        for id_, (seen, _) in zip(ids, change.found, strict=True):
            if seen.place is not None:
                blocks.setdefault(seen.place.unit, []).append(id_)
        self._units.join(blocks[unit] for unit in sorted(blocks))
        self._count_ranks((*ids, *change.touched))

    def _count_ranks(self, ids: Iterable[str]) -> None:
        """Recounts ranks and files in all units of these."""
        standing = {id_: track.seen for id_, track in self.standing.items()}
        for id_, seen in self._units.assign_ranks(ids, standing).items():
            self.known[id_] = replace(self.known[id_], seen=seen)

    def _report_absence(self, frame: Frame, id_: str, *, is_gone: bool) -> tuple[EventLine, ...]:
        """Gone from the table, or hidden where it stands."""
        track = self.known[id_]
        if not is_gone:
            self.known[id_] = replace(track, hidden_since_s=track.hidden_since_s or frame.t_s)
            return ()
        self.known[id_] = replace(track, away_since_s=frame.t_s, hidden_since_s=None, lifted_s=None)
        return (make_event(frame, "removed", ids=(id_,), from_mm=track.seen.fit.at_mm, lifted_s=track.lifted_s),)

    def _ask_question(
        self, frame: Frame, ambiguity: AmbiguousAssociation, ids: list[str], change: ChangeSet
    ) -> EventLine:
        """A question whose first naming is what was told."""
        bearers = tuple(ids[k] for k in ambiguity.detections)
        question = Question(
            id=self.next_question(),
            since_s=frame.t_s,
            places_mm=tuple(change.found[k][0].fit.at_mm for k in ambiguity.detections),
            namings=(
                bearers,
                *(
                    self._fill_names(hypothesis.ids, ambiguity.hypotheses[0].ids, bearers)
                    for hypothesis in ambiguity.hypotheses[1:]
                ),
            ),
            probabilities=tuple(round(hypothesis.probability, 3) for hypothesis in ambiguity.hypotheses),
        )
        self.questions[question.id] = question
        while len(self.questions) > _OPEN:
            del self.questions[next(iter(self.questions))]
        namings = tuple(
            Naming(ids=naming, probability=share)
            for naming, share in zip(question.namings, question.probabilities, strict=True)
        )
        facts = {"question": question.id, "places_mm": question.places_mm, "namings": namings, "since_s": frame.t_s}
        says = "these look alike and changed together; say which is which"
        return make_event(frame, "unsure", ids=question.ids, confidence=question.probabilities[0], detail=says, **facts)

    def _fill_names(
        self, naming: tuple[str | None, ...], best: tuple[str | None, ...], bearers: tuple[str, ...]
    ) -> tuple[str, ...]:
        """The naming with fresh names for new bases: those of the bearers where the best naming is new there too."""
        spelt = []
        for id_, best_id, told_id in zip(naming, best, bearers, strict=True):
            is_fresh = id_ is None and best_id is not None
            self._count += is_fresh
            spelt.append(f"m{self._count}" if is_fresh else (id_ or told_id))
        return tuple(spelt)


def _motion_prior(old: Sequence[Track], new: Sequence[MeasuredBase]) -> Floats:
    """What common movement says, size by size alike."""
    if not old or not new:
        return np.zeros((len(old), len(new)))
    alike = np.array([[a.seen.fit.base == b.fit.base for b in new] for a in old], np.bool_)
    before, after = (np.array([_facing_rad(base) for base in some]) for some in ([a.seen for a in old], new))
    return group_motion_prior(
        np.array([track.seen.fit.at_mm for track in old]),
        np.array([base.fit.at_mm for base in new]),
        alike,
        after[None] - before[:, None],
    )


def _facing_rad(seen: MeasuredBase) -> float:
    """NaN while it is not known."""
    return np.nan if seen.facing is None or seen.facing.is_ambiguous else seen.facing.facing_rad
