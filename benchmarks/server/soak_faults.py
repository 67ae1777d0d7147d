"""The faults of the soak: each is done, told of, undone, and told of as over."""

import asyncio
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

import httpx2

from benchmarks.server.soak_clients import CUT, Listener
from benchmarks.server.soak_table import Child, Mode, SoakTable

STREAM: dict[str, Mode] = {
    "source killed": "killed",
    "source stalled": "silent",
    "source garbled": "garbled",
    "half of the frames corrupt": "half damaged",
}
CHILDREN: dict[str, tuple[Child, int]] = {
    "camera killed": ("camera", signal.SIGKILL),
    "camera stopped": ("camera", signal.SIGSTOP),
    "worker killed": ("worker", signal.SIGKILL),
    "worker stopped": ("worker", signal.SIGSTOP),
}
RESTARTING = ("server killed",)
TELLING: dict[str, tuple[str, ...]] = {  # what is heard of each; other words are of something else
    "source killed": ("world/source_lost",),
    "source stalled": ("world/source_stalled", "world/source_lost"),
    "source garbled": ("world/source_stalled", "world/source_lost", "came damaged"),
    "half of the frames corrupt": ("came damaged",),
    "camera killed": ("world/camera_failed",),
    "camera stopped": ("world/camera_failed",),
    "worker killed": ("processes that work out",),
    "worker stopped": ("processes that work out",),
    "disk full": ("cannot be written",),
    "server killed": (CUT,),
}
FAULTS = tuple(TELLING)
CLOCK_SET = "clock set"  # nobody need be told: nothing may follow it
CLOCK_JUMPS_S = (3600, -3600, 86400, -86400)
JUMP_LASTS_S = 4.0
ENDING = {"half of the frames corrupt": ("whole again",)}  # all else is over when nothing more is told to be amiss
LASTS_S = 8.0
PATIENCE_S = 60.0


@dataclass(frozen=True)
class Told:
    """How soon phones heard of a fault, and after its end that it is over; None: never."""

    fault: str
    told_s: float | None
    over_s: float | None
    says: str
    still: str  # what is told to be amiss when nobody waits any more for the end

    def line(self) -> str:
        told, over = (f"{one:.1f} s" if one is not None else "never" for one in (self.told_s, self.over_s))
        still = f"; still: {self.still}" if self.over_s is None else ""
        return f"{self.fault}: told after {told}, over after {over}: {self.says[:90]}{still}"


@dataclass(frozen=True)
class ClockSet:
    """The machine's clock was set and set right again: how far chess clocks went off, and what phones heard of it."""

    by_s: int
    off_s: float
    heard: str

    def line(self) -> str:
        return (
            f"{CLOCK_SET} by {self.by_s:+d} s: chess clocks off by {self.off_s:.2f} s; heard: {self.heard or 'nothing'}"
        )


async def set_clock(table: SoakTable, listener: Listener, chance: random.Random) -> ClockSet:
    """Set the clock of the server's processes, and set it right again, while a chess clock runs."""
    await listener.until(listener.is_well, PATIENCE_S)
    by_s, since, offs_s = chance.choice(CLOCK_JUMPS_S), listener.note_fault(), []
    assert table.clock is not None
    async with httpx2.AsyncClient(base_url=table.url, timeout=60) as http:
        before_s, at_s = await _left_s(http), time.monotonic()
        for told_s in (by_s, 0):
            table.clock.set_off(told_s)
            await asyncio.sleep(JUMP_LASTS_S)
            assert abs(await _wall_s(http) - time.time() - told_s) < JUMP_LASTS_S, "the server's clock was not set"
            offs_s.append(abs(before_s - await _left_s(http) - (time.monotonic() - at_s)))
    return ClockSet(by_s, max(offs_s), "; ".join(listener.all_since(since)))


async def _wall_s(http: httpx2.AsyncClient) -> float:
    """The time of day at the server, in seconds since 1970."""
    return parsedate_to_datetime((await http.get("api/v1/clocks")).headers["Date"]).timestamp()


async def _left_s(http: httpx2.AsyncClient) -> float:
    """What is left on the clock that runs."""
    clocks = (await http.get("api/v1/clocks")).json()
    return next(float(one["left_s"]) for one in clocks["players"] if one["runs"])


async def inject(fault: str, table: SoakTable, listener: Listener, chance: random.Random) -> Told:
    """Do it, wait until it is told, undo it, wait until it is told as over."""
    await listener.until(listener.is_well, PATIENCE_S)
    if fault in CHILDREN:
        await listener.until(lambda: bool(table.children(CHILDREN[fault][0])), PATIENCE_S)
    since = listener.note_fault()
    began_s = time.monotonic()
    undo = _do(fault, table, chance)
    await listener.until(lambda: listener.first_since(since, TELLING[fault]) is not None, PATIENCE_S)
    told = listener.first_since(since, TELLING[fault])
    if fault in STREAM:
        await asyncio.sleep(max(0.0, LASTS_S - (time.monotonic() - began_s)))
    since = listener.note_fault()
    await undo()
    undone_s = time.monotonic()

    def is_over() -> bool:
        return listener.is_well() and (fault not in ENDING or listener.first_since(since, ENDING[fault]) is not None)

    is_told_over = await listener.until(is_over, PATIENCE_S)
    over_s = time.monotonic() - undone_s if is_told_over else None
    told_s, says = (None, "") if told is None else (told[0] - began_s, told[1])
    return Told(fault, told_s, over_s, says, listener.amiss())


def _do(fault: str, table: SoakTable, chance: random.Random) -> Callable[[], Awaitable[None]]:
    """Begin the fault; what undoes it."""
    if fault in STREAM:
        table.stream.mode = STREAM[fault]

        async def play_again() -> None:
            table.stream.mode = "playing"

        return play_again
    if fault in CHILDREN:
        kind, sent = CHILDREN[fault]
        os.kill(chance.choice(table.children(kind)), sent)
        return _leave
    if fault == "disk full":
        return _fill_disk(table)
    table.table.server.kill()

    async def start_again() -> None:
        await asyncio.to_thread(table.start)

    return start_again


async def _leave() -> None:
    """The server itself ends what was stopped and replaces what died."""


def _fill_disk(table: SoakTable) -> Callable[[], Awaitable[None]]:
    """No file of the server may grow any more: what is written fails as on a full disk."""
    import resource  # not on Windows

    pid = table.table.server.pid
    soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, hard))

    async def make_room() -> None:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))

    return make_room
