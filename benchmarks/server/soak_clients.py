"""Who sits around the table of the soak: phones that ask and correct, a judge who rules, and who only listens."""

import asyncio
import json
import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx2
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from benchmarks.server.soak_table import SoakTable

AGAIN_S = 0.3
LOOK_S = 0.05
_CUT = (OSError, WebSocketException, TimeoutError)
CUT = "the line is cut"
OF_RECORDING = "world/camera_moved"  # the looped recording is of a camera that is bumped: no fault of the soak's


@dataclass
class Acknowledged:
    """Lines of the journal that the server said are kept, and how long sheets took."""

    numbers: set[int] = field(default_factory=set)
    waited_ms: list[float] = field(default_factory=list)


class Listener:
    """A phone that writes down what it hears, and when."""

    def __init__(self, table: SoakTable) -> None:
        self._table = table
        self._heard: list[tuple[float, str]] = []
        self._problem: str | None = None
        self._alarms: tuple[str, ...] = ()
        self._is_connected = False
        self._source = ""
        self.has_table = False

    async def run(self) -> None:
        """Listen, and again after each cut, until somebody stops it."""
        while True:
            why = "closed in good order"
            try:
                async with connect(self._table.live) as line:
                    async for text in line:
                        self._take(json.loads(text))
            except _CUT as wrong:
                why = f"{type(wrong).__name__}: {wrong}"
            if self._is_connected:
                self._note(f"{CUT}: {why}")
            self._is_connected = False
            await asyncio.sleep(AGAIN_S)

    def is_well(self) -> bool:
        """Whether nothing is told to be amiss."""
        return not self.amiss()

    def amiss(self) -> str:
        """What is told to be amiss now; empty: nothing."""
        problem = "" if self._problem is None or self._problem.startswith(OF_RECORDING) else self._problem
        line = "" if self._is_connected else CUT
        source = "the source is lost" if self._source == "lost" else ""
        return "; ".join(one for one in (line, problem, source, *self._alarms) if one)

    def note_fault(self) -> int:
        """A mark: what is heard from here on may be of the fault."""
        return len(self._heard)

    def all_since(self, mark: int) -> list[str]:
        """What was heard since, but for what is the recording's own."""
        return [says for _, says in self._heard[mark:] if not says.startswith(OF_RECORDING)]

    def first_since(self, mark: int, words: tuple[str, ...]) -> tuple[float, str] | None:
        """When something was heard that has one of these words, and what."""
        return next((one for one in self._heard[mark:] if any(word in one[1] for word in words)), None)

    async def until(self, is_so: Callable[[], bool], patience_s: float) -> bool:
        end_s = time.monotonic() + patience_s
        while not is_so() and time.monotonic() < end_s:
            await asyncio.sleep(LOOK_S)
        return is_so()

    def _take(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "snapshot":
                self._is_connected = True
                self.has_table = self.has_table or message["table"] is not None
                self._source = message["fresh"]["source"]
                self._set_problem(message["problem"])
                self._set_alarms(message["alarms"])
            case "trouble":
                self._set_problem(message["problem"])
            case "alarms":
                self._set_alarms(message["alarms"])
            case "fresh":
                self._source = message["fresh"]["source"]
            case "change":
                self.has_table = True
            case "notice" if "damaged" in message["text"] or "whole again" in message["text"]:
                self._note(message["text"])

    def _set_problem(self, problem: dict[str, Any] | None) -> None:
        says = None if problem is None else f"{problem['type']}: {problem['detail']}"
        if says is not None and says != self._problem:
            self._note(says)
        self._problem = says

    def _set_alarms(self, alarms: list[dict[str, Any]]) -> None:
        says = tuple(str(one["says"]) for one in alarms)
        for one in says:
            if one not in self._alarms:
                self._note(one)
        self._alarms = says

    def _note(self, says: str) -> None:
        self._heard.append((time.monotonic(), says))


async def play(table: SoakTable, number: int, acknowledged: Acknowledged) -> None:
    """A player's phone: taps pairs, and now and then names a miniature."""
    chance = random.Random(number)

    async def once(http: httpx2.AsyncClient, ids: list[str]) -> None:
        if chance.random() < 0.15:
            name = {"do": "miniature", "ids": [chance.choice(ids)], "name": f"N{chance.randrange(1000)}"}
            _note_written(await http.post("api/v1/corrections", json=name), acknowledged)
            return
        began_s = time.perf_counter()
        a, b = chance.sample(ids, 2)
        answer = await http.post("api/v1/ask-pair", json={"a": a, "b": b})
        if answer.status_code == 200:
            acknowledged.waited_ms.append(1000 * (time.perf_counter() - began_s))

    await _keep_at_it(table, "players", chance, once, pause_s=3.0)


async def judge(table: SoakTable, acknowledged: Acknowledged) -> None:
    """A judge: rules on the distance of pairs, one after the other."""
    chance = random.Random(99)

    async def once(http: httpx2.AsyncClient, ids: list[str]) -> None:
        a, b = chance.sample(ids, 2)
        about = {"pair": {"a": a, "b": b}, "slot": chance.choice(["distance", "los"])}
        ruling = {"about": about, "decision": "accepted", "key": f"soak-{chance.randrange(10**9)}"}
        _note_written(await http.post("api/v1/rulings", json=ruling), acknowledged)

    await _keep_at_it(table, "judge", chance, once, pause_s=2.0)


async def start_clocks(table: SoakTable) -> None:
    """Let a chess clock run for longer than any evening."""
    async with httpx2.AsyncClient(base_url=table.url, timeout=60) as http:
        told = await http.post("api/v1/join", json={"code": table.code("judge")})
        http.headers["Authorization"] = f"Bearer {told.json()['token']}"
        (await http.put("api/v1/clocks", json={"minutes": 24 * 60})).raise_for_status()
        (await http.post("api/v1/clocks/pass", json={"to": "player-a"})).raise_for_status()


def _note_written(answer: httpx2.Response, acknowledged: Acknowledged) -> None:
    if answer.status_code == 201:
        acknowledged.numbers.add(answer.json()["n"])


async def _keep_at_it(
    table: SoakTable,
    door: str,
    chance: random.Random,
    once: Callable[[httpx2.AsyncClient, list[str]], Any],
    *,
    pause_s: float,
) -> None:
    """Join, and do it again and again; a server that is gone is waited for."""
    headers: dict[str, str] = {}
    async with httpx2.AsyncClient(timeout=60) as http:
        while True:
            await asyncio.sleep(chance.uniform(0.5, 1.5) * pause_s)
            with suppress(httpx2.HTTPError, OSError):
                http.base_url = httpx2.URL(table.url)
                if not headers:
                    told = await http.post("api/v1/join", json={"code": table.code(door)})
                    headers = {"Authorization": f"Bearer {told.json()['token']}"}
                    http.headers.update(headers)
                state = await http.get("api/v1/state")
                ids = [m["id"] for m in state.json().get("miniatures", [])]
                if len(ids) >= 2:
                    await once(http, ids)


async def watch(table: SoakTable) -> None:
    """A spectator: listens, and again after each cut."""
    while True:
        with suppress(*_CUT):
            async with connect(table.live) as line:
                async for _ in line:
                    pass
        await asyncio.sleep(AGAIN_S)
