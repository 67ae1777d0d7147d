"""Confirmed bases: what players placed keeps its name, and is looked for by its look once it leaves its place.

Its look is learnt where it was confirmed. While its place looks so it stands there, whatever finders make of it. Else
the changed ground is searched for it; what is not sure is asked once.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.view import View
from models.errors import BadInput
from models.hint import LOUPE_MM, ConfirmedBase
from models.timeline import EventLine, Naming
from models.vocabulary import Point
from vision.candidates import Box
from vision.capture.sources import Frame
from vision.facing.facing_estimate import estimate_facings, facing_of_outline
from vision.hinted_bases import place_by_hand, place_prompt
from vision.measurement.base_fit import BaseFit
from vision.prompted_fit import Prompt, measure_prompt
from vision.rectification.ground_height import GroundMap
from vision.selection.non_maximum_suppression import do_overlap
from vision.state_assembly import MeasuredBase
from vision.tracking.association import (
    PER_MM,
    SURE,
    Appearance,
    Track,
    appearance_cost,
    appearance_distance,
    is_occupied,
)
from vision.tracking.change_detection import change_boxes, is_on_change
from vision.tracking.departures import STILL_THERE, Comparison
from vision.tracking.events import detect_motion, make_event
from vision.tracking.template_search import LookTemplate, TemplateMatch, learn_template, match_template
from vision.tracking.track_registry import ChangeSet, TrackRegistry

_NEAR_MM = 150.0  # searched where nobody knows what changed
_MOST_SEARCHED_MM2 = 4e5
# Log odds of a place against nowhere. Of 60 drawn bases that were put elsewhere, turned, or changed for another, the
# same correlate with their crops by .78 and more and look 5 levels unlike at most, others by .75 and 14.
_CORRELATION_WEIGHT, _EVEN_CORRELATION = 20.0, 0.6
_UNMOVED_LOG_ODDS = -1.0  # of the old place, which looks otherwise now
_LIKELY, _LEAST_ASKED = 0.5, 0.05
_MATCH_SIGMA_MM = 2.0  # per axis, of a place that the crop alone gives


@dataclass(frozen=True)
class _Taken:
    """What a player's word made of the tracks."""

    word: ConfirmedBase
    placed: MeasuredBase
    before: Track | None
    displaced: tuple[Track, ...]


@dataclass(frozen=True)
class _Place:
    """A place where a base may stand now, how it looks there, and how likely that is."""

    seen: MeasuredBase
    appearance: Appearance
    probability: float


@dataclass(frozen=True)
class PlaceQuestion:
    """Question: since `since_s` this base stands at one of these places, or is off the table.

    `said` is what the states say meanwhile: one of the places, or None.
    """

    id: str
    since_s: float
    of: str
    places: tuple[_Place, ...]
    said: int | None

    def namings(self) -> tuple[Naming, ...]:
        """Each place with its probability, and nowhere; what is said meanwhile first."""
        named = [
            Naming(ids=self.ids_at(k), probability=round(place.probability, 3)) for k, place in enumerate(self.places)
        ]
        nowhere = max(0.0, 1.0 - sum(place.probability for place in self.places))
        away = Naming(ids=self.ids_at(None), probability=round(nowhere, 3))
        said = away if self.said is None else named[self.said]
        others = sorted((naming for naming in (*named, away) if naming is not said), key=lambda each: -each.probability)
        return (said, *others)

    def ids_at(self, at: int | None) -> tuple[str | None, ...]:
        """The naming by which it stands at this place; None: nowhere."""
        return tuple(self.of if k == at else None for k in range(len(self.places)))

    def facts(self) -> dict[str, object]:
        """Fields of its lines."""
        places_mm = tuple(place.seen.fit.at_mm for place in self.places)
        return {"ids": (self.of,), "question": self.id, "places_mm": places_mm, "since_s": self.since_s}


class ConfirmedBases:
    """Bases of which players say where they stand; part of what a tracker hands on."""

    def __init__(self) -> None:
        self._confirmed: tuple[ConfirmedBase, ...] = ()
        self._taken: dict[str, _Taken] = {}
        self._templates: dict[str, LookTemplate] = {}
        self.questions: dict[str, PlaceQuestion] = {}

    @property
    def confirmed(self) -> tuple[ConfirmedBase, ...]:
        """All words that hold; setting others has them taken at the next look at a table at rest."""
        return self._confirmed

    @confirmed.setter
    def confirmed(self, confirmed: Iterable[ConfirmedBase]) -> None:
        self._confirmed = tuple(confirmed)

    @property
    def has_news(self) -> bool:
        """Whether the tracks do not follow the words yet."""
        taken = {id_: taken.word.step for id_, taken in self._taken.items()}
        return {word.id: word.step for word in self._confirmed} != taken

    def follow_confirmed(self, scene: Comparison, registry: TrackRegistry, *, view: View) -> None:
        """Tracks follow the words: what was taken back is as it was, what is new stands where it was said to."""
        holding = {word.id: word for word in self._confirmed}
        for id_, taken in list(self._taken.items()):
            if id_ not in holding or holding[id_].step != taken.word.step:
                self._take_back(id_, registry, is_replaced=id_ in holding)
        for id_, word in holding.items():
            if id_ not in self._taken:
                self._place(word, scene, registry, view=view)

    def _take_back(self, id_: str, registry: TrackRegistry, *, is_replaced: bool) -> None:
        """As it was before the word, unless it was seen elsewhere since."""
        taken, track = self._taken.pop(id_), registry.known.get(id_)
        if is_replaced or track is None or track.away_since_s is not None:
            return
        if track.seen.fit.at_mm != taken.placed.fit.at_mm:
            return
        self._templates.pop(id_, None)
        del registry.known[id_]
        for other in (*taken.displaced, *((taken.before,) if taken.before else ())):
            registry.known.setdefault(other.id, other)

    def _place(self, word: ConfirmedBase, scene: Comparison, registry: TrackRegistry, *, view: View) -> None:
        try:
            prompt = place_prompt(at_mm=word.at_mm, at_px=None, sigma_mm=max(word.sigma_mm, LOUPE_MM), view=view)
        except BadInput:  # of a table that was larger
            self._confirmed = tuple(other for other in self._confirmed if other is not word)
            return
        if word.turn_deg is not None:
            prompt = replace(prompt, turn_rad=math.radians(word.turn_deg))
        standing = registry.standing
        others = [track for id_, track in standing.items() if id_ != word.id]
        own = [track.seen.fit for track in others if track.id in self._taken]
        seen = _measure(scene, prompt, word, own, view=view)
        displaced = tuple(t for t in others if t.id not in self._taken and do_overlap(t.seen.fit, seen.fit))
        for track in displaced:
            del registry.known[track.id]
        self._taken[word.id] = _Taken(word, seen, standing.get(word.id), displaced)
        self._templates[word.id] = learn_template(scene.image, seen.fit, view=view)
        registry.known[word.id] = Track(word.id, seen, scene.describe(seen))

    def keep_unchanged(
        self, scene: Comparison, touched: Sequence[str], came: Sequence[MeasuredBase], standing: Mapping[str, Track]
    ) -> tuple[MeasuredBase, ...]:
        """What came, with each of the touched that looks as it did; what finders see upon it is of another size."""
        kept = list(came)
        for id_ in touched:
            track = standing[id_]
            if id_ not in self._templates:
                continue
            if appearance_distance(scene.describe(track.seen), track.appearance) >= STILL_THERE:
                continue
            upon = [base for base in kept if is_occupied(track.seen, by=(base,))]
            kept = [base for base in kept if base not in upon or base.fit.base == track.seen.fit.base]
            if not any(base.fit.base == track.seen.fit.base for base in upon):
                kept.append(track.seen)
        return tuple(kept)

    def search_departed(
        self, scene: Comparison, change: ChangeSet, standing: Mapping[str, Track], *, view: View
    ) -> dict[str, tuple[_Place, ...]]:
        """Where each that left its place and was not found may stand now, likeliest first."""
        gone = [id_ for id_ in change.touched if id_ in self._templates and id_ in change.vanished]
        return {
            id_: self._search(scene, standing[id_], change, standing, view=view)
            for id_ in gone
            if not any(_looks_like(standing[id_], seen, appearance) for seen, appearance in change.found)
        }

    def _search(
        self, scene: Comparison, track: Track, change: ChangeSet, standing: Mapping[str, Track], *, view: View
    ) -> tuple[_Place, ...]:
        fit = track.seen.fit
        others = [other for id_, other in standing.items() if id_ not in change.touched]
        weighed: list[tuple[float, MeasuredBase, Appearance]] = []
        for match in match_template(scene.image, self._templates[track.id], fit, _boxes(scene, fit), view=view):
            moved = replace(fit, at_mm=match.at_mm)
            if scene.mask is not None and not is_on_change(scene.mask, scene.window, moved):
                continue
            seen = _measure_match(scene, track, match, view=view)
            if not _is_on_table(seen.fit, view) or is_occupied(seen, by=others):
                continue
            appearance = scene.describe(seen)
            unlike = appearance_cost(appearance_distance(appearance, track.appearance))
            far_mm = math.dist(fit.at_mm, match.at_mm)
            log_odds = _CORRELATION_WEIGHT * (match.correlation - _EVEN_CORRELATION) - unlike - PER_MM * far_mm
            weighed.append((math.exp(log_odds), seen, appearance))
        if track.seen.placement == "by-hand":
            weighed.append((math.exp(_UNMOVED_LOG_ODDS), track.seen, track.appearance))
        whole = 1.0 + sum(odds for odds, _, _ in weighed)
        ranked = sorted(weighed, key=lambda each: -each[0])
        return tuple(_Place(seen, appearance, odds / whole) for odds, seen, appearance in ranked)

    def ask(
        self, frame: Frame, searched: Mapping[str, tuple[_Place, ...]], registry: TrackRegistry
    ) -> tuple[EventLine, ...]:
        """A question for each of which it is not sure where it stands; none while one of it is open."""
        asked = []
        for id_, places in searched.items():
            listed = tuple(place for place in places if place.probability >= _LEAST_ASKED)
            if not listed or listed[0].probability >= SURE or self._question_of(id_) is not None:
                continue
            track = registry.known[id_]
            said = None
            if track.away_since_s is None:
                said = next((k for k, place in enumerate(listed) if place.seen.fit.at_mm == track.seen.fit.at_mm), None)
            question = PlaceQuestion(registry.next_question(), frame.t_s, id_, listed, said)
            self.questions[question.id] = question
            namings, says = question.namings(), "its place changed, and it may stand elsewhere; say where"
            facts = question.facts() | {"namings": namings, "confidence": namings[0].probability, "detail": says}
            asked.append(make_event(frame, "unsure", **facts))
        return tuple(asked)

    def settle_found(self, frame: Frame, events: Iterable[EventLine]) -> tuple[EventLine, ...]:
        """What ends with these events: questions about who was seen to move, or to come back."""
        seen = {id_ for event in events if event.type in ("moved", "appeared") for id_ in event.ids}
        questions = (self._question_of(id_) for id_ in sorted(seen))
        return tuple(self._settle(frame, question, question.said) for question in questions if question is not None)

    def check_answer(self, question: str, ids: Sequence[str | None]) -> None:
        """Raises: BadInput when this is no answer to it."""
        if tuple(ids) not in {naming.ids for naming in self.questions[question].namings()}:
            raise BadInput(f"{question} asks where {self.questions[question].of} stands", field="ids", value=list(ids))

    def resolve(
        self, frame: Frame, question: str, ids: Sequence[str | None], registry: TrackRegistry, *, view: View
    ) -> tuple[EventLine, ...]:
        """Events that follow when somebody says where it stands. Raises: BadInput."""
        self.check_answer(question, ids)
        asked = self.questions[question]
        at = next((k for k, id_ in enumerate(ids) if id_ is not None), None)
        settled = self._settle(frame, asked, at)
        track = registry.known.get(asked.of)
        if track is None or at == asked.said:
            return (settled,)
        if at is None:
            registry.known[track.id] = replace(track, away_since_s=frame.t_s, hidden_since_s=None, lifted_s=None)
            return settled, make_event(frame, "removed", ids=(track.id,), from_mm=track.seen.fit.at_mm)
        place = asked.places[at]
        registry.known[track.id] = Track(track.id, place.seen, place.appearance)
        return settled, *detect_motion(frame, track.id, track.seen, place.seen, pose=view.pose, confidence=1.0)

    def _settle(self, frame: Frame, question: PlaceQuestion, at: int | None) -> EventLine:
        del self.questions[question.id]
        sure = (Naming(ids=question.ids_at(at), probability=1.0),)
        return make_event(frame, "unsure", namings=sure, detail="settled", **question.facts())

    def _question_of(self, id_: str) -> PlaceQuestion | None:
        return next((question for question in self.questions.values() if question.of == id_), None)

    def is_asked_about(self, id_: str) -> bool:
        """Whether a question about its place is open."""
        return self._question_of(id_) is not None


def likely_places(searched: Mapping[str, tuple[_Place, ...]], standing: Mapping[str, Track]) -> list[MeasuredBase]:
    """Where those stand of which one new place is likelier than all else."""
    return [
        places[0].seen
        for id_, places in searched.items()
        if places and places[0].probability >= _LIKELY and places[0].seen is not standing[id_].seen
    ]


def placed_by_hand(
    searched: Mapping[str, tuple[_Place, ...]], standing: Mapping[str, Track], likely: Sequence[MeasuredBase]
) -> frozenset[str]:
    """Those of the searched that stand where a hand placed them until somebody says otherwise."""
    matched = {
        id_ for id_, places in searched.items() if any(place.seen is seen for place in places for seen in likely)
    }
    return frozenset(id_ for id_ in searched.keys() - matched if standing[id_].seen.placement == "by-hand")


def _measure(
    scene: Comparison, prompt: Prompt, word: ConfirmedBase, taken: Sequence[BaseFit], *, view: View
) -> MeasuredBase:
    """The base that was pointed at: as its rim leads, else as the hand placed it."""
    sizes = measure_prompt(scene.image, prompt, (word.base,), log_priors={}, view=view)
    fit = next((sized.fit for sized in sizes if sized.is_measured), None)
    if fit is None or any(do_overlap(fit, other) for other in taken):
        by_hand = place_by_hand(replace(prompt, sigma_mm=word.sigma_mm), word.base)
        return MeasuredBase(replace(by_hand, turn_rad=prompt.turn_rad or 0.0), None, placement="by-hand")
    (facing,) = estimate_facings(scene.image, [fit], view=view)
    return MeasuredBase(fit, facing or facing_of_outline(fit), placement="measured")


def _measure_match(scene: Comparison, track: Track, match: TemplateMatch, *, view: View) -> MeasuredBase:
    """The base at a place that looks like it: as its rim leads there, else as its crop lies."""
    was = track.seen.fit
    sigma_mm = math.sqrt(float(np.trace(was.covariance_mm2)) / 2 + _MATCH_SIGMA_MM**2)
    turn_rad = was.turn_rad + match.turned_rad
    prompt = Prompt(match.at_mm, GroundMap(view.layout).under(match.at_mm), sigma_mm, turn_rad=turn_rad)
    sizes = measure_prompt(scene.image, prompt, (was.base,), log_priors={}, view=view)
    fit = next((sized.fit for sized in sizes if sized.is_measured), None)
    if fit is None:
        fit = replace(place_by_hand(prompt, was.base), covariance_mm2=np.eye(2) * sigma_mm**2, turn_rad=turn_rad)
        return MeasuredBase(fit, None, placement="measured")
    (facing,) = estimate_facings(scene.image, [fit], view=view)
    return MeasuredBase(fit, facing or facing_of_outline(fit), placement="measured")


def _boxes(scene: Comparison, fit: BaseFit) -> tuple[Box, ...]:
    """Where it is looked for: about its old place, and where something changed, the nearest first."""
    (x, y) = fit.at_mm
    if scene.mask is None:
        return ((x - _NEAR_MM, y - _NEAR_MM, x + _NEAR_MM, y + _NEAR_MM),)
    boxes: list[Box] = []
    searched_mm2 = 0.0
    for box in sorted(change_boxes(scene.mask, scene.window), key=lambda box: _distance_mm(box, fit.at_mm)):
        searched_mm2 += (box[2] - box[0]) * (box[3] - box[1])
        if boxes and searched_mm2 > _MOST_SEARCHED_MM2:
            break
        boxes.append(box)
    return tuple(boxes)


def _distance_mm(box: Box, at_mm: Point) -> float:
    (x0, y0, x1, y1), (x, y) = box, at_mm
    return math.hypot(max(x0 - x, x - x1, 0.0), max(y0 - y, y - y1, 0.0))


def _is_on_table(fit: BaseFit, view: View) -> bool:
    return all(0.0 <= at <= side for at, side in zip(fit.at_mm, view.table_mm, strict=True))


def _looks_like(track: Track, seen: MeasuredBase, appearance: Appearance) -> bool:
    return seen.fit.base == track.seen.fit.base and appearance_distance(appearance, track.appearance) < STILL_THERE
