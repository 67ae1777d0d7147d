"""Pen that draws on a PDF page in millimetres, y up; a drawing at its true size; the ruler that checks it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from shapely import Polygon

Point = tuple[float, float]

HAIR_MM, FINE_MM, BOLD_MM = 0.1, 0.2, 0.4
RULER_LENGTH_MM, RULER_HEIGHT_MM = 100, 5.0
BLACK, GREY, WHITE = 0.0, 0.55, 1.0
_EVEN_ODD = 0


class Pen:
    """Filled shapes have no outline, so that they end exactly where they should."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    def fill(self, *shapes: Polygon, tone: float = BLACK) -> None:
        """Fill outlines and leave their holes; all in one path, so that neighbours show no seam."""
        path = self._canvas.beginPath()
        for shape in shapes:
            for ring in (shape.exterior, *shape.interiors):
                (x, y), *rest = list(ring.coords)[:-1]
                path.moveTo(x * mm, y * mm)
                for x, y in rest:
                    path.lineTo(x * mm, y * mm)
                path.close()
        self._canvas.setFillGray(tone)
        self._canvas.drawPath(path, stroke=0, fill=1, fillMode=_EVEN_ODD)

    def dot(self, at: Point, *, radius_mm: float) -> None:
        self._canvas.setFillGray(BLACK)
        self._canvas.circle(at[0] * mm, at[1] * mm, radius_mm * mm, stroke=0, fill=1)

    def circle(self, at: Point, *, radius_mm: float, width_mm: float = FINE_MM, is_dashed: bool = False) -> None:
        self._stroke(width_mm, is_dashed=is_dashed)
        self._canvas.circle(at[0] * mm, at[1] * mm, radius_mm * mm, stroke=1, fill=0)

    def line(self, *points: Point, width_mm: float = FINE_MM, tone: float = BLACK, is_dashed: bool = False) -> None:
        self._stroke(width_mm, tone=tone, is_dashed=is_dashed)
        path = self._canvas.beginPath()
        path.moveTo(points[0][0] * mm, points[0][1] * mm)
        for x, y in points[1:]:
            path.lineTo(x * mm, y * mm)
        if points[0] == points[-1]:
            path.close()
        self._canvas.drawPath(path, stroke=1, fill=0)

    def arc(self, at: Point, *, radius_mm: float, from_deg: float, to_deg: float, width_mm: float = FINE_MM) -> None:
        """Anticlockwise from the right."""
        self._stroke(width_mm)
        (x, y), r = at, radius_mm
        box = ((x - r) * mm, (y - r) * mm, (x + r) * mm, (y + r) * mm)
        self._canvas.arc(*box, startAng=from_deg, extent=to_deg - from_deg)

    def text(
        self, at: Point, string: str, *, size_mm: float = 2.8, is_bold: bool = False, is_middle: bool = False
    ) -> None:
        self._canvas.setFillGray(BLACK)
        self._canvas.setFont("Helvetica-Bold" if is_bold else "Helvetica", size_mm * mm)
        draw = self._canvas.drawCentredString if is_middle else self._canvas.drawString
        draw(at[0] * mm, at[1] * mm, string)

    @contextmanager
    def at_corner(self, corner: Point, size_mm: Point | None = None, *, shift: Point = (0.0, 0.0)) -> Iterator[None]:
        """Draw from this corner on, moved by `shift`; with a size, nothing beyond it."""
        self._canvas.saveState()
        if size_mm is not None:
            path = self._canvas.beginPath()
            path.rect(corner[0] * mm, corner[1] * mm, size_mm[0] * mm, size_mm[1] * mm)
            self._canvas.clipPath(path, stroke=0, fill=0)
        self._canvas.translate((corner[0] + shift[0]) * mm, (corner[1] + shift[1]) * mm)
        yield
        self._canvas.restoreState()

    @contextmanager
    def rotate(self, about: Point, *, by_deg: float) -> Iterator[None]:
        """Draw around this point, turned anticlockwise."""
        self._canvas.saveState()
        self._canvas.translate(about[0] * mm, about[1] * mm)
        self._canvas.rotate(by_deg)
        yield
        self._canvas.restoreState()

    def _stroke(self, width_mm: float, *, tone: float = BLACK, is_dashed: bool = False) -> None:
        self._canvas.setStrokeGray(tone)
        self._canvas.setLineWidth(width_mm * mm)
        dashes: Sequence[float] = [1.6 * mm, 1.2 * mm] if is_dashed else []
        self._canvas.setDash(list(dashes))


@dataclass(frozen=True)
class Drawing:
    """What is printed at its true size; `draw` draws within (0, 0) to (width, height)."""

    says: str
    width_mm: float
    height_mm: float
    draw: Callable[[Pen], None]


def draw_ruler(pen: Pen) -> None:
    """Check ruler of 100 mm, to the right of the origin: from the first tick's middle to the last one's."""
    pen.line((0, 0), (RULER_LENGTH_MM, 0), width_mm=HAIR_MM)
    for at in range(RULER_LENGTH_MM + 1):
        tall = RULER_HEIGHT_MM if at % 10 == 0 else 3.5 if at % 5 == 0 else 2.0
        pen.line((at, 0), (at, tall), width_mm=2 * HAIR_MM if at % 10 == 0 else HAIR_MM)
    pen.line((0, 0), (0, RULER_HEIGHT_MM), width_mm=BOLD_MM / 2)
    for at in range(0, RULER_LENGTH_MM, 20):
        pen.text((at + 0.6, RULER_HEIGHT_MM - 1.0), str(at) if at else "0 mm", size_mm=1.8)
    pen.text((RULER_LENGTH_MM + 1, 1.2), "100 mm", size_mm=2.4)
