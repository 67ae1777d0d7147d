"""`tableside correct`: corrections laid over a state file, as players make them at a table."""

from functools import reduce
from pathlib import Path
from typing import Annotated

import typer
from pydantic import RootModel

from api.cli.invocation import wants_json
from api.corrections.apply import apply_correction, find_missing
from api.corrections.schemas import Correction, describe_correction, note_places
from api.errors import BadCorrection
from api.live.table_view import check_drawable
from api.storage.files import load, save
from models.errors import BadFile, BadInput, BadState
from models.parsing import parse
from models.state import TableState


class Corrections(RootModel[tuple[Correction, ...]]):
    """Corrections in their order, each as it is sent to `/api/v1/corrections`."""

    root: tuple[Correction, ...]


def correct_state(
    context: typer.Context,
    state: Annotated[Path, typer.Argument(help="STATE.json: the table as it was measured.")],
    corrections: Annotated[
        str,
        typer.Argument(metavar="CORRECTIONS", help="A JSON list of corrections, or its file (`schema corrections`)."),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="The state file to write.")],
) -> None:
    """Tell a table what the camera cannot know: a base that it missed, a name, a side, terrain, that it is complete."""
    table = load(TableState, state, error=BadState)
    named = _read(corrections).root
    corrected = reduce(_correct, enumerate(named), table)
    save(corrected, output)
    says = "; ".join(describe_correction(each) for each in named)
    typer.echo(corrected.model_dump_json(exclude_none=True) if wants_json(context) else f"{says}: {output}")


def _read(corrections: str) -> Corrections:
    """Raises: BadFile, BadInput."""
    text = corrections.strip()
    if not text.startswith(("[", "{")):
        path = Path(corrections)
        if not path.is_file():
            raise BadFile(
                f"{corrections}: there is no such file, and it is no JSON", field="corrections", value=corrections
            )
        text = path.read_text("utf-8").strip()
    return parse(Corrections, text if text.startswith("[") else f"[{text}]", error=BadInput)


def _correct(state: TableState, numbered: tuple[int, Correction]) -> TableState:
    """The table with this one laid over it. Raises: BadCorrection naming its number and field."""
    number, correction = numbered
    if (missing := find_missing(state, correction)) is not None:
        field, value, says = missing
        raise BadCorrection(f"{number}.{says}", field=f"{number}.{field}", value=value)
    corrected = apply_correction(state, note_places(correction, state))
    check_drawable(corrected)
    return corrected
