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
MOST_VERDICTS = 1024  # some forty sheets: the table changes before more of them are asked for again; a megabyte or two


def nobody_else(state: TableState, queries: Sequence[Asked]) -> None:
    """Begins nothing: whoever asks answers."""


class Remembering:
    """Asks once about each table and question; who asks meanwhile waits for the same answer.

    Verdicts are kept as the text they are told in, an eighth of their size as values. With a crew, questions can be
    begun before somebody asks them. What no worker has begun when it is asked is answered by who asks.
    """

    def __init__(self, ask: Ask, *, most: int = MOST_VERDICTS, crew: Crew | None = None) -> None:
        self._ask = ask
        self._most = most
        self._crew = crew
        self._known: OrderedDict[_Key, bytes] = OrderedDict()
        self._asked: dict[_Key, Future[Verdict]] = {}
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
                self._tell(key, answer, done.result())
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
            if (answer := self._asked.get(key)) is not None:
                return answer, False
            answer, known = Future(), self._known.get(key)
            if known is None:
                self._asked[key] = answer
            else:
                self._known.move_to_end(key)
        if known is not None:
            answer.set_result(Verdict.model_validate_json(known))
        return answer, known is None

    def _answer(self, key: _Key, answer: Future[Verdict], state: TableState, query: Asked) -> None:
        """Fill in the answer; a failure is told to all who wait and is not remembered."""
        try:
            self._tell(key, answer, self._ask(state, query))
        except BaseException as wrong:
            with self._lock:
                self._asked.pop(key, None)
            answer.set_exception(wrong)

    def _tell(self, key: _Key, answer: Future[Verdict], verdict: Verdict) -> None:
        text = verdict.model_dump_json().encode()
        with self._lock:
            self._known[key] = text
            self._asked.pop(key, None)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        answer.set_result(verdict)


def _key(state: TableState, query: Asked) -> _Key:
    return state.state_id, query.model_dump_json()
