"""`tableside ask`: questions about a state, verdicts on stdout."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from api.cli.edition_option import EditionChoice, read_edition
from api.cli.parallel_ask import ask_in_parallel
from models.errors import BadQuery, UnknownThing
from models.parsing import parse_queries, parse_state
from models.queries import BaseQuery
from models.state import TableState


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("ask")(ask_command)


def ask_command(
    state: Annotated[str, typer.Argument(help="State file; - reads stdin.")],
    query: Annotated[str, typer.Argument(help="File with one question, a list of them, or one a line; - reads stdin.")],
    edition: Annotated[
        str | None,
        typer.Option(help="Rulebook ids or files of rulebooks, comma separated; the state's own when left out."),
    ] = None,
) -> None:
    """Answer questions about a table: one verdict, or one a line for a list or for several editions."""
    if state == query == "-":
        raise BadQuery("state and question cannot both come from stdin", field="query", value="-")
    table = parse_state(_read_text(state))
    queries, is_list = parse_queries(_read_text(query))
    queries = _resolve_queries(table, queries, is_list=is_list)
    tables = [one.judge(table) for one in _parse_editions(edition)] or [table]
    _check_queries(tables, queries, is_list=is_list)
    verdicts = list(ask_in_parallel(tables, queries))
    if is_list or len(tables) > 1:
        sys.stdout.write("".join(v + "\n" for v in verdicts))
    else:
        sys.stdout.write(json.dumps(json.loads(verdicts[0]), indent=1, ensure_ascii=False) + "\n")


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
