"""`tableside ask`: questions about a state, or all that matters between two miniatures; verdicts on stdout."""

import gc
import json
import os
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from api.cli.invocation import wants_json
from api.cli.table_options import EditionChoice, read_edition
from api.evaluation.worker import SPAWN, prepare_worker
from models.errors import BadInput, BadQuery, UnknownThing
from models.parsing import parse, parse_queries, parse_state
from models.queries import BaseQuery
from models.state import TableState

Asked = Annotated[
    list[str],
    typer.Argument(metavar="QUERY | A B", help="File with one question, a list or one a line, - is stdin; or two ids."),
]
Editions = Annotated[str | None, typer.Option("--edition", help="Rulebook ids or files, comma separated.")]
Reach = Annotated[float | None, typer.Option(help="Of A and B: melee reach; absent: by their cards, else 0.5.")]
Range = Annotated[float, typer.Option(help="Of A and B: range and distance to ask about, in inches.")]
Facings = Annotated[list[str] | None, typer.Option("--facing", help="Of A or B: ID=DEGREES; may be repeated.")]
WORTH_IT = 400  # questions from which starting workers, about a second each, is made up for
_SHARES = 32  # a worker's share comes in so many pieces, so that none waits long for another
_AHEAD = 3  # shares that lie ready for each worker
_MOST_WORKERS = 16
_tables: Sequence[TableState] = ()


def ask_command(
    context: typer.Context,
    state: Annotated[str, typer.Argument(help="State file; - reads stdin.")],
    asked: Asked,
    edition: Editions = None,
    reach_in: Reach = None,
    range_in: Range = 10.0,
    facings: Facings = None,
) -> None:
    """Answer questions about a table: one verdict, or one a line for a list or for several editions.

    With miniatures A and B in place of a file: all that matters between them, both ways, the most argued-about first.
    """
    if len(asked) > 2:
        raise BadInput("ask STATE QUERY, or ask STATE A B", field="query", value=asked[2])
    if state == "-" and "-" in asked:
        raise BadQuery("state and question cannot both come from stdin", field="query", value="-")
    table, editions = parse_state(_read_text(state)), _parse_editions(edition)
    if len(asked) == 2:
        table = editions[0].judge(table) if editions else table
        _print_sheet(table, asked, reach_in, range_in, facings or [], as_json=wants_json(context))
    else:
        _print_verdicts(table, asked[0], editions)


def _print_verdicts(table: TableState, query: str, editions: list[EditionChoice]) -> None:
    queries, is_list = parse_queries(_read_text(query))
    queries = _resolve_queries(table, queries, is_list=is_list)
    tables = [edition.judge(table) for edition in editions] or [table]
    _check_queries(tables, queries, is_list=is_list)
    verdicts = list(ask_in_parallel(tables, queries))
    if is_list or len(tables) > 1:
        sys.stdout.write("".join(v + "\n" for v in verdicts))
    else:
        sys.stdout.write(json.dumps(json.loads(verdicts[0]), indent=1, ensure_ascii=False) + "\n")


def _print_sheet(
    table: TableState, names: list[str], reach_in: float | None, range_in: float, facings: list[str], *, as_json: bool
) -> None:
    """The sheet of two miniatures as the phone shows it."""
    from api.answers.named_things import resolve_id
    from api.answers.pair_sheet import Pair, pair_sheet
    from referee import ask

    a, b = (resolve_id(table, name, field=field) for name, field in zip(names, "ab", strict=True))
    pair = {"a": a, "b": b, "reach_in": reach_in, "range_in": range_in, "facings_deg": _parse_facings(facings)}
    sheet = pair_sheet(table, parse(Pair, json.dumps(pair), error=BadQuery), ask=ask)
    if as_json:
        typer.echo(sheet.model_dump_json(indent=1))
        return
    for card in sheet.cards:
        typer.echo(card)
    for line in sheet.lines:
        typer.echo(f"{line.title}: {line.headline}{f' ({line.note})' if line.note else ''}")


def _parse_facings(facings: list[str]) -> dict[str, float]:
    """Raises: BadQuery naming the one that is no ID=DEGREES."""
    degrees_of = {}
    for facing in facings:
        id_, _, degrees = facing.rpartition("=")
        try:
            degrees_of[id_] = float(degrees)
        except ValueError:
            raise BadQuery(f"facing: {facing!r} is no ID=DEGREES", field="facing", value=facing) from None
    return degrees_of


def _read_text(name: str) -> bytes:
    from api.storage.files import read_bytes

    return sys.stdin.buffer.read() if name == "-" else read_bytes(Path(name))


def _parse_editions(names: str | None) -> list[EditionChoice]:
    return [read_edition(name) for name in names.split(",")] if names else []


def _resolve_queries(table: TableState, queries: list[BaseQuery], *, is_list: bool) -> list[BaseQuery]:
    """The questions with ids where they name somebody. Raises: UnknownThing, with the index in a list."""

    from api.answers.named_things import resolve_names

    resolved = []
    for index, query in enumerate(queries):
        try:
            resolved.append(resolve_names(table, query))
        except UnknownThing as wrong:
            if is_list:
                wrong.facts["index"] = index
            raise
    return resolved


def _check_queries(tables: list[TableState], queries: list[BaseQuery], *, is_list: bool) -> None:
    """Refuse the whole list when one question names something that is not there, or no book asked knows its kind."""
    from referee.verdicts.validation import check_kind, check_names, check_points

    for index, query in enumerate(queries):
        try:
            check_kind(tables, query)
            check_names(tables[0], query)
            check_points(tables[0], query)
        except BadQuery as wrong:
            if is_list:
                wrong.facts["index"] = index
            raise


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
