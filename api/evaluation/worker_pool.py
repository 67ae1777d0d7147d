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
from functools import partial
from itertools import count
from queue import Empty, PriorityQueue
from random import Random
from typing import Any

from api.backoff import backoff_waits
from api.evaluation.asker import Allowance, Rank, over_budget
from api.evaluation.worker import GRACE_S, OVER_BUDGET, SPAWN, answer_pipe
from api.process_state import is_stopped, processor_s
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict

log = logging.getLogger(__name__)

STILL_S = 3.0  # one that says nothing for so long hangs, or has no processor: others go on without it
STOPPED_S = 1.0  # and one that the system has stopped
START_S = 60.0  # loading the referee may take long on a machine that has other work
STEADY_S, LONGEST_WAIT_S = 60.0, 30.0  # one that ran for so long is replaced at once; others wait ever longer
LOOK_S, END_S = 0.25, 1.0
LIMIT_S = 20.0  # of processor time, where who asks has no limit
MOST_WORKERS = 2  # with the server three cores at most: a sheet has not many more long questions


class StoodStill(EOFError):
    """A worker lives, and does nothing."""


class TookTooMuch(EOFError):
    """A worker was at one step of a question for too long, and was ended."""


@dataclass(frozen=True)
class Task:
    """A question, and the future of its verdict. It can be cancelled until a worker begins with it."""

    state: TableState
    query: BaseQuery
    allowance: Allowance | None = None
    verdict: Future[Verdict] = field(default_factory=Future)

    @property
    def limit_s(self) -> float:
        return LIMIT_S if self.allowance is None else min(LIMIT_S, self.allowance.left_s)

    def spend(self, spent_s: float) -> None:
        if self.allowance is not None:
            self.allowance.spend(spent_s)


class WorkerPool:
    """Worker processes, each with a thread of the server that hands it one question after the other.

    One that dies, or stands still, is replaced: what it had is answered by who asked, and so is all else while none is
    left. What takes more than its asker may spend is answered by nobody: OverBudget. `tell` is called, from any thread,
    with how many are missing that had been there.
    """

    def __init__(
        self, *, workers: int | None = None, tell: Callable[[int], None] = lambda _: None, still_s: float = STILL_S
    ) -> None:
        self.workers = min(MOST_WORKERS, (os.cpu_count() or 1) - 1) if workers is None else workers
        self.tell = tell
        self._still_s = still_s
        self._tasks: PriorityQueue[tuple[int, int, Task | None]] = PriorityQueue()
        self._numbers = count()
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

    def begin(
        self,
        state: TableState,
        query: BaseQuery,
        *,
        rank: Rank = Rank.PRECOMPUTED,
        allowance: Allowance | None = None,
    ) -> Future[Verdict]:
        """The verdict to be; cancelled where nobody works. Who ranks first is answered first."""
        task = Task(state, query, allowance)
        with self._lock:
            if is_there := self.has_workers:
                self._tasks.put((rank, next(self._numbers), task))
        if not is_there:
            task.verdict.cancel()
        return task.verdict

    def close(self) -> None:
        """Nobody asks any more."""
        self._closing.set()
        for _ in range(self.workers):
            self._tasks.put((-1, next(self._numbers), None))

    def _keep_worker(self) -> None:
        """One worker after the other, until the server is done."""
        pauses = backoff_waits(Random(), most_s=LONGEST_WAIT_S)
        is_missed = False
        while not self._closing.is_set():
            began_s = time.monotonic()
            try:
                with _Worker(still_s=self._still_s) as worker:
                    worker.receive()  # it is ready
                    is_missed = self._note_missed(is_missed, False)
                    self._count(alive=1)
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
                    _, _, task = self._tasks.get(timeout=LOOK_S)
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
            _run_apart(partial(_cancel_all, self._retire_worker()))

    def _retire_worker(self) -> list[Task]:
        """One worker fewer; and what lies there for nobody, when that was the last."""
        left: list[Task] = []
        with self._lock:
            self._working -= 1
            while not self.has_workers and not self._tasks.empty():
                if (task := self._tasks.get()[2]) is not None:
                    left.append(task)
        return left

    def _count(self, *, alive: int = 0, busy: int = 0) -> None:
        with self._lock:
            self._working += alive
            self._busy += busy


def _run_apart(finish: Callable[[], object]) -> None:
    """Do this on a thread of its own: a thread that waits for a verdict works it out there, and that may take long.

    Meanwhile it is told that a worker is gone, and another one starts.
    """
    threading.Thread(target=finish, daemon=True).start()


def _cancel_all(tasks: list[Task]) -> None:
    for task in tasks:
        task.verdict.cancel()


class _Worker:
    """One worker process, which goes when its line or the server does; used as a context, after which it is gone.

    A thread of its own listens to its heart, since its line may be full of what it does not read: one that stands still
    is ended there, and its line with it.
    """

    def __init__(self, *, still_s: float) -> None:
        self._still_s = still_s
        self._line, its = SPAWN.Pipe()
        self._heart, its_heart = SPAWN.Pipe(duplex=False)
        self._process = SPAWN.Process(target=answer_pipe, args=(its, its_heart), daemon=True)
        self._process.start()
        its.close()
        its_heart.close()
        self._wrong: EOFError | None = None
        self._task_began_s = 0.0  # processor time of the worker, when it was given its task
        self._minder = threading.Thread(target=self._mind, daemon=True)
        self._minder.start()

    def __enter__(self) -> "_Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()
        self._process.join(END_S)
        if self._process.is_alive():
            self._process.kill()  # one that was stopped takes nothing else
            self._process.join(END_S)
        self._minder.join(END_S)

    def _mind(self) -> None:
        """Until it is gone; one that stands still is ended."""
        beaten_s, bears_s = time.monotonic(), START_S
        with self._heart:
            while True:
                if self._heart.poll(LOOK_S):
                    try:
                        if self._heart.recv_bytes() == OVER_BUDGET:
                            self._wrong = TookTooMuch("a question took too long")
                            return
                    except (EOFError, OSError):
                        self._wrong = EOFError("it ended")
                        return
                    beaten_s, bears_s = time.monotonic(), self._still_s
                    continue
                still_s = time.monotonic() - beaten_s
                if still_s > bears_s or (still_s > STOPPED_S and is_stopped(self._pid)):
                    is_busy = processor_s(self._pid) - self._task_began_s > GRACE_S and not is_stopped(self._pid)
                    self._wrong = (TookTooMuch if is_busy else StoodStill)(f"it stood still for {still_s:.0f} seconds")
                    self._process.kill()
                    return

    @property
    def _pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def check(self) -> None:
        """Raises: EOFError when the worker is gone; StoodStill."""
        if self._wrong is not None:
            raise self._wrong

    def receive(self) -> Any:
        """What it says next. Raises: EOFError or OSError when it is gone; StoodStill."""
        while not self._line.poll(LOOK_S):
            self.check()
        try:
            return self._line.recv()
        except (EOFError, OSError):
            self._minder.join(END_S)  # it may know better why
            self.check()
            raise

    def ask(self, task: Task) -> None:
        """Fill in the answer. Raises: EOFError or OSError when the worker is gone; StoodStill."""
        if not task.verdict.set_running_or_notify_cancel():
            return
        try:
            self._task_began_s = processor_s(self._pid)
            self._line.send((task.state.state_id, pickle.dumps(task.state), task.query, task.limit_s))
            reply, spent_s = self.receive()
        except TookTooMuch:
            task.spend(task.limit_s + GRACE_S)
            task.verdict.set_exception(over_budget())
            raise
        except (EOFError, OSError) as wrong:
            _run_apart(partial(task.verdict.set_exception, wrong))
            raise
        task.spend(spent_s)
        if isinstance(reply, Verdict):
            task.verdict.set_result(reply)
        elif reply is None:
            task.verdict.set_exception(over_budget())
        else:
            assert isinstance(reply, Exception)
            _run_apart(partial(task.verdict.set_exception, reply))
