"""Request priority: a tapped pair goes before all else.

Answers are worked out one step at a time, and those that can wait look before each step whether somebody is in a hurry.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition
from typing import TypeVar

from api.evaluation.cache import Ask
from api.evaluation.scheduler import deadline
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict

LONGEST_S = 1.0  # nobody is made to wait longer than this for a step, however many are in a hurry
READ_S, WHOLE_S = 0.15, 0.4  # by when a sheet is to be read, and to be whole; what is shown first is wanted at once
SHORTLY_S = 0.08  # nor is who was in a hurry, for the rest: a sheet is read when it is whole

Step = TypeVar("Step")


class RequestPriority:
    """Two classes of requests: urgent ones, and background ones that wait for them."""

    def __init__(self, *, longest_s: float = LONGEST_S) -> None:
        self._longest_s = longest_s
        self._urgent_count = 0
        self._calm = Condition()

    def urgent(self, steps: Iterator[Step], *, until: Callable[[Step], bool]) -> Iterator[Step]:
        """The same steps: at once up to and with the first that suffices, the rest when nobody is in a hurry."""
        began_s = time.monotonic()
        with self._hold_back_others():
            for step in _with_deadlines(steps, by_s=began_s + READ_S, first_by_s=began_s):
                yield step
                if until(step):
                    break
        rest = _with_deadlines(steps, by_s=began_s + WHOLE_S)
        yield from self.background(rest, longest_s=min(SHORTLY_S, self._longest_s))

    def background(self, steps: Iterator[Step], *, longest_s: float | None = None) -> Iterator[Step]:
        """The same steps, each when nobody is in a hurry."""
        while True:
            self._wait_for_urgent(longest_s)
            try:
                step = next(steps)
            except StopIteration:
                return
            yield step

    def ask_in_background(self, ask: Ask) -> Ask:
        """The same referee, asked when nobody is in a hurry."""

        def ask_unhurried(state: TableState, query: BaseQuery) -> Verdict:
            self._wait_for_urgent()
            return ask(state, query)

        return ask_unhurried

    def _wait_for_urgent(self, longest_s: float | None = None) -> None:
        with self._calm:
            self._calm.wait_for(lambda: self._urgent_count == 0, timeout=longest_s or self._longest_s)

    @contextmanager
    def _hold_back_others(self) -> Iterator[None]:
        with self._calm:
            self._urgent_count += 1
        try:
            yield
        finally:
            with self._calm:
                self._urgent_count -= 1
                self._calm.notify_all()


def _with_deadlines(steps: Iterator[Step], *, by_s: float, first_by_s: float | None = None) -> Iterator[Step]:
    """The same steps, each wanted by then."""
    next_by_s = by_s if first_by_s is None else first_by_s
    while True:
        with deadline(next_by_s):
            try:
                step = next(steps)
            except StopIteration:
                return
        yield step
        next_by_s = by_s
