"""Simulated tables: each writes a journal in the rhythm of the recorded game, and sends it as a table does."""

import asyncio
import contextlib
import random
import time
from collections.abc import Sequence
from pathlib import Path

from api.clocks.entries import ClockPassed, ClocksSet
from api.hall.errors import HubAway
from api.hall.keys import TableKey
from api.hall.sender import Sender
from api.hall.table_link import GLANCE_S, ORDERS_S, open_transport
from api.hall.transport import Transport
from api.journal.entry import Entry, EventObserved, TableSettled
from api.journal.file_journal import FileJournal
from api.live.messages import Freshness
from api.server.journal_entries import ENTRY_CLASSES
from api.tables.schemas import TableSummary
from models.timeline import EventLine
from tests.api.worlds import skirmish

# Seconds between the lines of a minute of `tableside demo --data FOLDER`, and what stood on them: s, the table came to
# rest; h, something happened. A clock is passed as often as players do it, every half minute.
RHYTHM = (
    (1.6, "h"), (2.6, "h"), (0.0, "s"), (1.7, "h"), (1.1, "h"), (0.0, "s"), (2.1, "h"), (0.4, "h"), (0.0, "s"),
    (4.1, "h"), (0.0, "s"), (19.0, "s"), (1.3, "h"), (0.0, "s"), (4.4, "h"), (0.0, "s"), (5.2, "h"), (0.0, "s"),
    (2.7, "h"), (0.0, "s"), (1.9, "h"), (0.8, "h"), (2.0, "h"), (0.0, "s"),
)  # fmt: skip
PASS_S = 30.0


def run_tables(folder: Path, url: str, keys: Sequence[TableKey], seconds: float) -> None:
    """Play at all of these tables for so long; every line has been taken when it ends, or a minute later."""
    asyncio.run(_play_all(folder, url, keys, seconds))


async def _play_all(folder: Path, url: str, keys: Sequence[TableKey], seconds: float) -> None:
    begin_s = time.monotonic()
    await asyncio.gather(*(_play(folder / str(key.table), url, key, begin_s + seconds) for key in keys))


async def _play(folder: Path, url: str, key: TableKey, until_s: float) -> None:
    folder.mkdir(parents=True)
    transport = open_transport(url, key)
    told: list[str | None] = []
    jobs = [
        asyncio.create_task(Sender(folder, transport, key, told.append).run()),
        asyncio.create_task(_send_glances(transport)),
        asyncio.create_task(_ask_for_orders(transport)),
    ]
    written = await _write(folder, until_s, random.Random(key.table))
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(_until_taken(transport, written), 60)
    for job in jobs:
        job.cancel()
    await asyncio.wait(jobs, timeout=5)
    with contextlib.suppress(HubAway, TimeoutError):
        await asyncio.wait_for(transport.close(), 5)


async def _write(folder: Path, until_s: float, chance: random.Random) -> int:
    """Write until then; how many lines that were."""
    journal, state = FileJournal(folder, ENTRY_CLASSES), skirmish()
    happened = EventObserved(event=EventLine(type="moved", t_s=0, frame=0, ids=("m0",)))
    journal.write(ClocksSet(by="judge", total_s=3600))
    place, passed_s = chance.randrange(len(RHYTHM)), time.monotonic() + chance.uniform(0, PASS_S)
    await asyncio.sleep(chance.uniform(0, 5))
    while time.monotonic() < until_s:
        wait_s, kind = RHYTHM[place % len(RHYTHM)]
        await asyncio.sleep(wait_s)
        entry: Entry = TableSettled(state=state) if kind == "s" else happened
        journal.write(entry)
        if time.monotonic() > passed_s:
            journal.write(ClockPassed(by="player-a", to=chance.choice(("player-a", "player-b"))))
            passed_s += PASS_S
        place += 1
    newest = journal.newest(Entry)
    journal.close()
    return newest.n if newest is not None else 0


async def _until_taken(transport: Transport, line: int) -> None:
    while True:
        with contextlib.suppress(HubAway):
            tail = await transport.read_tail()
            if tail is not None and tail.line >= line:
                return
        await asyncio.sleep(0.5)


async def _send_glances(transport: Transport) -> None:
    while True:
        summary = TableSummary(
            title="simulated", edition="warmachine-prime", scenario=None, turn=None, miniatures=17,
            fresh=Freshness(age_s=0.4, source="playing"), problem=None, devices={"player-a": 1, "player-b": 1},
        )  # fmt: skip
        with contextlib.suppress(HubAway):
            await transport.send_glance({"summary": summary.model_dump(mode="json"), "clock_s": time.time()})
        await asyncio.sleep(GLANCE_S)


async def _ask_for_orders(transport: Transport) -> None:
    while True:
        with contextlib.suppress(HubAway):
            await transport.read_orders(0)
        await asyncio.sleep(ORDERS_S)
