"""Processes beside the server that answer long questions, so that one sheet is worked out by several cores at once.

They get whole tables and whole questions and run the same referee: who answers changes no verdict.
"""

import gc
import logging
import os
import pickle
import signal
import threading
from collections import OrderedDict
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import SimpleQueue

from api.heap import GivingBack, keep_no_holes
from models.queries import Asked
from models.state import TableState
from models.verdict import Verdict

log = logging.getLogger(__name__)

MOST_WORKERS = 2  # with the server three cores at most: a sheet has not many more long questions
_MOST_TABLES = 16


@dataclass(frozen=True)
class Task:
    """A question, and its verdict to be. It can be cancelled until a worker begins with it."""

    state: TableState
    query: Asked
    told: Future[Verdict] = field(default_factory=Future)


class Crew:
    """The workers, each with a thread of the server that hands it one question after the other.

    A worker that dies is not replaced: what it had is answered by who asked, and so is all else when none is left.
    """

    def __init__(self, *, workers: int | None = None) -> None:
        self.workers = min(MOST_WORKERS, (os.cpu_count() or 1) - 1) if workers is None else workers
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._there = 0
        self._busy = 0
        self._is_closed = False

    @property
    def is_there(self) -> bool:
        """Whether anybody works here."""
        return self._there > 0

    @property
    def is_idle(self) -> bool:
        """Whether there are workers and none has anything to do."""
        return self._there > 0 and self._busy == 0 and self._tasks.empty()

    def start(self) -> None:
        """Have the workers get ready; until then, and where there are none, the server answers alone."""
        for _ in range(self.workers):
            threading.Thread(target=self._follow, daemon=True).start()

    def begin(self, state: TableState, query: Asked) -> Future[Verdict]:
        """The verdict to be; cancelled where nobody works."""
        task = Task(state, query)
        with self._lock:
            if is_there := self.is_there:
                self._tasks.put(task)
        if not is_there:
            task.told.cancel()
        return task.told

    def close(self) -> None:
        """Nobody asks any more."""
        self._is_closed = True
        for _ in range(self.workers):
            self._tasks.put(None)

    def _follow(self) -> None:
        """Hand one worker its questions until it or the server is done."""
        with _hired() as line:
            try:
                line.recv()  # it is ready
                self._count(there=1)
                self._hand_on(line)
            except (EOFError, OSError) as wrong:
                if not self._is_closed:
                    log.warning("a worker is gone why=%s", wrong or type(wrong).__name__)

    def _hand_on(self, line: Connection) -> None:
        try:
            while (task := self._tasks.get()) is not None:
                self._count(busy=1)
                try:
                    _ask(line, task)
                finally:
                    self._count(busy=-1)
        finally:
            for task in self._left():
                task.told.cancel()

    def _left(self) -> list[Task]:
        """One worker fewer; and what lies there for nobody, when that was the last."""
        found: list[Task] = []
        with self._lock:
            self._there -= 1
            while not self.is_there and not self._tasks.empty():
                if (task := self._tasks.get()) is not None:
                    found.append(task)
        return found

    def _count(self, *, there: int = 0, busy: int = 0) -> None:
        with self._lock:
            self._there += there
            self._busy += busy


def _hired() -> Connection:
    """The line to a new worker, which goes when the line or the server does."""
    spawn = get_context("spawn")  # a server has threads, and what forks then may never wake
    mine, its = spawn.Pipe()
    spawn.Process(target=work, args=(its,), daemon=True).start()
    its.close()
    return mine


def _ask(line: Connection, task: Task) -> None:
    """Fill in the answer. Raises: EOFError or OSError when the worker is gone."""
    if not task.told.set_running_or_notify_cancel():
        return
    try:
        line.send((task.state.state_id, pickle.dumps(task.state), task.query))
        found = line.recv()
    except (EOFError, OSError) as wrong:
        task.told.set_exception(wrong)
        raise
    if isinstance(found, Verdict):
        task.told.set_result(found)
    else:
        task.told.set_exception(found)


def work(line: Connection) -> None:
    """The worker: answers until the server is gone, however that ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends us
    import referee  # noqa: F401 - so that nobody waits for it

    keep_no_holes()
    gc.freeze()
    tables: OrderedDict[str, TableState] = OrderedDict()
    give_back = GivingBack()
    with suppress(EOFError, OSError):
        line.send(None)
        while True:
            state_id, packed, query = line.recv()
            if state_id not in tables:
                tables[state_id] = pickle.loads(packed)
            tables.move_to_end(state_id)
            while len(tables) > _MOST_TABLES:
                tables.popitem(last=False)
            line.send(_answered(tables[state_id], query))
            give_back()


def _answered(state: TableState, query: Asked) -> Verdict | Exception:
    from referee import ask

    try:
        return ask(state, query)
    except Exception as wrong:
        return RuntimeError(f"{type(wrong).__name__}: {wrong}")  # whoever waits asks again and meets the cause itself
