"""Drawings laid on pages: as few as will do, and joined where one page is too small."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from api.sheets.drawing import Drawing
from api.sheets.paper import Paper, PaperName, ways_up

OVERLAP_MM = 10.0  # what two pages share, so that they can be cut and joined
_GAP_MM = 4.0


@dataclass(frozen=True)
class Placed:
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
    placed: tuple[Placed, ...]
    joints: tuple[Joint, ...] = ()
    part: str = ""


def lay_out(drawings: Sequence[Drawing], name: PaperName) -> tuple[Sheet, ...]:
    """Every drawing at its true size: those that fit share pages, a larger one has several to itself."""
    fits = [one for one in drawings if any(paper.holds(one.width_mm, one.height_mm) for paper in ways_up(name))]
    large = [one for one in drawings if one not in fits]
    return (*_packed(fits, name), *(sheet for one in large for sheet in _joined(one, name)))


def _packed(drawings: Sequence[Drawing], name: PaperName) -> tuple[Sheet, ...]:
    """In the given order, row after row; the paper is held the way that needs fewer pages."""
    if not drawings:
        return ()
    ways = [
        tuple(_rows(drawings, paper))
        for paper in ways_up(name)
        if all(paper.holds(one.width_mm, one.height_mm) for one in drawings)
    ]
    if ways:
        return min(ways, key=len)
    return tuple(sheet for one in drawings for sheet in _packed([one], name))


def _rows(drawings: Sequence[Drawing], paper: Paper) -> Iterator[Sheet]:
    width, height = paper.field_mm
    placed: list[Placed] = []
    x, top, tall = 0.0, height, 0.0
    for one in drawings:
        if x + one.width_mm > width:
            x, top, tall = 0.0, top - tall - _GAP_MM, 0.0
        if top - one.height_mm < 0:
            yield Sheet(paper, tuple(placed))
            placed, x, top, tall = [], 0.0, height, 0.0
        placed.append(Placed(one, x, top - one.height_mm))
        x += one.width_mm + _GAP_MM
        tall = max(tall, one.height_mm)
    yield Sheet(paper, tuple(placed))


def _joined(drawing: Drawing, name: PaperName) -> Iterator[Sheet]:
    paper = min(ways_up(name), key=lambda one: math.prod(_parts(drawing, one)))
    columns, rows = _parts(drawing, paper)
    wide, high = (size - OVERLAP_MM for size in paper.field_mm)
    for row in range(rows):
        for column in range(columns):
            joints = [Joint(x, True) for x in _cuts(column, columns, wide)] + [
                Joint(y, False) for y in _cuts(row, rows, high)
            ]
            part = f"column {column + 1} of {columns}, row {row + 1} of {rows} from below"
            yield Sheet(paper, (Placed(drawing, -column * wide, -row * high),), tuple(joints), part)


def _parts(drawing: Drawing, paper: Paper) -> tuple[int, int]:
    """Columns and rows of pages."""
    sizes = zip((drawing.width_mm, drawing.height_mm), paper.field_mm, strict=True)
    columns, rows = (max(1, math.ceil((size - OVERLAP_MM) / (field - OVERLAP_MM))) for size, field in sizes)
    return columns, rows


def _cuts(number: int, of: int, step_mm: float) -> Iterator[float]:
    """The middles of what a page shares with the one before and the one after."""
    if number > 0:
        yield OVERLAP_MM / 2
    if number < of - 1:
        yield step_mm + OVERLAP_MM / 2
