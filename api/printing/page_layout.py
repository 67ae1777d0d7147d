"""Page layout: drawings on as few pages as will do, and tiled where one page is too small."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from api.printing.paper import Paper, PaperName, orientations
from api.printing.pen import Drawing

OVERLAP_MM = 10.0  # what two pages share, so that they can be cut and joined
_GAP_MM = 4.0


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
    """Columns and rows of pages."""
    sizes = zip((drawing.width_mm, drawing.height_mm), paper.field_mm, strict=True)
    columns, rows = (max(1, math.ceil((size - OVERLAP_MM) / (field - OVERLAP_MM))) for size, field in sizes)
    return columns, rows


def _cut_lines(number: int, of: int, step_mm: float) -> Iterator[float]:
    """The middles of what a page shares with the one before and the one after."""
    if number > 0:
        yield OVERLAP_MM / 2
    if number < of - 1:
        yield step_mm + OVERLAP_MM / 2
