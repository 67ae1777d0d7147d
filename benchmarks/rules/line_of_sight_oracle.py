"""Twenty thousand tables judged by the oracle that shares no code with the referee.

    python -m benchmarks.rules.line_of_sight_oracle [TABLES] [--processes N] [--seconds S] [--done FILE] [--family
    NAME ...]

Three claims a table: clear 0.05 mm below the margin, closed 0.05 mm above it, and the answer itself. Every twentieth
margin is also searched for by bisection on blockers that grow. What was judged is kept in FILE, one line a
table, so that a run that was cut off, or stopped by S, goes on where it was.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from tests.referee.sight_tables import FAMILIES
from tests.referee.test_sight_oracle import judged, margin_error_mm

_BISECTED = 20
Job = tuple[str, int]


def judge_table(job: Job) -> dict[str, Any]:
    """What came of one table."""
    family, k = job
    scene = FAMILIES[family](random.Random(f"benchmark {family}{k}"))
    begun = time.perf_counter()
    told: dict[str, Any] = {"family": family, "k": k, "claims": judged(scene)}
    if k % _BISECTED == 0 or told["claims"].get("wrong"):
        told["error_mm"] = margin_error_mm(scene)
    return told | {"seconds": round(time.perf_counter() - begun, 3)}


def read_judged(path: Path | None) -> list[dict[str, Any]]:
    """What an earlier run has judged already."""
    if path is None or not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


def judge_tables(jobs: list[Job], processes: int, seconds: float) -> Iterator[dict[str, Any]]:
    """What came of each table, as soon as it is known, until the time is up."""
    until = time.monotonic() + seconds
    if processes == 1:
        for job in jobs:
            if time.monotonic() > until:
                return
            yield judge_table(job)
        return
    with ProcessPoolExecutor(processes) as pool:
        for first in range(0, len(jobs), 64):
            if time.monotonic() > until:
                return
            yield from pool.map(judge_table, jobs[first : first + 64], chunksize=4)


def print_report(found: Iterable[dict[str, Any]]) -> int:
    """The number of wrong claims, after a line for each family."""
    families: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in found:
        families[one["family"]].append(one)
    total, every = Counter[str](), list[float]()
    for family, ones in families.items():
        counted = sum((Counter(one["claims"]) for one in ones), Counter[str]())
        errors = [one["error_mm"] for one in ones if one.get("error_mm") is not None]
        total, every = total + counted, every + errors
        print(f"{family:16s} {_format_family(counted, len(ones), errors)}; {sum(one['seconds'] for one in ones):.0f} s")
        for one in ones:
            if one["claims"].get("wrong"):
                print(f"    wrong: {family} {one['k']}, off by {one['error_mm']} mm")
    print(f"{'all':16s} {_format_family(total, sum(map(len, families.values())), every)}")
    return total["wrong"]


def _format_family(counted: Counter[str], tables: int, errors: list[float]) -> str:
    claims = counted.total() - counted["open"]
    off = f"margins within {max(errors):.3f} mm of {len(errors)} bisected" if errors else "no margin bisected"
    return (
        f"{tables:6d} tables, {claims - counted['undecided']:6d} claims judged, {counted['wrong']} disagreements; "
        f"{counted['undecided']} not decided in the oracle's time, {counted['open']} with nothing in the way; {off}"
    )


def main() -> int:
    """1 when a claim was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tables", type=int, nargs="?", default=20_000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many seconds")
    parser.add_argument("--done", type=Path, help="keep what was judged here, and go on from there")
    parser.add_argument("--family", nargs="*", default=list(FAMILIES), choices=list(FAMILIES))
    asked = parser.parse_args()
    found = read_judged(asked.done)
    before = {(one["family"], one["k"]) for one in found}
    every = [(family, k) for k in range(asked.tables // len(asked.family)) for family in asked.family]
    jobs = [job for job in every if job not in before]
    keep = asked.done.open("a") if asked.done else None
    for n, one in enumerate(judge_tables(jobs, asked.processes, asked.seconds), start=1):
        found.append(one)
        if keep:
            print(json.dumps(one), file=keep, flush=True)
        if sys.stderr.isatty():
            print(f"\r{n} of {len(jobs)} tables", end="", file=sys.stderr)
    return int(print_report(one for one in found if (one["family"], one["k"]) in set(every)) > 0)


if __name__ == "__main__":
    sys.exit(main())
