"""Calibrated doubt: how often sure verdicts are wrong, on tables drawn with known noise around each threshold.

    python -m benchmarks.rules.probability_calibration [DRAWS] [FAMILY ...]

Each draw is a true table near the threshold and a measured one, which differs by the noise that the state admits. The
verdict on the measured table is held against the exact verdict on the true one. DRAWS are those of each family, so that
a family may be judged alone: beside what was wrong stands what the probabilities themselves expect to be wrong.
"""

import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from typing import Any

from models.parsing import parse_query
from models.state import TableState
from referee import ask

SIGMA_MM, SIGMA_DEG, SPREAD = 0.3, 1.0, 7.0
Table = tuple[list[dict[str, Any]], list[dict[str, Any]], dict[str, Any]]
Draw = Callable[[random.Random], Table]
BINS = (0.0, 0.001, 0.025, 0.1, 0.3, 0.5, 0.7, 0.9, 0.975, 0.999, 1.0)
FAMILIES: dict[str, Draw] = {}


def register_family(draw: Draw) -> Draw:
    FAMILIES[draw.__name__.replace("_", "-")] = draw
    return draw


def base_row(id_: str, x: float, y: float, d: float, facing: float = 0.0, **more: Any) -> dict[str, Any]:
    return {"id": id_, "base": {"shape": "round", "diameter_mm": d}, "at_mm": [x, y], "facing_deg": facing, **more}


def terrain_box(id_: str, kind: str, x: float, y: float, w: float, h: float, turn: float = 0.0) -> dict[str, Any]:
    c, s = math.cos(turn), math.sin(turn)
    corners = ((-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2))
    outline = [[x + c * u - s * v, y + s * u + c * v] for u, v in corners]
    return {"id": id_, "kind": kind, "polygon_mm": outline, "height_mm": 60}


def _draw_offset(r: random.Random, sigma: float) -> float:
    return r.uniform(-SPREAD, SPREAD) * sigma


@register_family
def within(r: random.Random) -> Table:
    turn = r.uniform(0, math.tau)
    away = 127 + 30 + _draw_offset(r, SIGMA_MM * 1.4)
    minis = [base_row("a", 400, 400, 30), base_row("b", 400 + away * math.cos(turn), 400 + away * math.sin(turn), 30)]
    return minis, [], {"kind": "within", "a": "a", "b": "b", "range_in": 5}


@register_family
def shot_range(r: random.Random) -> Table:
    """From a base or a point to a base of any size, round or rectangular."""
    turn, d = r.uniform(0, math.tau), r.choice((30, 40, 50, 120))
    away = 254 + 15 + d / 2 + _draw_offset(r, SIGMA_MM * 1.4)
    minis = [base_row("a", 500, 500, 30), base_row("b", 500 + away * math.cos(turn), 500 + away * math.sin(turn), d)]
    return minis, [], {"kind": "range", "attacker": "a", "target": "b", "range_in": 10}


@register_family
def front_arc(r: random.Random) -> Table:
    away = r.uniform(40, 200)
    depth = _draw_offset(r, away * math.radians(SIGMA_DEG) + SIGMA_MM)
    angle = math.degrees(math.acos(max(-1.0, min(1.0, (depth - 15) / away))))
    x, y = 500 + away * math.cos(math.radians(angle)), 500 + away * math.sin(math.radians(angle))
    return (
        [base_row("a", 500, 500, 40), base_row("b", x, y, 30)],
        [],
        {"kind": "in-front-arc", "viewer": "a", "target": "b"},
    )


@register_family
def melee_range(r: random.Random) -> Table:
    """Straight ahead, and beside, where the arc cuts the target."""
    turn = math.radians(r.choice((0.0, r.uniform(60, 110))))
    away = 30 + 50.8 + _draw_offset(r, SIGMA_MM * 1.4)
    minis = [base_row("a", 500, 500, 30), base_row("b", 500 + away * math.cos(turn), 500 + away * math.sin(turn), 30)]
    return minis, [], {"kind": "melee-range", "attacker": "a", "target": "b", "reach_in": 2}


@register_family
def cover(r: random.Random) -> Table:
    """A wall an inch before the target, a wood that just holds it, or a wall whose end the lines just cross."""
    minis, query = (
        [base_row("a", 200, 500, 30), base_row("t", 500, 500, 30)],
        {"kind": "cover", "attacker": "a", "target": "t"},
    )
    off, turn, which = _draw_offset(r, SIGMA_MM * 1.4), r.uniform(-0.4, 0.4), r.randrange(3)
    if which == 0:
        away = 15 + 25.4 + 4 + off
        return minis, [terrain_box("w", "wall", 500 - away, 500, 8, 120, turn / 8)], query
    if which == 1:
        return minis, [terrain_box("f", "forest", 500 - 15 - off + 60, 500, 120, 200)], query
    return minis, [terrain_box("w", "wall", 470, 500 + 15 + 40 + off, 8, 80)], query


@register_family
def sight_slit(r: random.Random) -> Table:
    """Two bases side by side that leave a slit, or nearly: two lanes besides may open as well."""
    gap, off = _draw_offset(r, SIGMA_MM), r.uniform(-10, 10)
    minis = [base_row("a", 400, 500, 30), base_row("t", 600, 500, 30)]
    for k, side in enumerate((1, -1)):
        minis.append(base_row(f"m{k}", 500, 500 + off + side * (25 + gap), 50))
    return minis, [], {"kind": "los", "viewer": "a", "target": "t"}


@register_family
def sight_in_line(r: random.Random) -> Table:
    """An equal base almost in line: a lane on either side, so the margin has a corner at its least."""
    minis = [
        base_row("a", 400, 500, 30),
        base_row("m", 480, 500 + _draw_offset(r, SIGMA_MM), r.choice((30, 30.6, 31.2))),
    ]
    return [*minis, base_row("t", 560, 500, 30)], [], {"kind": "los", "viewer": "a", "target": "t"}


@register_family
def sight_walls(r: random.Random) -> Table:
    """A wall with a measured place on either side of a base, the lanes between them nearly closed."""
    off, x = r.uniform(-6, 6), r.uniform(470, 530)
    gaps = [_draw_offset(r, SIGMA_MM), _draw_offset(r, SIGMA_MM)]
    minis = [base_row("a", 400, 500, 30), base_row("m", 500, 500 + off, 40), base_row("t", 600, 500, 30)]
    walls = [
        terrain_box(f"w{k}", "wall", x, 500 + off + s * (20 + 30 + gaps[k]), r.choice((8, 30)), 60)
        for k, s in ((0, 1), (1, -1))
    ]
    return minis, walls, {"kind": "los", "viewer": "a", "target": "t"}


@register_family
def sight_arc(r: random.Random) -> Table:
    """A target that the front arc just touches, with a base beside the line."""
    away, side = r.uniform(60, 200), r.choice((-1, 1))
    depth = _draw_offset(r, away * math.radians(SIGMA_DEG) + SIGMA_MM)
    angle = side * math.acos(max(-1.0, min(1.0, (depth - 15) / away)))
    x, y = 500 + away * math.cos(angle), 500 + away * math.sin(angle)
    beside = base_row("m", 500 + 60 + r.uniform(0, 25), (500 + y) / 2, 30)
    return (
        [base_row("a", 500, 500, 40), base_row("t", x, y, 30), beside],
        [],
        {"kind": "los", "viewer": "a", "target": "t"},
    )


@register_family
def charge_length(r: random.Random) -> Table:
    """A target that the charge just reaches, straight on or past a base that stands beside the way."""
    away = 228.6 + 25.4 + 30 + _draw_offset(r, SIGMA_MM * 1.4)
    return [charger_row(), enemy_row("t", 400 + away, 500), enemy_row("m", 500, 500 + r.uniform(25, 40))], [], CHARGED


@register_family
def charge_gap(r: random.Random) -> Table:
    """Two bases that leave a gap as wide as the charger, or nearly, with walls or bases on either side."""
    off, wide = r.uniform(-15, 15), 30 + _draw_offset(r, SIGMA_MM)
    posts, walls = [], []
    for k, side in enumerate((1, -1)):
        d = r.choice((30, 40, 50))
        posts.append(enemy_row(f"m{k}", 500 + r.uniform(-8, 8), 500 + off + side * (wide + d) / 2, d))
        walls.append(terrain_box(f"w{k}", "wall", 500, 500 + side * 150, 20, 160))
    return [charger_row(), enemy_row("t", 590, 500), *posts], walls, CHARGED


CHARGED: dict[str, Any] = {"kind": "charge", "attacker": "a", "target": "t"}


def charger_row() -> dict[str, Any]:
    profile = {"spd_in": 6, "melee": [{"name": "Blade", "reach_in": 1}]}
    return base_row("a", 400, 500, 30, side="red", profile=profile)


def enemy_row(id_: str, x: float, y: float, d: float = 30) -> dict[str, Any]:
    return base_row(id_, x, y, d, 180.0, side="blue")


def state_of(minis: list[dict[str, Any]], terrain: list[dict[str, Any]]) -> TableState:
    return TableState.model_validate(
        {"version": 1, "edition": "warmachine-prime", "table": {"width_mm": 1219.2, "depth_mm": 1219.2}}
        | {"miniatures": minis, "terrain": terrain}
    )


def measure_table(r: random.Random, minis: list[dict[str, Any]], terrain: list[dict[str, Any]]) -> TableState:
    """The same table as a camera with this noise would see it."""
    seen = []
    for mini in minis:
        x, y = mini["at_mm"]
        at = [x + r.gauss(0, SIGMA_MM), y + r.gauss(0, SIGMA_MM)]
        sigma = {"at_mm": SIGMA_MM, "facing_deg": SIGMA_DEG}
        seen.append(mini | {"at_mm": at, "facing_deg": mini["facing_deg"] + r.gauss(0, SIGMA_DEG), "sigma": sigma})
    ground = []
    for piece in terrain:
        dx, dy = r.gauss(0, SIGMA_MM), r.gauss(0, SIGMA_MM)
        ground.append(piece | {"polygon_mm": [[x + dx, y + dy] for x, y in piece["polygon_mm"]], "sigma_mm": SIGMA_MM})
    return state_of(seen, ground)


Judged = tuple[float, str, bool, float]


def judge_draw(job: tuple[str, int]) -> Judged:
    """What was said of the measured table, what is true, and the seconds it took to say."""
    name, k = job
    r = random.Random(f"{name} {k}")
    minis, terrain, query = FAMILIES[name](r)
    asked = parse_query(query)
    truth = ask(state_of(minis, terrain), asked).answer == "yes"
    seen = measure_table(r, minis, terrain)
    begun = time.perf_counter()
    verdict = ask(seen, asked)
    assert verdict.probability is not None
    return verdict.probability, str(verdict.answer), truth, time.perf_counter() - begun


def run_families(draws: int, names: list[str], workers: Executor) -> Counter[str]:
    """How many verdicts were sure, how many of those wrong, and the same at 99.9 %, of all families together."""
    total: Counter[str] = Counter()
    for name in names:
        tally, bins = Counter[str](), Counter[tuple[int, bool]]()
        jobs = [(name, k) for k in range(draws)]
        for k, (probability, answer, truth, seconds) in enumerate(workers.map(judge_draw, jobs, chunksize=50)):
            if sys.stderr.isatty() and k % 100 == 0:
                print(f"\r{name} {k} of {draws}", end="\r", file=sys.stderr)
            _count(tally, probability, answer, truth)
            tally["nanoseconds"] += round(1e9 * seconds)
            bins[(sum(probability > edge for edge in BINS[1:-1]), truth)] += 1
        _report(name, tally)
        _reliability(bins)
        total += tally
    return total


def _count(tally: Counter[str], probability: float, answer: str, truth: bool) -> None:
    wrong, doubt = (probability > 0.5) != truth, 1e9 * min(probability, 1 - probability)
    tally["draws"] += 1
    if answer != "too-close":
        tally["sure"] += 1
        tally["sure wrong"] += wrong
        tally["sure expected"] += round(doubt)
    if probability >= 0.999 or probability <= 0.001:
        tally["very"] += 1
        tally["very wrong"] += wrong
        tally["very expected"] += round(doubt)


def _report(name: str, tally: Counter[str]) -> None:
    def wrong(kind: str) -> str:
        share = 100 * tally[f"{kind} wrong"] / max(1, tally[kind])
        return f"{tally[f'{kind} wrong']} = {share:.3f} % ({1e-9 * tally[f'{kind} expected']:.1f} expected)"

    each_ms = 1e-6 * tally["nanoseconds"] / tally["draws"]
    print(
        f"{name:14s} {tally['draws']:6d} draws; {tally['sure']:6d} yes or no, wrong {wrong('sure')}; "
        f"{tally['very']:6d} at 99.9 %, wrong {wrong('very')}; {each_ms:.1f} ms a verdict",
        flush=True,
    )


def _reliability(bins: Counter[tuple[int, bool]]) -> None:
    """How often the condition was met, beside the probability that was said, all in one line."""
    cells = []
    for k in range(len(BINS) - 1):
        met, missed = bins[(k, True)], bins[(k, False)]
        if met + missed:
            cells.append(f"{BINS[k]:g}-{BINS[k + 1]:g}: {met / (met + missed):.4f} of {met + missed}")
    print("    met where so much was said:  " + ";  ".join(cells), flush=True)


if __name__ == "__main__":
    with ProcessPoolExecutor() as pool:
        _report(
            "all", run_families(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000, sys.argv[2:] or list(FAMILIES), pool)
        )
