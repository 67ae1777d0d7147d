"""Calibrated doubt: how often sure verdicts are wrong, on tables drawn with known noise around each threshold.

    python -m benchmarks.doubt [DRAWS]

Each draw is a true table near the threshold and a measured one, which differs by the noise that the state admits. The
verdict on the measured table is held against the exact verdict on the true one.
"""

import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from models.reading import read_query
from models.state import TableState
from referee import ask

SIGMA_MM, SIGMA_DEG, SPREAD = 0.3, 1.0, 7.0
Draw = Callable[[random.Random], tuple[list[dict[str, Any]], dict[str, Any]]]
BINS = (0.0, 0.001, 0.025, 0.1, 0.3, 0.5, 0.7, 0.9, 0.975, 0.999, 1.0)


def base(id_: str, x: float, y: float, d: float, facing: float = 0.0, **more: Any) -> dict[str, Any]:
    return {"id": id_, "base": {"shape": "round", "diameter_mm": d}, "at_mm": [x, y], "facing_deg": facing, **more}


def within(r: random.Random) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    turn, off = r.uniform(0, math.tau), r.uniform(-SPREAD, SPREAD) * SIGMA_MM * 1.4
    away = 127 + 30 + off
    minis = [base("a", 400, 400, 30), base("b", 400 + away * math.cos(turn), 400 + away * math.sin(turn), 30)]
    return minis, {"kind": "within", "a": "a", "b": "b", "range_in": 5}


def arc(r: random.Random) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    away = r.uniform(40, 200)
    spread = SPREAD * (away * math.radians(SIGMA_DEG) + SIGMA_MM)
    depth = r.uniform(-spread, spread)
    angle = math.degrees(math.acos(max(-1.0, min(1.0, (depth - 15) / away))))
    x, y = 500 + away * math.cos(math.radians(angle)), 500 + away * math.sin(math.radians(angle))
    return [base("a", 500, 500, 40), base("b", x, y, 30)], {"kind": "in-front-arc", "viewer": "a", "target": "b"}


def melee(r: random.Random) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    turn = r.choice((0.0, r.uniform(60, 110)))
    away = 30 + 50.8 + r.uniform(-SPREAD, SPREAD) * SIGMA_MM * 1.4
    x, y = 500 + away * math.cos(math.radians(turn)), 500 + away * math.sin(math.radians(turn))
    return [base("a", 500, 500, 30), base("b", x, y, 30)], {
        "kind": "melee-range", "attacker": "a", "target": "b", "reach_in": 2,
    }  # fmt: skip


def slit(r: random.Random) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Two bases side by side that leave a slit, or nearly: two lanes besides may open as well."""
    gap, off = r.uniform(-SPREAD, SPREAD) * SIGMA_MM, r.uniform(-10, 10)
    minis = [base("a", 400, 500, 30), base("t", 600, 500, 30)]
    for k, side in enumerate((1, -1)):
        minis.append(base(f"m{k}", 500, 500 + off + side * (25 + gap), 50))
    return minis, {"kind": "los", "viewer": "a", "target": "t"}


def in_line(r: random.Random) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """An equal base almost in line: a lane on either side, so the margin has a corner at its least."""
    off = r.uniform(-SPREAD, SPREAD) * SIGMA_MM
    minis = [base("a", 400, 500, 30), base("m", 480, 500 + off, r.choice((30, 30.6, 31.2))), base("t", 560, 500, 30)]
    return minis, {"kind": "los", "viewer": "a", "target": "t"}


KINDS: dict[str, tuple[Draw, float]] = {
    "within": (within, 0.35),
    "in-front-arc": (arc, 0.3),
    "melee-range": (melee, 0.25),
    "los slit": (slit, 0.05),
    "los in line": (in_line, 0.05),
}


def state_of(minis: list[dict[str, Any]]) -> TableState:
    return TableState.model_validate(
        {"version": 1, "edition": "warmachine-prime", "table": {"width_mm": 1219.2, "depth_mm": 1219.2}}
        | {"miniatures": minis}
    )


def measured(r: random.Random, minis: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same table as a camera with this noise would see it."""
    seen = []
    for mini in minis:
        x, y = mini["at_mm"]
        at = [x + r.gauss(0, SIGMA_MM), y + r.gauss(0, SIGMA_MM)]
        sigma = {"at_mm": SIGMA_MM, "facing_deg": SIGMA_DEG}
        seen.append(mini | {"at_mm": at, "facing_deg": mini["facing_deg"] + r.gauss(0, SIGMA_DEG), "sigma": sigma})
    return seen


def run(draws: int) -> dict[str, Counter[str]]:
    """Per kind: how many verdicts were sure, how many of those wrong, and the same at 99.9 %."""
    tallies: dict[str, Counter[str]] = {}
    bins: Counter[tuple[int, bool]] = Counter()
    for name, (draw, share) in KINDS.items():
        tally = tallies[name] = Counter()
        begun = time.perf_counter()
        for k in range(round(draws * share)):
            r = random.Random(f"{name} {k}")
            minis, query = draw(r)
            asked = read_query(query)
            truth = ask(state_of(minis), asked).answer == "yes"
            verdict = ask(state_of(measured(r, minis)), asked)
            assert verdict.probability is not None
            _count(tally, verdict.probability, str(verdict.answer), truth)
            bins[(sum(verdict.probability > edge for edge in BINS[1:-1]), truth)] += 1
        _report(name, tally, time.perf_counter() - begun)
    _reliability(bins)
    return tallies


def _count(tally: Counter[str], probability: float, answer: str, truth: bool) -> None:
    tally["draws"] += 1
    if answer != "too-close":
        tally["sure"] += 1
        tally["sure wrong"] += (answer == "yes") != truth
    if probability >= 0.999 or probability <= 0.001:
        tally["at 99.9 %"] += 1
        tally["at 99.9 % wrong"] += (probability > 0.5) != truth


def _report(name: str, tally: Counter[str], seconds: float) -> None:
    wrong, very = tally["sure wrong"] / max(1, tally["sure"]), tally["at 99.9 % wrong"] / max(1, tally["at 99.9 %"])
    print(
        f"{name:14s} {tally['draws']:6d} draws, {tally['sure']:6d} sure, {100 * wrong:5.2f} % of those wrong; "
        f"{tally['at 99.9 %']:6d} at 99.9 %, {100 * very:6.3f} % wrong; {1e3 * seconds / tally['draws']:.1f} ms a draw"
    )


def _reliability(bins: Counter[tuple[int, bool]]) -> None:
    print("\nprobability said    draws   met")
    for k in range(len(BINS) - 1):
        met, missed = bins[(k, True)], bins[(k, False)]
        if met + missed:
            print(f"{BINS[k]:.3f} to {BINS[k + 1]:.3f}   {met + missed:6d}   {met / (met + missed):.4f}")


if __name__ == "__main__":
    total: Counter[str] = Counter()
    for counted in run(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000).values():
        total += counted
    print()
    _report("all", total, 0.0)
