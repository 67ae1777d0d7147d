"""Our follower over one drawn game; what it asks is answered a second later, as a player would."""

import time
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from benchmarks.tracking.games.renderer import frames, layout
from benchmarks.tracking.games.script import Game
from benchmarks.tracking.tracking_score import Score, Seen, add_events, add_frames, is_quiet, truth_at
from models.timeline import EventLine, StateLine
from models.written_book import catalogue_in_play
from vision.capture.sources import Frame
from vision.tracking.history import History
from vision.tracking.tracker import Tracker

_ANSWERED_S = 1.0
_AGAIN_S = 4.0
Lines = list[StateLine | EventLine]


class TrackedGame:
    """A fresh follower of one game, what it said, and what each frame took; it hears the truth where it asks."""

    def __init__(self, game: Game) -> None:
        self.lines: Lines = []
        self.said: list[tuple[float, Seen]] = []
        self.still_ms: list[float] = []
        self.all_ms: list[float] = []
        self._game = game
        self._tracker = Tracker(
            game.eye.camera(),
            layout(game),
            edition="warmachine-prime",
            catalogue=catalogue_in_play("warmachine-prime", None),
        )
        self._seen: Seen = {}
        self._names: dict[str, str] = {}
        self._asked: list[EventLine] = []

    def take(self, frame: Frame) -> None:
        """One more frame."""
        for question in [one for one in self._asked if frame.t_s - one.t_s >= _ANSWERED_S]:
            self._asked.remove(question)
            _answer(self._tracker, question, self._game, self._names)
        began = time.process_time()
        result = self._tracker.update(frame)
        took_ms = round((time.process_time() - began) * 1e3, 2)
        self.all_ms.append(took_ms)
        if result.is_settled and not result.lines and is_quiet(self._game, frame.t_s):
            self.still_ms.append(took_ms)
        for line in result.lines:
            self._keep_line(line)
        self.said.append((frame.t_s, self._seen))

    def _keep_line(self, line: StateLine | EventLine) -> None:
        self.lines.append(line)
        if isinstance(line, StateLine):
            self._seen = {one.id: one.at_mm for one in line.state.miniatures}
            self._names = self._names or _true_names(self._game, self._seen)
        elif line.type == "unsure" and len(line.namings) > 1:
            self._asked.append(line)


@dataclass(frozen=True)
class TrackingResult:
    """What came of one game: as it was told, as it is known once all answers are in, and whether twice the same."""

    score: Score
    answered: Score
    is_same: bool


def track_game(game: Game) -> TrackingResult:
    """One game followed and judged; its first seconds by a second follower, for the same lines to the byte."""
    followed, again = TrackedGame(game), TrackedGame(game)
    for frame in frames(game):
        followed.take(frame)
        if frame.t_s < _AGAIN_S:
            again.take(frame)
    told, known = Score(still_ms=followed.still_ms, all_ms=followed.all_ms), Score()
    add_frames(told, game, followed.said, _unsure_ids(followed.lines))
    add_events(told, game, followed.lines)
    add_frames(known, game, _places_with_hindsight(followed), [])
    is_same = _as_json_lines(again.lines) == _as_json_lines(line for line in followed.lines if line.t_s < _AGAIN_S)
    return TrackingResult(told, known, is_same)


def _true_names(game: Game, seen: Seen) -> dict[str, str]:
    truth = truth_at(game, 0.0)
    return {id_: min(seen, key=lambda name: float(np.hypot(*np.subtract(seen[name], at)))) for id_, at in truth.items()}


def _answer(tracker: Tracker, question: EventLine, game: Game, names: dict[str, str]) -> None:
    """What a player would say who knows where everybody was put."""
    assert question.question is not None
    truth = truth_at(game, question.t_s)
    right = tuple(
        names[min(truth, key=lambda id_: float(np.hypot(*np.subtract(truth[id_], at))))] for at in question.places_mm
    )
    if any(naming.ids == right for naming in question.namings):
        tracker.resolve_identity(question.question, right)


def _unsure_ids(lines: Lines) -> list[tuple[float, set[str]]]:
    return [
        (line.t_s, set(line.ids))
        for line in lines
        if isinstance(line, EventLine) and line.type in ("unsure", "swapped")
    ]


def _places_with_hindsight(followed: TrackedGame) -> list[tuple[float, Seen]]:
    """What the timeline says of every frame when it is read at the end, answers and all."""
    history = History(followed.lines)
    first = next(line.t_s for line in followed.lines if isinstance(line, StateLine))
    return [
        (t_s, {one.id: one.at_mm for one in history.at(t_s).state.miniatures} if t_s >= first else {})
        for t_s, _ in followed.said
    ]


def _as_json_lines(lines: Iterable[StateLine | EventLine]) -> str:
    return "\n".join(line.model_dump_json(exclude_none=True) for line in lines)
