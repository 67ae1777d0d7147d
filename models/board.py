"""Calibration boards: what was printed and held before the camera."""

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from models.frozen import Frozen
from models.vocabulary import Positive

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
    diameter_mm: Positive | None = Field(
        None, description="of a dot; with it the slant's shift of its middle is undone"
    )


def _kind(board: Any) -> str:
    """A board without a type is ChArUco."""
    kind = board.get("type", "charuco") if isinstance(board, dict) else getattr(board, "type", "")
    return "circles" if kind == "asymmetric-circles" else str(kind)


Board = Annotated[
    Annotated[CharucoBoard, Tag("charuco")]
    | Annotated[ChessBoard, Tag("chessboard")]
    | Annotated[CircleBoard, Tag("circles")],
    Discriminator(_kind),
]


class BoardFile(Frozen):
    """A board file as written beside calibration views: the board, whose camera, which picture size."""

    camera: str | None = None
    board: Board
    image_size: tuple[int, int] | None = None
    views: int | None = None
