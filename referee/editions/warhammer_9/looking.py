"""Looking: from where a unit sees, what it looks at, and what stands in between.

What belongs to the looking unit or to its target never blocks. Each rank of any other unit is one solid body: no line
fits between bases that touch.
"""

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from models.miniature import Miniature
from models.terrain import Terrain
from models.words import Point
from referee.corridor import hull
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.arcs import ahead_of
from referee.editions.warhammer_9.regiments import (
    Regiment,
    all_regiments,
    at_rest,
    garrisoned,
    is_skirmishing,
    kind_of,
    leading,
    members_of,
    regiment,
    regiment_of,
)
from referee.gaps import gap
from referee.shapes import Area, Rounded
from referee.shapes import hull as hull_of
from referee.sight import End, Obstacle, Wood
from referee.situation import Situation

_DUST_MM = 1e-6
_STRAIGHT_MM = 1.0


@dataclass(frozen=True)
class Body:
    """Something solid that belongs to a unit, and those who make it up, from the unit's own left."""

    unit: str
    row: tuple[str, ...]
    shape: Rounded

    @property
    def members(self) -> tuple[str, ...]:
        """Who stands at its ends: what its shape hangs on."""
        return tuple(dict.fromkeys((self.row[0], self.row[-1]))) if self.row else ()


@dataclass(frozen=True)
class Hidden:
    """What stands between: an obstacle or a wood, how tall it is, and what it hangs on."""

    id: str
    area: Area
    height_mm: float | None
    is_wood: bool = False
    is_low: bool = False
    """A wall or hedge: it hides the base and not the body, as long as nobody told that it is taller."""
    members: tuple[str, ...] = ()
    rank: int | None = None
    """Which of the shapes of its unit it is."""
    leaning: frozenset[str] = frozenset()
    """Who touches this obstacle, so that it hides nothing from them."""
    standing: frozenset[str] = frozenset()
    """Who stands on this hill, so that it hides nothing from them and does not hide them."""

    def is_open(self, viewer: str, seen: tuple[str, ...]) -> bool:
        """Whether it is nothing between this viewer and these."""
        return viewer in self.leaning or not self.standing.isdisjoint((viewer, *seen))


def bodies(table: Situation, id_: str) -> tuple[Body, ...]:
    """A unit as solid bodies: rank by rank where its members touch, else one by one."""
    return at_rest(table, "bodies", id_, lambda: tuple(_bodies(table, id_)))


def _bodies(table: Situation, id_: str) -> Iterator[Body]:
    own = regiment(table, id_)
    if is_skirmishing(table, id_) or len(own.members) == 1:
        yield from (Body(id_, (m,), table.base(m)) for m in own.members)
        return
    for rank in range(own.ranks):
        yield _row(table, own, rank)


def _row(table: Situation, own: Regiment, rank: int) -> Body:
    """A rank, reaching into the one before it: no line fits between ranks that a hand left a hair apart.

    Of a straight rank the two at its ends tell the whole outline.
    """
    row = own.rank(rank)
    outer = row if not _is_straight(table, own.id) else tuple(dict.fromkeys((row[0], row[-1])))
    points = [p for m in outer for p in table.base(m).points]
    radius = max(table.base(m).radius_mm for m in outer)
    if rank > 0:
        (ux, uy), deep = own.ahead, own.base_mm[1] / 2
        points += [(x + deep * ux, y + deep * uy) for x, y in points]
    return Body(own.id, row, Rounded(hull_of(points), radius))


def _is_straight(table: Situation, id_: str) -> bool:
    """Whether its ranks are straight as they stand: a nudge makes none crooked."""
    return regiment(table.still, id_).crooked_mm <= _STRAIGHT_MM


def eye(table: Situation, viewer: str, *, all_round: bool = False) -> tuple[End, Regiment | None]:
    """Where a miniature looks from, and whose quadrant bounds what it sees; None where it looks all round.

    Source: Line of Sight, p. 12: from the front of its base; Garrisons, p. 99: from any point of the building.
    """
    inside = table.miniature(viewer).inside
    if inside is not None:
        part = max(table.area(inside).parts, key=lambda p: p.reach_mm)
        return End(Rounded(hull_of([q for p in table.area(inside).parts for q in p.points]), part.radius_mm)), None
    if all_round:
        return End(table.base(viewer)), None
    own = regiment(table, viewer)
    left, _, _, right = own.corners
    return End(Rounded((left, right))), own


def fires_all_round(miniature: Miniature) -> bool:
    """Whether its crew shoots to all sides. Source: Chariots, p. 72; Ridden Monsters, p. 71."""
    return miniature.type == "chariot" or (miniature.type == "monster" and "character" in miniature.role)


def seen_parts(
    table: Situation, own: Regiment | None, target: str, rows: Collection[int] | None = None
) -> list[tuple[int, Body, Rounded]]:
    """What of the target lies where a miniature may look, by its place among the bodies; of those `rows` only."""
    building = garrisoned(table, target)
    if building is not None:
        whole = tuple(Body(target, (), part) for part in table.area(building).parts)
    else:
        whole = bodies(table, target)
    wanted = [(k, one) for k, one in enumerate(whole) if rows is None or k in rows]
    cut = ((k, one, one.shape if own is None else ahead_of(own, one.shape)) for k, one in wanted)
    return [(k, one, shape) for k, one, shape in cut if shape is not None]


def between(table: Situation, viewer: str, target: str, ignoring: tuple[str, ...]) -> tuple[Hidden, ...]:
    """All that might block a line from this unit to that one. Source: Line of Sight, p. 12; p. 92-101."""
    if table.facings_rad or table.placed_mm:
        return _between(table, viewer, target, ignoring)
    key = ("between", viewer, target, ignoring)
    rest = table.settled(key, lambda still: _between(still, viewer, target, ignoring))
    return tuple(_as_it_is(table, one) for one in rest) if table.nudges else rest


def _as_it_is(table: Situation, one: Hidden) -> Hidden:
    """The same thing where a nudge has put it."""
    if one.rank is None:
        return replace(one, area=table.area(one.id)) if one.id in table.nudges else one
    if table.nudges.keys().isdisjoint(members_of(table, one.id)):
        return one
    return replace(one, area=_hiding(table, one.id)[one.rank].area)


def _between(table: Situation, viewer: str, target: str, ignoring: tuple[str, ...]) -> tuple[Hidden, ...]:
    own = {regiment_of(table, viewer), regiment_of(table, target)}
    inside = {garrisoned(table, viewer), garrisoned(table, target)}
    way = Rounded(hull_of([p for one in (viewer, target) for p in _rim(table, one)]))
    things = [*_units(table, own, way), *_ground(table, viewer, target, way)]
    return tuple(one for one in things if one.id not in ignoring and one.id not in inside)


def before(table: Situation, viewer: str, at: Point, under: str | None) -> tuple[Hidden, ...]:
    """All that might block a line from this unit to a point; `under` is the unit the point lies on."""
    own = {regiment_of(table, viewer), under or ""}
    way = Rounded(hull_of([at, *_rim(table, viewer)]))
    things = [*_units(table, own, way), *_ground(table, viewer, viewer, way)]
    return tuple(one for one in things if one.id != garrisoned(table, viewer))


def _rim(table: Situation, id_: str) -> list[Point]:
    """Corners round all of a unit, or of the building it sits in."""
    inside = garrisoned(table, id_)
    parts = [table.base(m) for m in members_of(table, id_)] if inside is None else table.area(inside).parts
    return [(x + dx, y + dy) for p in parts for x, y in p.points for dx, dy in _around(p.radius_mm)]


def _around(r: float) -> tuple[Point, ...]:
    return ((r, r), (r, -r), (-r, r), (-r, -r)) if r else ((0.0, 0.0),)


def _units(table: Situation, own: set[str], way: Rounded) -> Iterator[Hidden]:
    """Source: Swarms, p. 71: they never block. Towering, p. 67: it looks over units."""
    for id_ in all_regiments(table):
        if id_ in own or garrisoned(table, id_) is not None:
            continue
        whole = regiment(table, id_)
        if kind_of(leading(table, id_)) == "swarm" or is_aside(way, Rounded((whole.centre,), whole.reach_mm)):
            continue
        yield from _hiding(table, id_)


def _hiding(table: Situation, id_: str) -> tuple[Hidden, ...]:
    return at_rest(table, "hides", id_, lambda: tuple(_found_hiding(table, id_)))


def _found_hiding(table: Situation, id_: str) -> Iterator[Hidden]:
    """A unit as what it hides: all its full ranks as one, and a short last rank; else body by body."""
    height, whole, own = _top_mm(table, leading(table, id_)), bodies(table, id_), regiment(table, id_)
    full = [k for k, size in enumerate(own.rank_sizes) if size == own.rank_sizes[0]]
    if len(whole) != own.ranks or len(full) < 2 or not _is_straight(table, id_):
        shapes = [(one.members, one.shape) for one in whole]
    else:
        ends = (whole[full[0]], whole[full[-1]])
        points = [p for one in ends for p in one.shape.points]
        block = Rounded(hull_of(points), ends[0].shape.radius_mm)
        shapes = [(tuple(dict.fromkeys(m for one in ends for m in one.members)), block)]
        shapes += [(one.members, one.shape) for one in whole[full[-1] + 1 :]]
    for k, (members, shape) in enumerate(shapes):
        yield Hidden(id_, Area((shape,)), height, members=members, rank=k)


def is_aside(way: Rounded, part: Rounded, near_mm: float = 60.0) -> bool:
    """Whether a part lies beside a way, farther off than what may come to close it; told quickly where it is plain."""
    (ax, ay), (bx, by) = way.points[0], max(way.points, key=lambda p: math.dist(p, way.points[0]))
    long = math.hypot(bx - ax, by - ay) or 1.0
    ux, uy = (bx - ax) / long, (by - ay) / long
    for dx, dy in ((1.0, 0.0), (0.0, 1.0), (ux, uy), (-uy, ux)):
        mine = [x * dx + y * dy for x, y in way.points]
        theirs = [x * dx + y * dy for x, y in part.points]
        spare = max(min(theirs) - max(mine), min(mine) - max(theirs)) - way.radius_mm - part.radius_mm
        if spare > near_mm:
            return True
    return gap(way, part).mm > near_mm


def _top_mm(table: Situation, miniature: Miniature) -> float | None:
    """How high its body reaches; None when its height is not told."""
    return None if miniature.body_mm is None else height_of_ground(table, miniature.id) + miniature.body_mm


def height_of_ground(table: Situation, id_: str) -> float:
    """The height of the ground it stands on: told, else the top of a hill under its centre. Source: Hills, p. 92."""
    told = table.miniature(id_).elevation_mm
    if told is not None:
        return told
    return max((_surface_mm(t) for t in table.terrain_under(id_)), default=0.0)


def _surface_mm(terrain: Terrain) -> float:
    if terrain.surface_mm is not None:
        return terrain.surface_mm
    stands = terrain.kind in parameters.STANDING_KINDS if terrain.stand_on is None else terrain.stand_on
    return (terrain.height_mm or 0.0) if stands else 0.0


def _ground(table: Situation, viewer: str, target: str, way: Rounded) -> Iterator[Hidden]:
    for terrain in table.state.terrain:
        how = terrain.blocks_sight or _how_kind_blocks(terrain)
        area = table.area(terrain.id)
        if how == "none" or all(is_aside(way, part) for part in area.parts):
            continue
        if how == "forest":
            yield Hidden(terrain.id, area, terrain.height_mm, is_wood=True)
        elif terrain.kind in parameters.OBSTACLE_KINDS:
            low, leaning = terrain.height_mm is None, _leaning(table, viewer, terrain.id)
            yield Hidden(terrain.id, area, terrain.height_mm, is_low=low, leaning=leaning)
        else:
            yield Hidden(terrain.id, area, terrain.height_mm, standing=_standing(table, terrain, viewer, target))


def _how_kind_blocks(terrain: Terrain) -> str:
    if terrain.kind == "forest":
        return "forest"
    return "solid" if terrain.kind in parameters.SOLID_KINDS | parameters.OBSTACLE_KINDS else "none"


def _standing(table: Situation, terrain: Terrain, viewer: str, target: str) -> frozenset[str]:
    """A hill does not block who stands on it. Source: Hills, p. 92."""
    if terrain.kind not in parameters.STANDING_KINDS:
        return frozenset()
    ends = (*members_of(table, viewer), *members_of(table, target))
    return frozenset(m for m in ends if terrain in table.terrain_under(m))


def _leaning(table: Situation, unit: str, feature: str) -> frozenset[str]:
    return frozenset(m for m in members_of(table, unit) if leans_on(table, m, feature))


def leans_on(table: Situation, unit: str, feature: str) -> bool:
    """Whether a miniature of the unit touches the feature; a measuring error lets go of nothing.

    Source: Obstacles, p. 95.
    """
    return table.settled(("leans", unit, feature), lambda still: _leans_on(still, unit, feature))


def _leans_on(table: Situation, unit: str, feature: str) -> bool:
    bases = [table.base(m) for m in members_of(table, unit)]
    parts = table.area(feature).parts
    near = ((base, part) for base in bases for part in parts if not is_aside(part, base, parameters.CONTACT_MM))
    return any(gap(base, part).mm <= parameters.CONTACT_MM for base, part in near)


def as_obstacles(
    things: tuple[Hidden, ...], start: Rounded, stop: Rounded
) -> tuple[tuple[Obstacle, ...], tuple[Wood, ...]]:
    """What of these lies anywhere near the way, as the kernel of sight takes it. All woods count as one.

    Source: Mysterious Forests, p. 92: at most 2 in of forest, all in all.
    """
    way = hull(start, stop)
    near = [(k, one) for k, one in enumerate(things) if not all(is_aside(way, part) for part in one.area.parts)]
    woods = [(k, one) for k, one in near if one.is_wood]
    joined = Area(
        tuple(part for _, one in woods for part in one.area.parts), woods[0][1].area.outline if len(woods) == 1 else ()
    )
    obstacles = tuple(Obstacle(str(k), one.area) for k, one in near if not one.is_wood)
    wood = (Wood(str(woods[0][0]), joined, parameters.FOREST_DEPTH_MM, True),) if woods else ()
    return obstacles, wood


def is_below(
    table: Situation, viewer: str, seen: tuple[str, ...], start: Rounded, stop: Rounded, thing: Hidden
) -> bool:
    """Whether the sloping line from the viewer's eye to the base it looks at passes above the thing.

    Source: Hills and Shooting, p. 92: from higher ground one sees past those who stand lower.
    """
    if thing.height_mm is None or thing.is_wood or not seen:
        return False
    miniature = table.miniature(viewer)
    eye_mm = height_of_ground(table, viewer) + (miniature.body_mm or 0.0)
    ground_mm = height_of_ground(table, seen[len(seen) // 2])
    if max(eye_mm, ground_mm) <= thing.height_mm:
        return False
    return lowest_mm(start, stop, thing, eye_mm, ground_mm) > thing.height_mm + _DUST_MM


def lowest_mm(start: Rounded, stop: Rounded, thing: Hidden, eye_mm: float, to_mm: float) -> float:
    """How low a sloping line from this height at its start to that at its stop passes over a thing."""
    away = max(gap(start, stop).mm, _DUST_MM)
    shares = [
        share for part in thing.area.parts for share in (gap(start, part).mm / away, 1 - gap(part, stop).mm / away)
    ]
    return min(eye_mm + min(1.0, max(0.0, share)) * (to_mm - eye_mm) for share in shares)
