"""Deduplication: proposals that the state does not hold yet."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import shapely

from models.shape import OutlineFields
from models.state import TableState
from models.terrain_proposal import ProposedDisc, ProposedTerrain
from models.vocabulary import Point

_KNOWN = 0.4  # of the smaller of two outlines: what shares more of it is the same piece; of the larger, for discs

Outline = Sequence[tuple[float, ...]]
Proposed = TypeVar("Proposed", bound=ProposedTerrain | ProposedDisc)


def terrain_outlines(state: TableState) -> Iterator[list[Point]]:
    """Outlines of the terrain that the state holds."""
    for piece in state.terrain:
        yield from _outline_of(piece)


def disc_outlines(state: TableState) -> Iterator[list[Point]]:
    """Outlines of the effects and the objectives that the state holds."""
    for effect in state.effects:
        yield from _outline_of(effect)
    for objective in state.objectives:
        if objective.at_mm is not None:
            yield _circle(objective.at_mm, objective.diameter_mm)


def _outline_of(piece: OutlineFields) -> Iterator[list[Point]]:
    if piece.polygon_mm is not None:
        yield list(piece.polygon_mm)
    elif piece.centre_mm is not None and piece.diameter_mm is not None:
        yield _circle(piece.centre_mm, piece.diameter_mm)
    elif piece.line_mm is not None and piece.thickness_mm is not None:
        yield list(shapely.LineString(piece.line_mm).buffer(piece.thickness_mm / 2).exterior.coords)


def _circle(centre: Point, diameter_mm: float) -> list[Point]:
    return list(shapely.Point(centre).buffer(diameter_mm / 2).exterior.coords)


def drop_known(proposed: Iterable[Proposed], known: Iterable[Outline]) -> Iterator[Proposed]:
    """Drops the proposals that are one of these outlines."""
    shapes = [shapely.Polygon(outline) for outline in known]
    for one in proposed:
        outline = shapely.Polygon(outline_of(one))
        of = max if isinstance(one, ProposedDisc) else min  # a token may lie on a hill, and is no hill
        if not any(_overlap_area(outline, shape) > _KNOWN * of(outline.area, shape.area) for shape in shapes):
            yield one


def outline_of(proposed: ProposedTerrain | ProposedDisc) -> list[Point]:
    """The outline of a proposal."""
    if isinstance(proposed, ProposedTerrain):
        return list(proposed.polygon_mm)
    return _circle(proposed.centre_mm, proposed.diameter_mm)


def _overlap_area(a: shapely.Polygon, b: shapely.Polygon) -> float:
    return float(a.intersection(b).area)
