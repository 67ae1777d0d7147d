"""Templates: round ones, the flame, and the spray."""

from typing import Annotated

import typer

from api.cli.print.options import Json, Output, Paper, parse_numbers
from api.cli.print.write_sheet import write_sheet
from api.printing.paper import PaperName
from models.errors import BadInput


def templates(
    output: Output,
    discs_in: Annotated[str, typer.Option(help="Diameters of round templates.")] = "3,4,5",
    with_flame: Annotated[bool, typer.Option("--flame/--no-flame", help="The teardrop of 8 inches.")] = True,
    spray_widths_mm: Annotated[
        str | None, typer.Option(help="Your spray template's width at its near end and at 10 inches, such as 20,60.")
    ] = None,
    paper: Paper = PaperName.A4,
    as_json: Json = False,
) -> None:
    """Round templates, the flame, and the spray of 6, 8 and 10 inches if its widths are given: no book says them."""
    from api.printing.pdf_document import PrintJob
    from api.printing.templates import disc, flame, spray

    drawings = [disc(size) for size in parse_numbers(discs_in, "discs_in", least=1, most=12)]
    drawings += [flame()] if with_flame else []
    if spray_widths_mm is not None:
        widths = parse_numbers(spray_widths_mm, "spray_widths_mm", least=1, most=150)
        if len(widths) != 2:
            raise BadInput("spray_widths_mm: two of them", field="spray_widths_mm", value=spray_widths_mm)
        drawings.append(spray(widths[0], widths[1]))
    says = ("; ".join(one.says for one in drawings[:3]), "; ".join(one.says for one in drawings[3:]))
    write_sheet(PrintJob("templates", tuple(line for line in says if line), drawings), output, paper, as_json=as_json)
