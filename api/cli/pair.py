"""`tableside pair`: everything that matters between two miniatures."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from models.errors import BadQuery
from models.parsing import parse, parse_state


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("pair")(pair_command)


def pair_command(
    state: Annotated[str, typer.Argument(help="State file; - reads stdin.")],
    a: Annotated[str, typer.Argument(help="Id or name of the first miniature, A.")],
    b: Annotated[str, typer.Argument(help="Id or name of the second, B.")],
    reach_in: Annotated[
        float | None, typer.Option(help="Melee reach of both; by their cards, else 0.5, when left out.")
    ] = None,
    range_in: Annotated[float, typer.Option(help="Range and distance to ask about, in inches.")] = 10.0,
    facing: Annotated[
        list[str] | None, typer.Option(help="Which way a miniature looks, as ID=DEGREES; may be repeated.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the sheet with every verdict as JSON.")] = False,
) -> None:
    """Answer everything that matters between two miniatures, both ways, the most argued-about first."""
    from api.answers.named_things import resolve_id
    from api.answers.pair_sheet import Pair, pair_sheet
    from api.storage.files import read_bytes
    from referee import ask

    table = parse_state(sys.stdin.buffer.read() if state == "-" else read_bytes(Path(state)))
    a, b = (resolve_id(table, told, field=field) for told, field in ((a, "a"), (b, "b")))
    asked = {"a": a, "b": b, "reach_in": reach_in, "range_in": range_in, "facings_deg": _parse_facings(facing or [])}
    sheet = pair_sheet(table, parse(Pair, json.dumps(asked), error=BadQuery), ask=ask)
    if as_json:
        typer.echo(sheet.model_dump_json(indent=1))
        return
    for card in sheet.cards:
        typer.echo(card)
    for line in sheet.lines:
        typer.echo(f"{line.title}: {line.headline}{f' ({line.note})' if line.note else ''}")


def _parse_facings(told: list[str]) -> dict[str, float]:
    """The facings told on the command line. Raises: BadQuery naming the one that is no ID=DEGREES."""
    found = {}
    for one in told:
        id_, _, degrees = one.rpartition("=")
        try:
            found[id_] = float(degrees)
        except ValueError:
            raise BadQuery(f"facing: {one!r} is no ID=DEGREES", field="facing", value=one) from None
    return found
