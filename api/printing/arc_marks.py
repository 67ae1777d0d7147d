"""Front-arc rings to lay around a base: where the marks of its front arc belong."""

from api.printing.drawing import Drawing
from api.printing.pen import BOLD_MM, FINE_MM, HAIR_MM, Pen

_RING_MM = 14.0
_TICK_MM = 6.0
_DOT_MM = 1.0
_LABEL_MM = 2.4
FRONT_DEG = 90.0  # the miniature looks up the page


def arc_ring(diameter_mm: float, *, arc_deg: float) -> Drawing:
    """A ring that fits around a base: ticks at both ends of the front arc, a dot where the miniature looks.

    Cut out along the inner circle and the dashed one, lay it around the base, and mark the rim at ticks and dot.
    """
    inner = diameter_mm / 2
    outer = inner + _RING_MM
    size = 2 * outer
    ends = (FRONT_DEG - arc_deg / 2, FRONT_DEG + arc_deg / 2)
    middle = (outer, outer)

    def draw(pen: Pen) -> None:
        pen.circle(middle, radius_mm=inner, width_mm=HAIR_MM)
        pen.circle(middle, radius_mm=outer, width_mm=HAIR_MM, is_dashed=True)
        pen.arc(middle, radius_mm=inner + _TICK_MM, from_deg=ends[0], to_deg=ends[1])
        for end in ends:
            with pen.rotate(middle, by_deg=end):
                pen.line((inner, 0), (inner + _TICK_MM + 2, 0), width_mm=BOLD_MM)
        with pen.rotate(middle, by_deg=FRONT_DEG):
            pen.line((inner, 0), (inner + 2, 0), width_mm=FINE_MM)
            pen.dot((inner + 3, 0), radius_mm=_DOT_MM)
        pen.text((outer, outer + inner + _TICK_MM + 2.4), "FRONT", size_mm=_LABEL_MM, is_middle=True)
        pen.text((outer, outer - inner - 5), "back", size_mm=_LABEL_MM, is_middle=True)
        pen.text((outer, outer - inner - 9), f"base {diameter_mm:g} mm", size_mm=_LABEL_MM, is_middle=True)
        if diameter_mm < 60:
            return
        pen.line((outer - 4, outer), (outer + 4, outer), width_mm=HAIR_MM)
        pen.line((outer, outer - 4), (outer, outer + 4), width_mm=HAIR_MM)

    return Drawing(f"ring for a {diameter_mm:g} mm base, front arc {arc_deg:g} degrees", size, size, draw)
