"""Following a game: identities, happenings, how soon; beside ultralytics' trackers where they are installed.

Thirteen drawn games that really move (`benchmarks/games`), each with what truly happened; questions that the follower
asks are answered a second later, as a player would, and are scored before and after. Frames count in which no hand was
over the table for a second. Then hands over a real board, when the folder with its frames is given.

    python -m benchmarks.following [--seeds 1,2,3] [--only swap,tray] [--hands FOLDER]
"""

import argparse
import itertools
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from benchmarks import hands, tracking
from benchmarks.followed import Score, Seen, add_events, add_frames, is_quiet, truth_at
from benchmarks.games.library import GAMES
from benchmarks.games.painter import frames, layout
from benchmarks.games.script import Game
from models.base import catalogue_of
from models.timeline import EventLine, StateLine
from vision.history import History
from vision.sources import Frame
from vision.watching import Watcher

_ANSWERED_S = 1.0
_CONFIDENCES = (0.25, 0.4, 0.6)


@dataclass
class Followed:
    """What our follower said of one game, and what each frame took."""

    lines: list[StateLine | EventLine] = field(default_factory=list)
    said: list[tuple[float, Seen]] = field(default_factory=list)
    idle_ms: list[float] = field(default_factory=list)
    all_ms: list[float] = field(default_factory=list)


def main() -> None:
    arguments = _arguments()
    cv2.setNumThreads(1)
    games = [make(seed) for seed in arguments.seeds for name, make in GAMES.items() if name in arguments.only]
    _print_ours(games)
    if tracking.is_installed() and not arguments.without_trackers:
        _print_trackers(games)
    else:
        print("ultralytics is not compared: install the extra `train`, and do not ask to leave it out")
    if arguments.hands is not None:
        print(hands.report(arguments.hands))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=lambda text: [int(one) for one in text.split(",")], default=[1])
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(GAMES))
    parser.add_argument("--hands", type=Path, help="frames of a flattened board, NNN in their names")
    parser.add_argument("--without-trackers", action="store_true")
    return parser.parse_args()


def _print_ours(games: list[Game]) -> None:
    total, corrected = Score(), Score()
    idle: list[float] = []
    print(
        f"{'game':14}{'switches':>9}{'silent':>7}{'IDF1':>7}{'answered':>9}{'told once':>10}{'extra':>6}{'asked':>6}",
        f"{'in hand':>8}{'settled s':>10}{'again':>7}",
    )
    for game in games:
        followed, again = follow(game), follow(game, most_s=4.0)
        one, right = Score(), Score()
        for score in (one, total):
            add_frames(score, game, followed.said, unsure_of(followed.lines))
            add_events(score, game, followed.lines)
        for score in (right, corrected):
            add_frames(score, game, as_known_now(followed), [])
        idle += followed.idle_ms
        is_same = _bytes(again.lines) == _bytes(line for line in followed.lines if line.t_s < 4.0)
        print(_row(game.name, one, right) + f"{'same' if is_same else 'OTHER':>7}", flush=True)
        for wrong in (*one.missing, *one.extra):
            print(f"    {wrong}")
    print(_row("all", total, corrected))
    waits = np.array(total.waits_s)
    print(
        f"settled after the hand left the table: median {np.median(waits):.2f} s, p95 {np.percentile(waits, 95):.2f} s"
    )
    print(
        f"a still table at 1080p: {np.mean(idle):.1f} ms of one core a frame (median {np.median(idle):.1f}),"
        " decoding apart"
    )


def _row(name: str, score: Score, right: Score) -> str:
    waits = f"{np.median(score.waits_s):.2f}" if score.waits_s else "-"
    return (
        f"{name:14}{score.switches:9d}{score.silent:7d}{score.idf1:7.3f}{right.idf1:9.3f}"
        f"{score.once:7d}/{score.wanted:<2d}{len(score.extra):6d}{score.unsure:6d}{score.lifted:6d}/{score.lifts:<2d}{waits:>10}"
    )


def follow(game: Game, *, most_s: float = 1e9) -> Followed:
    """The whole game through a fresh follower; what it asks is answered by the truth."""
    table = layout(game)
    watcher = Watcher(
        game.eye.camera(), table, edition="warmachine-prime", catalogue=catalogue_of(("warmachine-prime",))
    )
    followed, seen = Followed(), Seen()
    names: dict[str, str] = {}
    asked: list[EventLine] = []
    for frame in itertools.takewhile(lambda one: one.t_s < most_s, frames(game)):
        for question in [one for one in asked if frame.t_s - one.t_s >= _ANSWERED_S]:
            asked.remove(question)
            _answer(watcher, question, game, names)
        began = time.process_time()
        glance = watcher.look(frame)
        took_ms = (time.process_time() - began) * 1e3
        followed.all_ms.append(took_ms)
        if glance.is_settled and not glance.lines and is_quiet(game, frame.t_s):
            followed.idle_ms.append(took_ms)
        for line in glance.lines:
            followed.lines.append(line)
            if isinstance(line, StateLine):
                seen = {one.id: one.at_mm for one in line.state.miniatures}
                names = names or _true_names(game, seen)
            elif line.type == "unsure" and len(line.namings) > 1:
                asked.append(line)
        followed.said.append((frame.t_s, seen))
    return followed


def _true_names(game: Game, seen: Seen) -> dict[str, str]:
    truth = truth_at(game, 0.0)
    return {id_: min(seen, key=lambda name: float(np.hypot(*np.subtract(seen[name], at)))) for id_, at in truth.items()}


def _answer(watcher: Watcher, question: EventLine, game: Game, names: dict[str, str]) -> None:
    """What a player would say who knows where everybody was put."""
    assert question.question is not None
    truth = truth_at(game, question.t_s)
    right = tuple(
        names[min(truth, key=lambda id_: float(np.hypot(*np.subtract(truth[id_], at))))] for at in question.places_mm
    )
    if any(naming.ids == right for naming in question.namings):
        watcher.answer(question.question, right)


def unsure_of(lines: Iterable[StateLine | EventLine]) -> list[tuple[float, set[str]]]:
    return [
        (line.t_s, set(line.ids))
        for line in lines
        if isinstance(line, EventLine) and line.type in ("unsure", "swapped")
    ]


def as_known_now(followed: Followed) -> list[tuple[float, Seen]]:
    """What the timeline says of every frame when it is read at the end, answers and all."""
    history = History(followed.lines)
    first = next(line.t_s for line in followed.lines if isinstance(line, StateLine))
    return [
        (t_s, {one.id: one.at_mm for one in history.at(t_s).state.miniatures} if t_s >= first else {})
        for t_s, _ in followed.said
    ]


def _bytes(lines: Iterable[StateLine | EventLine]) -> str:
    return "\n".join(line.model_dump_json(exclude_none=True) for line in lines)


def _print_trackers(games: list[Game]) -> None:
    """Both trackers, each with the least confidence that serves it best on these very games."""
    import torch

    torch.set_num_threads(1)
    print(f"\n{'ultralytics track':26}{'conf':>6}{'switches':>9}{'IDF1':>7}{'ms a frame':>12}")
    shots = {id(game): list(frames(game)) for game in games[:1]}
    for tracker in tracking.TRACKERS:
        rows = [(least, *_tracker(games[:1], tracker, least, shots)) for least in _CONFIDENCES]
        best = max(rows, key=lambda row: row[1].idf1)[0]
        score, ms = _tracker(games, tracker, best, {})
        print(f"{tracker:26}{best:6.2f}{score.switches:9d}{score.idf1:7.3f}{ms:12.1f}", flush=True)


def _tracker(games: list[Game], tracker: str, least: float, shots: dict[int, list[Frame]]) -> tuple[Score, float]:
    score, took = Score(), []
    for game in games:
        source = shots.get(id(game)) or frames(game)
        rows = list(
            tracking.tracked(source, camera=game.eye.camera(), layout=layout(game), tracker=tracker, least=least)
        )
        add_frames(score, game, [(t_s, seen) for t_s, seen, _ in rows], [])
        took += [took_s for _, _, took_s in rows[1:]]
    return score, float(np.mean(took)) * 1e3


if __name__ == "__main__":
    main()
