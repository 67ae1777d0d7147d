"""Worker: the side of a pool of processes that runs beside who asks; `serve` and `ask` start theirs alike."""

import gc
import pickle
import signal
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection

from api.malloc import HeapTrimmer, configure_malloc
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict

SPAWN = get_context("spawn")  # a server has threads, and what forks then may never wake
BEAT_S = 0.5
_MOST_TABLES = 16


def prepare_worker() -> None:
    """Load the referee, so that nobody waits for it; what is there now need never be looked through for rubbish."""
    from referee import ask  # noqa: F401

    gc.freeze()


def answer_pipe(pipe: Connection, heart: Connection) -> None:
    """Answer what comes through the pipe until the server is gone, however that ended.

    `heart` is told every half second that this process still runs, however long a question takes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends us
    threading.Thread(target=_beat, args=(heart,), daemon=True).start()
    prepare_worker()
    configure_malloc()
    tables: OrderedDict[str, TableState] = OrderedDict()
    trim_heap = HeapTrimmer()
    with suppress(EOFError, OSError):
        pipe.send(None)
        while True:
            state_id, packed, query = pipe.recv()
            if state_id not in tables:
                tables[state_id] = pickle.loads(packed)
            tables.move_to_end(state_id)
            while len(tables) > _MOST_TABLES:
                tables.popitem(last=False)
            pipe.send(_answer(tables[state_id], query))
            trim_heap()


def _beat(heart: Connection) -> None:
    with suppress(OSError):
        while True:
            heart.send_bytes(b".")
            time.sleep(BEAT_S)


def _answer(state: TableState, query: BaseQuery) -> Verdict | Exception:
    from referee import ask

    try:
        return ask(state, query)
    except Exception as wrong:
        return RuntimeError(f"{type(wrong).__name__}: {wrong}")  # whoever waits asks again and meets the cause itself
