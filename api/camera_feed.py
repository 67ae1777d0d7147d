"""The server's end of the camera: starts its process, hands its reports to the hub, starts another when it dies."""

import asyncio
import contextlib
import logging
import multiprocessing
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from random import Random
from typing import Any

from api.backoff import waits
from api.errors import CameraFailed
from api.hub import Hub
from api.recollection import Recollection
from api.sighting import Failed, Kept, Report
from api.wishes import Wishes
from models.timeline import EventLine

log = logging.getLogger(__name__)

_SPAWN = multiprocessing.get_context("spawn")  # a fork would inherit the server's sockets and threads
PATIENCE_S = 3.0
LONGEST_WAIT_S = 30.0
STEADY_S = 60.0  # a process that ran for so long is started again at once when it dies

Target = Callable[[Any, Connection, Wishes], None]


def wishes() -> Wishes:
    """Flags that both processes see."""
    return Wishes(
        pictures=_SPAWN.Event(),
        register=_SPAWN.Event(),
        check=_SPAWN.Event(),
        answers=_SPAWN.SimpleQueue(),
        expected=_SPAWN.SimpleQueue(),
        whole=_SPAWN.Event(),
        edged=_SPAWN.Event(),
        poses=_SPAWN.SimpleQueue(),
    )


class CameraFeed:
    """Runs `target(job, pipe, wishes)` beside the server, for as long as the server runs.

    One that dies is started again when `is_live`, and knows what the last one knew, as the first one knows what that
    of a server that was killed did; a recording would begin anew.
    """

    def __init__(
        self,
        target: Target,
        job: Any,
        wishes: Wishes,
        *,
        is_live: bool = True,
        recollection: Recollection | None = None,
    ) -> None:
        """`recollection` is where what the process knows is kept for the next server, and taken up from the last."""
        self._recollection = recollection
        self._target = target
        self._job = job
        self._wishes = wishes
        self._is_live = is_live

    @asynccontextmanager
    async def __call__(self, hub: Hub) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()

        def call(heard: Callable[[Any], None], what: Any) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: the server has stopped
                loop.call_soon_threadsafe(heard, what)

        shift = _Shift(
            self._target,
            self._job,
            self._wishes,
            take=lambda report: call(hub.take, report),
            attach=lambda wanted: call(hub.attach, wanted),
            is_live=self._is_live,
            recollection=self._recollection,
        )
        minder = threading.Thread(target=shift.run, daemon=True)
        minder.start()
        try:
            yield
        finally:
            await asyncio.to_thread(shift.end)
            await asyncio.to_thread(minder.join, PATIENCE_S)


class _Shift:
    """One process after the other, until it is ended."""

    def __init__(
        self,
        target: Target,
        job: Any,
        wishes: Wishes,
        *,
        take: Callable[[Report], None],
        attach: Callable[[Wishes], None],
        is_live: bool,
        recollection: Recollection | None,
    ) -> None:
        self._recollection = recollection
        self._target, self._job, self._wishes = target, job, wishes
        self._take, self._attach, self._is_live = take, attach, is_live
        self._closing = threading.Event()
        self._starting = threading.Lock()
        self._process: BaseProcess | None = None
        self._kept = None if recollection is None else recollection.last()
        if self._kept is not None:
            self._job = replace(self._job, kept=self._kept)

    def run(self) -> None:
        pauses = waits(Random(), most_s=LONGEST_WAIT_S)
        while (receiving := self._start()) is not None:
            began_s = time.monotonic()
            last = self._read(receiving)
            if self._closing.is_set() or (self._has_ended_well() and _says_why(last)):
                break
            if not self._is_live:
                self._tell("Its process ended without a word.")
                break
            if time.monotonic() - began_s > STEADY_S:
                pauses = waits(Random(), most_s=LONGEST_WAIT_S)
            self._tell("Its process ended; another one is started and goes on with the last table.")
            self._closing.wait(next(pauses))
            self._renew()

    def end(self) -> None:
        """No process runs after this."""
        self._closing.set()
        with self._starting:
            if self._process is not None:
                _end(self._process)
                self._process = None

    def _start(self) -> Connection | None:
        """What the new process will say; None when there shall be no more of them."""
        with self._starting:
            if self._closing.is_set():
                return None
            receiving, sending = _SPAWN.Pipe(duplex=False)
            process = _SPAWN.Process(target=self._target, args=(self._job, sending, self._wishes), daemon=True)
            process.start()
            sending.close()  # ours; the pipe then ends when the process does
            self._process = process
            return receiving

    def _read(self, receiving: Connection) -> Report | None:
        """Hand over every report until there are no more; the last one."""
        last: Report | None = None
        with receiving:
            while True:
                try:
                    last = receiving.recv()
                except (EOFError, OSError):
                    return last
                if isinstance(last, Kept):
                    self._kept = last
                    if self._recollection is not None:
                        self._recollection.keep(last)
                else:
                    self._take(last)

    def _has_ended_well(self) -> bool:
        """Whether the process came to its end, and was not cut short."""
        with self._starting:
            if self._process is None:
                return True
            self._process.join(PATIENCE_S)
            return self._process.exitcode == 0

    def _renew(self) -> None:
        """The next process knows what the last one knew, and shares no lock with it that may never be opened."""
        with self._starting:
            if self._process is not None:
                _end(self._process)
                self._process = None
        if self._kept is not None:
            self._job = replace(self._job, kept=self._kept)
        self._wishes = wishes()
        self._attach(self._wishes)

    def _tell(self, why: str) -> None:
        log.warning("camera process ended why=%s", why)
        kept = self._kept
        lines = () if kept is None else (EventLine(type="lost-source", t_s=kept.t_s, frame=kept.frame, detail=why),)
        self._take(Failed(CameraFailed(why).problem(), lines=lines))


def _says_why(last: Report | None) -> bool:
    """Whether this was a last word, and another process would end for the same reason."""
    return isinstance(last, Failed) and (last.is_over or last.problem["type"] != CameraFailed.code)


def _end(process: BaseProcess) -> None:
    process.terminate()
    process.join(PATIENCE_S)
    if process.is_alive():
        process.kill()
        process.join(PATIENCE_S)
    if not process.is_alive():  # else the system still owes us its end; it is a daemon, and nobody waits for it
        process.close()
