"""From a state to what is drawn of it, and from two drawings to what changed."""

import math

from api.etiquette import is_measuring_free
from api.fielded import drawn_units, plays_units, unit_of
from api.live import DrawnArea, DrawnMiniature, DrawnTable
from models.miniature import Miniature
from models.shape import Shaped
from models.state import TableState
from models.terrain import Effect, Terrain
from models.words import Point

_CIRCLE_CORNERS = 48  # a polygon this fine is off a 5 in circle by 0.14 mm, half a pixel of the picture at most


def drawn(state: TableState) -> DrawnTable:
    """The table as the phone draws it. A miniature that is not there any more is not drawn."""
    return DrawnTable(
        state_id=state.state_id,
        edition=state.edition,
        is_measuring_free=is_measuring_free(state),
        size=state.table,
        miniatures=tuple(_miniature(state, m) for m in state.miniatures if "removed" not in m.status),
        plays_units=plays_units(state),
        units=tuple(drawn_units(state)),
        areas=tuple(_area(t) for t in state.terrain) + tuple(_area(e) for e in state.effects if e.has_outline()),
    )


def difference(old: DrawnTable, new: DrawnTable) -> tuple[tuple[DrawnMiniature, ...], tuple[str, ...]]:
    """The miniatures that are new or not as they were, and the ids that are gone."""
    before = {m.id: m for m in old.miniatures}
    changed = tuple(m for m in new.miniatures if before.get(m.id) != m)
    return changed, tuple(sorted(before.keys() - {m.id for m in new.miniatures}))


def outline_of(shape: Shaped) -> tuple[Point, ...]:
    """Corners of the shape in table millimetres; empty when it has none of its own."""
    if shape.polygon_mm is not None:
        return shape.polygon_mm
    if shape.centre_mm is not None and shape.diameter_mm is not None:
        return _circle(shape.centre_mm, shape.diameter_mm / 2)
    if shape.line_mm is not None and shape.thickness_mm is not None:
        return _ribbon(shape.line_mm, shape.thickness_mm / 2)
    return ()


def _miniature(state: TableState, m: Miniature) -> DrawnMiniature:
    return DrawnMiniature(
        id=m.id,
        name=m.name or m.id,
        side=m.side,
        base=m.base,
        at_mm=m.at_mm,
        facing_deg=m.facing_deg,
        facing_alternatives=m.facing_alternatives,
        sigma_mm=_worst_sigma_mm(m),
        sigma_facing_deg=m.sigma.facing_deg,
        unit=unit_of(state, m),
    )


def _area(thing: Terrain | Effect) -> DrawnArea:
    return DrawnArea(id=thing.id, kind=thing.kind, outline_mm=outline_of(thing))


def _worst_sigma_mm(m: Miniature) -> float:
    """Square root of the larger eigenvalue of the position's covariance."""
    (a, b), (_, d) = m.covariance()
    return math.sqrt(max(0.0, (a + d) / 2 + math.hypot((a - d) / 2, b)))


def _circle(centre: Point, radius_mm: float) -> tuple[Point, ...]:
    turns = (math.tau * i / _CIRCLE_CORNERS for i in range(_CIRCLE_CORNERS))
    return tuple((centre[0] + radius_mm * math.cos(t), centre[1] + radius_mm * math.sin(t)) for t in turns)


def _ribbon(line: tuple[Point, ...], half_mm: float) -> tuple[Point, ...]:
    """Both sides of a line, as one closed outline: left side out, right side back."""
    left = [_beside(line, i, half_mm) for i in range(len(line))]
    right = [_beside(line, i, -half_mm) for i in range(len(line))]
    return (*left, *reversed(right))


def _beside(line: tuple[Point, ...], i: int, by_mm: float) -> Point:
    """The corner moved sideways, square to the line through its neighbours."""
    (x0, y0), (x1, y1) = line[max(i - 1, 0)], line[min(i + 1, len(line) - 1)]
    length = math.hypot(x1 - x0, y1 - y0) or 1.0
    return (line[i][0] - (y1 - y0) / length * by_mm, line[i][1] + (x1 - x0) / length * by_mm)
