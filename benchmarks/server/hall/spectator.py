"""Those who only watch: viewers on the live socket, and overlays on their stream. Each counts what it misses."""

import json
from collections import Counter
from dataclasses import dataclass, field

import httpx2
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
