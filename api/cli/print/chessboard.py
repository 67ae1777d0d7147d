"""Chessboard."""

from api.cli.print.board_sheet import largest_square_mm, print_board
from api.cli.print.options import Columns, Json, Output, Paper, Rows, Square
from api.printing.paper import PaperName
from models.board import ChessBoard


def chessboard(
    output: Output,
    squares_x: Columns = 10,
    squares_y: Rows = 7,
    square_mm: Square = None,
    paper: Paper = PaperName.A4,
    as_json: Json = False,
) -> None:
    """A chessboard for `tableside calibrate camera`, and its description as OUT.board.json."""
    side = square_mm or largest_square_mm(squares_x, squares_y, paper, field="squares_x")
    board = ChessBoard(type="chessboard", corners_x=squares_x - 1, corners_y=squares_y - 1, square_mm=side)
    print_board(board, output, paper, as_json=as_json)
