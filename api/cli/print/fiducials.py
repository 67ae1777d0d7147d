"""Fiducials: markers to lay around the table, and the layout where they might lie."""

from typing import Annotated

import typer

from api.cli.print.options import Json, Output, Paper
from api.cli.print.write_sheet import write_sheet
from api.printing.paper import PaperName
from models.errors import BadInput

_LARGEST_TAG_MM = 1000.0


def fiducials(
    output: Output,
    ids: Annotated[str, typer.Option(help="Which markers, such as 0-3,7.")] = "0-3",
    dictionary: Annotated[str, typer.Option(help="APRILTAG_36h11 or an ArUco dictionary.")] = "APRILTAG_36h11",
    marker_mm: Annotated[float, typer.Option(help="Side of the black square.", min=5, max=_LARGEST_TAG_MM)] = 80.0,
    table_mm: Annotated[tuple[float, float], typer.Option(help="Width and depth of the table.")] = (1219.2, 1219.2),
    paper: Paper = PaperName.A4,
    as_json: Json = False,
) -> None:
    """Markers to lay around the table, and as OUT.layout.json where they might lie."""
    from api.printing.fiducials import propose_layout, tag
    from api.printing.pdf_document import PrintJob

    numbers = _parse_ids(ids)
    if min(table_mm) <= marker_mm:
        raise BadInput("table_mm: the table is larger than a marker", field="table_mm", value=list(table_mm))
    drawings = [tag(number, dictionary=dictionary, marker_mm=marker_mm) for number in numbers]
    says = (
        f"{dictionary}, ids {', '.join(map(str, numbers))}. Each black square is {marker_mm:g} x {marker_mm:g} mm.",
        "Cut along the dashed lines, never into the white rim; glue them flat; no two with the same number.",
    )
    layout = propose_layout(numbers, dictionary=dictionary, marker_mm=marker_mm, table_mm=table_mm, sigma_mm=0.5)
    job = PrintJob("fiducials", says, drawings)
    write_sheet(job, output, paper, beside={"layout": layout}, as_json=as_json)


def _parse_ids(text: str) -> list[int]:
    """The numbers of `0-3,7`. Raises: BadInput."""
    numbers: list[int] = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if not first.isdecimal() or (last and not last.isdecimal()):
            raise BadInput(f"ids: {part!r} is no number and no range", field="ids", value=text)
        numbers += range(int(first), min(int(last or first), int(first) + 1000) + 1)
    if not numbers or len(set(numbers)) < len(numbers):
        raise BadInput("ids: each number once, and at least one", field="ids", value=text)
    return numbers
