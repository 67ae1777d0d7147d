"""Bases for tests of plain geometry, and the same as shapely sees them."""

import math

import shapely
from hypothesis import strategies as st

from referee.geometry.shapes import Area, RoundedShape, disc, polygon_area
from referee.motion.sweep import rotate_shape


def rectangle(x: float, y: float, w: float, h: float, turn: float = 0.0) -> RoundedShape:
    flat = RoundedShape(
        ((x - w / 2, y - h / 2), (x + w / 2, y - h / 2), (x + w / 2, y + h / 2), (x - w / 2, y + h / 2))
    )
    return rotate_shape(flat, (x, y), turn)


bases = st.one_of(
    st.builds(lambda x, y, r: disc((x, y), r), st.floats(-200, 200), st.floats(-80, 80), st.floats(5, 40)),
    st.builds(
        rectangle, st.floats(-200, 200), st.floats(-80, 80), st.floats(5, 80), st.floats(5, 80), st.floats(0, 3.1)
    ),
)


def corner_block(x: float, y: float, w: float, h: float, t: float, turn: float) -> Area:
    """An L-shaped area, which is not convex."""
    c, s = math.cos(turn), math.sin(turn)
    corners = [(0.0, 0.0), (w, 0.0), (w, t), (t, t), (t, h), (0.0, h)]
    return polygon_area([(x + u * c - v * s, y + u * s + v * c) for u, v in corners])


def seen(shape: RoundedShape) -> shapely.Geometry:
    """The shape as shapely holds it, its rim with 1024 sides."""
    core = shapely.Point(shape.points[0]) if shape.is_disc() else shapely.Polygon(shape.points)
    return core.buffer(shape.radius_mm, quad_segs=256) if shape.radius_mm > 0 else core


def seen_area(area: Area) -> shapely.Geometry:
    return shapely.Polygon(area.outline) if area.outline else shapely.union_all([seen(part) for part in area.parts])
