"""Written books: Prime in the language of books beside the coded one, and how mutated books are read.

    python -m benchmarks.rules.written_books prime 1000
    python -m benchmarks.rules.written_books mutants 10000
    python -m benchmarks.rules.written_books speed 60

None that differs, and none without an error that names its line, is wanted. Fewer of both stand among the tests.
The speed is processor time a question, on tables with doubt, coded and in the language, and how many times as much.
"""

import resource
import sys
import time
from collections.abc import Iterator
from typing import Any

from models.parsing import parse_query
from models.state import TableState
from referee import ask
from tests.api.books.mutants import faults
from tests.referee.editions.open.prime_in_language import BOOK, QUERIES, differences, random_table


def speeds(count: int) -> Iterator[str]:
    """Each question, coded and in the language: processor time of one answer, and the ratio."""
    for rule, query in QUERIES.items():
        written = {"kind": "rule", "rule": rule, "a": "m0", "b": "m1"}
        coded_s = _answer_s([random_table(seed) for seed in range(count)], query)
        book_s = _answer_s([random_table(seed).in_edition("open", BOOK) for seed in range(count)], written)
        times = f"{1e3 * coded_s:.1f} ms coded, {1e3 * book_s:.1f} ms in the language"
        yield f"{rule}: {times}, {book_s / coded_s:.1f} times"


def _answer_s(tables: list[TableState], query: dict[str, Any]) -> float:
    asked, begun = parse_query(query), time.process_time()
    for table in tables:
        ask(table, asked)
    return (time.process_time() - begun) / len(tables)


def main() -> None:
    what, count, begun = sys.argv[1], int(sys.argv[2]), time.process_time()
    if what == "speed":
        print(*speeds(count), sep="\n")
        return
    if what == "prime":
        lines = [f"table {seed}: {line}" for seed in range(count) for line in differences(seed)]
        claim = f"{count} tables, {count * len(QUERIES)} answers"
    else:
        lines, claim = list(faults(range(count))), f"{count} mutants"
    print(*lines, sep="\n")
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{claim}: {len(lines)} differ; {time.process_time() - begun:.0f} s of a processor, {peak_mb:.0f} MB at most")


if __name__ == "__main__":
    main()
