"""Calibration boards: what was printed and held before the camera."""

from typing import Annotated, Literal

from pydantic import Field

from models.frozen import Frozen
from models.words import Positive

Count = Annotated[int, Field(ge=2)]


class CharucoBoard(Frozen):
    type: Literal["charuco"] = "charuco"
    squares_x: Count
    squares_y: Count
    square_mm: Positive
    marker_mm: Positive
    dictionary: str
    legacy_pattern: bool = False


class ChessBoard(Frozen):
    """`corners_*` count inner corners."""

    type: Literal["chessboard"]
    corners_x: Count
    corners_y: Count
    square_mm: Positive


class CircleBoard(Frozen):
    """`spacing_mm` is between neighbours of a row; of an asymmetric grid, between a row and the next."""

    type: Literal["circles", "asymmetric-circles"]
    circles_x: Count
    circles_y: Count
    spacing_mm: Positive


class BoardFile(Frozen):
    """A board file as written beside calibration views: the board, whose camera, which picture size."""

    camera: str | None = None
    board: CharucoBoard | ChessBoard | CircleBoard
    image_size: tuple[int, int] | None = None
    views: int | None = None
