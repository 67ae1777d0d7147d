"""The faults of the soak: each is done, told of, undone, and told of as over."""

import asyncio
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from benchmarks.server.soak_clients import Listener
from benchmarks.server.soak_table import Mode, SoakTable

STREAM: dict[str, Mode] = {
    "source killed": "killed",
    "source stalled": "silent",
    "source garbled": "garbled",
    "half of the frames corrupt": "half damaged",
}
CHILDREN = {
    "camera killed": ("camera", signal.SIGKILL),
    "camera stopped": ("camera", signal.SIGSTOP),
    "worker killed": ("worker", signal.SIGKILL),
    "worker stopped": ("worker", signal.SIGSTOP),
}
RESTARTING = ("server killed",)
FAULTS = (*STREAM, *CHILDREN, "disk full", *RESTARTING)
LASTS_S = 8.0
PATIENCE_S = 60.0


@dataclass(frozen=True)
class Told:
    """How soon phones heard of a fault, and after its end that it is over; None: never."""

    fault: str
    told_s: float | None
    over_s: float | None
    says: str

    def line(self) -> str:
        told, over = (f"{one:.1f} s" if one is not None else "never" for one in (self.told_s, self.over_s))
        return f"{self.fault}: told after {told}, over after {over}: {self.says[:90]}"


async def inject(fault: str, table: SoakTable, listener: Listener, chance: random.Random) -> Told:
    """Do it, wait until it is told, undo it, wait until it is told as over."""
    await listener.until(listener.is_well, PATIENCE_S)
    since = listener.note_fault()
    began_s = time.monotonic()
    undo = _do(fault, table, chance)
    told_s = await listener.until_told(since, PATIENCE_S, began_s=began_s)
    if told_s is not None and fault in STREAM:
        await asyncio.sleep(max(0.0, LASTS_S - told_s))
    says = listener.says_since(since)
    await undo()
    undone_s = time.monotonic()
    is_over = await listener.until(listener.is_well, PATIENCE_S)
    return Told(fault, told_s, time.monotonic() - undone_s if is_over else None, says)


def _do(fault: str, table: SoakTable, chance: random.Random) -> Callable[[], Awaitable[None]]:
    """Begin the fault; what undoes it."""
    if fault in STREAM:
        table.stream.mode = STREAM[fault]

        async def play_again() -> None:
            table.stream.mode = "playing"

        return play_again
    if fault in CHILDREN:
        kind, sent = CHILDREN[fault]
        if there := table.children("camera" if kind == "camera" else "worker"):
            os.kill(chance.choice(there), sent)
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
