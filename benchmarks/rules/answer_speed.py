"""How long answers take on crowded tables: a file of questions, a pair's sheet, and each kind of question.

    python -m benchmarks.rules.answer_speed                       # WARMACHINE Prime among 60 miniatures
    python -m benchmarks.rules.answer_speed --book written        # pair sheets by written books beside Prime's
    python -m benchmarks.rules.answer_speed --book warhammer-9    # kinds among 20 units and 300 miniatures

Milliseconds are those of a processor, each question asked for the first time of its state; the file of questions is
timed by the clock too, as a user waits for it.
"""

import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from api.answers.pair_sheet import Pair, pair_sheet
from api.books.book_file import read_book
from api.books.examples import EXAMPLES
from benchmarks.harness import p95, processor_ms, run, spread_ms
from benchmarks.rules import full_tables
from benchmarks.rules.crowded_tables import draw_crowded_table, draw_queries, kinds_of, mixed_queries
from models.queries import BaseQuery
from models.state import TableState
from referee import EDITIONS, ask

MINIATURES, QUESTIONS, PAIRS, PAIRS_MM = 60, 1000, 40, 254.0
WANTED = "wanted: file 8 s, pair 60 ms, a kind of Warhammer 150 ms"


def main(book: str = "warmachine-prime", each: int = 12, only: str = "") -> None:
    print(WANTED)
    if book == "warhammer-9":
        _time_warhammer(each, only)
        return
    tables = {
        name: draw_crowded_table(measured=name == "measured", miniatures=MINIATURES) for name in ("exact", "measured")
    }
    for name, table in tables.items():
        books = {path: table.in_edition("open", read_book(at).in_play) for path, at in EXAMPLES.items()}
        in_books = {"warmachine-prime": table} | (books if book == "written" else {})
        for edition, ms in _time_pairs(in_books).items():
            print(f"everything about a pair, {name:9s} {edition:17s} {spread_ms(ms)} (n = {len(ms)})")
    if book != "written":
        for name, table in tables.items():
            clock, processor = _time_file_s(table)
            print(
                f"{QUESTIONS} mixed questions, {name:9s} {clock:5.2f} s on the clock, {processor:.2f} s of a processor"
            )
        _print_kinds(
            tables, {cls.model_fields["kind"].default: _drawn(tables, cls, each) for cls in kinds_of(tables["exact"])}
        )


def _time_warhammer(each: int, only: str) -> None:
    kinds = full_tables.KINDS
    known = {str(cls.model_fields["kind"].default) for cls in EDITIONS["warhammer-9"].rules}
    assert known == set(kinds), known ^ set(kinds)
    state = full_tables.draw_full_table()
    asked = only.split(",") if only else list(kinds)
    _print_kinds({"measured": state}, {kind: [full_tables.draw_queries(state, kind, each)] for kind in asked})


def _drawn(tables: dict[str, TableState], cls: type[BaseQuery], each: int) -> list[Iterable[BaseQuery]]:
    return [draw_queries(table, cls, each) for table in tables.values()]


def _print_kinds(tables: dict[str, TableState], questions: dict[str, list[Iterable[BaseQuery]]]) -> None:
    """The spread of each kind, the slowest first."""
    print(f"\n{'kind':22s}" + "".join(f"{name + ' median':>18s}{'p95':>9s}" for name in tables))
    rows = []
    for kind, drawn in questions.items():
        pairs = zip(tables.values(), drawn, strict=True)
        rows.append(
            (kind, [[processor_ms(partial(ask, table.model_copy(), q)) for q in some] for table, some in pairs])
        )
    for kind, times in sorted(rows, key=lambda row: -statistics.median(row[1][-1])):
        print(f"{kind:22s}" + "".join(f"{statistics.median(ms):15.2f} ms{p95(ms):9.2f}" for ms in times))


def _time_pairs(tables: dict[str, TableState]) -> dict[str, list[float]]:
    """Milliseconds for everything about each near pair, one table after the other for every pair."""
    places = {m.id: m.at_mm for m in next(iter(tables.values())).miniatures}
    near = [(a, b) for a in places for b in places if 0 < math.dist(places[a], places[b]) < PAIRS_MM]
    pairs = random.Random(3).sample(near, PAIRS)
    times: dict[str, list[float]] = {name: [] for name in tables}
    for a, b in pairs:
        for name, table in tables.items():
            times[name].append(processor_ms(partial(pair_sheet, table, Pair(a=a, b=b), ask=ask)))
    return times


def _time_file_s(table: TableState) -> tuple[float, float]:
    """Seconds that `tableside ask` takes for a file of questions, start-up included: the clock's, the processor's."""
    queries = mixed_queries(table, QUESTIONS)
    rows = [
        q.model_dump(mode="json", exclude_defaults=True) | {"kind": type(q).model_fields["kind"].default}
        for q in queries
    ]
    with tempfile.TemporaryDirectory() as room:
        state, asked = Path(room, "state.json"), Path(room, "queries.json")
        state.write_text(table.model_dump_json(exclude_none=True))
        asked.write_text(json.dumps(rows))
        program = [sys.executable, "-c", "from api.cli import main; main()", "ask", str(state), str(asked)]
        begun, spent = time.perf_counter(), os.times()
        answered = subprocess.run(program, check=True, capture_output=True).stdout
        clock, after = time.perf_counter() - begun, os.times()
    assert answered.count(b"\n") == QUESTIONS
    return clock, after.children_user + after.children_system - spent.children_user - spent.children_system


if __name__ == "__main__":
    run(main)
