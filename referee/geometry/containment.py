"""Containment: how deep bases lie inside areas."""

import math
from typing import Any

from models.vocabulary import Point
from referee.geometry.distance import area_gap, gap, inside_mm, nearest_on_segment
from referee.geometry.shapes import Area, RoundedShape, turn


def depth_of_base(base: RoundedShape, areas: tuple[Area, ...]) -> float:
    """By how much the whole base lies inside the joined areas; negative when part of it is outside."""
    if not areas:
        return -math.inf
    if len(areas) == 1 and (areas[0].outline or areas[0].is_convex()):
        return _depth_in_one(base, areas[0])
    joined = polygon_of(areas[0])
    for area in areas[1:]:
        joined = joined.union(polygon_of(area))
    return max((_depth_in_rings(base, rings) for rings in _rings(joined)), default=-math.inf)


def _depth_in_one(base: RoundedShape, area: Area) -> float:
    return _depth_in_rings(base, (area.outline,)) if area.outline else _depth_in_disc(base, area.parts[0])


def _depth_in_rings(base: RoundedShape, rings: tuple[tuple[Point, ...], ...]) -> float:
    """The depth inside the first outline and outside the others, which are holes in it.

    What comes nearest is a corner of the base or, where the outline turns inward, one of the outline. A notch may
    also lead through the base between all of its corners.
    """
    outer, *holes = rings
    inside = min(inside_mm(c, outer) for c in base.points)
    outside = min((-inside_mm(c, hole) for hole in holes for c in base.points), default=math.inf)
    if base.is_disc():
        return min(inside, outside) - base.radius_mm
    corners = (_signed_distance(corner, base.points) for ring in rings for corner in ring)
    depth = min(inside, outside, *corners)
    if depth > 0 and any(_crosses(ring, base.points) for ring in rings):
        depth = -_sticks_out_mm(base.points, rings)
    return depth - base.radius_mm


def _crosses(ring: tuple[Point, ...], core: tuple[Point, ...]) -> bool:
    """Whether two outlines cut each other, of which neither has a corner on the other."""
    return any(
        turn(a, b, c) * turn(a, b, d) < 0 > turn(c, d, a) * turn(c, d, b)
        for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)
        for c, d in zip(core, (*core[1:], core[0]), strict=True)
    )


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


def _signed_distance(p: Point, core: tuple[Point, ...]) -> float:
    """How far a point lies outside an outline; negative by how deep inside."""
    return -inside_mm(p, core) if len(core) > 2 else math.dist(p, nearest_on_segment(p, *core))


def _depth_in_disc(base: RoundedShape, part: RoundedShape) -> float:
    core = RoundedShape(part.points)
    return part.radius_mm - max(gap(RoundedShape((c,)), core).mm for c in base.points) - base.radius_mm


def covered_mm(template: Area, base: RoundedShape) -> float:
    """Template coverage: how deep a template lies over a base; positive when some part is covered, zero at touch."""
    return -area_gap(template, Area((base,))).mm


def reach_into(base: RoundedShape, area: Area) -> float:
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
