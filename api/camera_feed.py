"""The server's end of the camera: starts its process, hands its reports to the hub, notices its death."""

import asyncio
import contextlib
import multiprocessing
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from api.errors import CameraFailed
from api.hub import Hub
from api.sighting import Failed, Report
from api.wishes import Wishes

_SPAWN = multiprocessing.get_context("spawn")  # a fork would inherit the server's sockets and threads
PATIENCE_S = 3.0


def wishes() -> Wishes:
    """Flags that both processes see."""
    return Wishes(_SPAWN.Event(), _SPAWN.Event(), _SPAWN.Event(), _SPAWN.SimpleQueue())


class CameraFeed:
    """Runs `target(job, pipe, wishes)` beside the server, for as long as the server runs."""

    def __init__(self, target: Callable[[Any, Connection, Wishes], None], job: Any, wishes: Wishes) -> None:
        self._target = target
        self._job = job
        self._wishes = wishes

    @asynccontextmanager
    async def __call__(self, hub: Hub) -> AsyncIterator[None]:
        receiving, sending = _SPAWN.Pipe(duplex=False)
        process = _SPAWN.Process(target=self._target, args=(self._job, sending, self._wishes), daemon=True)
        process.start()
        sending.close()  # ours; the pipe then ends when the process does
        loop = asyncio.get_running_loop()
        closing = threading.Event()
        reader = threading.Thread(target=_read, args=(receiving, loop, hub.take, closing), daemon=True)
        reader.start()
        try:
            yield
        finally:
            closing.set()
            await asyncio.to_thread(_end, process)
            await asyncio.to_thread(reader.join, PATIENCE_S)


def _read(
    receiving: Connection,
    loop: asyncio.AbstractEventLoop,
    take: Callable[[Report], None],
    closing: threading.Event,
) -> None:
    """Hand over every report; a process that ends without a last word, and not because we do, has died."""
    last: Report | None = None
    with receiving, contextlib.suppress(RuntimeError):  # the loop is closed: the server has stopped
        while True:
            try:
                report: Report = receiving.recv()
            except (EOFError, OSError):
                break
            last = report
            loop.call_soon_threadsafe(take, report)
        if not isinstance(last, Failed) and not closing.is_set():
            loop.call_soon_threadsafe(take, Failed(CameraFailed("Its process ended without a word.").problem()))


def _end(process: BaseProcess) -> None:
    process.terminate()
    process.join(PATIENCE_S)
    if process.is_alive():
        process.kill()
        process.join(PATIENCE_S)
    process.close()
