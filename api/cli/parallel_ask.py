"""Parallel queries: the same verdicts as one after the other, from all cores of the machine."""

import gc
import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager

from api.evaluation.worker import SPAWN, prepare_worker
from models.queries import BaseQuery
from models.state import TableState

WORTH_IT = 400  # questions from which starting workers, about a second each, is made up for
_SHARES = 32  # a worker's share comes in so many pieces, so that none waits long for another
_AHEAD = 3  # shares that lie ready for each worker
_MOST_WORKERS = 16

_tables: Sequence[TableState] = ()


def ask_in_parallel(
    tables: Sequence[TableState], queries: Sequence[BaseQuery], *, workers: int | None = None
) -> Iterator[str]:
    """The verdicts as JSON: each question in order, under each table in order."""
    workers = min(workers or os.cpu_count() or 1, _MOST_WORKERS)
    if workers < 2 or len(queries) * len(tables) < WORTH_IT:
        for query in queries:
            yield from ask_tables(query, tables)
        return
    share = max(1, len(queries) // (workers * _SHARES))
    shares = [queries[k : k + share] for k in range(0, len(queries), share)]
    pool = ProcessPoolExecutor(workers - 1, SPAWN, initializer=_start_worker, initargs=(tables,))
    with pool, _collect_rarely():
        yield from _answer_in_order(pool, shares, tables, most=(workers - 1) * _AHEAD)


def _answer_in_order(
    pool: ProcessPoolExecutor, shares: Sequence[Sequence[BaseQuery]], tables: Sequence[TableState], *, most: int
) -> Iterator[str]:
    """The verdicts share by share. The main process works too, so that nothing is lost while workers start."""
    running: deque[Future[list[str]]] = deque()
    left = deque(shares)
    while left or running:
        while left and sum(not share.done() for share in running) < most:
            running.append(pool.submit(_answer_in_worker, left.popleft()))
        mine: Future[list[str]] = Future()
        if left:
            running.append(mine)
            mine.set_result(_answer(left.popleft(), tables))
        while running and (running[0].done() or not left):
            yield from running.popleft().result()


@contextmanager
def _collect_rarely() -> Iterator[None]:
    """Nearly all that is made stays until the end: little of it needs to be looked through for rubbish."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(1_000_000)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def ask_tables(query: BaseQuery, tables: Sequence[TableState]) -> list[str]:
    """The verdicts on one question; of several tables each with where it parts from the first."""
    from api.answers.unconfirmed_bases import careful_referee
    from referee import ask
    from referee.verdicts.edition_diff import compare_verdicts

    referee = careful_referee(ask)
    verdicts = [referee(table, query) for table in tables]
    compared = verdicts if len(verdicts) < 2 else compare_verdicts(verdicts)
    return [verdict.model_dump_json(exclude_none=False) for verdict in compared]


def _start_worker(tables: Sequence[TableState]) -> None:
    """A worker keeps nearly all it makes until it ends: little of it needs to be looked through for rubbish."""
    global _tables
    _tables = tables
    prepare_worker()
    gc.set_threshold(1_000_000)


def _answer_in_worker(queries: Sequence[BaseQuery]) -> list[str]:
    return _answer(queries, _tables)


def _answer(queries: Sequence[BaseQuery], tables: Sequence[TableState]) -> list[str]:
    return [verdict for query in queries for verdict in ask_tables(query, tables)]
