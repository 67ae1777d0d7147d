"""WARMACHINE Prime at a crowded table: how long answers take, and how often they are too close to call.

    python -m benchmarks.rules.prime_speed                        # seconds for 1,000 questions, milliseconds a kind
    python -m benchmarks.rules.prime_speed --pictures FOLDER ...  # too close and wrong on located pictures

Milliseconds are those of a processor; the file of questions is timed by the clock too, as a user waits for it.
"""

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from api.answers.pair_sheet import Pair, pair_sheet
from benchmarks.rules import too_close_rate
from benchmarks.rules.crowded_tables import draw_crowded_table, draw_queries, kinds_of, mixed_queries
from models.state import TableState
from referee import ask

MINIATURES, QUESTIONS, EACH, PAIRS = 60, 1000, 12, 40
WHOLE_S, BUNDLE_MS = 8.0, 60.0  # what is wanted


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pictures", type=Path, help="folder with x.jpg, x.json and charuco/CAMERA/")
    parser.add_argument("--only", nargs="*", default=[], help="names of the pictures, without the ending")
    parser.add_argument("--show-wrong", action="store_true", help="print every answer that is sure and wrong")
    parser.add_argument("--pairs", type=int, default=120, help="pairs asked about, of each picture and kind")
    told = parser.parse_args()
    if told.pictures:
        too_close_rate.print_report(told.pictures, told.only, pairs=told.pairs, show_wrong=told.show_wrong)
        return
    tables = {
        "exact": draw_crowded_table(measured=False, miniatures=MINIATURES),
        "measured": draw_crowded_table(measured=True, miniatures=MINIATURES),
    }
    for name, table in tables.items():
        clock, processor = _time_file_s(table)
        many = f"{QUESTIONS} mixed questions, {MINIATURES} miniatures"
        print(
            f"{many}, {name:9s} {clock:5.2f} s on the clock (wanted: {WHOLE_S:g} s), {processor:.2f} s of a processor"
        )
    for name, table in tables.items():
        print(
            f"everything about a pair, {name:9s} {_format_spread(_time_pairs_ms(table))}"
            f" (wanted: median {BUNDLE_MS:g} ms)"
        )
    _time_kinds(tables)


def _time_file_s(table: TableState) -> tuple[float, float]:
    """Seconds that `tableside ask` takes for a file of questions, start-up included: the clock's, the processor's."""
    asked = [q.model_dump(mode="json", exclude_defaults=True) | {"kind": type(q).model_fields["kind"].default}
             for q in mixed_queries(table, QUESTIONS)]  # fmt: skip
    with tempfile.TemporaryDirectory() as room:
        state, queries = Path(room, "state.json"), Path(room, "queries.json")
        state.write_text(table.model_dump_json(exclude_none=True))
        queries.write_text(json.dumps(asked))
        program = [sys.executable, "-c", "from api.cli import main; main()", "ask", str(state), str(queries)]
        begun, spent = time.perf_counter(), os.times()
        answered = subprocess.run(program, check=True, capture_output=True).stdout
        clock, after = time.perf_counter() - begun, os.times()
    assert answered.count(b"\n") == QUESTIONS
    return clock, after.children_user + after.children_system - spent.children_user - spent.children_system


def _time_pairs_ms(table: TableState) -> list[float]:
    """Milliseconds for everything about a pair that stands within 10 in, each pair asked for the first time."""
    r = random.Random(3)
    places = {m.id: m.at_mm for m in table.miniatures}
    near = [(a, b) for a in places for b in places if 0 < math.dist(places[a], places[b]) < 254]
    pairs = r.sample(near, PAIRS)
    return [_time_ms(partial(pair_sheet, table, Pair(a=a, b=b), ask=ask)) for a, b in pairs]


def _time_kinds(tables: dict[str, TableState]) -> None:
    """The spread of each kind, the slowest first."""
    print(f"\n{'kind':22s}" + "".join(f"{name + ' median':>18s}{'p95':>9s}" for name in tables))
    rows = []
    for cls in kinds_of(tables["exact"]):
        times = [sorted(_time_ms(partial(ask, t, q)) for q in draw_queries(t, cls, EACH)) for t in tables.values()]
        rows.append((times, str(cls.model_fields["kind"].default)))
    for times, kind in sorted(rows, key=lambda row: -statistics.median(row[0][-1])):
        print(f"{kind:22s}" + "".join(f"{statistics.median(one):15.2f} ms{_p95(one):9.2f}" for one in times))


def _time_ms(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return 1e3 * (time.process_time() - begun)


def _format_spread(ms: list[float]) -> str:
    return f"median {statistics.median(ms):.0f} ms, p95 {_p95(sorted(ms)):.0f} ms (n = {len(ms)})"


def _p95(ordered: list[float]) -> float:
    return ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]


if __name__ == "__main__":
    main()
