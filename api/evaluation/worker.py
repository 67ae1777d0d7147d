"""Worker: the side of a pool of processes that runs beside who asks; `serve` and `ask` start theirs alike."""

import gc
import math
import os
import pickle
import signal
import sys
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from api.malloc import HeapTrimmer, configure_malloc
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict

SPAWN = get_context("spawn")  # a server has threads, and what forks then may never wake
BEAT_S = 0.5
_MOST_TABLES = 16
MOST_BYTES = 1 << 30  # that one worker may take beyond what it has when it is ready
GRACE_S = 1.0  # a step of a rule that is longer than this past the limit ends the worker
OVER_BUDGET = b"over budget"


def prepare_worker() -> None:
    """Load the referee, so that nobody waits for it; what is there now need never be looked through for rubbish."""
    from referee import ask  # noqa: F401

    gc.freeze()


def answer_pipe(pipe: Connection, heart: Connection) -> None:
    """Answer what comes through the pipe until the server is gone, however that ended.

    `heart` is told every half second that this process still runs, however long a question takes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends us
    meter = _Meter()
    threading.Thread(target=_beat, args=(heart, meter), daemon=True).start()
    prepare_worker()
    configure_malloc()
    _limit_memory()
    tables: OrderedDict[str, TableState] = OrderedDict()
    trim_heap = HeapTrimmer()
    with suppress(EOFError, OSError):
        pipe.send(None)
        while True:
            state_id, packed, query, limit_s = pipe.recv()
            if state_id not in tables:
                tables[state_id] = pickle.loads(packed)
            tables.move_to_end(state_id)
            while len(tables) > _MOST_TABLES:
                tables.popitem(last=False)
            meter.begin(limit_s)
            answer = _answer(tables[state_id], query, meter)
            pipe.send((answer, meter.end()))
            trim_heap()


class _OverTime(Exception):
    """A question takes longer than it may."""


class _Meter:
    """Processor time of the question at work."""

    def __init__(self) -> None:
        self._began_s, self._limit_s = 0.0, math.inf

    def begin(self, limit_s: float) -> None:
        self._began_s, self._limit_s = time.process_time(), limit_s

    def end(self) -> float:
        self._limit_s = math.inf
        return time.process_time() - self._began_s

    def check(self) -> None:
        """Between two steps of a rule. Raises: _OverTime."""
        if self.over_s > 0:
            raise _OverTime

    @property
    def over_s(self) -> float:
        return time.process_time() - self._began_s - self._limit_s


def _beat(heart: Connection, meter: _Meter) -> None:
    """Ends this process too when a question is at a single step for too long."""
    with suppress(OSError):
        while True:
            if meter.over_s > GRACE_S:
                heart.send_bytes(OVER_BUDGET)
                os._exit(1)
            heart.send_bytes(b".")
            time.sleep(BEAT_S)


def _limit_memory() -> None:
    """What takes more is refused it, before the system ends whom it likes."""
    if not sys.platform.startswith("linux"):  # others have no such limit, or do not tell what is taken
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most_bytes = pages * resource.getpagesize() + MOST_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most_bytes, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _answer(state: TableState, query: BaseQuery, meter: _Meter) -> Verdict | Exception | None:
    """The verdict, why there is none, or None where it takes more than it may."""
    from referee import ask

    try:
        return ask(state, query, between=meter.check)
    except (_OverTime, MemoryError):
        return None
    except Exception as wrong:
        return RuntimeError(f"{type(wrong).__name__}: {wrong}")  # whoever waits asks again and meets the cause itself
