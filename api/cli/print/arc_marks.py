"""Front-arc marks: rings by which the rim of a base is marked."""

from typing import Annotated

import typer

from api.cli.print.options import Json, Output, Paper, parse_numbers
from api.cli.print.write_sheet import write_sheet
from api.printing.paper import PaperName


def arc_marks(
    output: Output,
    bases_mm: Annotated[str, typer.Option(help="Diameters of the bases.")] = "30,40,50,120",
    arc_deg: Annotated[float, typer.Option(help="The front arc.", min=10, max=350)] = 180.0,
    paper: Paper = PaperName.A4,
    as_json: Json = False,
) -> None:
    """Rings that show where a base's front arc ends and where its front is, to mark the rim by."""
    from api.printing.arc_marks import arc_ring
    from api.printing.pdf_document import PrintJob

    diameters = parse_numbers(bases_mm, "bases_mm", least=10, most=200)
    drawings = [arc_ring(diameter, arc_deg=arc_deg) for diameter in diameters]
    says = (
        f"Rings for bases of {', '.join(f'{d:g}' for d in diameters)} mm; front arc {arc_deg:g} degrees.",
        "Cut out the inner circle, lay the ring around the base, mark its rim at the two ticks and at the dot.",
    )
    write_sheet(PrintJob("front-arc marks", says, drawings), output, paper, as_json=as_json)
