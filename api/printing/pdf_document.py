"""PDF document of the sheets: drawings, rulers in both directions, join marks, and in words what the page is."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from api.printing.page_layout import Joint, Sheet, lay_out
from api.printing.paper import EDGE_MM, FOOT_MM, RULER_MM, PaperName
from api.printing.pen import GREY, HAIR_MM, RULER_HEIGHT_MM, Drawing, Pen, draw_ruler

_CHECK = (
    'Print at 100 % ("actual size"), never "fit to page". Then lay a steel ruler on both rulers of this page:',
    "each must be 100 mm long to 0.2 mm. If one is not, do not use this page: what is measured by it would be wrong.",
)
_LINE_MM = 3.7
_CROSS_MM = 3.0


@dataclass(frozen=True)
class PrintJob:
    """What to print: its title, what to know of it, and its drawings."""

    title: str
    says: tuple[str, ...]
    drawings: Sequence[Drawing]


def render_pdf(what: PrintJob, paper: PaperName) -> bytes:
    """The whole document; the same bytes for the same drawings."""
    sheets = lay_out(what.drawings, paper)
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.setTitle(what.title)
    canvas.setViewerPreference("PrintScaling", "None")
    for number, sheet in enumerate(sheets, start=1):
        canvas.setPageSize((sheet.paper.width_mm * mm, sheet.paper.height_mm * mm))
        _draw_sheet(Pen(canvas), sheet, what, f"page {number} of {len(sheets)}")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _draw_sheet(pen: Pen, sheet: Sheet, what: PrintJob, page: str) -> None:
    corner, field = sheet.paper.corner_mm, sheet.paper.field_mm
    for placed in sheet.placed:
        with pen.at_corner(corner, field, shift=(placed.x_mm, placed.y_mm)):
            placed.drawing.draw(pen)
    for joint in sheet.joints:
        with pen.at_corner(corner):
            _draw_joint(pen, joint, field)
    _draw_rulers(pen, corner)
    _draw_foot(pen, list(_foot_lines(sheet, what, page)), corner[0])


def _foot_lines(sheet: Sheet, what: PrintJob, page: str) -> Iterator[str]:
    name = sheet.paper.name.value.upper() if len(sheet.paper.name.value) == 2 else sheet.paper.name.value.title()
    part = f", {sheet.part}: cut along the grey crosses and lay them on the next page's" if sheet.part else ""
    yield f"Tableside: {what.title} ({name}, {page}{part})"
    yield from what.says
    yield from _CHECK


def _draw_foot(pen: Pen, lines: Sequence[str], left: float) -> None:
    top = EDGE_MM + FOOT_MM - 4 - RULER_HEIGHT_MM - 5
    for number, line in enumerate(lines):
        pen.text((left, top - number * _LINE_MM), line, size_mm=2.6, is_bold=number == 0)


def _draw_rulers(pen: Pen, corner: tuple[float, float]) -> None:
    with pen.at_corner((corner[0], corner[1] - 4 - RULER_HEIGHT_MM)):
        draw_ruler(pen)
    with pen.rotate((EDGE_MM + RULER_MM - 4, corner[1]), by_deg=90):
        draw_ruler(pen)


def _draw_joint(pen: Pen, joint: Joint, field: tuple[float, float]) -> None:
    """Crosses along the line where two pages meet: on both of them at the same place of the drawing."""
    along = field[1] if joint.is_upright else field[0]
    for share in (0.03, 0.5, 0.97):
        at = (joint.at_mm, share * along) if joint.is_upright else (share * along, joint.at_mm)
        pen.line((at[0] - _CROSS_MM, at[1]), (at[0] + _CROSS_MM, at[1]), width_mm=HAIR_MM, tone=GREY)
        pen.line((at[0], at[1] - _CROSS_MM), (at[0], at[1] + _CROSS_MM), width_mm=HAIR_MM, tone=GREY)
