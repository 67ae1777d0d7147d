"""A phone as its page behaves: listens, fetches each new picture, and now and then taps two miniatures."""

import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from typing import Any

import httpx2
from websockets.asyncio.client import connect

from benchmarks.server.hall.server import Server

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
