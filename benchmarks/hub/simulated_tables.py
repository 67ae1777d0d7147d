"""Simulated tables: each writes a journal in the rhythm of the recorded game, and sends it as a table does."""

import asyncio
import contextlib
import json
import random
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

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


def run_tables(
    folder: Path, url: str, keys: Sequence[TableKey], seconds: float, skews_s: Mapping[int, float] | None = None
) -> None:
    """Play at all of these tables for so long; every line has been taken when it ends, or a minute later.

    `skews_s`: by how much the clocks of some tables go before or behind.
    """
    asyncio.run(_play_all(folder, url, keys, seconds, skews_s or {}))


async def _play_all(
    folder: Path, url: str, keys: Sequence[TableKey], seconds: float, skews_s: Mapping[int, float]
) -> None:
    until_s = time.monotonic() + seconds
    await asyncio.gather(
        *(_play(folder / str(key.table), url, key, until_s, skews_s.get(key.table, 0.0)) for key in keys)
    )


async def _play(folder: Path, url: str, key: TableKey, until_s: float, skew_s: float) -> None:
    folder.mkdir(parents=True)
    transport = open_transport(url, key)
    told: list[str | None] = []
    jobs = [
        asyncio.create_task(Sender(folder, transport, key, told.append).run()),
        asyncio.create_task(_send_glances(transport)),
        asyncio.create_task(_ask_for_orders(transport)),
    ]
    written = await _write(folder, until_s, random.Random(key.table), skew_s)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(_until_taken(transport, written), 60)
    for job in jobs:
        job.cancel()
    await asyncio.wait(jobs, timeout=5)
    with contextlib.suppress(HubAway, TimeoutError):
        await asyncio.wait_for(transport.close(), 5)


async def _write(folder: Path, until_s: float, chance: random.Random, skew_s: float) -> int:
    """Write until then; how many lines that were."""
    journal = FileJournal(folder, ENTRY_CLASSES, clock=lambda: time.time() + skew_s)
    state = skirmish()
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


AGAIN_S = 1.0


@dataclass
class Seen:
    """What came to the watchers. `lag_s`: from a table's write to a judge's page, each time a newer line was seen, and
    `drawn_s` of it until the hub drew it."""

    lag_s: list[float] = field(default_factory=list)
    drawn_s: list[float] = field(default_factory=list)
    judge_events: int = 0
    spectator_events: int = 0
    bytes: int = 0
    open: int = 0
    most_open: int = 0
    lost: int = 0
    busy_s: dict[str, float] = field(default_factory=dict)


async def watch_as_judge(hubs: list[str], token: str, seen: Seen, *, place: int, measures: bool) -> None:
    """A judge's page, which goes to the next hub when its own dies."""
    lines: dict[int, int] = {}
    while True:
        async for text in _events(hubs[place % len(hubs)], "/api/v1/hall/stream", seen, token=token):
            seen.judge_events += 1
            if measures:
                _note_lags(json.loads(text), lines, seen)
        seen.lost += 1
        place += 1
        await asyncio.sleep(AGAIN_S)


async def watch_as_spectator(hubs: list[str], table: int, seen: Seen, *, place: int) -> None:
    """A spectator's page."""
    await asyncio.sleep(random.uniform(0, 5))
    while True:
        async for _ in _events(
            hubs[place % len(hubs)], f"/api/v1/hall/tables/{table}/watch/stream", seen, source=place
        ):
            seen.spectator_events += 1
        seen.lost += 1
        place += 1
        await asyncio.sleep(AGAIN_S * random.uniform(1, 3))


def _note_lags(message: dict[str, Any], lines: dict[int, int], seen: Seen) -> None:
    now_s, is_whole = time.time(), message["type"] == "whole"
    for table in message["tables"]:
        number, line = table["number"], table["line"]
        if line > lines.get(number, 0):
            lines[number] = line
            if not is_whole and table["at_s"] is not None:
                seen.lag_s.append(now_s - table["at_s"])
                seen.drawn_s.append(message["now_s"] - table["at_s"])


async def _events(
    hub: str, path: str, seen: Seen, *, token: str | None = None, source: int = 0
) -> AsyncIterator[bytes]:
    """The data of each event until the line ends; spectators come from many addresses, as from many phones."""
    where = urlsplit(hub)
    local = (f"127.0.{1 + source // 200 % 200}.{1 + source % 200}", 0)
    try:
        reader, writer = await asyncio.open_connection(where.hostname, where.port, local_addr=local, limit=2**24)
    except OSError:
        return
    seat = f"Authorization: Bearer {token}\r\n" if token else ""
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {where.netloc}\r\n{seat}Accept: text/event-stream\r\n\r\n".encode())
    seen.open += 1
    seen.most_open = max(seen.most_open, seen.open)
    try:
        if b" 200 " not in await reader.readline():
            return
        while text := await reader.readline():
            seen.bytes += len(text)
            if text.startswith(b"data: "):
                yield text[6:]
    except (OSError, asyncio.LimitOverrunError, ValueError):
        return
    finally:
        seen.open -= 1
        writer.close()
