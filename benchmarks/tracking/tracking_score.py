"""How well somebody followed a drawn game: identities, happenings, how soon; from what was said at each frame."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields

import numpy as np

from benchmarks.tracking.games.script import Game, Happening
from models.timeline import EventLine, StateLine
from vision.tracking.linear_assignment import linear_assignment

NEAR_MM = 12.0  # nearer than any two bases' centres can be
_QUIET_S = 1.0  # after a hand has left, from when on what is said must be true
Seen = dict[str, tuple[float, float]]
HAPPENINGS = ("moved", "turned", "removed", "appeared", "camera-moved", "swapped")


@dataclass
class Score:
    """Of one game, or the sum of several."""

    right: int = 0  # bases of all frames that bear the name which serves their miniature best
    true: int = 0
    said: int = 0
    switches: int = 0
    silent: int = 0
    wanted: int = 0
    once: int = 0
    extra: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    waits_s: list[float] = field(default_factory=list)
    unsure: int = 0
    lifts: int = 0
    lifted: int = 0
    way_off_mm: list[float] = field(default_factory=list)  # of each place where somebody was seen on his way
    way_off_sigmas: list[float] = field(default_factory=list)
    ways: int = 0  # moves with at least one such place
    still_ms: list[float] = field(default_factory=list)  # of one core, for each frame in which nothing happens
    all_ms: list[float] = field(default_factory=list)

    @property
    def idf1(self) -> float:
        """Twice the bases rightly named, over all that are true and all that are said."""
        return 2 * self.right / max(1, self.true + self.said)


def sum_scores(scores: Iterable[Score]) -> Score:
    """The sum, figure by figure."""
    whole = Score()
    for score in scores:
        for one in fields(Score):
            setattr(whole, one.name, getattr(whole, one.name) + getattr(score, one.name))
    return whole


def truth_at(game: Game, t_s: float) -> Seen:
    """Who stands where; None of it is said while somebody moves something."""
    rows = {one.id: game.where[one.id].at(t_s).tolist() for one in game.pieces}
    return {id_: (row[0], row[1]) for id_, row in rows.items() if row[4] >= 1}


def is_quiet(game: Game, t_s: float) -> bool:
    """Whether no hand is over the table and none was lately, nor has the game just begun."""
    return t_s >= _QUIET_S and not any(from_s <= t_s < to_s + _QUIET_S for _, _, from_s, to_s, _ in game.hands)


def add_frames(score: Score, game: Game, said: list[tuple[float, Seen]], unsure: list[tuple[float, set[str]]]) -> None:
    """Compare what is said at each quiet frame with what is true. `said`: (t_s, places by name) of every frame."""
    last: dict[str, str] = {}
    together: Counter[tuple[str, str]] = Counter()
    for t_s, seen in said:
        if not is_quiet(game, t_s):
            continue
        truth = truth_at(game, t_s)
        score.true += len(truth)
        score.said += len(seen)
        for id_, name in _pairs(truth, seen):
            together[id_, name] += 1
            if last.setdefault(id_, name) != name:
                score.switches += 1
                told = any({name, last[id_]} & names and when <= t_s for when, names in unsure)
                score.silent += not told
                last[id_] = name
    score.right += _count_best_naming(together)


def _count_best_naming(together: Counter[tuple[str, str]]) -> int:
    """In how many frames the best naming of all tracks is right."""
    ids, names = (sorted({pair[k] for pair in together}) for k in (0, 1))
    count = np.array([[float(together[a, b]) for b in names] for a in ids]).reshape(len(ids), len(names))
    return int(sum(count[i, j] for i, j in linear_assignment(-count)))


def _pairs(truth: Seen, seen: Seen) -> list[tuple[str, str]]:
    ids, names = sorted(truth), sorted(seen)
    far = np.array([[math.dist(truth[a], seen[b]) for b in names] for a in ids]).reshape(len(ids), len(names))
    return [(ids[i], names[j]) for i, j in linear_assignment(np.minimum(far, 1e3)) if far[i, j] < NEAR_MM]


def add_events(score: Score, game: Game, lines: list[StateLine | EventLine]) -> None:
    """Each happening must be told once, and nothing else."""
    names = _names(game, lines)
    told = [line for line in lines if isinstance(line, EventLine) and line.type in HAPPENINGS and not line.question]
    score.unsure += sum(line.type == "unsure" for line in lines)
    for happening in game.happenings:
        score.wanted += 1
        match = next((line for line in told if _is_match(happening, line, names)), None)
        if match is None:
            score.missing.append(f"{game.name}: {happening.kind} {' '.join(happening.ids)}")
            continue
        told.remove(match)
        score.once += 1
        _add_travel_errors(score, game, happening, match)
        if happening.kind != "camera-moved":
            score.waits_s.append(_first_known_s(happening, lines) - happening.at_s)
    told += _add_lifts(score, game, lines, names)
    score.extra += [f"{game.name}: {line.type} {' '.join(line.ids)} at {line.t_s:.1f} s" for line in told]


def _add_travel_errors(score: Score, game: Game, happening: Happening, line: EventLine) -> None:
    """How far off the places are where it was seen on its way, lifted or not."""
    score.ways += bool(line.path)
    for one in line.path:
        x, y = game.where[happening.ids[0]].at(one.t_s)[:2].tolist()
        score.way_off_mm.append(math.dist((x, y), one.at_mm))
        score.way_off_sigmas.append(score.way_off_mm[-1] / one.sigma_mm)


def _add_lifts(score: Score, game: Game, lines: list[StateLine | EventLine], names: dict[str, str]) -> list[EventLine]:
    """Who was in a hand is told once where it can be seen; what is told beyond that."""
    told = [line for line in lines if isinstance(line, EventLine) and line.type == "in-hand"]
    for id_, from_s, to_s in game.lifts:
        score.lifts += 1
        match = next((line for line in told if line.ids == (names[id_],) and from_s <= line.t_s <= to_s + 1), None)
        if match is not None:
            told.remove(match)
            score.lifted += 1
    return told


def _names(game: Game, lines: list[StateLine | EventLine]) -> dict[str, str]:
    """What everybody was called at first."""
    first = next(line for line in lines if isinstance(line, StateLine))
    return dict(_pairs(truth_at(game, 0.0), {one.id: one.at_mm for one in first.state.miniatures}))


def _is_match(happening: Happening, line: EventLine, names: dict[str, str]) -> bool:
    if line.type != happening.kind or not happening.at_s - 0.7 <= line.t_s <= happening.at_s + 2.5:
        return False
    if happening.to_mm and line.to_mm and math.dist(happening.to_mm, line.to_mm) > NEAR_MM:
        return False
    return happening.may_be_unsure or tuple(names.get(id_, id_) for id_ in happening.ids) == line.ids


def _first_known_s(happening: Happening, lines: list[StateLine | EventLine]) -> float:
    """When a state first held what happened."""
    for line in lines:
        if isinstance(line, StateLine) and line.t_s >= happening.at_s - 0.7:
            near = [one for one in line.state.miniatures if math.dist(one.at_mm, happening.to_mm or (0, 0)) < NEAR_MM]
            if near or happening.to_mm is None:
                return line.t_s
    return math.inf
