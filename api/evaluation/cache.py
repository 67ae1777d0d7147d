"""Verdict cache: several phones ask the same question, and the referee answers once."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Lock

from api.errors import OverBudget
from api.evaluation.asker import AskerGone, Rank, check_asker, current_asker, is_cancellable
from api.evaluation.worker_pool import WorkerPool
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict

Ask = Callable[[TableState, BaseQuery], Verdict]
Begin = Callable[[TableState, Sequence[BaseQuery]], None]
_Key = tuple[str, str]
LOOK_S = 0.2  # how often who waits looks whether anybody still wants it
MOST_VERDICTS = 1024  # some forty sheets: the table changes before more of them are asked for again; a megabyte or two


def begin_nothing(state: TableState, queries: Sequence[BaseQuery]) -> None:
    """Begins nothing: all is answered when it is asked."""


class VerdictCache:
    """LRU cache with single flight: each question of a table is asked once, and who asks meanwhile waits for it.

    Verdicts are kept as the text they are told in, an eighth of their size as values. With a pool of workers, questions
    can be begun before somebody asks them. What no worker has begun when it is asked is answered by who asks; what is
    asked without a seat is answered by workers alone, which can be ended.
    """

    def __init__(self, ask: Ask, *, most: int = MOST_VERDICTS, pool: WorkerPool | None = None) -> None:
        self._ask = ask
        self._most = most
        self._pool = pool
        self._known: OrderedDict[_Key, bytes] = OrderedDict()
        self._asked: dict[_Key, Future[Verdict]] = {}
        self._begun: dict[_Key, Future[Verdict]] = {}
        self._lock = Lock()
        self.asked_s = -math.inf  # when somebody asked last, on the monotonic clock

    @property
    def is_idle(self) -> bool:
        """Whether workers are there and have nothing to do."""
        return self._pool is not None and self._pool.is_idle

    @property
    def size(self) -> int:
        """How many verdicts are remembered."""
        return len(self._known)

    def __call__(self, state: TableState, query: BaseQuery) -> Verdict:
        self.asked_s = time.monotonic()
        key = _key(state, query)
        while True:
            check_asker()
            answer, is_mine = self._note_question(key)
            if self._is_for_workers():
                if is_mine:
                    self._hand_to_worker(key, answer, state, query)
            elif is_mine or self._take_back(key):
                is_mine = True
                self._answer(key, answer, state, query)
            try:
                return _await_answer(answer)
            except AskerGone:  # who answered it hung up: it is asked again, unless that was this one
                continue
            except OverBudget:  # of who asked first: this one may spend more
                if is_mine:
                    raise

    def _is_for_workers(self) -> bool:
        asker = current_asker()
        return asker is not None and asker.rank >= Rank.VIEWER and self._pool is not None and self._pool.has_workers

    def begin(self, state: TableState, queries: Sequence[BaseQuery]) -> None:
        """Have workers begin these, where there is one; the first first."""
        for query in queries if self._pool is not None and self._pool.has_workers else ():
            key = _key(state, query)
            answer, is_mine = self._note_question(key)
            if is_mine:
                self._hand_to_worker(key, answer, state, query)

    def _hand_to_worker(self, key: _Key, answer: Future[Verdict], state: TableState, query: BaseQuery) -> None:
        assert self._pool is not None
        asker = current_asker()
        begun = self._begun[key] = self._pool.begin(
            state,
            query,
            rank=Rank.PRECOMPUTED if asker is None else asker.rank,
            allowance=None if asker is None else asker.allowance,
        )

        def deliver_verdict(done: Future[Verdict]) -> None:
            with self._lock:
                is_left = self._begun.pop(key, None) is not None
            if not done.cancelled() and done.exception() is None:
                self._fill_in(key, answer, done.result())
            elif not done.cancelled() and isinstance(wrong := done.exception(), OverBudget):
                self._fail(key, answer, wrong)
            elif is_left or not done.cancelled():  # else who took it back answers it
                self._answer(key, answer, state, query)

        begun.add_done_callback(deliver_verdict)

    def _take_back(self, key: _Key) -> bool:
        """Whether it lay there for a worker that had not begun with it, and is now for this caller alone to answer."""
        with self._lock:
            begun = self._begun.pop(key, None)
        return begun is not None and begun.cancel()

    def _note_question(self, key: _Key) -> tuple[Future[Verdict], bool]:
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

    def _answer(self, key: _Key, answer: Future[Verdict], state: TableState, query: BaseQuery) -> None:
        """Fill in the answer; a failure is told to all who wait and is not remembered."""
        try:
            self._fill_in(key, answer, self._ask(state, query))
        except BaseException as wrong:
            self._fail(key, answer, wrong)

    def _fail(self, key: _Key, answer: Future[Verdict], wrong: BaseException) -> None:
        with self._lock:
            self._asked.pop(key, None)
        answer.set_exception(wrong)

    def _fill_in(self, key: _Key, answer: Future[Verdict], verdict: Verdict) -> None:
        text = verdict.model_dump_json().encode()
        with self._lock:
            self._known[key] = text
            self._asked.pop(key, None)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        answer.set_result(verdict)


def _await_answer(answer: Future[Verdict]) -> Verdict:
    """The answer when there is one. Raises: AskerGone when who waits here, or who answers it, has hung up."""
    while True:
        try:
            return answer.result(LOOK_S if is_cancellable() else None)
        except TimeoutError:
            if answer.done():  # the referee's own
                raise
            check_asker()


def _key(state: TableState, query: BaseQuery) -> _Key:
    return state.state_id, query.model_dump_json()
