"""Following a game: identities, happenings, how soon; beside ultralytics' trackers where they are installed.

Thirteen drawn games that really move (`benchmarks/tracking/games`), each with what truly happened; questions that the
follower asks are answered a second later, as a player would, and are scored before and after. Frames count in which
no hand was over the table for a second. Then hands over a real board, when the folder with its frames is given. A row
is printed as soon as it is known; with `--done FILE` it is kept there too, and a run that was cut off goes on where
it was.

    python -m benchmarks.tracking.tracking_accuracy [--seeds 1,2,3] [--only swap,tray] [--done FILE] [--hands FOLDER]

The trackers get the weights that ship here, which our follower does not need, and each the least confidence that serves
it best on the first game. Milliseconds are of one core, straightening the picture included, decoding apart; those of a
still table are of frames in which nothing happens.
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
import typer

from benchmarks.harness import keep_rows, read_rows, run
from benchmarks.tracking import hand_detection_board, ultralytics_baseline
from benchmarks.tracking.games.library import GAMES
from benchmarks.tracking.games.renderer import frames, layout
from benchmarks.tracking.games.script import Game
from benchmarks.tracking.our_tracker import TrackingResult, track_game
from benchmarks.tracking.tracking_score import Score, add_frames, is_quiet, sum_scores

_CONFIDENCES = (0.25, 0.4, 0.6)


class ResultFile:
    """What was worked out so far, on disk where a file is named: a line for each result."""

    def __init__(self, path: Path | None) -> None:
        self._path, self._known = path, {row["key"]: row for row in read_rows(path)}

    def get(self, key: str, work_out: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """What an earlier run found, or what is found now."""
        if key not in self._known:
            self._known[key] = {"key": key, **work_out()}
            keep_rows(self._path, [self._known[key]])
        return dict(self._known[key])


def main(
    seeds: str = "1,2,3",
    only: str = ",".join(GAMES),
    done: Annotated[Path | None, typer.Option(help="keep each result here, and go on from there")] = None,
    hands: Annotated[Path | None, typer.Option(help="frames of a flattened board, NNN in their names")] = None,
    without_trackers: bool = False,
) -> None:
    cv2.setNumThreads(1)
    games = {f"{name}/{seed}": GAMES[name](seed) for seed in map(int, seeds.split(",")) for name in only.split(",")}
    results = ResultFile(done)
    wanted = ultralytics_baseline.is_installed() and not without_trackers
    mine = _print_ours(games, results)
    if wanted:
        _print_trackers(games, results, mine)
    else:
        print("ultralytics is not compared: install the extra `train`, and do not ask to leave it out")
    if hands is not None:
        print(hand_detection_board.report(hands))


def _print_ours(games: dict[str, Game], done: ResultFile) -> Score:
    """A row for each game, and the sum of all."""
    print(
        f"{'game':16}{'switches':>9}{'silent':>7}{'IDF1':>7}{'answered':>9}{'told once':>10}{'extra':>6}{'asked':>6}",
        f"{'in hand':>8}{'settled s':>10}{'again':>7}",
    )
    told, known = [], []
    for name, game in games.items():
        found = done.get(f"ours {name}", partial(_track, game))
        one = TrackingResult(Score(**found["score"]), Score(**found["answered"]), found["is_same"])
        told.append(one.score)
        known.append(one.answered)
        print(_format_row(name, one.score, one.answered) + f"{'same' if one.is_same else 'OTHER':>7}", flush=True)
        for wrong in one.score.missing:
            print(f"    not told: {wrong}")
        for wrong in one.score.extra:
            print(f"    told too much: {wrong}")
    whole = sum_scores(told)
    print(_format_row("all", whole, sum_scores(known)))
    waits = np.array(whole.waits_s)
    print(
        f"settled after the hand left the table: median {np.median(waits):.2f} s, p95 {np.percentile(waits, 95):.2f} s"
    )
    print(_format_travel_errors(whole))
    print(
        f"a still table at 1080p: {_format_ms(whole.still_ms)}; all frames: {_format_ms(whole.all_ms)}; decoding apart"
    )
    return whole


def _format_travel_errors(whole: Score) -> str:
    """How well is told where somebody was seen on his way."""
    if not whole.ways:
        return "nobody was seen on his way"
    off, sigmas = np.array(whole.way_off_mm), np.array(whole.way_off_sigmas)
    return (
        f"seen on their way: {whole.ways} moves, {len(off)} places, off by {np.sqrt((off**2).mean()):.1f} mm RMS, "
        f"worst {off.max():.1f}; {np.sqrt((sigmas**2).mean() / 2):.2f} sigmas RMS"
    )


def _track(game: Game) -> dict[str, Any]:
    return asdict(track_game(game))


def _format_row(name: str, score: Score, right: Score) -> str:
    waits = f"{np.median(score.waits_s):.2f}" if score.waits_s else "-"
    return (
        f"{name:16}{score.switches:9d}{score.silent:7d}{score.idf1:7.3f}{right.idf1:9.3f}"
        f"{score.once:7d}/{score.wanted:<2d}{len(score.extra):6d}{score.unsure:6d}"
        f"{score.lifted:6d}/{score.lifts:<2d}{waits:>10}"
    )


def _format_ms(each_ms: Iterable[float]) -> str:
    values = np.array(list(each_ms))
    return f"{values.mean():.1f} ms of one core a frame (median {np.median(values):.1f})"


def _print_trackers(games: dict[str, Game], done: ResultFile, mine: Score) -> None:
    """Both trackers, game by game, and how much more each costs on a still table than ours."""
    import torch

    torch.set_num_threads(1)
    print(f"\n{'ultralytics track':16}{'game':16}{'conf':>6}{'switches':>9}{'IDF1':>7}{'ms a frame':>12}")

    def score_game(tracker: str, least: float, name: str) -> Score:
        key = f"{tracker} {least} {name}"
        return Score(**done.get(key, lambda: {"score": asdict(_run_tracker(games[name], tracker, least))})["score"])

    first = next(iter(games))
    best = {
        one: max(_CONFIDENCES, key=lambda least: score_game(one, least, first).idf1)
        for one in ultralytics_baseline.TRACKERS
    }
    found: dict[str, list[Score]] = {tracker: [] for tracker in ultralytics_baseline.TRACKERS}
    for name in games:
        for tracker, least in best.items():
            found[tracker].append(score_game(tracker, least, name))
            print(_tracker_row(tracker, name, least, found[tracker][-1]), flush=True)
    for tracker, scores in found.items():
        whole = sum_scores(scores)
        times = np.median(whole.still_ms) / np.median(mine.still_ms)
        print(_tracker_row(tracker, "all", best[tracker], whole) + f"   {times:.1f} times ours on a still table")


def _tracker_row(tracker: str, name: str, least: float, score: Score) -> str:
    took_ms = np.median(score.all_ms)
    return f"{tracker:16}{name:16}{least:6.2f}{score.switches:9d}{score.idf1:7.3f}{took_ms:12.1f}"


def _run_tracker(game: Game, tracker: str, least: float) -> Score:
    """One game through one tracker."""
    rows = list(
        ultralytics_baseline.track_frames(
            frames(game), camera=game.eye.camera(), layout=layout(game), tracker=tracker, least=least
        )
    )
    score = Score(all_ms=[round(took_s * 1e3, 2) for _, _, took_s in rows[1:]])
    score.still_ms = [round(took_s * 1e3, 2) for t_s, _, took_s in rows[1:] if is_quiet(game, t_s)]
    add_frames(score, game, [(t_s, seen) for t_s, seen, _ in rows], [])
    return score


if __name__ == "__main__":
    run(main)
