"""Entities: single miniatures, or whole units where the rulebook plays units."""

import math
from collections.abc import Iterator, Sequence

from api.live.table_schemas import DrawnMiniature
from models.base import RectBase, RoundBase
from models.errors import UnknownThing
from models.miniature import Miniature
from models.state import TableState
from models.unit import Unit
from models.vocabulary import Id
from referee import edition_of


def plays_units(state: TableState) -> bool:
    """Whether whole units are asked about, and not each of their miniatures."""
    return edition_of(state).plays_units


def unit_of(state: TableState, miniature: Miniature) -> Id | None:
    return miniature.unit if plays_units(state) and isinstance(state.by_id.get(miniature.unit or ""), Unit) else None


def all_entities(state: TableState) -> tuple[Id, ...]:
    """All that can be asked about: units with somebody in them, and who is in none."""
    standing = [m for m in state.miniatures if "removed" not in m.status]
    return tuple(dict.fromkeys(unit_of(state, m) or m.id for m in standing))


def members_of(state: TableState, id_: Id) -> tuple[Miniature, ...]:
    return tuple(m for m in state.miniatures if m.id == id_ or (m.unit == id_ and "removed" not in m.status))


def leader_of(state: TableState, id_: Id, *, field: str) -> Miniature:
    """Whose card and side stand for it. Raises: UnknownThing, with the field that named it."""
    members = members_of(state, id_)
    if not members or (id_ != members[0].id and not plays_units(state)):
        raise UnknownThing(f"there is no miniature {id_!r} on the table", field=field, value=id_)
    first, unit = members[0], state.by_id[id_]
    if first.side is not None or not isinstance(unit, Unit) or unit.side is None:
        return first
    return Miniature.model_validate(first.model_dump() | {"side": unit.side})


def unit_bodies(state: TableState) -> Iterator[DrawnMiniature]:
    """Every unit that is asked about, as one body around its members: the middle, its front and its depth."""
    for unit in state.units if plays_units(state) else ():
        standing = members_of(state, unit.id)
        if standing:
            yield _unit_body(unit, standing)


def _unit_body(unit: Unit, standing: Sequence[Miniature]) -> DrawnMiniature:
    facings = [_likely_rad(m, neighbour=standing[0]) for m in standing]
    heading = math.atan2(sum(map(math.sin, facings)), sum(map(math.cos, facings)))
    is_told = all(m.facing_rad is not None for m in standing)
    (x0, x1), (y0, y1) = (_span_along(standing, turn) for turn in (heading, heading + math.pi / 2))
    (c, s), (x, y) = (math.cos(heading), math.sin(heading)), ((x0 + x1) / 2, (y0 + y1) / 2)
    return DrawnMiniature(
        id=unit.id,
        name=unit.name or unit.id,
        side=unit.side or standing[0].side,
        base=RectBase(width_mm=round(y1 - y0, 1), depth_mm=round(x1 - x0, 1)),
        at_mm=(x * c - y * s, x * s + y * c),
        facing_deg=math.degrees(heading) % 360 if is_told else None,
        facing_alternatives=() if is_told else standing[0].facing_alternatives,
        sigma_mm=0.0,
        sigma_facing_deg=max(m.sigma.facing_deg for m in standing),
        count=len(standing),
        files=_count_files(unit, standing, heading),
    )


def _count_files(unit: Unit, standing: Sequence[Miniature], heading_rad: float) -> int | None:
    """How many stand in the front rank; None of a unit that keeps no ranks."""
    if unit.formation == "skirmish" or any(isinstance(m.base, RoundBase) for m in standing):
        return None
    c, s = math.cos(heading_rad), math.sin(heading_rad)
    ahead = [m.at_mm[0] * c + m.at_mm[1] * s for m in standing]
    return sum(at > max(ahead) - _half_mm(standing[0], heading_rad) for at in ahead)


def _likely_rad(m: Miniature, *, neighbour: Miniature) -> float:
    """The way it looks; where several are open, that which is likeliest of the one it stands beside."""
    if m.facing_rad is not None:
        return m.facing_rad
    likeliest = max(neighbour.facing_alternatives, key=lambda facing: facing.probability, default=None)
    towards = neighbour.facing_rad if likeliest is None else math.radians(likeliest.facing_deg)
    open_rad = [math.radians(facing.facing_deg) for facing in m.facing_alternatives]
    return min(
        open_rad, key=lambda facing: abs(math.remainder(facing - (towards or 0.0), math.tau)), default=towards or 0.0
    )


def _span_along(standing: Sequence[Miniature], turn_rad: float) -> tuple[float, float]:
    """The least and the greatest reach of their bases in a direction of the table."""
    c, s = math.cos(turn_rad), math.sin(turn_rad)
    reaches = [(m.at_mm[0] * c + m.at_mm[1] * s, _half_mm(m, turn_rad)) for m in standing]
    return min(at - half for at, half in reaches), max(at + half for at, half in reaches)


def _half_mm(m: Miniature, turn_rad: float) -> float:
    """How far a base reaches from its middle in a direction."""
    if isinstance(m.base, RoundBase):
        return m.base.diameter_mm / 2
    off = turn_rad - _likely_rad(m, neighbour=m)
    return (abs(math.cos(off)) * m.base.depth_mm + abs(math.sin(off)) * m.base.width_mm) / 2
