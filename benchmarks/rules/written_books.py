"""Written books: Prime in the language of books beside the coded one, and how mutated books are read.

    python -m benchmarks.rules.written_books prime 1000
    python -m benchmarks.rules.written_books mutants 10000

None that differs, and none without an error that names its line, is wanted. Fewer of both stand among the tests.
"""

import resource
import sys
import time

from tests.api.books.mutants import faults
from tests.referee.editions.open.prime_in_language import QUERIES, differences


def main() -> None:
    what, count, begun = sys.argv[1], int(sys.argv[2]), time.process_time()
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
