"""ChArUco board: squares with a marker in every second one."""

from typing import Annotated

import typer

from api.cli.print.board_sheet import largest_square_mm, print_board
from api.cli.print.options import Columns, Json, Output, Paper, Rows, Square
from api.printing.paper import PaperName
from models.board import CharucoBoard


def charuco(
    output: Output,
    squares_x: Columns = 11,
    squares_y: Rows = 8,
    square_mm: Square = None,
    marker_mm: Annotated[float | None, typer.Option(help="Side of a marker; absent: 3/4 of a square.", min=1)] = None,
    dictionary: Annotated[str, typer.Option(help="Whose markers.")] = "DICT_5X5_250",
    paper: Paper = PaperName.A4,
    as_json: Json = False,
) -> None:
    """A ChArUco board for `tableside calibrate camera`, and its description as OUT.board.json."""
    side = square_mm or largest_square_mm(squares_x, squares_y, paper, field="squares_x")
    board = CharucoBoard(
        squares_x=squares_x,
        squares_y=squares_y,
        square_mm=side,
        marker_mm=marker_mm or round(0.75 * side, 1),
        dictionary=dictionary,
    )
    print_board(board, output, paper, as_json=as_json)
