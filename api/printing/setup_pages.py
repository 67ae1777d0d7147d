"""Set-up pages as PDF: four patterns to lay at the table's corners, with the mark that belongs on each corner."""

import io

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from api.printing.boards import charuco_shapes
from api.printing.paper import Paper, PaperName, orientations
from api.printing.pen import BOLD_MM, FINE_MM, GREY, Pen, Point, draw_ruler
from calibration.setup.pages import DEPTH_MM, DICTIONARY, PAGES, WIDTH_MM, opencv_page
from calibration.setup.table_layout import mark_of

CORNERS = ("near left", "near right", "far right", "far left")
MARK_INSET_MM = 7.0  # from the paper's edges to the mark: printers leave less than that white
_CROSS_MM = 3.0
_FOOT = (
    'Print at 100 % ("actual size"), not "fit to page". The ruler must be 100 mm long: measure it.',
    "Lay the sheet flat outside the table: the dashed line along the table's edge, the cross at the table's corner.",
    "Do not move the sheets before all pictures are taken, and leave them there while the overhead camera plays.",
)


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
    """Where the pattern's lower left corner lies on the paper."""
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
    """The cross, the line of the table's edge, and an arrow with words that lead to the cross."""
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
