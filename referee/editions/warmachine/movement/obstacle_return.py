"""Obstacle return: a way that leads onto an obstacle and leaves it on the side where it came."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from models.vocabulary import Point
from referee.editions.warmachine.movement.path import Path
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape, disc
from referee.motion.sweep import stretch_within
from referee.motion.travel_budget import Things, length_mm, place_after, place_shape
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_at_least, is_more_than

_JOIN_MM = 1e-6  # two stretches that part by less are one
_FAR_MM = 10.0  # what leads past the near side by more leaves it whatever the measuring error


@dataclass(frozen=True)
class ObstacleReturn:
    """How deep a way led onto an obstacle that it left again on the near side."""

    feature: str
    depth_mm: float


def deepest_return(table: ExactTable, who: str, path: Path, crossed: Things) -> ObstacleReturn | None:
    """Of what is half crossed and left on the near side, where the way led in deepest. Source: Obstacles, p. 80."""
    found = [
        ObstacleReturn(id_, depth) for id_, area in crossed for depth in _returns(table, who, path, id_, area.parts)
    ]
    return max(found, key=lambda one: one.depth_mm, default=None)


def _returns(table: ExactTable, who: str, path: Path, id_: str, parts: tuple[RoundedShape, ...]) -> Iterator[float]:
    base, tolerance = table.base(who), table.state.contact_tolerance_mm
    on = (who, *table.movers_of(id_))
    for enters, leaves in _stretches(base, path, parts):
        if leaves >= length_mm(path) - _JOIN_MM:
            continue  # it ends upon it: told as not left behind
        at, out = place_after(path, enters), place_after(path, leaves)
        if any(gap(place_shape(base, at), part).mm < -tolerance for part in parts):
            continue  # it stood on it when it started
        inward = _toward(at, parts)
        depth_mm = max(_along(at, p, inward) for p in _points_between(path, enters, leaves))
        past_mm = _along(at, out, inward)
        if past_mm > _FAR_MM or not is_more_than(depth_mm, tolerance, "leads onto", on):
            continue
        same_face = _dot(inward, _toward(out, parts)) > 0
        if same_face and is_at_least(tolerance, past_mm, "comes back to the near side of", on):
            yield depth_mm


def _stretches(base: RoundedShape, path: Path, parts: tuple[RoundedShape, ...]) -> list[tuple[float, float]]:
    """The stretches of a way, by travel, on which the base lies over any of these parts."""
    found, before = list[tuple[float, float]](), 0.0
    for a, b in pairwise(path):
        length = math.dist(a, b)
        if length == 0:
            continue
        way = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
        spans = (stretch_within(place_shape(base, a), way, part) for part in parts)
        inside = ((max(0.0, s[0]), min(length, s[1])) for s in spans if s is not None)
        found += [(before + s, before + e) for s, e in inside if e - s > _JOIN_MM]
        before += length
    joined = list[tuple[float, float]]()
    for start, end in sorted(found):
        if joined and start <= joined[-1][1] + _JOIN_MM:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def _points_between(path: Path, start_mm: float, end_mm: float) -> Iterator[Point]:
    """Both ends of a stretch, and the corners of the way on it."""
    yield place_after(path, start_mm)
    before = 0.0
    for a, b in pairwise(path):
        before += math.dist(a, b)
        if start_mm < before < end_mm:
            yield b
    yield place_after(path, end_mm)


def _toward(at: Point, parts: tuple[RoundedShape, ...]) -> Point:
    """The direction from a place outside to what of these parts is nearest."""
    nearest = min((gap(disc(at, 0.0), part) for part in parts), key=lambda one: one.mm)
    dx, dy = nearest.at_b[0] - at[0], nearest.at_b[1] - at[1]
    length = math.hypot(dx, dy)
    return (dx / length, dy / length) if length > 0 else (0.0, 0.0)


def _along(start: Point, to: Point, way: Point) -> float:
    return (to[0] - start[0]) * way[0] + (to[1] - start[1]) * way[1]


def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1]
