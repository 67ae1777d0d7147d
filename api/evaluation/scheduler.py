"""Deadline scheduler: one answer at a time, the earliest deadline first.

Python works on one of a server's threads at a time. Several questions at once are no quicker than one after the other;
all of them are as late as the last, and what they have found of their tables is forgotten before they need it again.
A long question gives way to what is wanted before it would be done if it took as long again: most are answered in the
twentieth part of what the longest take, and nobody should wait for those.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush, heapreplace
from itertools import count
from threading import Event, Lock

from api.evaluation.asker import (
    Allowance,
    AskerGone,
    check_asker,
    current_asker,
    extra_wait_s,
    is_cancellable,
    is_gone,
)
from api.evaluation.cache import Ask
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict

IN_TIME_S = 1.0  # by when an answer is wanted where nobody says
LOOK_S = 0.2  # how often who waits looks whether anybody still wants it
LEAST_S = 0.02  # what has been worked on for less gives way to nobody

_by_s: ContextVar[float | None] = ContextVar("by_s", default=None)
_current_work: ContextVar["_Work | None"] = ContextVar("shift", default=None)


@contextmanager
def deadline(by_s: float) -> Iterator[None]:
    """What is asked meanwhile on this thread is wanted by then, on the monotonic clock."""
    token = _by_s.set(by_s)
    try:
        yield
    finally:
        _by_s.reset(token)


def yield_to_urgent() -> None:
    """Let others go first whose answers are wanted earlier than the one that this thread is working out, if any.

    Raises: AskerGone when nobody waits for it any more; OverBudget when it takes more than its asker may spend.
    """
    check_asker()
    shift = _current_work.get()
    if shift is not None:
        shift.check_allowance()
        shift.order.yield_to_urgent(shift)


@dataclass
class _Work:
    """One question at work: by when it is wanted, since when it is worked on, and for how long it was before that."""

    order: "DeadlineScheduler"
    by_s: float
    since_s: float
    allowance: Allowance | None
    began_s: float = field(default_factory=time.thread_time)  # processor time of the thread
    worked_s: float = 0.0

    def check_allowance(self) -> None:
        """Raises: OverBudget."""
        if self.allowance is not None:
            self.allowance.check(time.thread_time() - self.began_s)

    def charge(self) -> None:
        if self.allowance is not None:
            self.allowance.spend(time.thread_time() - self.began_s)

    def may_wait_until_s(self, now_s: float) -> float:
        """What has taken long already can wait as long again."""
        return max(self.by_s, now_s + self.worked_s + now_s - self.since_s)


class DeadlineScheduler:
    """Earliest deadline first: works out one answer after the other.

    Where the referee calls `give_way` between steps, a long question is interrupted for what is wanted earlier.
    """

    def __init__(self, ask: Ask, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._ask = ask
        self._clock = clock
        self._lock = Lock()
        self._is_busy = False
        self._waiting: list[tuple[float, int, Event]] = []
        self._numbers = count()

    def __call__(self, state: TableState, query: BaseQuery) -> Verdict:
        by_s = _by_s.get()
        by_s = (self._clock() + IN_TIME_S if by_s is None else by_s) + extra_wait_s()
        asker = current_asker()
        self._wait_for_turn(by_s)
        work = _Work(self, by_s, self._clock(), None if asker is None else asker.allowance)
        token = _current_work.set(work)
        try:
            return self._ask(state, query)
        finally:
            _current_work.reset(token)
            self._wake_next()
            work.charge()

    def yield_to_urgent(self, shift: _Work) -> None:
        """Interrupt what is at work while something that waits is wanted earlier."""
        if not self._waiting:
            return
        now_s = self._clock()
        if shift.worked_s + now_s - shift.since_s < LEAST_S:
            return
        by_s, called = shift.may_wait_until_s(now_s), Event()
        with self._lock:
            if not self._waiting or self._waiting[0][0] >= by_s:
                return
            next_ = heapreplace(self._waiting, (by_s, next(self._numbers), called))
            next_[2].set()
        shift.worked_s += now_s - shift.since_s
        called.wait()
        shift.since_s = self._clock()

    def _wait_for_turn(self, by_s: float) -> None:
        called = Event()
        with self._lock:
            if not self._is_busy:
                self._is_busy = True
                return
            mine = (by_s, next(self._numbers), called)
            heappush(self._waiting, mine)
        while not called.wait(LOOK_S if is_cancellable() else None):
            if is_gone() and self._leave_queue(mine):
                raise AskerGone

    def _leave_queue(self, mine: tuple[float, int, Event]) -> bool:
        """Whether it still waited, and does no more."""
        with self._lock:
            if mine not in self._waiting:
                return False
            self._waiting.remove(mine)
            heapify(self._waiting)
            return True

    def _wake_next(self) -> None:
        """Call the next, who is then the one at work."""
        with self._lock:
            if self._waiting:
                heappop(self._waiting)[2].set()
            else:
                self._is_busy = False
