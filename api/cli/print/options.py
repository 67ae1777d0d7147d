"""Options that several sheets share, and lists of numbers as they are typed."""

from pathlib import Path
from typing import Annotated

import typer

from api.printing.paper import PaperName
from models.errors import BadInput

Output = Annotated[Path, typer.Option("-o", "--output", help="The PDF to write.")]
Paper = Annotated[PaperName, typer.Option(help="Size of the paper.")]
Json = Annotated[bool, typer.Option("--json", help="Print what was made as JSON on stdout.")]
Square = Annotated[float | None, typer.Option(help="Side of a square; absent: as large as one page holds.", min=2)]
Columns = Annotated[int, typer.Option(help="Squares across.", min=3)]
Rows = Annotated[int, typer.Option(help="Squares from top to bottom.", min=3)]


def parse_numbers(text: str, field: str, *, least: float, most: float) -> list[float]:
    """Numbers parted by commas. Raises: BadInput."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise BadInput(f"{field}: numbers parted by commas, not {text!r}", field=field, value=text) from None
    if not all(least <= number <= most for number in numbers):
        raise BadInput(f"{field}: each between {least:g} and {most:g}", field=field, value=text)
    return numbers
