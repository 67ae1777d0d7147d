"""Visible base: how much of a base is seen from a point, past what closes lines to it."""

from collections.abc import Iterator, Sequence

from models.vocabulary import Point
from referee.editions.open.measuring import Place
from referee.editions.open.settings import is_inside
from referee.editions.warmachine.miniatures.distances import hinges
from referee.geometry.containment import reach_into
from referee.geometry.convex_outline import clip_half_plane, outline_points
from referee.geometry.shapes import Area, RoundedShape, disc
from referee.line_of_sight import Obstacle
from referee.line_of_sight.visible_share import hidden_share
from referee.rules.exact_table import ExactTable


def visible_share(
    table: ExactTable, viewer: Place, eye: Point, base: RoundedShape, obstacles: Sequence[Obstacle]
) -> float:
    """The share of a base, by area, that nothing hides from a point; 1 where nothing stands before it.

    Who stands in something that closes lines sees nothing past it.
    """
    for one in obstacles:
        depth_mm = reach_into(disc(eye, 0.0), one.area)
        if one.from_share <= 0 and is_inside(table, depth_mm, "has its middle in", hinges(table, viewer, one.id)):
            return 0.0
    things = [part for one in obstacles for part in _closing_parts(one, eye, base.centre)]
    return 1.0 - min(1.0, hidden_share(eye, outline_points(base), things))


def as_obstacles(areas: Sequence[tuple[str, Area]]) -> list[Obstacle]:
    """Areas that close whole lines."""
    return [Obstacle(id_, area) for id_, area in areas]


def _closing_parts(obstacle: Obstacle, eye: Point, at: Point) -> Iterator[RoundedShape]:
    """What of an obstacle lies along that stretch of the line which it closes."""
    if obstacle.is_flat:
        yield from obstacle.area.parts
        return
    way = (at[0] - eye[0], at[1] - eye[1])
    for part in obstacle.area.parts:
        points = outline_points(part)
        for share, sign in ((obstacle.from_share, 1.0), (obstacle.to_share, -1.0)):
            start = (eye[0] + share * way[0], eye[1] + share * way[1])
            points = clip_half_plane(points, start, (sign * way[0], sign * way[1])) if len(points) > 2 else ()
        if len(points) > 2:
            yield RoundedShape(points)
