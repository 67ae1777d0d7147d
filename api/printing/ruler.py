"""Check ruler of 100 mm: the scale of a print is measured by it."""

from api.printing.pen import BOLD_MM, HAIR_MM, Pen

LENGTH_MM = 100
HEIGHT_MM = 5.0


def draw_ruler(pen: Pen) -> None:
    """A ruler of 100 mm to the right of the origin: from the first tick's middle to the last one's."""
    pen.line((0, 0), (LENGTH_MM, 0), width_mm=HAIR_MM)
    for at in range(LENGTH_MM + 1):
        tall = HEIGHT_MM if at % 10 == 0 else 3.5 if at % 5 == 0 else 2.0
        pen.line((at, 0), (at, tall), width_mm=2 * HAIR_MM if at % 10 == 0 else HAIR_MM)
    pen.line((0, 0), (0, HEIGHT_MM), width_mm=BOLD_MM / 2)
    for at in range(0, LENGTH_MM, 20):
        pen.text((at + 0.6, HEIGHT_MM - 1.0), str(at) if at else "0 mm", size_mm=1.8)
    pen.text((LENGTH_MM + 1, 1.2), "100 mm", size_mm=2.4)
