"""A referee who remembers: several phones ask the same, and players swap A and B back and forth."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Lock

from api.crew import Crew
from models.queries import Asked
from models.state import TableState
from models.verdict import Verdict

Ask = Callable[[TableState, Asked], Verdict]
Begin = Callable[[TableState, Sequence[Asked]], None]
_Key = tuple[str, str]
MOST_VERDICTS = 1024  # some forty sheets: the table changes before more of them are asked for again


def nobody_else(state: TableState, queries: Sequence[Asked]) -> None:
    """Begins nothing: whoever asks answers."""


class Remembering:
    """Asks once about each table and question; who asks meanwhile waits for the same answer.

    With a crew, questions can be begun before somebody asks them. What no worker has begun when it is asked is
    answered by who asks.
    """

    def __init__(self, ask: Ask, *, most: int = MOST_VERDICTS, crew: Crew | None = None) -> None:
        self._ask = ask
        self._most = most
        self._crew = crew
        self._known: OrderedDict[_Key, Future[Verdict]] = OrderedDict()
        self._begun: dict[_Key, Future[Verdict]] = {}
        self._lock = Lock()
        self.asked_s = -math.inf  # when somebody asked last, on the monotonic clock

    @property
    def is_idle(self) -> bool:
        """Whether a crew is there and has nothing to do."""
        return self._crew is not None and self._crew.is_idle

    @property
    def kept(self) -> int:
        """How many verdicts are remembered."""
        return len(self._known)

    def __call__(self, state: TableState, query: Asked) -> Verdict:
        self.asked_s = time.monotonic()
        key = _key(state, query)
        answer, is_mine = self._noted(key)
        if is_mine or self._has_taken_back(key):
            self._answer(key, answer, state, query)
        return answer.result()

    def begin(self, state: TableState, queries: Sequence[Asked]) -> None:
        """Have a crew work on these, where there is one; the first first."""
        for query in queries if self._crew is not None and self._crew.is_there else ():
            key = _key(state, query)
            answer, is_mine = self._noted(key)
            if is_mine:
                self._have_worked_on(key, answer, state, query)

    def _have_worked_on(self, key: _Key, answer: Future[Verdict], state: TableState, query: Asked) -> None:
        assert self._crew is not None
        begun = self._begun[key] = self._crew.begin(state, query)

        def told(done: Future[Verdict]) -> None:
            with self._lock:
                is_left = self._begun.pop(key, None) is not None
            if not done.cancelled() and done.exception() is None:
                answer.set_result(done.result())
            elif is_left or not done.cancelled():  # else who took it back answers it
                self._answer(key, answer, state, query)

        begun.add_done_callback(told)

    def _has_taken_back(self, key: _Key) -> bool:
        """Whether it lay there for a worker that had not begun with it, and is now for this caller alone to answer."""
        with self._lock:
            begun = self._begun.pop(key, None)
        return begun is not None and begun.cancel()

    def _noted(self, key: _Key) -> tuple[Future[Verdict], bool]:
        """The answer to be, and whether it is for this caller to find it."""
        with self._lock:
            known = self._known.get(key)
            answer = self._known.setdefault(key, Future())
            self._known.move_to_end(key)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return answer, known is None

    def _answer(self, key: _Key, answer: Future[Verdict], state: TableState, query: Asked) -> None:
        """Fill in the answer; a failure is told to all who wait and is not remembered."""
        try:
            answer.set_result(self._ask(state, query))
        except BaseException as wrong:
            answer.set_exception(wrong)
            with self._lock:
                self._known.pop(key, None)


def _key(state: TableState, query: Asked) -> _Key:
    return state.state_id, query.model_dump_json()
