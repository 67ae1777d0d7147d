"""Worker pool: processes beside the server that answer long questions, one sheet by several cores at once.

They get whole tables and whole questions and run the same referee: who answers changes no verdict.
"""

import logging
import os
import pickle
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from random import Random

from api.backoff import backoff_waits
from api.evaluation.worker import SPAWN, answer_pipe
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict

log = logging.getLogger(__name__)

STILL_S = 4.0  # one that says nothing for so long was stopped, or has no processor: others go on without it
START_S = 60.0  # loading the referee may take long on a machine that has other work
STEADY_S, LONGEST_WAIT_S = 60.0, 30.0  # one that ran for so long is replaced at once; others wait ever longer
LOOK_S, END_S = 0.25, 1.0
MOST_WORKERS = 2  # with the server three cores at most: a sheet has not many more long questions


class StoodStill(EOFError):
    """A worker lives, and does nothing."""


@dataclass(frozen=True)
class Task:
    """A question, and the future of its verdict. It can be cancelled until a worker begins with it."""

    state: TableState
    query: BaseQuery
    verdict: Future[Verdict] = field(default_factory=Future)


class WorkerPool:
    """Worker processes, each with a thread of the server that hands it one question after the other.

    One that dies, or stands still, is replaced: what it had is answered by who asked, and so is all else while none is
    left. `tell` is called, from any thread, with how many are missing that had been there.
    """

    def __init__(
        self, *, workers: int | None = None, tell: Callable[[int], None] = lambda _: None, still_s: float = STILL_S
    ) -> None:
        self.workers = min(MOST_WORKERS, (os.cpu_count() or 1) - 1) if workers is None else workers
        self.tell = tell
        self._still_s = still_s
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._working = 0
        self._busy = 0
        self._missing = 0
        self._closing = threading.Event()

    @property
    def has_workers(self) -> bool:
        """Whether anybody works here."""
        return self._working > 0

    @property
    def is_idle(self) -> bool:
        """Whether there are workers and none has anything to do."""
        return self._working > 0 and self._busy == 0 and self._tasks.empty()

    def start(self) -> None:
        """Have the workers get ready; until then, and where there are none, the server answers alone."""
        for _ in range(self.workers):
            threading.Thread(target=self._keep_worker, daemon=True).start()

    def begin(self, state: TableState, query: BaseQuery) -> Future[Verdict]:
        """The verdict to be; cancelled where nobody works."""
        task = Task(state, query)
        with self._lock:
            if is_there := self.has_workers:
                self._tasks.put(task)
        if not is_there:
            task.verdict.cancel()
        return task.verdict

    def close(self) -> None:
        """Nobody asks any more."""
        self._closing.set()
        for _ in range(self.workers):
            self._tasks.put(None)

    def _keep_worker(self) -> None:
        """One worker after the other, until the server is done."""
        pauses = backoff_waits(Random(), most_s=LONGEST_WAIT_S)
        is_missed = False
        while not self._closing.is_set():
            began_s = time.monotonic()
            try:
                with _Worker(still_s=self._still_s) as worker:
                    worker.receive(START_S)  # it is ready
                    is_missed = self._note_missed(is_missed, False)
                    self._count(there=1)
                    self._feed_worker(worker)
            except (EOFError, OSError) as wrong:
                if self._closing.is_set():
                    return
                log.warning("a worker is gone why=%s", wrong or type(wrong).__name__)
            if not self._closing.is_set():
                is_missed = self._note_missed(is_missed, True)
                if time.monotonic() - began_s > STEADY_S:
                    pauses = backoff_waits(Random(), most_s=LONGEST_WAIT_S)
                self._closing.wait(next(pauses))

    def _note_missed(self, was: bool, now: bool) -> bool:
        if was != now:
            with self._lock:
                self._missing += 1 if now else -1
            self.tell(self._missing)
        return now

    def _feed_worker(self, worker: "_Worker") -> None:
        try:
            while True:
                try:
                    task = self._tasks.get(timeout=LOOK_S)
                except Empty:
                    worker.check()
                    continue
                if task is None:
                    return
                self._count(busy=1)
                try:
                    worker.ask(task)
                finally:
                    self._count(busy=-1)
        finally:
            for task in self._retire_worker():
                task.verdict.cancel()

    def _retire_worker(self) -> list[Task]:
        """One worker fewer; and what lies there for nobody, when that was the last."""
        found: list[Task] = []
        with self._lock:
            self._working -= 1
            while not self.has_workers and not self._tasks.empty():
                if (task := self._tasks.get()) is not None:
                    found.append(task)
        return found

    def _count(self, *, there: int = 0, busy: int = 0) -> None:
        with self._lock:
            self._working += there
            self._busy += busy


class _Worker:
    """One worker process, which goes when its line or the server does; used as a context, after which it is gone."""

    def __init__(self, *, still_s: float) -> None:
        self._still_s = still_s
        self._line, its = SPAWN.Pipe()
        self._heart, its_heart = SPAWN.Pipe(duplex=False)
        self._process = SPAWN.Process(target=answer_pipe, args=(its, its_heart), daemon=True)
        self._process.start()
        its.close()
        its_heart.close()
        self._beaten_s = time.monotonic()

    def __enter__(self) -> "_Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()
        self._heart.close()
        self._process.join(END_S)
        if self._process.is_alive():
            self._process.kill()  # one that was stopped takes nothing else
            self._process.join(END_S)

    def check(self) -> None:
        """Raises: EOFError or OSError when the worker is gone; StoodStill."""
        while self._heart.poll():
            self._heart.recv_bytes()
            self._beaten_s = time.monotonic()
        if time.monotonic() - self._beaten_s > self._still_s:
            self._process.kill()
            raise StoodStill(f"it stood still for {self._still_s:.0f} seconds")

    def receive(self, still_s: float | None = None) -> object:
        """What it says next. Raises: EOFError or OSError when it is gone; StoodStill."""
        if still_s is not None:
            self._beaten_s = time.monotonic() + still_s - self._still_s
        while not self._line.poll(LOOK_S):
            self.check()
        return self._line.recv()

    def ask(self, task: Task) -> None:
        """Fill in the answer. Raises: EOFError or OSError when the worker is gone; StoodStill."""
        if not task.verdict.set_running_or_notify_cancel():
            return
        try:
            self._line.send((task.state.state_id, pickle.dumps(task.state), task.query))
            found = self.receive()
        except (EOFError, OSError) as wrong:
            task.verdict.set_exception(wrong)
            raise
        if isinstance(found, Verdict):
            task.verdict.set_result(found)
        else:
            assert isinstance(found, Exception)
            task.verdict.set_exception(found)
