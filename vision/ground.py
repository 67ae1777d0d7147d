"""The height of the ground under a base, from the layout's terrain, and how surely it is known."""

import shapely

from models.layout import Layout
from models.words import Point
from vision.candidates import Box, Ground

UNKNOWN_SURFACE_SIGMA_MM = 20.0  # a hill of unknown height: anything up to two inches is common


FLAT = Ground(0.0, 0.0)


class GroundMap:
    """Where the table is not flat. A piece without `surface_mm` that could carry a base has an unknown height."""

    def __init__(self, layout: Layout) -> None:
        self._pieces = tuple(
            (shapely.Polygon(piece.polygon_mm), _ground_of(piece.kind, piece.surface_mm, piece.sigma_mm))
            for piece in layout.terrain
            if piece.polygon_mm is not None
        )

    def under(self, at_mm: Point) -> Ground:
        """The ground under a base centred here; of several pieces the highest carries it."""
        spot = shapely.Point(at_mm)
        found = [ground for polygon, ground in self._pieces if polygon.contains(spot)]
        return max(found, key=lambda ground: ground.surface_mm, default=FLAT)

    def surfaces(self, table: Box) -> tuple[tuple[float, Box], ...]:
        """Every height at which a base may stand, with the box that holds it; the table's own first."""
        uneven = [
            (ground.surface_mm, polygon.bounds) for polygon, ground in self._pieces if abs(ground.surface_mm) > 0.5
        ]
        boxes: dict[float, Box] = {}
        for surface_mm, (x0, y0, x1, y1) in uneven:
            known = boxes.get(surface_mm, (x0, y0, x1, y1))
            boxes[surface_mm] = (min(x0, known[0]), min(y0, known[1]), max(x1, known[2]), max(y1, known[3]))
        return ((0.0, table), *sorted(boxes.items()))


_FLAT_KINDS = frozenset(
    {"forest", "rough", "rubble", "trench", "shallow-water", "water", "deep-water", "river", "marsh"}
)


def _ground_of(kind: str, surface_mm: float | None, sigma_mm: float) -> Ground:
    if surface_mm is not None:
        return Ground(surface_mm, sigma_mm)
    return Ground(0.0, 1.0 if kind in _FLAT_KINDS else UNKNOWN_SURFACE_SIGMA_MM)
