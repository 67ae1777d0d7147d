"""Ground height: the height of what a base stands on, from the layout's terrain, with its standard deviation."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import shapely

from models.layout import Layout
from models.vocabulary import Point
from vision.candidates import Box

UNKNOWN_SURFACE_SIGMA_MM = 20.0  # a hill of unknown height: anything up to two inches is common
_ALONG_MM = 3.0  # so near to an edge, its line is the edge's


@dataclass(frozen=True)
class Ground:
    """Height above the table of what a base stands on, with its standard deviation."""

    surface_mm: float
    sigma_mm: float


FLAT = Ground(0.0, 0.0)


class GroundMap:
    """Elevation map: where the table is not flat. A piece without `surface_mm` that could carry a base has an unknown
    height."""

    def __init__(self, layout: Layout) -> None:
        self._pieces = tuple(
            (shapely.Polygon(piece.polygon_mm), _ground_of(piece.kind, piece.surface_mm, piece.sigma_mm))
            for piece in layout.terrain
            if piece.polygon_mm is not None
        )
        self._edges = tuple(polygon.boundary.buffer(_ALONG_MM) for polygon, _ in self._pieces)

    def under(self, at_mm: Point) -> Ground:
        """The ground under a base centred here; of several pieces the highest carries it."""
        spot = shapely.Point(at_mm)
        grounds = [ground for polygon, ground in self._pieces if polygon.contains(spot)]
        return max(grounds, key=lambda ground: ground.surface_mm, default=FLAT)

    def has_edge_along(self, start_mm: Point, end_mm: Point) -> bool:
        """Whether the edge of a piece runs along this line, from end to end."""
        line = shapely.LineString([start_mm, end_mm])
        return any(edge.covers(line) for edge in self._edges)

    def surfaces(self, table: Box, *, beside_mm: float = 0.0) -> tuple[tuple[float, Box], ...]:
        """Every height at which a base may stand, with the boxes that hold it; the table's own first.

        Pieces of one height share a box where they stand within `beside_mm` of each other.
        """
        pieces: dict[float, list[Box]] = defaultdict(list)
        for polygon, ground in self._pieces:
            if abs(ground.surface_mm) > 0.5:
                pieces[ground.surface_mm].append(polygon.bounds)
        uneven = ((high, box) for high, boxes in sorted(pieces.items()) for box in _merge_boxes(boxes, beside_mm))
        return ((0.0, table), *uneven)


def _merge_boxes(boxes: Sequence[Box], beside_mm: float) -> list[Box]:
    """One box for those that stand within this of each other, from left to right."""
    apart: list[Box] = []
    for box in sorted(boxes):
        shared = box
        while near := [known for known in apart if _is_beside(shared, known, beside_mm)]:
            apart = [known for known in apart if known not in near]
            x0, y0, x1, y1 = zip(shared, *near, strict=True)
            shared = (min(x0), min(y0), max(x1), max(y1))
        apart.append(shared)
    return apart


def _is_beside(a: Box, b: Box, beside_mm: float) -> bool:
    return all(max(a[k], b[k]) - min(a[k + 2], b[k + 2]) <= beside_mm for k in (0, 1))


_FLAT_KINDS = frozenset(
    {"forest", "rough", "rubble", "trench", "shallow-water", "water", "deep-water", "river", "marsh"}
)


def _ground_of(kind: str, surface_mm: float | None, sigma_mm: float) -> Ground:
    if surface_mm is not None:
        return Ground(surface_mm, sigma_mm)
    return Ground(0.0, 1.0 if kind in _FLAT_KINDS else UNKNOWN_SURFACE_SIGMA_MM)
