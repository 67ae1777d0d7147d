"""Camera supervisor: starts the camera's process, hands its reports to the hub, starts another when it dies."""

import asyncio
import contextlib
import logging
import multiprocessing
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from random import Random
from typing import Any

from api.backoff import backoff_waits
from api.camera.protocol import AliveReport, CameraCommands, FailureReport, Report, SnapshotReport
from api.camera.tracker_snapshot import TrackerSnapshot
from api.errors import CameraFailed
from api.live.hub import Hub
from api.process_state import is_stopped
from api.supervision import run_in_thread
from models.timeline import EventLine

log = logging.getLogger(__name__)

_SPAWN = multiprocessing.get_context("spawn")  # a fork would inherit the server's sockets and threads
PATIENCE_S = 3.0
LONGEST_WAIT_S = 30.0
LOOK_S = 0.1
STEADY_S = 60.0  # a process that ran for so long is started again at once when it dies


@dataclass(frozen=True)
class BeatTimeouts:
    """Watchdog limits: a silent process is told of after `silent_s`, ended after `ended_s`: it may just wait its turn.

    `start_s` is how long its first beat may take: loading is slow on a machine that has other work. One that the system
    has stopped is told of after `stopped_s` and ended after `stopped_ended_s`, loading or not.
    """

    silent_s: float = 3.0
    ended_s: float = 12.0
    start_s: float = 60.0
    stopped_s: float = 1.0
    stopped_ended_s: float = 4.0


BEATS = BeatTimeouts()

Target = Callable[[Any, Connection, CameraCommands], None]


def open_commands() -> CameraCommands:
    return CameraCommands(
        pictures=_SPAWN.Event(),
        register=_SPAWN.Event(),
        check=_SPAWN.Event(),
        answers=_SPAWN.SimpleQueue(),
        expected=_SPAWN.SimpleQueue(),
        confirmed=_SPAWN.SimpleQueue(),
        whole=_SPAWN.Event(),
        edged=_SPAWN.Event(),
        poses=_SPAWN.SimpleQueue(),
        lights=_SPAWN.SimpleQueue(),
    )


class CameraSupervisor:
    """Runs `target(job, pipe, commands)` in a process beside the server, and again whenever it dies.

    One that dies is started again when `is_live`, and knows what the last one knew, as the first one knows what that
    of a server that was killed did; a recording would begin anew.
    """

    def __init__(
        self,
        target: Target,
        job: Any,
        commands: CameraCommands,
        *,
        is_live: bool = True,
        tracker_snapshot: TrackerSnapshot | None = None,
        beats: BeatTimeouts = BEATS,
    ) -> None:
        """`tracker_snapshot` keeps what the process knows for the next server, and is taken up from the last."""
        self._tracker_snapshot = tracker_snapshot
        self._target = target
        self._job = job
        self._commands = commands
        self._is_live = is_live
        self._beats = beats

    @asynccontextmanager
    async def __call__(self, hub: Hub) -> AsyncIterator[None]:
        processes = _ProcessLoop(
            self._target,
            self._job,
            self._commands,
            hub=hub,
            loop=asyncio.get_running_loop(),
            is_live=self._is_live,
            tracker_snapshot=self._tracker_snapshot,
            beats=self._beats,
        )
        async with hub.tasks.keep(
            {"camera": partial(run_in_thread, processes.run)},
            stop=partial(asyncio.to_thread, processes.end),
            patience_s=PATIENCE_S,
        ):
            yield


class _Stopped(Exception):
    """The process lives, and does nothing."""


class _ProcessLoop:
    """One process after the other, until it is ended."""

    def __init__(
        self,
        target: Target,
        job: Any,
        commands: CameraCommands,
        *,
        hub: Hub,
        loop: asyncio.AbstractEventLoop,
        is_live: bool,
        tracker_snapshot: TrackerSnapshot | None,
        beats: BeatTimeouts,
    ) -> None:
        self._beats = beats
        self._tracker_snapshot = tracker_snapshot
        self._target, self._job, self._commands = target, job, commands
        self._hub, self._loop, self._is_live = hub, loop, is_live
        self._closing = threading.Event()
        self._starting = threading.Lock()
        self._process: BaseProcess | None = None
        self._kept = None if tracker_snapshot is None else tracker_snapshot.last()
        if self._kept is not None:
            self._job = replace(self._job, kept=self._kept)

    def run(self) -> None:
        pauses = backoff_waits(Random(), most_s=LONGEST_WAIT_S)
        while (receiving := self._start()) is not None:
            began_s = time.monotonic()
            try:
                last = self.read_reports(receiving)
                has_ended = self._has_ended_well() and _is_final(last)
            except _Stopped:
                self._kill()
                has_ended = False
            if self._closing.is_set() or has_ended:
                break
            if not self._is_live:
                self._report_death("Its process ended without a word.")
                break
            if time.monotonic() - began_s > STEADY_S:
                pauses = backoff_waits(Random(), most_s=LONGEST_WAIT_S)
            self._report_death("Its process ended; another one is started and goes on with the last table.")
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
            process = _SPAWN.Process(target=self._target, args=(self._job, sending, self._commands), daemon=True)
            process.start()
            sending.close()  # ours; the pipe then ends when the process does
            self._process = process
            return receiving

    def read_reports(self, receiving: Connection) -> Report | None:
        """Hand over every report until there are no more; the last one. Raises: _Stopped when no more will come."""
        last: Report | None = None
        patience_s = self._beats.start_s
        with receiving:
            while True:
                self._await_word(receiving, patience_s)
                patience_s = self._beats.silent_s
                try:
                    said = receiving.recv()
                except (EOFError, OSError):
                    return last
                except Exception as wrong:  # cut short within a report, or of another version: nothing more can be read
                    log.exception("the camera's process says what cannot be read")
                    raise _Stopped from wrong
                if isinstance(said, AliveReport):
                    continue
                last = said
                if isinstance(last, SnapshotReport):
                    self._kept = last
                    if self._tracker_snapshot is not None:
                        self._tracker_snapshot.keep(last)
                else:
                    with contextlib.suppress(RuntimeError):  # the loop is closed: the server has stopped
                        self._loop.call_soon_threadsafe(self._hub.handle_report, last)

    def _await_word(self, receiving: Connection, patience_s: float) -> None:
        """Until there is something to read, or the pipe ends. Raises: _Stopped when it takes too long."""
        beats, began_s, is_told = self._beats, time.monotonic(), False
        with contextlib.suppress(OSError):
            while not receiving.poll(LOOK_S) and not self._closing.is_set():
                still_s, is_stopped_now = time.monotonic() - began_s, self._is_stopped()
                if not is_told and still_s > (beats.stopped_s if is_stopped_now else patience_s):
                    why = "Its process does not answer; if it goes on so, another one is started."
                    self._post(self._hub.handle_report, FailureReport(CameraFailed(why).problem()))
                    is_told = True
                may_end_s = patience_s + beats.ended_s - beats.silent_s
                if is_told and still_s > (beats.stopped_ended_s if is_stopped_now else may_end_s):
                    raise _Stopped

    def _is_stopped(self) -> bool:
        with self._starting:
            return self._process is not None and self._process.pid is not None and is_stopped(self._process.pid)

    def _kill(self) -> None:
        """A process that was stopped takes no other signal."""
        with self._starting:
            if self._process is not None:
                self._process.kill()

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
        self._commands = open_commands()
        self._post(self._hub.attach_camera, self._commands)

    def _report_death(self, why: str) -> None:
        log.warning("camera process ended why=%s", why)
        kept = self._kept
        lines = () if kept is None else (EventLine(type="lost-source", t_s=kept.t_s, frame=kept.frame, detail=why),)
        self._post(self._hub.handle_report, FailureReport(CameraFailed(why).problem(), lines=lines))

    def _post(self, handle: Callable[[Any], None], what: Any) -> None:
        """Have the server's loop do this."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server has stopped
            self._loop.call_soon_threadsafe(handle, what)


def _is_final(last: Report | None) -> bool:
    """Whether this was a last word, and another process would end for the same reason."""
    return isinstance(last, FailureReport) and (last.is_over or last.problem["type"] != CameraFailed.code)


def _end(process: BaseProcess) -> None:
    if process.pid is not None and is_stopped(process.pid):
        process.kill()  # it takes nothing else
    process.terminate()
    process.join(PATIENCE_S)
    if process.is_alive():
        process.kill()
        process.join(PATIENCE_S)
    if not process.is_alive():  # else the system still owes us its end; it is a daemon, and nobody waits for it
        process.close()
