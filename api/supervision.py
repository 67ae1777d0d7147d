"""Supervision: tasks that go on as long as the server does; the death of one is an alarm, and it is started again."""

import asyncio
import logging
import math
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from random import Random
from typing import Protocol

from api.backoff import backoff_waits

log = logging.getLogger(__name__)

LONGEST_WAIT_S = 30.0
STEADY_S = 10.0  # a task that ran for so long is well again
END_S = 30.0
SAID_AGAIN_S = 60.0

Work = Callable[[], Awaitable[None]]


class SaidOnce(logging.Filter):
    """Lets a message that begins so through once a minute, whatever its arguments, and without its traceback."""

    def __init__(self, begins: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._begins, self._clock, self._said_s = begins, clock, -math.inf

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.getMessage().startswith(self._begins):
            return True
        record.exc_info, record.exc_text = None, None
        is_due = self._clock() - self._said_s >= SAID_AGAIN_S
        self._said_s = self._clock() if is_due else self._said_s
        return is_due


class AlarmBell(Protocol):
    """Where alarms stand by their codes until they are over."""

    def sound(self, code: str, says: str) -> None: ...

    def end(self, code: str) -> object: ...


class RemoteBell:
    """The same bell, rung from another thread than that of its loop."""

    def __init__(self, bell: AlarmBell, loop: asyncio.AbstractEventLoop) -> None:
        self._bell = bell
        self._loop = loop

    def sound(self, code: str, says: str) -> None:
        self._call(partial(self._bell.sound, code, says))

    def end(self, code: str) -> None:
        self._call(partial(self._bell.end, code))

    def _call(self, ring: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # the loop is closed: the server has stopped
            self._loop.call_soon_threadsafe(ring)


class Supervisor:
    """Keeps tasks going. One that returns has come to its end; one that raises, or is cancelled, has died.

    `tasks` has each that goes on, by its name; its alarm has the code `task-NAME`.
    """

    def __init__(
        self, bell: AlarmBell, *, random: Random | None = None, first_s: float = 0.25, steady_s: float = STEADY_S
    ) -> None:
        self.tasks: dict[str, asyncio.Future[None]] = {}
        self._bell = bell
        self._random = random or Random()
        self._first_s = first_s
        self._steady_s = steady_s

    @asynccontextmanager
    async def keep(
        self,
        works: Mapping[str, Work],
        *,
        stop: Callable[[], Awaitable[None]] | None = None,
        patience_s: float = END_S,
    ) -> AsyncIterator[None]:
        """Keep these going inside. After it `stop` asks them to come to their end, for which they have so long.

        Without it they are cancelled.
        """
        ending = asyncio.Event()
        # Another server on the same table may keep works of the same names.
        own: dict[str, asyncio.Future[None]] = {}
        minders = [asyncio.create_task(self._mind(name, work, ending, own)) for name, work in works.items()]
        try:
            yield
        finally:
            ending.set()
            if stop is None:
                _cancel(own)
            else:
                await stop()
            if minders:
                _, late = await asyncio.wait(minders, timeout=patience_s)
                _cancel(own if late else {})
                await asyncio.gather(*minders)

    async def _mind(self, name: str, work: Work, ending: asyncio.Event, own: dict[str, asyncio.Future[None]]) -> None:
        waits, is_alarmed = self._waits(), False
        while not ending.is_set():
            began_s = time.monotonic()
            task = self.tasks[name] = own[name] = asyncio.ensure_future(work())
            if is_alarmed:
                await asyncio.wait({task}, timeout=self._steady_s)
                is_alarmed = task.done()
                if not is_alarmed:
                    self._bell.end(f"task-{name}")
            await asyncio.wait({task})
            reason = _why_ended(name, task)
            if ending.is_set() or reason is None:
                break
            if time.monotonic() - began_s >= self._steady_s:
                waits = self._waits()
            self._bell.sound(f"task-{name}", f"“{name}” failed ({reason}) and is started again.")
            is_alarmed = True
            with suppress(TimeoutError):
                await asyncio.wait_for(ending.wait(), next(waits))
        if self.tasks.get(name) is own.get(name):
            self.tasks.pop(name, None)

    def _waits(self) -> Iterator[float]:
        return backoff_waits(self._random, first_s=self._first_s, most_s=LONGEST_WAIT_S)


def _cancel(tasks: Mapping[str, asyncio.Future[None]]) -> None:
    for task in tasks.values():
        task.cancel()


def _why_ended(name: str, task: asyncio.Future[None]) -> str | None:
    """Why the task died; None where it came to its own end."""
    if task.cancelled():
        return "it was cancelled"
    wrong = task.exception()
    if wrong is None:
        return None
    log.error("task died name=%s", name, exc_info=wrong)
    return f"{type(wrong).__name__}: {wrong}"[:200]


async def run_in_thread(work: Callable[[], None]) -> None:
    """Do this in a thread of its own: those of the executor are few, and this one stays."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def settle(wrong: BaseException | None) -> None:
        if done.done():
            return
        if wrong is None:
            done.set_result(None)
        else:
            done.set_exception(wrong)

    def run() -> None:
        wrong: BaseException | None = None
        try:
            work()
        except BaseException as raised:
            wrong = raised
        with suppress(RuntimeError):  # the loop is closed: the server has stopped
            loop.call_soon_threadsafe(settle, wrong)

    threading.Thread(target=run, daemon=True).start()
    await done
