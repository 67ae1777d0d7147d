"""Scene: from where a unit sees, what it looks at, and what stands in between.

What belongs to the looking unit or to its target never blocks. Each rank of any other unit is one solid body: no line
fits between bases that touch.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from models.miniature import Miniature
from models.terrain import Terrain
from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.units.quadrants import part_in_front
from referee.editions.warhammer_9.units.regiment import (
    Regiment,
    all_regiments,
    garrisoned_building,
    is_skirmishing,
    kind_of,
    leading_miniature,
    members_of,
    memoize_at_rest,
    regiment,
    regiment_of,
)
from referee.geometry.containment import reach_into
from referee.geometry.corridor import corridor_hull
from referee.geometry.distance import gap
from referee.geometry.shapes import Area, RoundedShape
from referee.geometry.shapes import convex_hull as hull_of
from referee.line_of_sight import End, Obstacle, Wood
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_more_than

_DUST_MM = 1e-6
_STRAIGHT_MM = 1.0
_NEAR_MM = 60.0  # what stands farther beside a path does not matter to it
Holder = tuple[str, int | None]
"""The id of what bounds a lane, and which of the shapes of its unit it is."""


@dataclass(frozen=True)
class Body:
    """Solid body of a unit, and the miniatures in it, from the unit's own left."""

    unit: str
    row: tuple[str, ...]
    shape: RoundedShape

    @property
    def members(self) -> tuple[str, ...]:
        """Who stands at its ends: what its shape hangs on."""
        return tuple(dict.fromkeys((self.row[0], self.row[-1]))) if self.row else ()


@dataclass(frozen=True)
class Occluder:
    """Occluder: a thing between two units, how tall it is, and what it depends on."""

    id: str
    area: Area
    height_mm: float | None
    is_wood: bool = False
    is_low: bool = False
    """A wall or hedge no higher than a chest as far as anybody told: it hides the base and not the body."""
    members: tuple[str, ...] = ()
    rank: int | None = None
    """Which of the shapes of its unit it is."""
    touched_by: frozenset[str] = frozenset()
    """Who touches this obstacle, so that it hides nothing from them."""
    stood_on_by: frozenset[str] = frozenset()
    """Who stands on this hill, so that it hides nothing from them and does not hide them."""

    @property
    def key(self) -> Holder:
        return self.id, self.rank

    def is_open(self, viewer: str, seen: tuple[str, ...]) -> bool:
        """Whether it is nothing between this viewer and these."""
        return viewer in self.touched_by or not self.stood_on_by.isdisjoint((viewer, *seen))


def solid_bodies(table: ExactTable, id_: str) -> tuple[Body, ...]:
    """Solid bodies of a unit: rank by rank where its members touch, else one by one."""
    return memoize_at_rest(table, "bodies", id_, lambda: tuple(_find_bodies(table, id_)))


def _find_bodies(table: ExactTable, id_: str) -> Iterator[Body]:
    own = regiment(table, id_)
    if is_skirmishing(table, id_) or len(own.members) == 1:
        yield from (Body(id_, (m,), table.base(m)) for m in own.members)
        return
    for rank in range(own.ranks):
        yield _rank_body(table, own, rank)


def _rank_body(table: ExactTable, own: Regiment, rank: int) -> Body:
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
    return Body(own.id, row, RoundedShape(hull_of(points), radius))


def _is_straight(table: ExactTable, id_: str) -> bool:
    """Whether its ranks are straight as they stand: a nudge makes none crooked."""
    return regiment(table.unperturbed, id_).crooked_mm <= _STRAIGHT_MM


def viewpoint(table: ExactTable, viewer: str, *, all_round: bool = False) -> tuple[End, Regiment | None]:
    """Where a miniature looks from, and whose quadrant bounds its view; None where it looks all round.

    Source: Line of Sight, p. 12: from the front of its base; Garrisoning a Building, p. 98: from
    any point of it.
    """
    inside = table.miniature(viewer).inside
    if inside is not None:
        part = max(table.area(inside).parts, key=lambda p: p.reach_mm)
        return End(RoundedShape(hull_of([q for p in table.area(inside).parts for q in p.points]), part.radius_mm)), None
    if all_round:
        return End(table.base(viewer)), None
    own = regiment(table, viewer)
    left, _, _, right = own.corners
    return End(RoundedShape((left, right))), own


def fires_all_round(miniature: Miniature) -> bool:
    """Whether its crew shoots to all sides. Source: Chariots, p. 72; Ridden Monsters, p. 71."""
    return miniature.type == "chariot" or (miniature.type == "monster" and "character" in miniature.role)


def parts_in_view(
    table: ExactTable, own: Regiment | None, target: str, rows: Collection[int] | None = None
) -> list[tuple[int, Body, RoundedShape]]:
    """Parts of the target within a miniature's view, by their place among the bodies; of `rows` only."""
    building = garrisoned_building(table, target)
    if building is not None:
        whole = tuple(Body(target, (), part) for part in table.area(building).parts)
    else:
        whole = solid_bodies(table, target)
    wanted = [(k, part) for k, part in enumerate(whole) if rows is None or k in rows]
    cut = ((k, part, part.shape if own is None else part_in_front(own, part.shape)) for k, part in wanted)
    return [(k, part, shape) for k, part, shape in cut if shape is not None]


def occluders_between(table: ExactTable, viewer: str, target: str, ignoring: tuple[str, ...]) -> tuple[Occluder, ...]:
    """Occluders between two units: all that might block a line. Source: Line of Sight, p. 12; p. 92-101."""
    if table.facings_rad or table.places_mm:
        return _find_occluders(table, viewer, target, ignoring)
    key = ("between", viewer, target, ignoring)
    rest = table.memoize_unperturbed(key, lambda still: _find_occluders(still, viewer, target, ignoring))
    return (
        tuple(_at_current_place(table, occluder, viewer, target) for occluder in rest) if table.perturbations else rest
    )


def _at_current_place(table: ExactTable, occluder: Occluder, viewer: str, target: str) -> Occluder:
    """The same thing where a nudge has put it, and who stands on it then."""
    if occluder.rank is None:
        terrain = table.state.by_id[occluder.id]
        assert isinstance(terrain, Terrain)
        standing = _members_standing_on(table, terrain, viewer, target)
        if occluder.id in table.perturbations or standing != occluder.stood_on_by:
            return replace(occluder, area=table.area(occluder.id), stood_on_by=standing)
        return occluder
    if table.perturbations.keys().isdisjoint(members_of(table, occluder.id)):
        return occluder
    return replace(occluder, area=_occluders_of_unit(table, occluder.id)[occluder.rank].area)


def _find_occluders(table: ExactTable, viewer: str, target: str, ignoring: tuple[str, ...]) -> tuple[Occluder, ...]:
    own = {regiment_of(table, viewer), regiment_of(table, target)}
    inside = {garrisoned_building(table, viewer), garrisoned_building(table, target)}
    near = (
        _near_as_told(table, viewer, target)
        if table.stands_as_drawn
        else _near_path(RoundedShape(hull_of([p for id_ in (viewer, target) for p in _rim_corners(table, id_)])))
    )
    things = [*_unit_occluders(table, own, near), *_terrain_occluders(table, viewer, target, near)]
    return tuple(thing for thing in things if thing.id not in ignoring and thing.id not in inside)


Near = Callable[[str, Iterable[RoundedShape]], bool]
"""Whether a thing of this id and these parts may matter."""


def _near_path(between: RoundedShape) -> Near:
    return lambda _, parts: not all(is_beside_path(between, part) for part in parts)


def _near_as_told(table: ExactTable, viewer: str, target: str) -> Near:
    """What stands between two as told: no error brings one there that is farther beside them than matters."""
    occluders = table.memoize_stated(
        ("between", viewer, target, ()), lambda still: _find_occluders(still, viewer, target, ())
    )
    ids = frozenset(thing.id for thing in occluders)
    return lambda id_, _: id_ in ids


def occluders_before_point(table: ExactTable, viewer: str, at: Point, under: str | None) -> tuple[Occluder, ...]:
    """Occluders between a unit and a point; `under` is the unit the point lies on."""
    own = {regiment_of(table, viewer), under or ""}
    near = _near_path(RoundedShape(hull_of([at, *_rim_corners(table, viewer)])))
    things = [*_unit_occluders(table, own, near), *_terrain_occluders(table, viewer, viewer, near)]
    buildings, dot = (t.id for t in table.state.terrain if t.kind == "building"), RoundedShape((at,))
    own |= {id_ for id_ in buildings if reach_into(dot, table.area(id_)) >= 0}  # Source: Shooting at a Garrison, p. 99
    return tuple(thing for thing in things if thing.id not in {*own, garrisoned_building(table, viewer)})


def _rim_corners(table: ExactTable, id_: str) -> list[Point]:
    """Corners round all of a unit, or of the building it sits in."""
    inside = garrisoned_building(table, id_)
    parts = [table.base(m) for m in members_of(table, id_)] if inside is None else table.area(inside).parts
    return [(x + dx, y + dy) for p in parts for x, y in p.points for dx, dy in _corner_offsets(p.radius_mm)]


def _corner_offsets(r: float) -> tuple[Point, ...]:
    return ((r, r), (r, -r), (-r, r), (-r, -r)) if r else ((0.0, 0.0),)


def _unit_occluders(table: ExactTable, own: set[str], near: Near) -> Iterator[Occluder]:
    """Source: Swarms, p. 71: they never block. Towering, p. 67: it looks over units."""
    for id_ in all_regiments(table):
        if id_ in own or garrisoned_building(table, id_) is not None:
            continue
        if kind_of(leading_miniature(table, id_)) != "swarm" and near(id_, _disc_round(table, id_)):
            yield from _occluders_of_unit(table, id_)


def _disc_round(table: ExactTable, id_: str) -> Iterator[RoundedShape]:
    whole = regiment(table, id_)
    yield RoundedShape((whole.centre,), whole.reach_mm)


def _occluders_of_unit(table: ExactTable, id_: str) -> tuple[Occluder, ...]:
    return memoize_at_rest(table, "hides", id_, lambda: tuple(_find_unit_occluders(table, id_)))


def _find_unit_occluders(table: ExactTable, id_: str) -> Iterator[Occluder]:
    """A unit as what it hides: all its full ranks as one, and a short last rank; else body by body."""
    height, whole, own = _top_mm(table, leading_miniature(table, id_)), solid_bodies(table, id_), regiment(table, id_)
    full = [k for k, size in enumerate(own.rank_sizes) if size == own.rank_sizes[0]]
    if len(whole) != own.ranks or len(full) < 2 or not _is_straight(table, id_):
        shapes = [(part.members, part.shape) for part in whole]
    else:
        ends = (whole[full[0]], whole[full[-1]])
        points = [p for end in ends for p in end.shape.points]
        block = RoundedShape(hull_of(points), ends[0].shape.radius_mm)
        shapes = [(tuple(dict.fromkeys(m for end in ends for m in end.members)), block)]
        shapes += [(part.members, part.shape) for part in whole[full[-1] + 1 :]]
    for k, (members, shape) in enumerate(shapes):
        yield Occluder(id_, Area((shape,)), height, members=members, rank=k)


def is_beside_path(between: RoundedShape, part: RoundedShape, near_mm: float = _NEAR_MM) -> bool:
    """Whether a part lies farther beside a path than matters; found quickly where it is plain."""
    return is_plainly_beside(between, part, near_mm) or gap(between, part).mm > near_mm


def is_plainly_beside(between: RoundedShape, part: RoundedShape, near_mm: float = _NEAR_MM) -> bool:
    """Whether a strip so wide parts them, along the table or along the path; others too may lie as far apart."""
    (ax, ay), (bx, by) = between.points[0], max(between.points, key=lambda p: math.dist(p, between.points[0]))
    long = math.hypot(bx - ax, by - ay) or 1.0
    ux, uy = (bx - ax) / long, (by - ay) / long
    reach = near_mm + between.radius_mm + part.radius_mm
    for dx, dy in ((1.0, 0.0), (0.0, 1.0), (ux, uy), (-uy, ux)):
        mine = [x * dx + y * dy for x, y in between.points]
        theirs = [x * dx + y * dy for x, y in part.points]
        if min(theirs) - max(mine) > reach or min(mine) - max(theirs) > reach:
            return True
    return False


def _top_mm(table: ExactTable, miniature: Miniature) -> float | None:
    """How high its body reaches; None when its height is not told."""
    return None if miniature.body_mm is None else ground_height_mm(table, miniature.id) + miniature.body_mm


def ground_height_mm(table: ExactTable, id_: str) -> float:
    """Height of the ground under a miniature: as given, else the top of a hill under its centre.

    Source: Hills, p. 92.
    """
    stated_mm = table.miniature(id_).elevation_mm
    if stated_mm is not None:
        return stated_mm
    return max((_surface_mm(t) for t in table.terrain_under(id_)), default=0.0)


def _surface_mm(terrain: Terrain) -> float:
    if terrain.surface_mm is not None:
        return terrain.surface_mm
    stands = terrain.kind in parameters.STANDING_KINDS if terrain.stand_on is None else terrain.stand_on
    return (terrain.height_mm or 0.0) if stands else 0.0


def _terrain_occluders(table: ExactTable, viewer: str, target: str, near: Near) -> Iterator[Occluder]:
    for terrain in table.state.terrain:
        how = terrain.blocks_sight or _blocking_of_kind(terrain)
        area = table.area(terrain.id)
        if how == "none" or not near(terrain.id, area.parts):
            continue
        if how == "forest":
            yield Occluder(terrain.id, area, terrain.height_mm, is_wood=True)
        elif terrain.kind in parameters.OBSTACLE_KINDS:
            low = _is_low_wall(terrain)
            leaning = frozenset(m for m in members_of(table, viewer) if is_touching_feature(table, m, terrain.id))
            yield Occluder(terrain.id, area, terrain.height_mm, is_low=low, touched_by=leaning)
        else:
            yield Occluder(
                terrain.id, area, terrain.height_mm, stood_on_by=_members_standing_on(table, terrain, viewer, target)
            )


def _is_low_wall(terrain: Terrain) -> bool:
    """Source: Wall, p. 96."""
    return terrain.height_mm is None or terrain.height_mm <= parameters.CHEST_MM


def _blocking_of_kind(terrain: Terrain) -> str:
    if terrain.kind == "forest":
        return "forest"
    return "solid" if terrain.kind in parameters.SOLID_KINDS | parameters.OBSTACLE_KINDS else "none"


def _members_standing_on(table: ExactTable, terrain: Terrain, viewer: str, target: str) -> frozenset[str]:
    """A hill does not block who stands on it. Source: Hills, p. 92."""
    if terrain.kind not in parameters.STANDING_KINDS:
        return frozenset()
    ends = (*members_of(table, viewer), *members_of(table, target))
    return frozenset(m for m in ends if terrain in table.terrain_under(m))


def is_touching_feature(table: ExactTable, unit: str, feature: str) -> bool:
    """Whether a miniature of the unit touches the feature; a measuring error does not end that.

    Source: Obstacles, p. 95.
    """
    return table.memoize_unperturbed(("leans", unit, feature), lambda still: _find_touch(still, unit, feature))


def _find_touch(table: ExactTable, unit: str, feature: str) -> bool:
    bases = [table.base(m) for m in members_of(table, unit)]
    parts = table.area(feature).parts
    near = ((base, part) for base in bases for part in parts if not is_beside_path(part, base, parameters.CONTACT_MM))
    return any(gap(base, part).mm <= parameters.CONTACT_MM for base, part in near)


def bystanders_of(things: tuple[Occluder, ...], start: RoundedShape, stop: RoundedShape) -> frozenset[Holder]:
    """What stands so far beside all lines from one to the other that no error brings it there."""
    hull = corridor_hull(start, stop)
    return frozenset(t.key for t in things if all(is_plainly_beside(hull, part) for part in t.area.parts))


def kernel_obstacles(
    things: tuple[Occluder, ...], bystanders: Collection[Holder] = ()
) -> tuple[tuple[Obstacle, ...], tuple[Wood, ...]]:
    """Occluders in the form the sight kernel takes, but for `bystanders` of the path. All woods count as one.

    Source: Forests, p. 92: at most 2 in of forest, all in all.
    """
    near = [(k, occluder) for k, occluder in enumerate(things) if occluder.key not in bystanders]
    woods = [(k, occluder) for k, occluder in near if occluder.is_wood]
    joined = Area(
        tuple(part for _, occluder in woods for part in occluder.area.parts),
        woods[0][1].area.outline if len(woods) == 1 else (),
    )
    obstacles = tuple(Obstacle(str(k), occluder.area) for k, occluder in near if not occluder.is_wood)
    wood = (Wood(str(woods[0][0]), joined, parameters.FOREST_DEPTH_MM, True),) if woods else ()
    return obstacles, wood


def is_below_sight_line(
    table: ExactTable, viewer: str, seen: tuple[str, ...], start: RoundedShape, stop: RoundedShape, thing: Occluder
) -> bool:
    """Whether the sloping line from the viewer's eye to the base it looks at passes above the occluder.

    Source: Hills and Shooting, p. 92: from higher ground one sees past those who stand lower.
    """
    if thing.height_mm is None or thing.is_wood or not seen:
        return False
    miniature = table.miniature(viewer)
    eye_mm = ground_height_mm(table, viewer) + (miniature.body_mm or 0.0)
    ground_mm = ground_height_mm(table, seen[len(seen) // 2])
    if max(eye_mm, ground_mm) <= thing.height_mm:
        return False
    low_mm = lowest_line_mm(start, stop, thing, eye_mm, ground_mm)
    return is_more_than(low_mm, thing.height_mm, "sees over", (viewer, *(thing.members or (thing.id,)), *seen))


def lowest_line_mm(start: RoundedShape, stop: RoundedShape, thing: Occluder, eye_mm: float, to_mm: float) -> float:
    """The least height over an occluder of a sloping line between these heights."""
    away = max(gap(start, stop).mm, _DUST_MM)
    shares = [
        share for part in thing.area.parts for share in (gap(start, part).mm / away, 1 - gap(part, stop).mm / away)
    ]
    return min(eye_mm + min(1.0, max(0.0, share)) * (to_mm - eye_mm) for share in shares)
