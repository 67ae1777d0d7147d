"""Calibration boards as drawings, as OpenCV looks for them; fiducials, and the layout they make around a table."""

import io
from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from shapely import Polygon, box, unary_union

from api.printing.paper import Paper, PaperName, orientations
from api.printing.pen import BOLD_MM, FINE_MM, GREY, HAIR_MM, Drawing, Pen, Point, draw_ruler
from calibration.arrays import Mask
from calibration.intrinsics.board_detection import opencv_board
from calibration.pose.fiducial_residuals import marker_cells
from calibration.setup.pages import DEPTH_MM, DICTIONARY, PAGES, WIDTH_MM, opencv_page
from calibration.setup.table_layout import mark_of
from models.board import CharucoBoard, ChessBoard, CircleBoard
from models.layout import Fiducials, Layout, Marker

_LABEL_MM = 6.0
_INSET_MM, _AWAY_MM = 10.0, 30.0  # from the table's corners along its edge, and from the edge outwards
CORNERS = ("near left", "near right", "far right", "far left")
MARK_INSET_MM = 7.0  # from the paper's edges to the mark: printers leave less than that white
_CROSS_MM = 3.0
_FOOT = (
    'Print at 100 % ("actual size"), not "fit to page". The ruler must be 100 mm long: measure it.',
    "Lay the sheet flat outside the table: the dashed line along the table's edge, the cross at the table's corner.",
    "Do not move the sheets before all pictures are taken, and leave them there while the overhead camera plays.",
)


def draw_board(board: CharucoBoard | ChessBoard | CircleBoard) -> Drawing:
    """The board as a drawing. Raises: BadBoard."""
    if isinstance(board, CharucoBoard):
        return _charuco(board)
    return _chess(board) if isinstance(board, ChessBoard) else _circles(board)


def _black_shapes(cells: Mask, *, cell_mm: float, left_mm: float = 0.0, top_mm: float) -> list[Polygon]:
    """The outlines of the black cells (False), neighbours merged; rows run down from `top_mm`."""
    rows, columns = np.nonzero(~cells)
    squares = [
        box(left_mm + c * cell_mm, top_mm - (r + 1) * cell_mm, left_mm + (c + 1) * cell_mm, top_mm - r * cell_mm)
        for r, c in zip(rows.tolist(), columns.tolist(), strict=True)
    ]
    return _parts(squares)


def _charuco(board: CharucoBoard) -> Drawing:
    side = board.square_mm
    width, height = board.squares_x * side, board.squares_y * side
    black = charuco_shapes(opencv_board(board), dictionary=board.dictionary)
    says = (
        f"ChArUco board, {board.squares_x} x {board.squares_y} squares of {side:g} mm with markers of "
        f"{board.marker_mm:g} mm ({board.dictionary}), {width:g} x {height:g} mm"
    )
    return Drawing(says, width, height, lambda pen: pen.fill(*black))


def charuco_shapes(board: cv2.aruco.CharucoBoard, *, dictionary: str) -> list[Polygon]:
    """The black of a ChArUco pattern, its lower left corner at the origin, y up."""
    columns, rows = board.getChessboardSize()
    side = board.getSquareLength()
    corners = np.asarray(board.getObjPoints(), np.float64)[:, :, :2]
    is_white = np.zeros((rows, columns), bool)
    column, row = np.floor(corners.mean(axis=1) / side).astype(int).T
    is_white[row, column] = True  # a marker stands in every white square
    black = _black_shapes(is_white, cell_mm=side, top_mm=rows * side)
    for number, quad in zip(np.ravel(board.getIds()).tolist(), corners, strict=True):
        cells = marker_cells(dictionary, int(number))[1:-1, 1:-1]
        cell_mm = float(np.linalg.norm(quad[1] - quad[0])) / len(cells)
        top_mm = rows * side - float(quad[0, 1])
        black += _black_shapes(cells, cell_mm=cell_mm, left_mm=float(quad[0, 0]), top_mm=top_mm)
    return black


def _chess(board: ChessBoard) -> Drawing:
    columns, rows, side = board.corners_x + 1, board.corners_y + 1, board.square_mm
    is_white = np.add.outer(np.arange(rows), np.arange(columns)) % 2 == 1
    black = _black_shapes(is_white, cell_mm=side, top_mm=rows * side)
    says = (
        f"Chessboard, {board.corners_x} x {board.corners_y} inner corners, squares of {side:g} mm, "
        f"{columns * side:g} x {rows * side:g} mm"
    )
    return Drawing(says, columns * side, rows * side, lambda pen: pen.fill(*black))


def _circles(board: CircleBoard) -> Drawing:
    radius = (board.diameter_mm or 0.5 * board.spacing_mm) / 2
    step, edge = board.spacing_mm, board.spacing_mm
    across = 2 if board.type == "asymmetric-circles" else 1
    height = (board.circles_y - 1) * step + 2 * edge
    width = (across * (board.circles_x - 1) + (across - 1)) * step + 2 * edge
    places = [
        (edge + (across * c + (r % 2) * (across - 1)) * step, height - edge - r * step)
        for r in range(board.circles_y)
        for c in range(board.circles_x)
    ]

    def draw(pen: Pen) -> None:
        for place in places:
            pen.dot(place, radius_mm=radius)

    kind = "Staggered dots" if across == 2 else "Dots"
    says = (
        f"{kind}, {board.circles_x} x {board.circles_y}, {step:g} mm from row to row, "
        f"diameter {2 * radius:g} mm, {width:g} x {height:g} mm"
    )
    return Drawing(says, width, height, draw)


def _parts(squares: Iterable[Polygon]) -> list[Polygon]:
    merged = unary_union(list(squares))
    return [merged] if isinstance(merged, Polygon) else [part for part in merged.geoms if isinstance(part, Polygon)]


def tag(number: int, *, dictionary: str, marker_mm: float) -> Drawing:
    """A marker with the white rim it needs, a line to cut along, and its number. Raises: BadLayout."""
    cells = marker_cells(dictionary, number)[1:-1, 1:-1]
    cell_mm = marker_mm / len(cells)
    side = marker_mm + 2 * cell_mm
    black = _black_shapes(cells, cell_mm=cell_mm, left_mm=cell_mm, top_mm=_LABEL_MM + side - cell_mm)
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
    return ((x, top, 0.0), (x + side, top, 0.0), (x + side, top - side, 0.0), (x, top - side, 0.0))


def _square(side: float, y: float) -> tuple[tuple[float, float], ...]:
    return ((0, y), (side, y), (side, y + side), (0, y + side), (0, y))


def render_setup_pages(name: PaperName) -> bytes:
    """The four pages, one a corner; the same bytes for the same paper."""
    _, paper = orientations(name)
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.setTitle("Tableside set-up")
    canvas.setViewerPreference("PrintScaling", "None")
    for number in range(PAGES):
        canvas.setPageSize((paper.width_mm * mm, paper.height_mm * mm))
        _draw_page(Pen(canvas), paper, number)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def mark_on_paper(paper: Paper, number: int) -> Point:
    """Where the corner mark lies on the paper, in mm from its lower left corner."""
    is_left = mark_of(number)[0] < 0
    return (MARK_INSET_MM if is_left else paper.width_mm - MARK_INSET_MM), paper.height_mm - MARK_INSET_MM


def pattern_corner(paper: Paper, number: int) -> Point:
    at, mark = mark_on_paper(paper, number), mark_of(number)
    return at[0] - float(mark[0]) - WIDTH_MM / 2, at[1] - float(mark[1]) - DEPTH_MM / 2


def _draw_page(pen: Pen, paper: Paper, number: int) -> None:
    corner = pattern_corner(paper, number)
    with pen.at_corner(corner):
        pen.fill(*charuco_shapes(opencv_page(number), dictionary=DICTIONARY))
    _draw_mark(pen, paper, number)
    foot = corner[1]
    pen.text((corner[0], foot - 8.8), str(number + 1), size_mm=10.0, is_bold=True)
    with pen.at_corner((corner[0] + 14, foot - 8.8)):
        draw_ruler(pen)
    for line, text in enumerate(_FOOT):
        pen.text((corner[0] + 130, foot - 3.6 - 2.4 * line), text, size_mm=1.95)


def _draw_mark(pen: Pen, paper: Paper, number: int) -> None:
    (x, y), is_left = mark_on_paper(paper, number), mark_of(number)[0] < 0
    inward = 1.0 if is_left else -1.0
    pen.line((x + inward * 8, y), (x + inward * (WIDTH_MM - 10), y), width_mm=FINE_MM, tone=GREY, is_dashed=True)
    pen.line((x - _CROSS_MM, y), (x + _CROSS_MM, y), width_mm=BOLD_MM)
    pen.line((x, y - _CROSS_MM), (x, y + _CROSS_MM), width_mm=BOLD_MM)
    pen.circle((x, y), radius_mm=1.5, width_mm=BOLD_MM)
    tip, tail, level = x + inward * 7, x + inward * 22, y - 5.0
    pen.line((tail, level), (tip, level), width_mm=BOLD_MM)
    pen.line((tip + inward * 3, level - 1.5), (tip, level), (tip + inward * 3, level + 1.5), width_mm=BOLD_MM)
    text = f"Page {number + 1}: {CORNERS[number]} corner of the table here"
    pen.text((tail + 2 if is_left else tail - 74, level - 1.0), text, size_mm=3.6, is_bold=True)
