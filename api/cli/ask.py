"""`tableside ask`: questions about a state, verdicts on stdout."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from api.batch import answered
from models.errors import BadQuery, BadState, UnknownThing
from models.queries import Asked
from models.reading import read, read_queries
from models.state import TableState
from models.words import EditionId


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("ask")(ask_command)


def ask_command(
    state: Annotated[str, typer.Argument(help="State file; - reads stdin.")],
    query: Annotated[str, typer.Argument(help="File with one question, a list of them, or one a line; - reads stdin.")],
    edition: Annotated[
        str | None, typer.Option(help="Rulebook ids, comma separated; the state's own when left out.")
    ] = None,
) -> None:
    """Answer questions about a table: one verdict, or one a line for a list or for several editions."""
    if state == query == "-":
        raise BadQuery("state and question cannot both come from stdin", field="query", value="-")
    table = read(TableState, _text(state), error=BadState)
    queries, is_list = read_queries(_text(query))
    tables = [table.in_edition(one) for one in _editions(edition)] or [table]
    _check_all(table, queries, is_list=is_list)
    verdicts = list(answered(tables, queries))
    if is_list or len(tables) > 1:
        sys.stdout.write("".join(v + "\n" for v in verdicts))
    else:
        sys.stdout.write(json.dumps(json.loads(verdicts[0]), indent=1, ensure_ascii=False) + "\n")


def _text(name: str) -> bytes:
    from api.files import text_of

    return sys.stdin.buffer.read() if name == "-" else text_of(Path(name))


def _editions(names: str | None) -> list[EditionId]:
    from referee import EDITIONS

    chosen: list[EditionId] = []
    for name in (names or "").split(",") if names else []:
        known = next((id_ for id_ in EDITIONS if id_ == name.strip()), None)
        if known is None:
            raise BadQuery(
                f"edition: there is no {name.strip()!r}, only {', '.join(EDITIONS)}",
                field="edition",
                value=name.strip(),
            )
        chosen.append(known)
    return chosen


def _check_all(table: TableState, queries: list[Asked], *, is_list: bool) -> None:
    """Refuse the whole list when one question names something that is not there."""
    from referee.asking import check_names

    for index, query in enumerate(queries):
        try:
            check_names(table, query)
        except UnknownThing as wrong:
            if is_list:
                wrong.facts["index"] = index
            raise
