"""Bases in areas: how deep inside."""

import math
from typing import Any

from models.words import Point
from referee.gaps import area_gap, gap, inside_mm, nearest_on_segment
from referee.shapes import Area, Rounded


def depth_of_base(base: Rounded, areas: tuple[Area, ...]) -> float:
    """By how much the whole base lies inside the joined areas; negative when part of it is outside."""
    if not areas:
        return -math.inf
    if len(areas) == 1 and (areas[0].outline or areas[0].is_convex()):
        return _depth_in_one(base, areas[0])
    joined = polygon_of(areas[0])
    for area in areas[1:]:
        joined = joined.union(polygon_of(area))
    return max((_depth_in_rings(base, rings) for rings in _rings(joined)), default=-math.inf)


def _depth_in_one(base: Rounded, area: Area) -> float:
    return _depth_in_rings(base, (area.outline,)) if area.outline else _depth_in_disc(base, area.parts[0])


def _depth_in_rings(base: Rounded, rings: tuple[tuple[Point, ...], ...]) -> float:
    """The depth inside the first outline and outside the others, which are holes in it.

    What comes nearest is a corner of the base or, where the outline turns inward, one of the outline. A notch may
    also lead through the base between all of its corners.
    """
    outer, *holes = rings
    inside = min(inside_mm(c, outer) for c in base.points)
    outside = min((-inside_mm(c, hole) for hole in holes for c in base.points), default=math.inf)
    if base.is_disc():
        return min(inside, outside) - base.radius_mm
    corners = (_away(corner, base.points) for ring in rings for corner in ring)
    depth = min(inside, outside, *corners)
    if depth > 0 and any(_crosses(ring, base.points) for ring in rings):
        depth = -_sticks_out_mm(base.points, rings)
    return depth - base.radius_mm


def _crosses(ring: tuple[Point, ...], core: tuple[Point, ...]) -> bool:
    """Whether two outlines cut each other, of which neither has a corner on the other."""
    return any(
        _turn(a, b, c) * _turn(a, b, d) < 0 > _turn(c, d, a) * _turn(c, d, b)
        for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)
        for c, d in zip(core, (*core[1:], core[0]), strict=True)
    )


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _sticks_out_mm(core: tuple[Point, ...], rings: tuple[tuple[Point, ...], ...]) -> float:
    """By how much the rings have to grow to cover the core: halved until it is known to a nanometre."""
    import shapely

    base, ground = shapely.Polygon(core), shapely.Polygon(rings[0], rings[1:])
    low, high = 0.0, math.dist(base.bounds[:2], base.bounds[2:])
    while high - low > 1e-6:
        half = (low + high) / 2
        covers = base.difference(ground.buffer(half, quad_segs=256)).area <= 1e-12
        low, high = (low, half) if covers else (half, high)
    return high


def _away(p: Point, core: tuple[Point, ...]) -> float:
    """How far a point lies outside an outline; negative by how deep inside."""
    return -inside_mm(p, core) if len(core) > 2 else math.dist(p, nearest_on_segment(p, *core))


def _depth_in_disc(base: Rounded, part: Rounded) -> float:
    core = Rounded(part.points)
    return part.radius_mm - max(gap(Rounded((c,)), core).mm for c in base.points) - base.radius_mm


def reach_into(base: Rounded, area: Area) -> float:
    """How deep a base reaches into an area; negative by how far it stays outside."""
    if base.is_disc() and area.outline:
        return inside_mm(base.points[0], area.outline) + base.radius_mm
    return -area_gap(Area((base,)), area).mm if area.parts else -math.inf


def polygon_of(area: Area) -> Any:
    """The area as a shapely geometry; round rims have 1024 sides."""
    import shapely  # only overlays need it; most tables never load it

    if area.outline:
        return shapely.Polygon(area.outline)
    cores = [shapely.Point(p.points[0]) if p.is_disc() else shapely.Polygon(p.points) for p in area.parts]
    grown = [c.buffer(p.radius_mm, quad_segs=256) if p.radius_mm > 0 else c
             for c, p in zip(cores, area.parts, strict=True)]  # fmt: skip
    return shapely.union_all(grown)


def _rings(joined: Any) -> list[tuple[tuple[Point, ...], ...]]:
    """The outlines of each polygon, the outer one first."""
    return [
        tuple(tuple((float(x), float(y)) for x, y in ring.coords[:-1]) for ring in (p.exterior, *p.interiors))
        for p in getattr(joined, "geoms", [joined])
    ]
