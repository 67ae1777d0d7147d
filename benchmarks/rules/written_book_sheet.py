"""Time of a pair's sheet by each written book that is shipped, beside that of Prime, on the same crowded tables.

    python -m benchmarks.rules.written_book_sheet

Milliseconds are those of a processor, each pair asked for the first time, the three books in turn.
"""

import argparse
import math
import random
import statistics
import time

from api.answers.pair_sheet import Pair, pair_sheet
from api.books.book_file import read_book
from api.books.examples import EXAMPLES
from benchmarks.rules.crowded_tables import draw_crowded_table
from models.state import TableState
from referee import ask

_NEAR_MM = 254.0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--miniatures", type=int, default=60)
    told = parser.parse_args()
    for is_measured in (False, True):
        table = draw_crowded_table(measured=is_measured, miniatures=told.miniatures)
        books = {name: table.in_edition("open", read_book(path).in_play) for name, path in EXAMPLES.items()}
        times = _time_pairs_ms({"warmachine-prime": table, **books}, told.pairs)
        for name, ms in times.items():
            shown = f"median {statistics.median(ms):6.1f} ms, p95 {_p95(ms):6.1f} ms (n = {len(ms)})"
            print(f"{'measured' if is_measured else 'exact':9s} {name:17s} {shown}")


def _time_pairs_ms(tables: dict[str, TableState], count: int) -> dict[str, list[float]]:
    """Milliseconds for each near pair on each table, one table after the other for every pair."""
    places = {m.id: m.at_mm for m in next(iter(tables.values())).miniatures}
    near = [(a, b) for a in places for b in places if 0 < math.dist(places[a], places[b]) < _NEAR_MM]
    times: dict[str, list[float]] = {name: [] for name in tables}
    for a, b in random.Random(3).sample(near, count):
        for name, table in tables.items():
            begun = time.process_time()
            pair_sheet(table, Pair(a=a, b=b), ask=ask)
            times[name].append(1e3 * (time.process_time() - begun))
    return times


def _p95(ms: list[float]) -> float:
    return sorted(ms)[min(len(ms) - 1, round(0.95 * len(ms)))]


if __name__ == "__main__":
    main()
