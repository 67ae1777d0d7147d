"""A whole evening with faults: does a ruling come out wrong, is a write lost, does memory grow, is every fault told?

    python -m benchmarks.server.soak [--minutes 60] [--seed 1] [--phones 12] [--watchers 100] [--no-accounts-memory]

The shipped game, again and again, as an MJPEG stream into `tableside serve` on this machine. Phones with seats ask and
correct, a judge rules, others watch. Faults come from a seeded list, one at a time, each undone before the next. At the
end every ruling's verdict is worked out anew from the table that was kept with it, and every acknowledged write is
looked for in the journal. Servers are killed in the first half alone, so that the memory of one can be followed over
the second, and accounted for by parts and by lines of Python (`memory_account`). A fault is told when a phone hears of
it; of a server that was killed, when its line is cut.
"""

import asyncio
import math
import os
import random
import statistics
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from api.answers.pair_sheet import pair_sheet
from api.journal.entry import Line
from api.journal.file_journal import FileJournal
from api.rulings.entries import RulingMade
from api.server.journal_entries import ENTRY_CLASSES
from benchmarks.harness import run
from benchmarks.server.memory_account import report_growth
from benchmarks.server.soak_clients import Acknowledged, Listener, judge, play, start_clocks, watch
from benchmarks.server.soak_faults import CLOCK_SET, FAULTS, RESTARTING, ClockSet, Told, inject, set_clock
from benchmarks.server.soak_table import SoakTable
from referee import ask

TOLD_S = 5.0
MOST_CLOCK_OFF_S = 0.5  # what asking for it twice may take
MOST_GROWTH_MB = 10.0
SAMPLE_S = 2.0
PAUSE_S = (4.0, 10.0)  # between the end of a fault and the next
FIRST_LOOK_S = 180.0


async def soak(table: SoakTable, *, minutes: float, seed: int, phones: int, watchers: int) -> "Evening":
    """Play, judge, watch and break things for so long."""
    evening = Evening(Acknowledged())
    listener = Listener(table)
    at_table = [asyncio.create_task(listener.run())]
    await listener.until(lambda: listener.has_table, FIRST_LOOK_S)
    await start_clocks(table)
    at_table += [asyncio.create_task(play(table, n, evening.acknowledged)) for n in range(phones)]
    at_table += [asyncio.create_task(judge(table, evening.acknowledged))]
    at_table += [asyncio.create_task(watch(table)) for _ in range(watchers)]
    at_table += [asyncio.create_task(_sample(table, evening))]
    try:
        await _break_things(table, listener, evening, minutes=minutes, chance=random.Random(seed))
        evening.accounts.append(await asyncio.to_thread(table.read_memory_account))
    finally:
        for task in at_table:
            task.cancel()
        await asyncio.gather(*at_table, return_exceptions=True)
    return evening


async def _break_things(
    table: SoakTable, listener: Listener, evening: "Evening", *, minutes: float, chance: random.Random
) -> None:
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    every = FAULTS if table.clock is None else (*FAULTS, CLOCK_SET)
    coming: list[str] = []
    while (gone := (loop.time() - began_s) / (60 * minutes)) < 1:
        coming = coming or chance.sample(every, len(every))
        fault = coming.pop()
        if fault in RESTARTING and gone > 0.45:
            continue
        evening.half_began = len(evening.memory_mb) if gone < 0.5 else evening.half_began
        if gone >= 0.5 and not evening.accounts:
            evening.accounts.append(await asyncio.to_thread(table.read_memory_account))
        await asyncio.sleep(chance.uniform(*PAUSE_S))
        if fault == CLOCK_SET:
            evening.clocks.append(await set_clock(table, listener, chance))
            print(evening.clocks[-1].line(), flush=True)
        else:
            evening.told.append(await inject(fault, table, listener, chance))
            print(evening.told[-1].line(), flush=True)


async def _sample(table: SoakTable, evening: "Evening") -> None:
    while True:
        evening.memory_mb.append(table.memory_mb())
        await asyncio.sleep(SAMPLE_S)


class Evening:
    """What was told of each fault, what was acknowledged, and the server's memory over time."""

    def __init__(self, acknowledged: Acknowledged) -> None:
        self.acknowledged = acknowledged
        self.told: list[Told] = []
        self.clocks: list[ClockSet] = []
        self.memory_mb: list[float] = []
        self.half_began = 0
        self.accounts: list[dict[str, Any]] = []

    def quarters_mb(self) -> list[float]:
        """The server's memory in each quarter of the second half: medians. One that levels off leaks nothing."""
        half = [one for one in self.memory_mb[self.half_began :] if not math.isnan(one)] or [0.0]
        size = max(1, len(half) // 4)
        starts = (0, *(len(half) * k // 4 for k in (1, 2)), len(half) - size)
        return [statistics.median(half[start : start + size]) for start in starts]

    def growth_mb(self) -> float:
        """By how much the server's memory grew over the second half: its last quarter above its first."""
        quarters = self.quarters_mb()
        return quarters[-1] - quarters[0]


def find_wrong_rulings(lines: Iterable[Line]) -> list[int]:
    """Rulings whose verdict is another than their kept table gives."""
    wrong = []
    for line in lines:
        ruled = line.entry
        assert isinstance(ruled, RulingMade)
        sheet = pair_sheet(ruled.state, ruled.about.pair, ask=ask)
        found = next(one for one in sheet.lines if one.slot == ruled.about.slot)
        if found.verdict != ruled.line.verdict:
            wrong.append(line.n)
    return wrong


def report(evening: Evening, folder: Path) -> bool:
    """Print the table of figures; whether all are as they must be."""
    with closing(FileJournal(folder, ENTRY_CLASSES)) as journal:
        kept = {line.n for line in journal.lines()}
        rulings = list(journal.lines(RulingMade))
        events = Counter(line.entry.event.type for line in journal.lines() if hasattr(line.entry, "event"))
    wrong, lost = find_wrong_rulings(rulings), evening.acknowledged.numbers - kept
    print("\n| fault | times | told at most after | not told in 5 s | over at most after | never told as over |")
    print("|---|---|---|---|---|---|")
    for fault in FAULTS:
        some = [told for told in evening.told if told.fault == fault]
        if some:
            print(_row(fault, some))
    late = [told for told in evening.told if told.told_s is None or told.told_s > TOLD_S or told.over_s is None]
    waits = sorted(evening.acknowledged.waited_ms) or [0.0]
    print(f"\nrulings: {len(rulings)}, wrong: {len(wrong)} {wrong[:5]}")
    print(f"acknowledged writes: {len(evening.acknowledged.numbers)}, lost: {len(lost)} {sorted(lost)[:5]}")
    p95_ms = waits[int(0.95 * len(waits)) - 1]
    print(f"sheets: {len(waits)}, median {statistics.median(waits):.0f} ms, p95 {p95_ms:.0f} ms")
    print(f"lost-source and back in the timeline: {events['lost-source']} and {events['back']}")
    off_s = max((one.off_s for one in evening.clocks), default=0.0)
    heard = [one.heard for one in evening.clocks if one.heard]
    print(f"clock set: {len(evening.clocks)} times, chess clocks off by at most {off_s:.2f} s; heard of it: {heard}")
    growth_mb, quarters = evening.growth_mb(), ", ".join(f"{one:.1f}" for one in evening.quarters_mb())
    print(f"memory of the server by quarters of the second half: {quarters} MB")
    print(f"memory of the server: grew {growth_mb:+.1f} MB over the second half (at most {MOST_GROWTH_MB:.0f})")
    report_growth(evening.accounts[0], evening.accounts[-1])
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    is_on_time = not late and off_s <= MOST_CLOCK_OFF_S
    return not (wrong or lost or heard) and is_on_time and growth_mb <= MOST_GROWTH_MB


def _row(fault: str, some: list[Told]) -> str:
    told = [one.told_s for one in some if one.told_s is not None]
    over = [one.over_s for one in some if one.over_s is not None]
    late = sum(one.told_s is None or one.told_s > TOLD_S for one in some)
    cells = (f"{max(times):.1f} s" if times else "-" for times in (told, over))
    first, second = cells
    return f"| {fault} | {len(some)} | {first} | {late} | {second} | {len(some) - len(over)} |"


def main(
    minutes: float = 60.0, seed: int = 1, phones: int = 12, watchers: int = 100, accounts_memory: bool = True
) -> None:
    with TemporaryDirectory() as scratch:
        with SoakTable(Path(scratch), accounts_memory=accounts_memory) as table:
            evening = asyncio.run(
                soak(
                    table,
                    minutes=minutes,
                    seed=seed,
                    phones=phones,
                    watchers=watchers,
                )
            )
        is_well = report(evening, table.data)
    raise SystemExit(0 if is_well else 1)


if __name__ == "__main__":
    run(main)
