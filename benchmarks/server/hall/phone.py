"""A phone as its page behaves: listens, fetches each new picture, and now and then taps two miniatures."""

import asyncio
import json
import math
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx2
from playwright.sync_api import Page
from websockets.asyncio.client import connect

from benchmarks.server.hall.server import Server


@dataclass
class Viewer:
    """A spectator on the live socket. `gaps`: numbers that were left out; `restarts`: snapshots after the first."""

    heard: Counter[str] = field(default_factory=Counter)
    events: list[str] = field(default_factory=list)
    gaps: int = 0
    restarts: int = 0
    last: int | None = None

    async def watch(self, server: Server) -> None:
        """Listen until somebody stops it."""
        async with connect(server.live) as line:
            async for text in line:
                message = json.loads(text)
                self.heard[message["type"]] += 1
                if message["type"] == "event":
                    self.events.append(json.dumps(message["event"]))
                if "seq" in message:
                    self._count(message["type"], message["seq"])

    def _count(self, type_: str, seq: int) -> None:
        if type_ == "snapshot":
            self.restarts += self.last is not None
        elif self.last is not None and seq != self.last + 1:
            self.gaps += 1
        self.last = seq


@dataclass
class Overlay:
    """A streaming program with the overlay open."""

    boards: int = 0
    newest: str = ""

    async def watch(self, server: Server) -> None:
        """Listen until somebody stops it."""
        async with (
            httpx2.AsyncClient(timeout=None) as http,
            http.stream("GET", f"{server.url}api/v1/overlay/stream") as told,
        ):
            async for line in told.aiter_lines():
                if line.startswith("data: "):
                    self.boards += 1
                    self.newest = line


PARTS = {"Accept": "application/x-ndjson"}


@dataclass
class Phone:
    """One player's phone. From the second tap: to the first part, to all but the search for charges, to the whole."""

    number: int
    first_ms: list[float] = field(default_factory=list)
    readable_ms: list[float] = field(default_factory=list)
    whole_ms: list[float] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)

    async def play(self, server: Server, *, seconds: float, pause_s: float) -> None:
        """Look and tap until the time is over."""
        async with httpx2.AsyncClient(base_url=server.url, timeout=60) as http:
            looking = asyncio.create_task(self._listen(server, http))
            try:
                await asyncio.wait_for(self._tap(http, pause_s), seconds)
            except TimeoutError:
                pass
            finally:
                looking.cancel()
                await asyncio.gather(looking, return_exceptions=True)

    async def _listen(self, server: Server, http: httpx2.AsyncClient) -> None:
        async with connect(server.live) as line:
            async for text in line:
                message = json.loads(text)
                if message["type"] == "picture":
                    await http.get(f"/api/v1/picture.jpg?v={message['version']}")
                self._note(message)

    def _note(self, message: dict[str, Any]) -> None:
        if message["type"] == "snapshot" and message["table"] is not None:
            self.ids = [m["id"] for m in message["table"]["miniatures"]]
        if message["type"] == "change":
            self.ids = [i for i in self.ids if i not in message["gone"]]

    async def _tap(self, http: httpx2.AsyncClient, pause_s: float) -> None:
        chance = random.Random(self.number)
        while True:
            await asyncio.sleep(chance.uniform(0.5, 1.5) * pause_s)
            if len(self.ids) >= 2:
                await self._ask(http, *chance.sample(self.ids, 2))

    async def _ask(self, http: httpx2.AsyncClient, a: str, b: str) -> None:
        began, passed_ms, readable_ms = time.perf_counter(), list[float](), None
        async with http.stream("POST", "/api/v1/ask-pair", json={"a": a, "b": b}, headers=PARTS) as answer:
            if answer.status_code != 200:
                return  # one of the two has just been taken off the table
            async for line in answer.aiter_lines():
                passed_ms.append(1000 * (time.perf_counter() - began))
                if readable_ms is None and '"is_readable":true' in line:
                    readable_ms = passed_ms[-1]
        self.first_ms.append(passed_ms[0])
        self.readable_ms.append(readable_ms or passed_ms[-1])
        self.whole_ms.append(passed_ms[-1])


def still_bases(page: Page, *, for_ms: float = 700.0) -> list[str]:
    """Ids of the bases that stand alone and stay where they are, left to right: nobody taps what is in a hand."""
    before = _lone_bases(page)
    page.wait_for_timeout(for_ms)
    return [id_ for id_, at in _lone_bases(page).items() if id_ in before and math.dist(at, before[id_]) < 1]


def _lone_bases(page: Page, *, apart_px: float = 34.0) -> dict[str, tuple[float, float]]:
    """Bases that a finger on the whole table cannot mistake for another, left to right, and where they are on it."""
    rims = page.locator(".base").evaluate_all(
        "all => all.map((one) => { const box = one.querySelector('.rim').getBoundingClientRect();"
        " return [one.dataset.id, box.x + box.width / 2, box.y + box.height / 2]; })"
    )
    near = [min(math.dist(one[1:], other[1:]) for other in rims if other is not one) for one in rims]
    lone = [one for one, gap in zip(rims, near, strict=True) if gap > apart_px]
    return {id_: (x, y) for id_, x, y in sorted(lone, key=lambda one: one[1])}
