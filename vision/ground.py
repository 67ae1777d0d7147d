"""The height of the ground under a base, from the layout's terrain, and how surely it is known."""

from dataclasses import dataclass

import shapely

from models.layout import Layout
from models.words import Point

UNKNOWN_SURFACE_SIGMA_MM = 20.0  # a hill of unknown height: anything up to two inches is common


@dataclass(frozen=True)
class Ground:
    """Height above the table of what a base stands on."""

    surface_mm: float
    sigma_mm: float


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

    def surfaces_mm(self) -> tuple[float, ...]:
        """Every height at which a base may stand, the table's own first."""
        return tuple(sorted({0.0} | {ground.surface_mm for _, ground in self._pieces if ground.surface_mm > 0.5}))


_FLAT_KINDS = frozenset(
    {"forest", "rough", "rubble", "trench", "shallow-water", "water", "deep-water", "river", "marsh"}
)


def _ground_of(kind: str, surface_mm: float | None, sigma_mm: float) -> Ground:
    if surface_mm is not None:
        return Ground(surface_mm, sigma_mm)
    return Ground(0.0, 1.0 if kind in _FLAT_KINDS else UNKNOWN_SURFACE_SIGMA_MM)
