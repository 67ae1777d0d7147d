"""Terrain in a line of sight: woods by depth, solids by height, clouds at any height."""

from models.terrain import Effect, Terrain
from referee.editions.warmachine import parameters
from referee.editions.warmachine.line_of_sight.corridor import InTheWay
from referee.editions.warmachine.miniatures.base_state import (
    elevation_mm,
    is_huge,
    is_wholly_in,
    stands_inside,
    volume_mm,
)
from referee.editions.warmachine.terms import terms_of
from referee.geometry.shapes import Area
from referee.line_of_sight import Obstacle, Wood, low_stretch
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_more_than


def add_terrain_and_effects(
    table: ExactTable,
    viewer: str,
    target: str,
    ground: Terrain | Effect,
    ignoring: tuple[str, ...],
    blockers: InTheWay,
    *,
    near: bool,
) -> None:
    """Sort one piece of ground or one effect by what it does to the line. Source: p. 37, 60 and 78-81."""
    if isinstance(ground, Terrain):
        _add_terrain(table, viewer, target, ground, ignoring, near, blockers)
    else:
        _add_effect(table, viewer, target, ground, ignoring, near, blockers)


def _add_terrain(
    table: ExactTable,
    viewer: str,
    target: str,
    terrain: Terrain,
    ignoring: tuple[str, ...],
    near: bool,
    blockers: InTheWay,
) -> None:
    how = terrain.blocks_sight or terms_of(table).how_blocks(terrain)
    if how == "none":
        return
    if terrain.id in ignoring:
        blockers.ignored |= {terrain.id: "asked"} if near else {}
    elif how == "forest":
        _add_wood(table, viewer, target, terrain, near, blockers)
    elif how == "all":
        _add_cloud(table, viewer, target, terrain, near, blockers)
    else:
        _add_solid(table, viewer, target, terrain, near, blockers)


def how_kind_blocks(terrain: Terrain) -> str:
    """What a kind of terrain does to a line. Source: Standard Terrain Features, p. 78-81."""
    if terrain.kind == "forest":
        return "forest"
    if terrain.kind in parameters.CLOUD_TERRAIN:
        return "all"
    return "solid" if terrain.kind in parameters.SOLID_KINDS else "none"


def _add_wood(table: ExactTable, viewer: str, target: str, terrain: Terrain, near: bool, blockers: InTheWay) -> None:
    """Source: Forests, p. 79."""
    id_ = terrain.id
    if (why := terms_of(table).sees_through(table, viewer, target, "forest")) is not None:
        blockers.ignored |= {id_: why} if near else {}
        return
    if _is_looked_over(table, viewer, target, terrain, "forest-height", near, blockers):
        return
    ends = [stands_inside(table, end, id_) for end in (viewer, target)]  # none is inside: no line ends in it either
    inside = any(ends) if table.reading("forest-ends") == "miniature" else None
    if near and not table.margins_only and any(_straddles(table, end, id_) for end in (viewer, target)):
        blockers.doubtful.add("forest-ends")
    blockers.woods.append(Wood(id_, table.area(id_), parameters.FOREST_DEPTH_MM, inside))


def _is_looked_over(
    table: ExactTable, viewer: str, target: str, thing: Terrain | Effect, key: str, near: bool, blockers: InTheWay
) -> bool:
    """Whether both volumes rise above a forest or cloud whose height was declared, where that reading is chosen."""
    height = thing.height_mm if isinstance(thing, Terrain) else None
    if height is None:
        return False
    lowest = min(tops_mm(table, viewer, target))
    if not is_more_than(lowest, height, "rises, as the other end does, above", (viewer, target), of_heights=True):
        return False
    blockers.doubtful |= {key} if near else set()
    if table.reading(key) != "declared":
        return False
    blockers.ignored |= {thing.id: "low"} if near else {}
    return True


def sum_woods(table: ExactTable, viewer: str, target: str, blockers: InTheWay) -> None:
    """Forests whose depths add up are seen as one. Source: Forests, p. 79, speaks of one forest only."""
    close = [w for w in blockers.woods if blockers.corridor.meets(w.area)]
    if len(close) < 2:
        return
    blockers.doubtful.add("forest-sum")
    how = table.reading("forest-sum")
    joined = [
        w
        for w in close
        if how == "whole-line" or stands_inside(table, viewer, w.id) or stands_inside(table, target, w.id)
    ]
    if how == "each-forest" or len(joined) < 2:
        return
    area = Area(tuple(part for wood in joined for part in wood.area.parts))
    ends = None if joined[0].end_inside is None else any(w.end_inside for w in joined)
    rest = [w for w in blockers.woods if w not in joined]
    blockers.woods[:] = [Wood(joined[0].id, area, parameters.FOREST_DEPTH_MM, ends), *rest]


def _straddles(table: ExactTable, id_: str, place: str) -> bool:
    return stands_inside(table, id_, place) and not is_wholly_in(table, id_, (place,))


def _add_effect(
    table: ExactTable,
    viewer: str,
    target: str,
    effect: Effect,
    ignoring: tuple[str, ...],
    near: bool,
    blockers: InTheWay,
) -> None:
    closes = effect.blocks_sight in ("all", "solid") or (
        effect.blocks_sight is None and effect.kind in parameters.CLOUD_EFFECTS
    )
    if not closes:
        return
    if effect.id in ignoring:
        blockers.ignored |= {effect.id: "asked"} if near else {}
        return
    _add_cloud(table, viewer, target, effect, near, blockers)


def _add_cloud(
    table: ExactTable, viewer: str, target: str, cloud: Terrain | Effect, near: bool, blockers: InTheWay
) -> None:
    """Source: Cloud Effects, p. 60."""
    why = _why_cloud_seen_through(table, viewer, target, cloud.id)
    if why is not None:
        blockers.ignored |= {cloud.id: why} if near else {}
    elif not _is_looked_over(table, viewer, target, cloud, "cloud-height", near, blockers):
        blockers.obstacles.append(Obstacle(cloud.id, table.area(cloud.id)))


def _why_cloud_seen_through(table: ExactTable, viewer: str, target: str, cloud: str) -> str | None:
    if (why := terms_of(table).sees_through(table, viewer, target, "cloud")) is not None:
        return why
    if stands_inside(table, viewer, cloud):
        return "viewer-inside"
    return "target-inside" if stands_inside(table, target, cloud) else None


def sees_through(table: ExactTable, viewer: str, target: str, what: str) -> str | None:
    """Why forests or clouds hide nothing here. Source: Forests, p. 79; Cloud Effects, p. 60; Advantages, p. 17."""
    if is_huge(table.miniature(target)):
        return "huge-target"
    return "eyeless-sight" if what == "cloud" and table.miniature(viewer).has("eyeless-sight") else None


def _add_solid(table: ExactTable, viewer: str, target: str, terrain: Terrain, near: bool, blockers: InTheWay) -> None:
    """Source: Determining Model Volume, p. 37; Line of Sight & Targeting, p. 39."""
    height = _height_mm(terrain)
    area = table.area(terrain.id)
    if height is None:
        blockers.needs.append(f"terrain.height_mm of {terrain.id}")
        blockers.obstacles.append(Obstacle(terrain.id, area))
        blockers.solid_ids.add(terrain.id)
        return
    first, last = _stretch(table, viewer, target, height)
    feet = max(elevation_mm(table, id_) for id_ in (viewer, target))
    raised = is_more_than(
        terrain.bottom_mm, feet, "stands, as the other end does, below", (viewer, target), of_heights=True
    )
    if near and not raised:
        blockers.solids.append((area, height))
        blockers.doubtful |= _height_doubts(table, viewer, target, height)
    if raised:
        blockers.ignored |= {terrain.id: "raised"} if near else {}
    elif first < last:
        blockers.obstacles.append(Obstacle(terrain.id, area, first, last))
        blockers.solid_ids.add(terrain.id)
    elif near:
        blockers.ignored[terrain.id] = "low"


def _height_doubts(table: ExactTable, viewer: str, target: str, height: float) -> set[str]:
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


def _stretch(table: ExactTable, viewer: str, target: str, height: float) -> tuple[float, float]:
    tops = tops_mm(table, viewer, target)
    touch_blocks = table.reading("los-touch") == "blocked"
    if table.reading("los-wall") == "height-table":
        return low_stretch(tops[1], tops[1], height, touch_blocks=touch_blocks)
    return low_stretch(*tops, height, touch_blocks=touch_blocks)


def tops_mm(table: ExactTable, viewer: str, target: str) -> tuple[float, float]:
    """The heights of the tops of both volumes. Source: Determining Model Volume, p. 37."""
    eye = terms_of(table).eye_mm(table.miniature(viewer))
    start = top_mm(table, viewer) if eye is None else elevation_mm(table, viewer) + eye
    return start, top_mm(table, target)


def top_mm(table: ExactTable, id_: str) -> float:
    """The height of the top of a volume. Source: Determining Model Volume, p. 37."""
    return table.memoize_for("top", id_, lambda: elevation_mm(table, id_) + volume_mm(table.miniature(id_)))
