"""Fiducials as drawings, and the layout they make when they are laid around a table."""

from collections.abc import Sequence

from api.printing.boards import black_shapes
from api.printing.pen import HAIR_MM, Drawing, Pen
from calibration.pose.fiducial_pattern import marker_cells
from models.layout import Fiducials, Layout, Marker

_LABEL_MM = 6.0
_INSET_MM, _AWAY_MM = 10.0, 30.0  # from the table's corners along its edge, and from the edge outwards


def tag(number: int, *, dictionary: str, marker_mm: float) -> Drawing:
    """A marker with the white rim it needs, a line to cut along, and its number. Raises: BadLayout."""
    cells = marker_cells(dictionary, number)[1:-1, 1:-1]
    cell_mm = marker_mm / len(cells)
    side = marker_mm + 2 * cell_mm
    black = black_shapes(cells, cell_mm=cell_mm, left_mm=cell_mm, top_mm=_LABEL_MM + side - cell_mm)
    says = f"{dictionary} {number}: {marker_mm:g} mm"

    def draw(pen: Pen) -> None:
        pen.fill(*black)
        pen.line(*_square(side, _LABEL_MM), width_mm=HAIR_MM, is_dashed=True)
        pen.text((0, _LABEL_MM - 3.6), f"{says}; this side is the bottom", size_mm=min(2.6, side / 22))

    return Drawing(says, side, side + _LABEL_MM, draw)


def propose_layout(
    ids: Sequence[int], *, dictionary: str, marker_mm: float, table_mm: tuple[float, float], sigma_mm: float
) -> Layout:
    """The markers along the near and the far edge, outside the table, all the same way up.

    A proposal: lay them so, or measure where they lie and write that down instead.
    """
    near = (len(ids) + 1) // 2
    width, depth = table_mm
    rows = ((ids[:near], -_AWAY_MM), (ids[near:], depth + _AWAY_MM + marker_mm))
    markers = tuple(
        Marker(id=number, corners_mm=_corners(x, top, marker_mm))
        for row, top in rows
        for number, x in zip(row, _spread(len(row), width - 2 * _INSET_MM - marker_mm), strict=True)
    )
    known = Fiducials(dictionary=dictionary, marker_mm=marker_mm, markers=markers, sigma_mm=sigma_mm)
    return Layout(table_mm=table_mm, fiducials=known)


def _spread(count: int, room_mm: float) -> list[float]:
    if count == 1:
        return [_INSET_MM + room_mm / 2]
    return [_INSET_MM + room_mm * i / (count - 1) for i in range(count)]


def _corners(x: float, top: float, side: float) -> tuple[tuple[float, float, float], ...]:
    """In printed order, top away from the near edge."""
    return ((x, top, 0.0), (x + side, top, 0.0), (x + side, top - side, 0.0), (x, top - side, 0.0))


def _square(side: float, y: float) -> tuple[tuple[float, float], ...]:
    return ((0, y), (side, y), (side, y + side), (0, y + side), (0, y))
