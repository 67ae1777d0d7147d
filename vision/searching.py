"""The straightened windows in which finders look: every surface of the layout, the whole table or only some boxes."""

from collections.abc import Iterator

from models.words import Point
from vision.candidates import Box, Ground
from vision.ground import GroundMap
from vision.rectify import Window

HALF_RIM_MM = 2.0  # pictures are straightened at about half the height of a rim
_MARGIN_MM = 62.0  # the largest round base, whole, around every centre in the box
_EDGE_MM = 4.0  # a centre this far beyond the edge may still be fitted onto the table


def windows(
    ground: GroundMap, *, table: Box, boxes: tuple[Box, ...] | None, px_per_mm: float
) -> Iterator[tuple[float, Window]]:
    """Each surface's height with a window of its extent, widened so that bases at its edge are seen whole."""
    for surface_mm, extent in ground.surfaces(table):
        for box in boxes or (table,):
            if (both := _common(extent, box)) is not None:
                yield surface_mm, Window(*_widened(both), px_per_mm)


def ground_there(ground: GroundMap, at_mm: Point, *, surface_mm: float, table: Box) -> Ground | None:
    """What a base seen there in a window of this surface stands on; None if it stands off the table or elsewhere."""
    under = ground.under(at_mm)
    return under if is_on(table, at_mm) and abs(under.surface_mm - surface_mm) <= 0.5 else None


def is_on(table: Box, at_mm: Point) -> bool:
    """Whether a base measured there may stand on the table."""
    x0, y0, x1, y1 = table
    return x0 - _EDGE_MM <= at_mm[0] <= x1 + _EDGE_MM and y0 - _EDGE_MM <= at_mm[1] <= y1 + _EDGE_MM


def _common(a: Box, b: Box) -> Box | None:
    x0, y0, x1, y1 = max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def _widened(box: Box) -> Box:
    return box[0] - _MARGIN_MM, box[1] - _MARGIN_MM, box[2] + _MARGIN_MM, box[3] + _MARGIN_MM
