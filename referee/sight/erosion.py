"""What is left of an area when its rim moves inward."""

import math

from models.words import Point
from referee.shapes import Area, Rounded, polygon_area


def eroded(area: Area, by_mm: float) -> list[Rounded]:
    """Convex parts of all points deeper than `by_mm` inside the area."""
    left: list[Rounded] = []
    if not area.outline:
        return [part.grown(-by_mm) for part in area.parts if part.radius_mm >= by_mm]
    if area.is_convex():
        corners = _moved_in(area.outline, by_mm)
        return [Rounded(corners)] if corners else []
    import shapely  # a hull of nested corners needs a robust overlay; convex pieces never come here

    rest = shapely.Polygon(area.outline).buffer(-by_mm, quad_segs=64)
    for polygon in getattr(rest, "geoms", [rest]):
        if not polygon.is_empty:
            left += polygon_area(tuple(polygon.exterior.coords)[:-1]).parts
    return left


def _moved_in(corners: tuple[Point, ...], by_mm: float) -> tuple[Point, ...]:
    """A convex outline cut by each of its sides moved inward."""
    kept = list(corners)
    for i, b in enumerate(corners):
        a = corners[i - 1]
        length = math.dist(a, b)
        nx, ny = (a[1] - b[1]) / length, (b[0] - a[0]) / length
        kept = _cut(kept, nx, ny, a[0] * nx + a[1] * ny + by_mm)
    return tuple(kept)


def _cut(corners: list[Point], nx: float, ny: float, offset: float) -> list[Point]:
    kept: list[Point] = []
    heights = [x * nx + y * ny - offset for x, y in corners]
    for i, b in enumerate(corners):
        a, h0, h1 = corners[i - 1], heights[i - 1], heights[i]
        if h0 * h1 < 0:
            t = h0 / (h0 - h1)
            kept.append((a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t))
        if h1 >= 0:
            kept.append(b)
    return kept
