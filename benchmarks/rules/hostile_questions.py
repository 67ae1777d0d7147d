"""Hostile questions: how many of each book's end in something else than an answer or a refusal.

    python -m benchmarks.rules.hostile_questions [warhammer-9] [20000]

It is none that is wanted. The same questions, fewer of them, stand among the tests.
"""

import sys
import time

from models.state import TableState
from tests.referee.editions.warhammer_9.tables import drawn
from tests.referee.editions.warmachine.test_hostile_questions import FAMILY, table_of
from tests.referee.hostile_questions import find_faults


def _states_of(edition: str) -> list[TableState]:
    """The tables that the questions are about; of WARMACHINE one in twenty is in doubt, which takes longer."""
    if edition in FAMILY:
        book = next(one for one in FAMILY if one == edition)
        return [*[table_of(book)] * 19, table_of(book, 0.3)]
    return [drawn(seed).in_edition("warhammer-9") for seed in range(40)]


def main() -> None:
    edition = sys.argv[1] if len(sys.argv) > 1 else "warhammer-9"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    states = _states_of(edition)
    begun, found = time.monotonic(), 0
    for raw, fault in find_faults(edition, states, range(count)):
        found += 1
        print(f"{fault}: {raw}", flush=True)
    print(f"{count} questions of {edition}: {found} faults, {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
