"""Bases in areas: how deep inside."""

import math
from typing import Any

from referee.gaps import area_gap, gap, inside_mm
from referee.shapes import Area, Rounded


def depth_of_base(base: Rounded, areas: tuple[Area, ...]) -> float:
    """By how much the whole base lies inside the joined areas; negative when part of it is outside."""
    if not areas:
        return -math.inf
    if len(areas) == 1:
        return _depth_in_one(base, areas[0])
    import shapely  # only joined areas need an overlay; most tables never load it

    joined = shapely.union_all([_polygon(area) for area in areas])
    outlines = [p.exterior.coords[:-1] for p in getattr(joined, "geoms", [joined])]
    rings = [tuple((float(x), float(y)) for x, y in outline) for outline in outlines]
    return max(min(inside_mm(c, ring) for c in base.points) for ring in rings) - base.radius_mm


def _depth_in_one(base: Rounded, area: Area) -> float:
    if area.outline:
        return min(inside_mm(c, area.outline) for c in base.points) - base.radius_mm
    return max(_depth_in_disc(base, part) for part in area.parts)


def _depth_in_disc(base: Rounded, part: Rounded) -> float:
    core = Rounded(part.points)
    return part.radius_mm - max(gap(Rounded((c,)), core).mm for c in base.points) - base.radius_mm


def reach_into(base: Rounded, area: Area) -> float:
    """How deep a base reaches into an area; negative by how far it stays outside."""
    if base.is_disc() and area.outline:
        return inside_mm(base.points[0], area.outline) + base.radius_mm
    return -area_gap(Area((base,)), area).mm if area.parts else -math.inf


def _polygon(area: Area) -> Any:
    import shapely

    if area.outline:
        return shapely.Polygon(area.outline)
    part = area.parts[0]
    return shapely.Point(part.points[0]).buffer(part.radius_mm, quad_segs=64)
