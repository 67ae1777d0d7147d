"""Outlines on the table: of ground, of bases that are no discs, of the table's edges; convex ones are clipped."""

import math
from functools import lru_cache

from models.base import OvalBase, RectBase
from models.shape import OutlineFields
from models.state import TableState
from models.vocabulary import Point
from referee.geometry.shapes import Area, RoundedShape, convex_hull, disc, polygon_area, signed_area_mm2

_OVAL_SIDES = 64
_MOST_SHAPES = 512  # of all tables
_MOST_PIECES = 64  # of the tables that are asked about at a time: each table that settles brings its pieces anew
_OUTLINES: dict[int, tuple[OutlineFields, Area]] = {}
_SIDES = 48


def outline_of(thing: OutlineFields) -> Area:
    """The area of a piece of ground, cut into convex parts once for each shape."""
    known = _OUTLINES.get(id(thing))
    if known is not None and known[0] is thing:
        return known[1]
    if len(_OUTLINES) >= _MOST_PIECES:
        _OUTLINES.clear()
    shape = (thing.polygon_mm, thing.centre_mm, thing.diameter_mm, thing.line_mm, thing.thickness_mm)
    _OUTLINES[id(thing)] = (thing, made := _cut_outline(*shape))
    return made


@lru_cache(maxsize=_MOST_SHAPES)
def _cut_outline(
    polygon: tuple[Point, ...] | None,
    centre: Point | None,
    diameter: float | None,
    line: tuple[Point, ...] | None,
    thickness: float | None,
) -> Area:
    if polygon is not None:
        return polygon_area(polygon)
    if centre is not None and diameter is not None:
        return Area((disc(centre, diameter / 2),))
    if line is not None and thickness is not None:
        return _along_line(line, thickness)
    return Area(())


def _along_line(line: tuple[Point, ...], thickness: float) -> Area:
    """A wall along a line: square ends, sharp corners."""
    import shapely

    wall = shapely.LineString(line).buffer(thickness / 2, cap_style="flat", join_style="mitre")
    return polygon_area(tuple(wall.exterior.coords)[:-1])


def outline_at_rest(base: RectBase | OvalBase) -> tuple[Point, ...]:
    """The outline of a base that looks along +x, anticlockwise about its centre."""
    half_depth, half_width = base.depth_mm / 2, base.width_mm / 2
    if isinstance(base, RectBase):
        return (
            (half_depth, -half_width), (half_depth, half_width), (-half_depth, half_width), (-half_depth, -half_width)
        )  # fmt: skip
    angles = (math.tau * i / _OVAL_SIDES for i in range(_OVAL_SIDES))
    return tuple((half_depth * math.cos(a), half_width * math.sin(a)) for a in angles)


def place_outline(outline: tuple[Point, ...], centre: Point, facing_rad: float) -> tuple[Point, ...]:
    """An outline at rest where the base stands, as it faces."""
    c, s = math.cos(facing_rad), math.sin(facing_rad)
    return tuple((centre[0] + c * x - s * y, centre[1] + s * x + c * y) for x, y in outline)


def edge_of(state: TableState, place: str) -> RoundedShape:
    """An edge of the table, by its name `edge:near`, `far`, `left` or `right`."""
    w, d = state.table.width_mm, state.table.depth_mm
    corners = {"near": ((0.0, 0.0), (w, 0.0)), "far": ((0.0, d), (w, d)), "left": ((0.0, 0.0), (0.0, d))}
    return RoundedShape(corners.get(place.removeprefix("edge:"), ((w, 0.0), (w, d))))


def outline_points(part: RoundedShape) -> tuple[Point, ...]:
    """The outline of a convex part as points; a polygon in place of a round one."""
    if not part.radius_mm:
        return part.points
    ways = [(math.cos(math.tau * k / _SIDES), math.sin(math.tau * k / _SIDES)) for k in range(_SIDES)]
    r = part.radius_mm
    return convex_hull([(x + r * c, y + r * s) for x, y in part.points for c, s in ways])


def area_mm2(points: tuple[Point, ...]) -> float:
    """Area of a polygon."""
    return abs(signed_area_mm2(points)) if len(points) > 2 else 0.0


def clip_half_plane(points: tuple[Point, ...], at: Point, inward: Point) -> tuple[Point, ...]:
    """The part of a convex outline on the inner side of a line."""
    kept: list[Point] = []
    far = [(x - at[0]) * inward[0] + (y - at[1]) * inward[1] for x, y in points]
    for k, (p, d) in enumerate(zip(points, far, strict=True)):
        before, was = points[k - 1], far[k - 1]
        if (d < 0) is not (was < 0):
            t = was / (was - d)
            kept.append((before[0] + t * (p[0] - before[0]), before[1] + t * (p[1] - before[1])))
        if d >= 0:
            kept.append(p)
    return tuple(kept)
