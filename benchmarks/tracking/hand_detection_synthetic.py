"""Whether arms are told from all else on drawn tables: skin, sleeves, sides, heights and lamps as chance has them.

    python -m benchmarks.tracking.hand_detection_synthetic [--seeds 1,2,3] [--each 20] [--keep FOLDER]

Each seed is a table with another mat and other miniatures. For each arm that reaches in there is a picture without one
in which something else changed: a lamp, a lamp that was switched off, somebody's shadow, a miniature that was put down,
a card laid on the mat. An arm counts when it reaches 60 mm or more over the table's edge. Nothing here was looked at
when the rule was made.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.harness import run
from benchmarks.tracking.games.camera import Eye
from benchmarks.tracking.games.hand import Hand
from benchmarks.tracking.games.library import GAMES, TABLE_MM
from benchmarks.tracking.games.miniature import Piece
from benchmarks.tracking.games.renderer import Painter, layout
from benchmarks.tracking.games.script import Game, Track
from calibration.arrays import Image
from calibration.pose.locate_table import locate_table
from vision.tracking.change_detection import (
    Overview,
    RectifiedView,
    detect_change,
    detect_solid_change,
    has_arm,
    is_still,
)

_DARK, _LIGHT = np.array([45.0, 60.0, 95.0]), np.array([185.0, 208.0, 242.0])  # skin, BGR
_NO_ARM = ("lamp", "lamp off", "shadow", "miniature", "card")


@dataclass(frozen=True)
class Shot:
    """A picture, what it holds, and what is said of it."""

    kind: str
    image: Image
    is_told: bool


def main(seeds: str = "1,2,3", each: int = 20, keep: Path | None = None) -> None:
    seen: Counter[tuple[str, bool]] = Counter()
    for seed in map(int, seeds.split(",")):
        for k, shot in enumerate(draw_shots(seed, each)):
            seen[shot.kind, shot.is_told] += 1
            if keep and shot.is_told != (shot.kind == "arm"):
                name = f"{seed}-{k}-{shot.kind}".replace(" ", "-")
                cv2.imwrite(str(keep / f"{name}.png"), cv2.resize(shot.image, None, fx=0.5, fy=0.5))
    _print_scores(seen)


def _print_scores(seen: Counter[tuple[str, bool]]) -> None:
    arms, false = seen["arm", True], sum(seen[kind, True] for kind in _NO_ARM)
    print(f"arms: {arms} of {arms + seen['arm', False]} told (recall {arms / (arms + seen['arm', False]):.3f})")
    for kind in _NO_ARM:
        print(f"{kind}: {seen[kind, True]} of {seen[kind, True] + seen[kind, False]} taken for an arm")
    print(f"precision {arms / max(1, arms + false):.3f}")


def draw_shots(seed: int, each: int) -> Iterator[Shot]:
    """So many arms, and as many pictures without one."""
    random = np.random.default_rng([seed, 31])
    quiet = GAMES["moves"](seed)
    quiet.hands.clear()
    before = Painter(quiet).frame(0.0, 0)
    pose = locate_table(before, camera=quiet.eye.camera(), layout=layout(quiet))
    overview = Overview(quiet.table_mm, camera=quiet.eye.camera(), pose=pose)
    settled = overview.make_view(before)
    for k in range(each):
        for kind in ("arm", _NO_ARM[k % len(_NO_ARM)]):
            image = _draw_picture(seed, kind, random, number=k)
            yield Shot(kind, image, _has_arm_alarm(settled, overview.make_view(image), overview))


def _has_arm_alarm(settled: RectifiedView, now: RectifiedView, overview: Overview) -> bool:
    change = detect_change(settled, now)
    solid = detect_solid_change(settled, now)
    return not is_still(change, overview.window) and has_arm(change, solid, overview.window, now.seen)


def _draw_picture(seed: int, kind: str, random: np.random.Generator, *, number: int) -> Image:
    """The table of this seed when this has happened to it."""
    game = GAMES["moves"](seed)
    game.hands.clear()
    if kind == "arm":
        game.hands.append(_draw_arm(game, random))
        _relight(game, random, least=0.75)
    elif kind == "lamp":
        _relight(game, random, least=0.5)
    elif kind == "lamp off":
        game.light.values = [(0.3, 0.34, 0.4, float(random.uniform(0, 0.3)))]
    elif kind == "shadow":
        x_mm, wide_mm = random.uniform(0, TABLE_MM[0]), random.uniform(150, 700)
        game.shade.add(0.0, float(x_mm), float(wide_mm), float(random.uniform(0.15, 0.5)))
    elif kind == "miniature":
        game = _with_new_miniature(game, random, number)
    image = Painter(game).frame(0.5, number)
    return _lay_card(image, game.eye, random) if kind == "card" else image


def _draw_arm(game: Game, random: np.random.Generator) -> tuple[Hand, Track, float, float, bool]:
    """From any side, as far in as chance has it; anybody's skin, any sleeve, long or rolled up."""
    wide, deep = game.table_mm
    tip = np.array([random.uniform(60, wide - 60), random.uniform(60, deep - 60)])
    side = int(random.integers(4))
    along = random.uniform(-0.35, 0.35) * 900
    elbow = [
        (tip[0] + along, -520.0),
        (tip[0] + along, deep + 520),
        (-520.0, tip[1] + along),
        (wide + 520, tip[1] + along),
    ]
    share = random.uniform()
    skin = tuple(float(c) for c in np.clip((1 - share) * _DARK + share * _LIGHT + random.normal(0, 8, 3), 0, 255))
    sleeve = tuple(random.uniform(12, 240, 3).tolist())
    hand = Hand((float(elbow[side][0]), float(elbow[side][1])), skin, sleeve, float(random.choice([40, 150, 320])))  # type: ignore[arg-type]
    track = Track()
    track.add(0.0, float(tip[0]), float(tip[1]), float(random.uniform(5, 90)))
    return hand, track, -1.0, 9.0, bool(random.uniform() < 0.2)


def _relight(game: Game, random: np.random.Generator, *, least: float) -> None:
    gain = random.uniform(least, 1.25)
    game.light.values = [(*(gain * random.uniform(0.94, 1.06, 3)).tolist(), float(random.uniform(-0.15, 0.15)))]


def _with_new_miniature(game: Game, random: np.random.Generator, number: int) -> Game:
    """Somebody new stands on the table, as near its edge as may be."""
    at = (float(random.uniform(18, TABLE_MM[0] - 18)), float(random.choice([16.0, 300.0, TABLE_MM[1] - 16])))
    new = Piece("new", 30, 500 + number, 7000 + number, "front-half", at, float(random.uniform(0, 360)))
    return replace(game, pieces=(*game.pieces, new), where={}, light=Track(), hands=[], happenings=[], lifts=[])


def _lay_card(image: Image, eye: Eye, random: np.random.Generator) -> Image:
    """A card of one colour lies flat on the mat, wholly on the table."""
    wide, deep = random.uniform(60, 130), random.uniform(60, 130)
    x, y = random.uniform(10, TABLE_MM[0] - 10 - wide), random.uniform(10, TABLE_MM[1] - 10 - deep)
    corners = np.array([(x, y, 0), (x + wide, y, 0), (x + wide, y + deep, 0), (x, y + deep, 0)])
    drawn = image.copy()
    cv2.fillConvexPoly(
        drawn, np.rint(eye.project(corners)).astype(np.int32), random.uniform(20, 240, 3).tolist(), cv2.LINE_AA
    )
    return drawn


if __name__ == "__main__":
    run(main)
