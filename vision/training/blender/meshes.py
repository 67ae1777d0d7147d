"""Meshes in millimetres, made once and placed many times."""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import bmesh
import bpy

Outline = list[tuple[float, float]]


def place_mesh(
    mesh: Any,
    paint: Any,
    *,
    at: Sequence[float],
    turn: float = 0.0,
    size: Sequence[float] = (1, 1, 1),
    tilt: Sequence[float] = (0, 0),
) -> Any:
    """A copy of the mesh in the scene, in its own paint; `tilt` about its x and y before it is turned."""
    thing = bpy.data.objects.new("thing", mesh)
    thing.location, thing.scale, thing.rotation_euler = at, size, (*tilt, turn)
    if not mesh.materials:
        mesh.materials.append(None)
    thing.material_slots[0].link = "OBJECT"
    thing.material_slots[0].material = paint
    bpy.context.scene.collection.objects.link(thing)
    return thing


def beam(paint: Any, start: Sequence[float], end: Sequence[float], radius_mm: float) -> Any:
    """A round bar from one point to another."""
    direction = [b - a for a, b in zip(start, end, strict=True)]
    flat = math.hypot(direction[0], direction[1])
    long = max(math.hypot(flat, direction[2]), 0.1)
    middle = [(a + b) / 2 for a, b in zip(start, end, strict=True)]
    return place_mesh(
        cylinder(),
        paint,
        at=middle,
        turn=math.atan2(direction[1], direction[0]),
        size=(radius_mm, radius_mm, long),
        tilt=(0, math.atan2(flat, direction[2])),
    )


@cache
def cube() -> Any:
    """Side 1, middle at the origin, its edges a little rounded."""
    made = bmesh.new()
    bmesh.ops.create_cube(made, size=1.0)
    bmesh.ops.bevel(made, geom=made.edges[:], offset=0.05, segments=2, profile=0.5, affect="EDGES")
    return _cached_mesh(made, smooth=False)


@cache
def ball() -> Any:
    made = bmesh.new()
    bmesh.ops.create_uvsphere(made, u_segments=20, v_segments=12, radius=1.0)
    return _cached_mesh(made, smooth=True)


@cache
def stone() -> Any:
    made = bmesh.new()
    bmesh.ops.create_icosphere(made, subdivisions=1, radius=1.0)
    return _cached_mesh(made, smooth=False)


@cache
def head() -> Any:
    """Blender's own monkey."""
    made = bmesh.new()
    bmesh.ops.create_monkey(made)
    return _cached_mesh(made, smooth=True)


@cache
def cylinder(narrow: float = 1.0) -> Any:
    """Radius 1 and height 1, middle at the origin; `narrow` is the radius of its top."""
    made = bmesh.new()
    bmesh.ops.create_cone(made, cap_ends=True, segments=40, radius1=1.0, radius2=narrow, depth=1.0)
    return _cached_mesh(made, smooth=False)


def loft(rings: Sequence[tuple[Outline, float]], *, painted: Sequence[Sequence[int]] = ()) -> Any:
    """A skin over outlines of equal length, each at its height, closed on top; `painted`: the material of each face."""
    count = len(rings[0][0])
    corners = [(x, y, z) for outline, z in rings for x, y in outline]
    faces = [
        (r * count + k, r * count + (k + 1) % count, (r + 1) * count + (k + 1) % count, (r + 1) * count + k)
        for r in range(len(rings) - 1)
        for k in range(count)
    ]
    paints = [painted[r][k] if painted else 0 for r in range(len(rings) - 1) for k in range(count)]
    faces.append(tuple((len(rings) - 1) * count + k for k in range(count)))  # type: ignore[arg-type]
    mesh = bpy.data.meshes.new("loft")
    mesh.from_pydata(corners, [], faces)
    for _ in range(max(paints, default=0) + 2):
        mesh.materials.append(None)
    top = max(paints, default=0) + 1 if painted else 0
    for face, paint in zip(mesh.polygons, [*paints, top], strict=True):
        face.material_index = paint
    return mesh


def clear_cache() -> None:
    """To be called with every new scene, which knows none of the meshes made before."""
    for once in (cube, ball, stone, head, cylinder):
        once.cache_clear()


def _cached_mesh(made: Any, *, smooth: bool) -> Any:
    mesh = bpy.data.meshes.new("solid")
    for face in made.faces:
        face.smooth = smooth
    made.to_mesh(mesh)
    made.free()
    return mesh
