"""What a server keeps in memory while a table settles again and again, and two sheets are asked about each time.

`python -m benchmarks.server.memory_growth` prints the memory of this process as tables pass, then how fast it grew
while its caches filled and afterwards, and how full each of them is. Nothing else of the machine counts. With
`--lines` it tells which lines of the code hold what was added in the second half.
"""

import argparse
import gc
import pickle
import random
import statistics
import tracemalloc
from itertools import count
from pathlib import Path

import referee
from api.answers.pair_sheet import Pair, pair_sheet
from api.evaluation.cache import MOST_VERDICTS, VerdictCache
from api.live.hub import Hub
from models.state import TableState
from tests.api.worlds import frame_report, skirmish, state_line

SAMPLE = 10
STEP_MM = 0.3  # a table that settles again is measured a little otherwise


def play_tables(tables: int, *, with_lines: bool) -> None:
    """Let tables pass and print what stays of them."""
    chance, hub, ask = random.Random(1), Hub(title="kept"), VerdictCache(referee.ask)
    samples: list[tuple[int, float]] = []
    before: tracemalloc.Snapshot | None = None
    for k in range(tables):
        if with_lines and k == tables // 2:
            tracemalloc.start()
            before = tracemalloc.take_snapshot()
        settle_and_ask(hub, ask, chance, t_s=float(k))
        if k % SAMPLE == 0:
            gc.collect()
            samples.append((k, resident_mb()))
            print(f"{k:5d} tables: {samples[-1][1]:.1f} MB", flush=True)
    print_growth(samples, ask)
    if before is not None:
        for one in tracemalloc.take_snapshot().compare_to(before, "lineno")[:12]:
            print(f"  {one}")


def settle_and_ask(hub: Hub, ask: VerdictCache, chance: random.Random, *, t_s: float) -> None:
    """A table settles, and two phones read a sheet about it."""
    seen = frame_report(state_line(with_noise(skirmish(), chance), t_s=t_s))
    hub.handle_report(
        pickle.loads(pickle.dumps(seen))
    )  # as it comes from the camera's process: nothing of it was seen before
    assert hub.state is not None
    for _ in range(2):
        a, b = chance.sample([m.id for m in hub.state.miniatures], 2)
        pair_sheet(hub.state, Pair(a=a, b=b), ask=ask)


def with_noise(state: TableState, chance: random.Random) -> TableState:
    """The same table, measured anew."""
    off = (tuple(chance.uniform(-STEP_MM, STEP_MM) for _ in range(2)) for _ in count())
    moved = (
        m.with_place((m.at_mm[0] + dx, m.at_mm[1] + dy), facing_deg=m.facing_deg)
        for m, (dx, dy) in zip(state.miniatures, off, strict=False)
    )
    return state.with_miniatures(tuple(moved))


def print_growth(samples: list[tuple[int, float]], ask: VerdictCache) -> None:
    """The growth of both halves, and how full what is kept is."""
    half = len(samples) // 2
    for name, part in (("first half", samples[:half]), ("second half", samples[half:])):
        slope = statistics.linear_regression([k for k, _ in part], [mb for _, mb in part]).slope
        print(f"  {name}: {1000 * slope:+.1f} kB a table")
    print(f"  verdicts kept: {ask.size} of at most {MOST_VERDICTS}")


def resident_mb() -> float:
    """What this process has in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--lines", action="store_true")
    given = parser.parse_args()
    play_tables(given.tables, with_lines=given.lines)


if __name__ == "__main__":
    main()
