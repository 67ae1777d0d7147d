"""What stands between two miniatures, what of it counts, and why the rest does not."""

import math
from dataclasses import dataclass, field

from models.miniature import Miniature
from models.terrain import Effect, Terrain
from models.words import Point
from referee.crossing import least_run
from referee.editions.warmachine_prime import parameters
from referee.editions.warmachine_prime.ground import (
    elevation_mm,
    has_stealth,
    is_huge,
    is_incorporeal,
    level,
    size_mm,
    stands_in,
    volume_mm,
    wholly_in,
)
from referee.gaps import area_gap, gap, nearest_on_segment
from referee.shapes import Area, Rounded
from referee.sight import Obstacle, Wood, low_stretch
from referee.situation import Situation


@dataclass
class InTheWay:
    """Everything near the lane between two miniatures, sorted by what it does."""

    corridor: "Corridor"
    bases: list[tuple[float, str]] = field(default_factory=list)
    """Every other base with its least distance from the corridor, nearest first; not yet sorted by what it does."""
    grounds: list[tuple[float, Terrain | Effect]] = field(default_factory=list)
    """The same for all terrain and effects, as the state lists them."""
    obstacles: list[Obstacle] = field(default_factory=list)
    woods: list[Wood] = field(default_factory=list)
    solids: list[tuple[Area, float]] = field(default_factory=list)
    solid_ids: set[str] = field(default_factory=set)
    ignored: dict[str, str] = field(default_factory=dict)
    needs: list[str] = field(default_factory=list)
    by_level: set[str] = field(default_factory=set)
    reach_mm: float = -math.inf
    """What stands up to this far from the corridor has been looked at."""
    doubtful: set[str] = field(default_factory=set)
    past_models: bool = False
    """Whether the viewer ignores intervening models, as one with Flight does when it picks whom to charge."""


def in_the_way(
    table: Situation, viewer: str, target: str, ignoring: tuple[str, ...], *, past_models: bool = False
) -> InTheWay:
    """What counts as blocker for a line between these two; `past_models` looks past every base.

    Source: Line of Sight & Targeting, p. 36-39.
    """
    corridor = Corridor.between(table.base(viewer), table.base(target))
    beyond = table.crowd.beyond_mm(corridor.a, corridor.b) - corridor.half_mm
    order = beyond.argsort(kind="stable")
    ids = table.crowd.ids
    bases = [(float(beyond[k]), ids[k]) for k in order if ids[k] not in (viewer, target)]
    things: tuple[Terrain | Effect, ...] = (*table.state.terrain, *table.state.effects)
    grounds = [(corridor.beyond_mm(table.area(thing.id)), thing) for thing in things]
    found = InTheWay(corridor, bases, grounds, past_models=past_models)
    look_around(table, viewer, target, ignoring, found, up_to_mm=0.0)
    _sum_woods(table, viewer, target, found)
    return found


def look_around(
    table: Situation, viewer: str, target: str, ignoring: tuple[str, ...], found: InTheWay, *, up_to_mm: float
) -> bool:
    """Sort what stands up to this far from the corridor by what it does; whether a blocker was added."""
    before = len(found.obstacles) + len(found.woods)
    for beyond, ground in found.grounds:
        if found.reach_mm < beyond <= up_to_mm:
            _add_ground(table, viewer, target, ground, ignoring, found, near=beyond <= 0)
    for beyond, id_ in found.bases:
        if found.reach_mm < beyond <= up_to_mm:
            _add_base(table, viewer, target, table.miniature(id_), ignoring, found, near=beyond <= 0)
    found.reach_mm = max(found.reach_mm, up_to_mm)
    return len(found.obstacles) + len(found.woods) > before


@dataclass(frozen=True)
class Corridor:
    """The hull of two bases, widened to the larger of them."""

    a: Point
    b: Point
    half_mm: float

    @classmethod
    def between(cls, a: Rounded, b: Rounded) -> "Corridor":
        return cls(a.centre, b.centre, max(a.reach_mm, b.reach_mm))

    def meets(self, area: Area) -> bool:
        """Whether the area lies in the way."""
        return self.beyond_mm(area) <= 0

    def beyond_mm(self, area: Area) -> float:
        """How far the area at least stays from it; over zero when it lies nowhere in the way."""
        return min((self._beyond_mm(part) for part in area.parts), default=math.inf)

    def _beyond_mm(self, part: Rounded) -> float:
        centre = part.centre
        rough = math.dist(centre, nearest_on_segment(centre, self.a, self.b)) - part.reach_mm - self.half_mm
        return rough if rough > 0 else gap(part, Rounded((self.a, self.b), self.half_mm)).mm


def _add_base(
    table: Situation,
    viewer: str,
    target: str,
    miniature: Miniature,
    ignoring: tuple[str, ...],
    found: InTheWay,
    *,
    near: bool,
) -> None:
    why = "asked" if miniature.id in ignoring else why_ignored(table, viewer, target, miniature)
    if why is None and found.past_models:
        why = "flight"
    if why is None:
        found.obstacles.append(Obstacle(miniature.id, Area((table.base(miniature.id),))))
    elif near:
        found.ignored[miniature.id] = why
    if near and why in (None, "lower"):
        found.by_level |= {miniature.id} if why == "lower" else set()
        found.doubtful |= _level_doubts(table, viewer, target, miniature.id)


def why_ignored(table: Situation, viewer: str, target: str, blocker: Miniature) -> str | None:
    """Why a base does not close the line, or None when it does. Source: Line of Sight & Targeting, p. 36."""
    if "removed" in blocker.status:
        return "removed"
    if "knocked-down" in blocker.status:  # Source: Knockdown, p. 61
        return "knocked-down"
    if is_incorporeal(blocker):  # Source: Advantages, p. 17
        return "incorporeal"
    if size_mm(blocker) < size_mm(table.miniature(target)):
        return "smaller"
    if _is_stealthy(table, viewer, blocker):
        return "stealth"
    if blocker.has("amphibious") and _in_kind(table, blocker.id, parameters.SHALLOW_WATER):
        return "amphibious"
    if _in_kind(table, blocker.id, {"trench"}) and not _in_kind(table, target, {"trench"}):
        return "trench"
    return "lower" if _is_looked_past(table, viewer, target, blocker.id) else None


def _is_stealthy(table: Situation, viewer: str, blocker: Miniature) -> bool:
    """Source: Advantages, p. 17: beyond 5 in; exactly 5 in is near."""
    if not has_stealth(blocker):
        return False
    return area_gap(table.area(viewer), table.area(blocker.id)).mm > parameters.STEALTH_MM + 1e-9


def _in_kind(table: Situation, id_: str, kinds: frozenset[str] | set[str]) -> bool:
    places = tuple(t.id for t in table.state.terrain if t.kind in kinds)
    return bool(places) and table.remembered(f"in {sorted(kinds)}", id_, lambda: _wholly_in(table, id_, places))


def _wholly_in(table: Situation, id_: str, places: tuple[str, ...]) -> bool:
    if table.reading("trench-joined") == "one-must-hold-it":
        return any(wholly_in(table, id_, (place,)) for place in places)
    near = tuple(p for p in places if stands_in(table, id_, p))
    return bool(near) and wholly_in(table, id_, near)


def _is_looked_past(table: Situation, viewer: str, target: str, blocker: str) -> bool:
    """Whether elevation lets the line pass over this base. Source: Elevation & Line of Sight, p. 78."""
    if not table.state.terrain and all(m.elevation_mm is None for m in table.state.miniatures):
        return False
    mine, theirs, its = (level(table, id_) for id_ in (viewer, target, blocker))
    if mine == theirs:
        return table.reading("equal-height") == "ignored" and its < mine
    if mine < theirs:
        return its < theirs
    low = its < mine if table.reading("lower-than-whom") == "viewer" else its <= theirs
    return low and not _is_near(table, viewer, target, blocker)


def _is_near(table: Situation, viewer: str, target: str, blocker: str) -> bool:
    """Whether it stands within an inch of the target; exactly an inch is. Source: Elevation & Line of Sight, p. 78."""
    if table.reading("near-target") == "anywhere":
        return area_gap(table.area(blocker), table.area(target)).mm <= parameters.NEAR_TARGET_MM + 1e-9
    run = least_run(table.base(viewer), table.base(target), table.area(blocker))
    return run is not None and run.mm <= parameters.NEAR_TARGET_MM + 1e-9


def _level_doubts(table: Situation, viewer: str, target: str, blocker: str) -> set[str]:
    """The readings under which elevation might treat this base otherwise."""
    if not table.state.terrain and all(m.elevation_mm is None for m in table.state.miniatures):
        return set()
    mine, theirs, its = (level(table, id_) for id_ in (viewer, target, blocker))
    if its >= mine or mine < theirs:
        return set()
    if mine == theirs:
        return {"equal-height"}
    beside = area_gap(table.area(blocker), table.area(target)).mm <= parameters.NEAR_TARGET_MM + 1e-9
    return {"near-target"} if beside else {"lower-than-whom"} if its > theirs else set()


def _add_ground(
    table: Situation,
    viewer: str,
    target: str,
    ground: Terrain | Effect,
    ignoring: tuple[str, ...],
    found: InTheWay,
    *,
    near: bool,
) -> None:
    if isinstance(ground, Terrain):
        _add_terrain(table, viewer, target, ground, ignoring, near, found)
    else:
        _add_effect(table, viewer, target, ground, ignoring, near, found)


def _add_terrain(
    table: Situation,
    viewer: str,
    target: str,
    terrain: Terrain,
    ignoring: tuple[str, ...],
    near: bool,
    found: InTheWay,
) -> None:
    how = terrain.blocks_sight or _how_kind_blocks(terrain)
    if how == "none":
        return
    if terrain.id in ignoring:
        found.ignored |= {terrain.id: "asked"} if near else {}
    elif how == "forest":
        _add_wood(table, viewer, target, terrain, near, found)
    elif how == "all":
        _add_cloud(table, viewer, target, terrain, near, found)
    else:
        _add_solid(table, viewer, target, terrain, near, found)


def _how_kind_blocks(terrain: Terrain) -> str:
    if terrain.kind == "forest":
        return "forest"
    if terrain.kind in parameters.CLOUD_TERRAIN:
        return "all"
    return "solid" if terrain.kind in parameters.SOLID_KINDS else "none"


def _add_wood(table: Situation, viewer: str, target: str, terrain: Terrain, near: bool, found: InTheWay) -> None:
    """Source: Forests, p. 79."""
    id_ = terrain.id
    if is_huge(table.miniature(target)):
        found.ignored |= {id_: "huge-target"} if near else {}
        return
    if _is_looked_over(table, viewer, target, terrain, "forest-height", near, found):
        return
    inside = None
    if table.reading("forest-ends") == "miniature":
        inside = stands_in(table, viewer, id_) or stands_in(table, target, id_)
    if near and not table.lean and any(_straddles(table, end, id_) for end in (viewer, target)):
        found.doubtful.add("forest-ends")
    found.woods.append(Wood(id_, table.area(id_), parameters.FOREST_DEPTH_MM, inside))


def _is_looked_over(
    table: Situation, viewer: str, target: str, thing: Terrain | Effect, key: str, near: bool, found: InTheWay
) -> bool:
    """Whether both volumes rise above a forest or cloud whose height was declared, where that reading is chosen."""
    height = thing.height_mm if isinstance(thing, Terrain) else None
    if height is None or min(tops_mm(table, viewer, target)) <= height:
        return False
    found.doubtful |= {key} if near else set()
    if table.reading(key) != "declared":
        return False
    found.ignored |= {thing.id: "low"} if near else {}
    return True


def _sum_woods(table: Situation, viewer: str, target: str, found: InTheWay) -> None:
    """Forests whose depths add up are seen as one. Source: Forests, p. 79, speaks of one forest only."""
    close = [w for w in found.woods if found.corridor.meets(w.area)]
    if len(close) < 2:
        return
    found.doubtful.add("forest-sum")
    how = table.reading("forest-sum")
    joined = [
        w for w in close if how == "whole-line" or stands_in(table, viewer, w.id) or stands_in(table, target, w.id)
    ]
    if how == "each-forest" or len(joined) < 2:
        return
    area = Area(tuple(part for wood in joined for part in wood.area.parts))
    ends = None if joined[0].end_inside is None else any(w.end_inside for w in joined)
    rest = [w for w in found.woods if w not in joined]
    found.woods[:] = [Wood(joined[0].id, area, parameters.FOREST_DEPTH_MM, ends), *rest]


def _straddles(table: Situation, id_: str, place: str) -> bool:
    return stands_in(table, id_, place) and not wholly_in(table, id_, (place,))


def _add_effect(
    table: Situation,
    viewer: str,
    target: str,
    effect: Effect,
    ignoring: tuple[str, ...],
    near: bool,
    found: InTheWay,
) -> None:
    closes = effect.blocks_sight in ("all", "solid") or (
        effect.blocks_sight is None and effect.kind in parameters.CLOUD_EFFECTS
    )
    if not closes:
        return
    if effect.id in ignoring:
        found.ignored |= {effect.id: "asked"} if near else {}
        return
    _add_cloud(table, viewer, target, effect, near, found)


def _add_cloud(
    table: Situation, viewer: str, target: str, cloud: Terrain | Effect, near: bool, found: InTheWay
) -> None:
    """Source: Cloud Effects, p. 60."""
    why = _why_seen_through(table, viewer, target, cloud.id)
    if why is not None:
        found.ignored |= {cloud.id: why} if near else {}
    elif not _is_looked_over(table, viewer, target, cloud, "cloud-height", near, found):
        found.obstacles.append(Obstacle(cloud.id, table.area(cloud.id)))


def _why_seen_through(table: Situation, viewer: str, target: str, cloud: str) -> str | None:
    if is_huge(table.miniature(target)):
        return "huge-target"
    if table.miniature(viewer).has("eyeless-sight"):  # Source: Advantages, p. 17
        return "eyeless-sight"
    if stands_in(table, viewer, cloud):
        return "viewer-inside"
    return "target-inside" if stands_in(table, target, cloud) else None


def _add_solid(table: Situation, viewer: str, target: str, terrain: Terrain, near: bool, found: InTheWay) -> None:
    """Source: Determining Model Volume, p. 37; Line of Sight & Targeting, p. 39."""
    height = _height_mm(terrain)
    area = table.area(terrain.id)
    if height is None:
        found.needs.append(f"terrain.height_mm of {terrain.id}")
        found.obstacles.append(Obstacle(terrain.id, area))
        found.solid_ids.add(terrain.id)
        return
    first, last = _stretch(table, viewer, target, height)
    if near:
        found.solids.append((area, height))
        found.doubtful |= _height_doubts(table, viewer, target, height)
    if first < last:
        found.obstacles.append(Obstacle(terrain.id, area, first, last))
        found.solid_ids.add(terrain.id)
    elif near:
        found.ignored[terrain.id] = "low"


def _height_doubts(table: Situation, viewer: str, target: str, height: float) -> set[str]:
    """The readings under which this height would close another stretch of the line."""
    tops = tops_mm(table, viewer, target)
    doubts = {"los-touch"} if any(abs(top - height) < 1e-6 for top in tops) else set()
    by_table, by_line = (top[1] <= height for top in ((0, tops[1]), (0, min(tops))))
    return doubts | ({"los-wall"} if by_table != by_line or min(tops) <= height < max(tops) else set())


def _height_mm(terrain: Terrain) -> float | None:
    """The top of a solid: told, else the ground on top of it, else what its kind cannot exceed."""
    if terrain.height_mm is not None:
        return terrain.height_mm
    if terrain.surface_mm is not None:
        return terrain.surface_mm
    return 25.4 if terrain.kind in ("obstacle", "linear-obstacle") else None  # Source: Obstacles, p. 80


def _stretch(table: Situation, viewer: str, target: str, height: float) -> tuple[float, float]:
    tops = tops_mm(table, viewer, target)
    touch_blocks = table.reading("los-touch") == "blocked"
    if table.reading("los-wall") == "height-table":
        return low_stretch(tops[1], tops[1], height, touch_blocks=touch_blocks)
    return low_stretch(*tops, height, touch_blocks=touch_blocks)


def tops_mm(table: Situation, viewer: str, target: str) -> tuple[float, float]:
    """The heights of the tops of both volumes. Source: Determining Model Volume, p. 37."""
    viewer_top, target_top = (elevation_mm(table, id_) + volume_mm(table.miniature(id_)) for id_ in (viewer, target))
    return viewer_top, target_top
