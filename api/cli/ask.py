"""`tableside ask`: questions about a state, or all that matters between two miniatures; verdicts on stdout."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from api.cli.invocation import wants_json
from api.cli.parallel_ask import ask_in_parallel
from api.cli.table_options import EditionChoice, read_edition
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
