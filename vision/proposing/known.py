"""Which proposals say something new."""

from collections.abc import Iterable, Iterator, Sequence

import shapely

from models.proposal import ProposedTerrain
from models.state import TableState
from models.words import Point

_KNOWN = 0.4  # of the smaller of two outlines: what shares more of it is the same piece

Outline = Sequence[tuple[float, ...]]


def outlines_of(state: TableState) -> Iterator[list[Point]]:
    """Outlines of the terrain that the state holds."""
    for piece in state.terrain:
        if piece.polygon_mm is not None:
            yield list(piece.polygon_mm)
        elif piece.centre_mm is not None and piece.diameter_mm is not None:
            yield list(shapely.Point(piece.centre_mm).buffer(piece.diameter_mm / 2).exterior.coords)
        elif piece.line_mm is not None and piece.thickness_mm is not None:
            yield list(shapely.LineString(piece.line_mm).buffer(piece.thickness_mm / 2).exterior.coords)


def still_open(proposed: Iterable[ProposedTerrain], known: Iterable[Outline]) -> Iterator[ProposedTerrain]:
    """The proposals that are none of these outlines."""
    shapes = [shapely.Polygon(outline) for outline in known]
    for one in proposed:
        outline = shapely.Polygon(one.polygon_mm)
        if not any(_is_same(outline, shape) for shape in shapes):
            yield one


def _is_same(a: shapely.Polygon, b: shapely.Polygon) -> bool:
    return bool(a.intersection(b).area > _KNOWN * min(a.area, b.area))
