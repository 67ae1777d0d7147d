"""Shoves and least disturbance: the referee against small steps on random tables.

    python -m benchmarks.rules.involuntary_movement [TABLES]

Prints, family by family, on how many tables a push, a slam, a throw straight away or a throw at somebody ends, stops
or contacts otherwise than by small steps, and on how many the rule of least disturbance moves others than has to be,
overlaps something, or moves them farther than small steps do.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable

from rich.progress import track

from tests.referee.editions.warmachine.charges.shove_sweep import disagreements, disturbed_too_much, family

FIRST_SEED = 100_000


def main(tables: int) -> None:
    _compare("shoves", tables, disagreements, family)
    _compare("least disturbance", tables, disturbed_too_much, lambda seed: "all")


def _compare(what: str, tables: int, differ: Callable[[int], list[str]], of: Callable[[int], str]) -> None:
    asked, wrong, begun = Counter[str](), Counter[str](), time.perf_counter()
    for seed in track(range(FIRST_SEED, FIRST_SEED + tables), description=what):
        found = differ(seed)
        asked[of(seed)] += 1
        wrong[of(seed)] += bool(found)
        if found:
            print(f"{what} {seed}, {of(seed)}: {found}")
    spread = ", ".join(f"{name} {wrong[name]} of {count}" for name, count in asked.items())
    taken = time.perf_counter() - begun
    print(f"{what}, {tables} tables: {wrong.total()} disagree ({spread}); {taken:.0f} s", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
