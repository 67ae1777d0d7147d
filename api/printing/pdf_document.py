"""PDF document: drawings on as few pages as will do, a large one tiled; rulers, join marks, and what the page is."""

import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from api.printing.paper import EDGE_MM, FOOT_MM, RULER_MM, Paper, PaperName, orientations
from api.printing.pen import GREY, HAIR_MM, RULER_HEIGHT_MM, Drawing, Pen, draw_ruler

OVERLAP_MM = 10.0  # what two pages share, so that they can be cut and joined
_GAP_MM = 4.0
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


@dataclass(frozen=True)
class Placement:
    """A drawing whose lower left corner lies here in the page's field; negative on the later pages of a large one."""

    drawing: Drawing
    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class Joint:
    """Where the page is cut and laid on its neighbour's mark, in its field: an upright line, or a level one."""

    at_mm: float
    is_upright: bool


@dataclass(frozen=True)
class Sheet:
    paper: Paper
    placed: tuple[Placement, ...]
    joints: tuple[Joint, ...] = ()
    part: str = ""


def render_pdf(what: PrintJob, paper: PaperName) -> bytes:
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


def lay_out(drawings: Sequence[Drawing], name: PaperName) -> tuple[Sheet, ...]:
    """Every drawing at its true size: those that fit share pages, a larger one has several to itself."""
    fits = [
        drawing
        for drawing in drawings
        if any(paper.has_room_for(drawing.width_mm, drawing.height_mm) for paper in orientations(name))
    ]
    large = [drawing for drawing in drawings if drawing not in fits]
    return (*_pack(fits, name), *(sheet for drawing in large for sheet in _split(drawing, name)))


def _pack(drawings: Sequence[Drawing], name: PaperName) -> tuple[Sheet, ...]:
    """In the given order, row after row; the paper is held the way that needs fewer pages."""
    if not drawings:
        return ()
    candidates = [
        tuple(_rows(drawings, paper))
        for paper in orientations(name)
        if all(paper.has_room_for(drawing.width_mm, drawing.height_mm) for drawing in drawings)
    ]
    if candidates:
        return min(candidates, key=len)
    return tuple(sheet for drawing in drawings for sheet in _pack([drawing], name))


def _rows(drawings: Sequence[Drawing], paper: Paper) -> Iterator[Sheet]:
    width, height = paper.field_mm
    placed: list[Placement] = []
    x, top, tall = 0.0, height, 0.0
    for drawing in drawings:
        if x + drawing.width_mm > width:
            x, top, tall = 0.0, top - tall - _GAP_MM, 0.0
        if top - drawing.height_mm < 0:
            yield Sheet(paper, tuple(placed))
            placed, x, top, tall = [], 0.0, height, 0.0
        placed.append(Placement(drawing, x, top - drawing.height_mm))
        x += drawing.width_mm + _GAP_MM
        tall = max(tall, drawing.height_mm)
    yield Sheet(paper, tuple(placed))


def _split(drawing: Drawing, name: PaperName) -> Iterator[Sheet]:
    paper = min(orientations(name), key=lambda page: math.prod(_page_counts(drawing, page)))
    columns, rows = _page_counts(drawing, paper)
    wide, high = (size - OVERLAP_MM for size in paper.field_mm)
    for row in range(rows):
        for column in range(columns):
            joints = [Joint(x, True) for x in _cut_lines(column, columns, wide)] + [
                Joint(y, False) for y in _cut_lines(row, rows, high)
            ]
            part = f"column {column + 1} of {columns}, row {row + 1} of {rows} from below"
            yield Sheet(paper, (Placement(drawing, -column * wide, -row * high),), tuple(joints), part)


def _page_counts(drawing: Drawing, paper: Paper) -> tuple[int, int]:
    sizes = zip((drawing.width_mm, drawing.height_mm), paper.field_mm, strict=True)
    columns, rows = (max(1, math.ceil((size - OVERLAP_MM) / (field - OVERLAP_MM))) for size, field in sizes)
    return columns, rows


def _cut_lines(number: int, of: int, step_mm: float) -> Iterator[float]:
    """The middles of what a page shares with the one before and the one after."""
    if number > 0:
        yield OVERLAP_MM / 2
    if number < of - 1:
        yield step_mm + OVERLAP_MM / 2
