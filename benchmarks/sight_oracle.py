"""Twenty thousand tables judged by the oracle that shares no code with the referee.

    python -m benchmarks.sight_oracle [TABLES]

Three claims a table: clear 0.05 mm below the margin, closed 0.05 mm above it, and the answer itself.
"""

import random
import sys
import time
from collections import Counter

from tests.referee.sight_tables import FAMILIES
from tests.referee.test_sight_oracle import judged


def main(tables: int) -> int:
    """The number of wrong claims."""
    total: Counter[str] = Counter()
    for family, make in FAMILIES.items():
        begun, counted = time.perf_counter(), Counter[str]()
        for k in range(tables // len(FAMILIES)):
            found = judged(make(random.Random(f"benchmark {family}{k}")))
            if found["wrong"]:
                print(f"  wrong: {family} {k}")
            counted += found
        print(f"{family:16s} {dict(counted)} in {time.perf_counter() - begun:.0f} s", flush=True)
        total += counted
    print(f"all: {dict(total)}; {total['wrong']} disagreements in {total.total() - total['open']} claims")
    return total["wrong"]


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000) > 0)
