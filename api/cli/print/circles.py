"""Asymmetric grid of circles."""

from typing import Annotated

import typer

from api.cli.print.board_sheet import largest_square_mm, print_board
from api.cli.print.options import Json, Output, Paper
from api.printing.paper import PaperName
from models.board import CircleBoard


def circles(
    output: Output,
    circles_x: Annotated[int, typer.Option(help="Dots in a row.", min=2)] = 4,
    circles_y: Annotated[int, typer.Option(help="Rows.", min=2)] = 11,
    spacing_mm: Annotated[
        float | None, typer.Option(help="From a row to the next; absent: as large as one page holds.", min=2)
    ] = None,
    paper: Paper = PaperName.A4,
    as_json: Json = False,
) -> None:
    """A staggered grid of dots for `tableside calibrate camera`, and its description as OUT.board.json."""
    step = spacing_mm or largest_square_mm(2 * circles_x + 1, circles_y + 1, paper, field="circles_x")
    board = CircleBoard(
        type="asymmetric-circles", circles_x=circles_x, circles_y=circles_y, spacing_mm=step, diameter_mm=0.9 * step
    )
    print_board(board, output, paper, as_json=as_json)
