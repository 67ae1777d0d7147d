"""`tableside pair`: everything that matters between two miniatures."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from models.errors import BadQuery, BadState
from models.reading import read
from models.state import TableState


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("pair")(pair_command)


def pair_command(
    state: Annotated[str, typer.Argument(help="State file; - reads stdin.")],
    a: Annotated[str, typer.Argument(help="Id of the first miniature, A.")],
    b: Annotated[str, typer.Argument(help="Id of the second, B.")],
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
    from api.files import text_of
    from api.pair import Pair, sheet_of
    from referee import ask

    table = read(TableState, sys.stdin.buffer.read() if state == "-" else text_of(Path(state)), error=BadState)
    asked = {"a": a, "b": b, "reach_in": reach_in, "range_in": range_in, "facings_deg": _facings(facing or [])}
    sheet = sheet_of(table, read(Pair, json.dumps(asked), error=BadQuery), ask=ask)
    if as_json:
        typer.echo(sheet.model_dump_json(indent=1))
        return
    for line in sheet.lines:
        typer.echo(f"{line.title}: {line.headline}{f' ({line.note})' if line.note else ''}")


def _facings(told: list[str]) -> dict[str, float]:
    """The facings told on the command line. Raises: BadQuery naming the one that is no ID=DEGREES."""
    found = {}
    for one in told:
        id_, _, degrees = one.rpartition("=")
        try:
            found[id_] = float(degrees)
        except ValueError:
            raise BadQuery(f"facing: {one!r} is no ID=DEGREES", field="facing", value=one) from None
    return found
