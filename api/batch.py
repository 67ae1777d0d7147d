"""Many questions at once: the same verdicts as one after the other, from all cores of the machine."""

import gc
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from models.queries import Asked
from models.state import TableState

WORTH_IT = 400  # questions from which starting workers, about a second each, is made up for
_SHARES = 12  # a worker's share comes in so many pieces, so that none waits long for another
_MOST_WORKERS = 16

_tables: Sequence[TableState] = ()


def answered(tables: Sequence[TableState], queries: Sequence[Asked], *, workers: int | None = None) -> Iterator[str]:
    """The verdicts as JSON: each question in order, under each table in order."""
    workers = min(workers or os.cpu_count() or 1, _MOST_WORKERS)
    if workers < 2 or len(queries) * len(tables) < WORTH_IT:
        for query in queries:
            yield from verdicts(query, tables)
        return
    # spawn: a server has threads, and what forks then may never wake
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_settle_in, initargs=(tables,)) as pool:
        share = max(1, len(queries) // (workers * _SHARES))
        for found in pool.map(_answered_here, queries, chunksize=share):
            yield from found


def verdicts(query: Asked, tables: Sequence[TableState]) -> list[str]:
    """The verdicts on one question; of several tables each with where it parts from the first."""
    from referee import ask
    from referee.parting import side_by_side

    found = [ask(table, query) for table in tables]
    told = found if len(found) < 2 else side_by_side(found)
    return [verdict.model_dump_json(exclude_none=False) for verdict in told]


def _settle_in(tables: Sequence[TableState]) -> None:
    """A worker keeps nearly all it makes until it ends: little of it needs to be looked through for rubbish."""
    global _tables
    _tables = tables
    import referee  # noqa: F401

    gc.freeze()
    gc.set_threshold(1_000_000)


def _answered_here(query: Asked) -> list[str]:
    return verdicts(query, _tables)
