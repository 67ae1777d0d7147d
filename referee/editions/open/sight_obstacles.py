"""Sight obstacles of the open edition: what closes the line between two miniatures, and how much of a base is seen."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from models.terrain import Effect, Terrain
from models.vocabulary import Point
from referee.editions.open import settings
from referee.editions.open.measuring import Place, body_mm, ground_mm, top_mm
from referee.editions.open.settings import is_inside, length_mm
from referee.editions.warmachine.line_of_sight.corridor import Corridor
from referee.editions.warmachine.miniatures.distances import hinges
from referee.geometry.containment import reach_into
from referee.geometry.outlines import clip_half_plane, outline_points
from referee.geometry.shapes import Area, RoundedShape, disc
from referee.line_of_sight import Obstacle, Wood, low_stretch
from referee.line_of_sight.visible_share import Shade, hidden_share
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_more_than


@dataclass
class SightObstacles:
    """What closes lines between two miniatures, as far from their corridor as was looked."""

    obstacles: list[Obstacle] = field(default_factory=list)
    woods: list[Wood] = field(default_factory=list)
    needs: list[str] = field(default_factory=list)
    """What has to be told of pieces whose height is not known."""
    unknown_ids: set[str] = field(default_factory=set)
    seen_past: dict[str, str] = field(default_factory=dict)
    """What closes no line, and why: asked, low, inside."""


def find_obstacles(
    table: ExactTable, viewer: str, target: str, ignoring: tuple[str, ...], *, reach_mm: float
) -> SightObstacles:
    """Everything up to so far from the corridor of the two, sorted by what it does to a line."""
    obstacles, corridor = SightObstacles(), Corridor.between(table.base(viewer), table.base(target))
    away = corridor.all_beyond_mm((area for _, area in table.ground_areas), table.ground_discs)
    for beyond, (thing, _) in zip(away, table.ground_areas, strict=True):
        if beyond <= reach_mm:
            _sort_ground(table, (viewer, target), thing, ignoring, obstacles)
    if table.reading("open-figures") == "nothing":
        return obstacles
    crowd = table.bounding_discs
    for k in np.flatnonzero(crowd.beyond_mm(corridor.a, corridor.b) - corridor.half_mm <= reach_mm):
        id_ = crowd.ids[k]
        if id_ not in (viewer, target) and "removed" not in table.miniature(id_).status:
            _sort_figure(table, (viewer, target), id_, ignoring, obstacles)
    return obstacles


def _sort_figure(
    table: ExactTable, pair: tuple[str, str], id_: str, ignoring: tuple[str, ...], obstacles: SightObstacles
) -> None:
    area = Area((table.base(id_),))
    if id_ in ignoring:
        obstacles.seen_past[id_] = "asked"
    elif table.reading("open-figures") == "block":
        obstacles.obstacles.append(Obstacle(id_, area))
    else:
        _add_by_height(table, pair, id_, area, ground_mm(table, id_) + body_mm(table, id_), obstacles)


def _sort_ground(
    table: ExactTable,
    pair: tuple[str, str],
    thing: Terrain | Effect,
    ignoring: tuple[str, ...],
    obstacles: SightObstacles,
) -> None:
    how = how_blocks(table, thing)
    if how == "nothing":
        return
    area = table.area(thing.id)
    if thing.id in ignoring:
        obstacles.seen_past[thing.id] = "asked"
    elif how == "depth":
        obstacles.woods.append(Wood(thing.id, area, length_mm(table, "open-woods-in"), None))
    elif how == "block-unless-inside" and any(_stands_in(table, id_, thing.id) for id_ in pair):
        obstacles.seen_past[thing.id] = "inside"
    elif how == "by-height" and isinstance(thing, Terrain):
        _sort_by_height(table, pair, thing, area, obstacles)
    else:
        obstacles.obstacles.append(Obstacle(thing.id, area))


def how_blocks(table: ExactTable, thing: Terrain | Effect) -> str:
    """What a piece or an effect does to a line: as told of it, else as its kind does by the settings."""
    if isinstance(thing, Effect):
        is_cloud = thing.kind in settings.CLOUD_EFFECTS
        mode = thing.blocks_sight or ("all" if is_cloud else "none")
        return {"none": "nothing", "forest": table.reading("open-woods")}.get(mode, "block")
    return {
        "none": "nothing",
        "all": "block",
        "solid": table.reading("open-solid"),
        "forest": table.reading("open-woods"),
    }[thing.blocks_sight or _how_kind_blocks(thing)]


def _how_kind_blocks(terrain: Terrain) -> str:
    if terrain.kind in settings.SOLID_KINDS:
        return "solid"
    return "forest" if terrain.kind in settings.WOOD_KINDS else "none"


def _stands_in(table: ExactTable, id_: str, ground: str) -> bool:
    depth_mm = reach_into(table.base(id_), table.area(ground))
    return is_inside(table, depth_mm, "stands in", hinges(table, id_, ground))


def _sort_by_height(
    table: ExactTable, pair: tuple[str, str], terrain: Terrain, area: Area, obstacles: SightObstacles
) -> None:
    height = terrain.height_mm if terrain.height_mm is not None else terrain.surface_mm
    if height is None:
        obstacles.needs.append(f"terrain.height_mm of {terrain.id}")
        obstacles.unknown_ids.add(terrain.id)
    _add_by_height(table, pair, terrain.id, area, math.inf if height is None else height, obstacles)


def _add_by_height(
    table: ExactTable, pair: tuple[str, str], id_: str, area: Area, height_mm: float, obstacles: SightObstacles
) -> None:
    """Something closes that part of the line from top to top which passes below its own top."""
    tops = top_mm(table, pair[0]), top_mm(table, pair[1])
    if is_more_than(min(tops), height_mm, f"rises, as the other end does, above {id_} to", pair, of_heights=True):
        obstacles.seen_past[id_] = "low"
        return
    first, last = low_stretch(*tops, height_mm, touch_blocks=True)
    if first < last:
        obstacles.obstacles.append(Obstacle(id_, area, first, last))
    else:
        obstacles.seen_past[id_] = "low"


def visible_share(
    table: ExactTable, viewer: Place, eye: Point, base: RoundedShape, obstacles: Sequence[Obstacle]
) -> float:
    """The share of a base, by area, that nothing hides from a point; 1 where nothing stands before it.

    Who stands in something that closes lines sees nothing past it.
    """
    for obstacle in obstacles:
        depth_mm = reach_into(disc(eye, 0.0), obstacle.area)
        if obstacle.from_share <= 0 and is_inside(
            table, depth_mm, "has its middle in", hinges(table, viewer, obstacle.id)
        ):
            return 0.0
    things = [part for obstacle in obstacles for part in _closing_parts(obstacle, eye, base.centre)]
    return 1.0 - min(1.0, hidden_share(eye, outline_points(base), [Shade.of(eye, thing) for thing in things]))


def as_obstacles(areas: Sequence[tuple[str, Area]]) -> list[Obstacle]:
    """Areas that close whole lines."""
    return [Obstacle(id_, area) for id_, area in areas]


def _closing_parts(obstacle: Obstacle, eye: Point, at: Point) -> Iterator[RoundedShape]:
    """What of an obstacle lies along that stretch of the line which it closes."""
    if obstacle.is_flat:
        yield from obstacle.area.parts
        return
    sight = (at[0] - eye[0], at[1] - eye[1])
    for part in obstacle.area.parts:
        points = outline_points(part)
        for share, sign in ((obstacle.from_share, 1.0), (obstacle.to_share, -1.0)):
            start = (eye[0] + share * sight[0], eye[1] + share * sight[1])
            points = clip_half_plane(points, start, (sign * sight[0], sign * sight[1])) if len(points) > 2 else ()
        if len(points) > 2:
            yield RoundedShape(points)
