"""Watchers: streams of judges and spectators, read as browsers read them; some judges measure how late a line comes."""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

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
