"""Search windows: the rectified windows in which finders look, for every surface, the whole table or some boxes."""

from collections.abc import Iterator
from dataclasses import dataclass

from models.vocabulary import Point
from vision.candidates import Box
from vision.rectification.ground_height import Ground, GroundMap
from vision.rectification.rectify import Window

HALF_RIM_MM = 2.0  # pictures are straightened at about half the height of a rim
_MARGIN_MM = 62.0  # the largest round base, whole, around every centre in the box
LEVEL_MM = 3.0  # ground no higher is looked at together with the table's own
_EDGE_MM = 4.0  # a centre this far beyond the edge may still be fitted onto the table


def search_windows(
    ground: GroundMap, *, table: Box, boxes: tuple[Box, ...] | None, px_per_mm: float
) -> Iterator[tuple[float, Window]]:
    """Each surface's height with windows of its extent, widened so that bases at its edge are seen whole.

    Ground that is less than `LEVEL_MM` high has no window of its own: it is looked at together with the table.
    """
    for surface_mm, extent in ground.surfaces(table, beside_mm=2 * _MARGIN_MM):
        if 0 < abs(surface_mm) < LEVEL_MM:
            continue
        for box in boxes or (table,):
            if (both := _intersection(extent, box)) is not None:
                yield surface_mm, Window(*_add_margin(both), px_per_mm)


@dataclass(frozen=True)
class GroundProjection:
    """Projects what is seen in a window of one surface onto the ground that it stands on.

    `eye_mm`: the camera's centre.
    """

    ground: GroundMap
    table: Box
    surface_mm: float
    eye_mm: tuple[float, float, float]

    def at(self, seen_mm: Point) -> tuple[Point, Ground] | None:
        """Where it stands, and on what; None if that is off the table, or on another surface."""
        under = self.ground.under(seen_mm)
        if not is_on_table(self.table, seen_mm) or not self._is_same_surface(under):
            return None
        return self._reproject(seen_mm, under.surface_mm), under

    def _is_same_surface(self, under: Ground) -> bool:
        is_level = self.surface_mm == 0 and abs(under.surface_mm) < LEVEL_MM
        return is_level or abs(under.surface_mm - self.surface_mm) <= 0.5

    def _reproject(self, seen_mm: Point, surface_mm: float) -> Point:
        """The same place of the picture on this height."""
        x, y, high = self.eye_mm
        share = (high - surface_mm - HALF_RIM_MM) / (high - self.surface_mm - HALF_RIM_MM)
        return x + (seen_mm[0] - x) * share, y + (seen_mm[1] - y) * share


def is_on_table(table: Box, at_mm: Point) -> bool:
    """Whether a base measured there may stand on the table."""
    x0, y0, x1, y1 = table
    return x0 - _EDGE_MM <= at_mm[0] <= x1 + _EDGE_MM and y0 - _EDGE_MM <= at_mm[1] <= y1 + _EDGE_MM


def _intersection(a: Box, b: Box) -> Box | None:
    x0, y0, x1, y1 = max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def _add_margin(box: Box) -> Box:
    return box[0] - _MARGIN_MM, box[1] - _MARGIN_MM, box[2] + _MARGIN_MM, box[3] + _MARGIN_MM
