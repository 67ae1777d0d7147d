"""Charges of ranked units: the search against a search by small steps that shares no code with it, and its time.

    python -m benchmarks.rules.ranked_charge_paths [TABLES [FIRST]]

On each table of 20 units and rocks one charges another. Prints on how many a way exists, how often the search says
impossible where small steps find a way, how many of its ways break a rule when they are walked in small steps, and the
processor time of a charge, the whole question from the state to the verdict.
"""

import statistics
import sys
import time
from typing import Any

from rich.progress import track

from models.parsing import parse_query
from referee import ask
from tests.referee.editions.warhammer_9.charges.stepped_charges import faults, random_table, steps_find


def main(tables: int, first: int) -> None:
    found, stepped, missed, broken, taken = 0, 0, [], [], []
    for seed in track(range(first, first + tables), description="charges"):
        world = random_table(seed)
        query = parse_query({"kind": "charge", "attacker": "A", "target": "T", "step": "declare"})
        start = time.process_time()
        value: Any = ask(world.state, query).value
        taken.append(1e3 * (time.process_time() - start))
        is_found = bool(value.get("paths")) and not value["must_also"]
        found += is_found
        broken += [(seed, wrong)] if is_found and (wrong := faults(world, value)) else []
        if value["side"] is None:
            continue
        way = steps_find(world, value["side"])
        stepped += way is not None
        missed += [(seed, way)] if way is not None and not is_found else []
    taken.sort()
    p95 = taken[int(0.95 * len(taken))]
    print(f"{tables} tables: the search finds a way on {found}, small steps on {stepped}")
    print(f"impossible where small steps find one: {len(missed)} {missed[:5]}")
    print(f"ways that break a rule: {len(broken)} {broken[:5]}")
    print(f"processor time a charge: median {statistics.median(taken):.0f} ms, p95 {p95:.0f}, most {taken[-1]:.0f}")
    print(f"over 150 ms: {sum(ms > 150 for ms in taken)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
