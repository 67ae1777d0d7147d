"""Front arc: how deep a shape lies ahead of a line through a base's centre."""

import math

from models.verdict import Witness
from models.vocabulary import Point
from referee.geometry.shapes import Area
from referee.rules.margin_form import LinearPiece
from referee.rules.perturbation import Perturbation

Stand = tuple[str, Point]  # a miniature and where its centre is


def direction(facing_rad: float) -> Point:
    return (math.cos(facing_rad), math.sin(facing_rad))


def depth_mm(centre: Point, facing_rad: float, target: Area) -> float:
    """How far the foremost point of the target lies ahead of the arc line; negative when all of it is behind."""
    ahead = direction(facing_rad)
    return max(part.support(ahead) for part in target.parts) - dot(centre, ahead)


def depth_piece(viewer: Stand, facing_rad: float, target: Stand, area: Area) -> LinearPiece:
    """The depth as it changes when either of the two moves or turns."""
    (viewer_id, centre), (target_id, about) = viewer, target
    ahead = direction(facing_rad)
    part = max(area.parts, key=lambda p: p.support(ahead))
    x, y = max(part.points, key=lambda p: dot(p, ahead))
    swing = dot((x - centre[0], y - centre[1]), (-ahead[1], ahead[0]))
    turn = dot((about[1] - y, x - about[0]), ahead)
    slopes = {viewer_id: Perturbation(-ahead[0], -ahead[1], swing), target_id: Perturbation(*ahead, turn)}
    return LinearPiece(depth_mm(centre, facing_rad, area), slopes)


def foremost(facing_rad: float, target: Area) -> Point:
    """The point of the target that lies farthest ahead."""
    ahead = direction(facing_rad)
    part = max(target.parts, key=lambda p: p.support(ahead))
    return part.farthest_along(ahead)


def dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1]


def arc_edge(viewer: str, centre: Point, facing_rad: float, length_mm: float) -> Witness:
    """The line that parts front from back."""
    fx, fy = direction(facing_rad)
    right = (centre[0] + fy * length_mm, centre[1] - fx * length_mm)
    left = (centre[0] - fy * length_mm, centre[1] + fx * length_mm)
    return Witness(type="segment", role="arc", points_mm=(right, left), of=(viewer,))


def depth_line(point: Point, centre: Point, facing_rad: float, target: str) -> Witness:
    """From the foremost point of the target square to the arc line."""
    ahead = direction(facing_rad)
    depth = dot(point, ahead) - dot(centre, ahead)
    foot = (point[0] - depth * ahead[0], point[1] - depth * ahead[1])
    return Witness(type="segment", role="limit", points_mm=(point, foot), of=(target,))
