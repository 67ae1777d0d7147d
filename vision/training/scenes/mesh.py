"""Triangle meshes: prisms, balls, rods and boxes, and how meshes are moved and put together."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Ints32, Reals
from vision.training.scenes.rasterizer import Triangles


@dataclass(frozen=True)
class Mesh:
    """A body: vertices (N, 8) as the rasteriser reads them, faces (M, 3), one material and whose body it is."""

    vertices: Reals
    faces: Ints32
    material: int = 0
    owner: int = 0

    def moved(self, at_mm: tuple[float, float, float], *, turn_rad: float = 0.0, scale: float = 1.0) -> "Mesh":
        """Scaled, turned about z, then shifted."""
        cos, sin = np.cos(turn_rad), np.sin(turn_rad)
        turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]], np.float32)
        vertices = self.vertices.copy()
        vertices[:, :3] = vertices[:, :3] @ turn.T * np.float32(scale) + np.asarray(at_mm, np.float32)
        vertices[:, 3:6] = vertices[:, 3:6] @ turn.T
        return replace(self, vertices=vertices)

    def of(self, material: int, owner: int) -> "Mesh":
        return replace(self, material=material, owner=owner)


def join_meshes(meshes: Iterable[Mesh]) -> tuple[Triangles, Ints32]:
    """All meshes as one, and the owner of every face."""
    vertices, faces, owners, start = [], [], [], 0
    for mesh in meshes:
        vertices.append(mesh.vertices)
        faces.append(np.column_stack([mesh.faces + start, np.full(len(mesh.faces), mesh.material, np.int32)]))
        owners.append(np.full(len(mesh.faces), mesh.owner, np.int32))
        start += len(mesh.vertices)
    return (
        Triangles(np.ascontiguousarray(np.concatenate(vertices), np.float32), np.concatenate(faces).astype(np.int32)),
        np.concatenate(owners),
    )


def loft(rings: Iterable[Reals], uv: Iterable[Reals], *, is_closed: bool = True) -> Mesh:
    """A skin over rings of equally many points (K, 3), closed at the last by a fan about its middle."""
    rings, uv = list(rings), list(uv)
    count = len(rings[0])
    points, texels = np.concatenate(rings), np.concatenate(uv)
    faces = []
    around = np.arange(count)
    after = (around + 1) % count
    for k in range(len(rings) - 1):
        a, b, c, d = k * count + around, k * count + after, (k + 1) * count + after, (k + 1) * count + around
        faces += [np.column_stack([a, b, c]), np.column_stack([a, c, d])]
    if is_closed:
        last = (len(rings) - 1) * count
        points = np.concatenate([points, points[last:].mean(axis=0, keepdims=True)])
        texels = np.concatenate([texels, texels[last:].mean(axis=0, keepdims=True)])
        faces.append(np.column_stack([last + around, last + after, np.full(count, len(points) - 1)]))
    return _flat(points, texels, np.concatenate(faces))


def _flat(points: Reals, texels: Reals, faces: NDArray[np.int64]) -> Mesh:
    """A mesh whose normals come from its faces."""
    vertices = np.zeros((len(points), 8), np.float32)
    vertices[:, :3], vertices[:, 5], vertices[:, 6:] = points, 1.0, texels
    return Mesh(vertices, faces.astype(np.int32))


def prism(outline_mm: Reals, z0_mm: float, z1_mm: float, *, taper: float = 0.0) -> Mesh:
    """An outline (K, 2) raised from one height to another, drawn in by a share at the top; textured from above."""
    middle = outline_mm.mean(axis=0)
    top = middle + (outline_mm - middle) * (1 - taper)
    low, size = outline_mm.min(axis=0), np.ptp(outline_mm, axis=0)
    rings = [np.column_stack([ring, np.full(len(ring), z)]) for ring, z in ((outline_mm, z0_mm), (top, z1_mm))]
    return loft(rings, [(ring[:, :2] - low) / size for ring in rings])


def ring(radius_mm: float, count: int = 40) -> Reals:
    """A circle about the origin, (count, 2)."""
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.asarray(np.column_stack([np.cos(angle), np.sin(angle)]) * radius_mm, np.float32)


def rectangle(length_mm: float, width_mm: float, *, turn_rad: float = 0.0) -> Reals:
    """A rectangle about the origin, its length along `turn_rad`, (4, 2)."""
    corners = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * (length_mm / 2, width_mm / 2)
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]), np.float32)


def ball(at_mm: tuple[float, float, float], half_mm: tuple[float, float, float], *, turn_rad: float = 0.0) -> Mesh:
    """An ellipsoid of 10 x 6 patches with smooth normals."""
    high = np.linspace(-np.pi / 2, np.pi / 2, 7)
    around = np.linspace(0, 2 * np.pi, 11)
    lat, lon = (grid.ravel() for grid in np.meshgrid(high, around, indexing="ij"))
    unit = np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    vertices = np.zeros((len(unit), 8), np.float32)
    vertices[:, :3] = unit * half_mm
    vertices[:, 3:6] = unit / half_mm
    vertices[:, 6], vertices[:, 7] = lon / (2 * np.pi), lat / np.pi + 0.5
    k = (np.arange(6)[:, None] * 11 + np.arange(10)).ravel()
    faces = np.concatenate([np.column_stack([k, k + 1, k + 12]), np.column_stack([k, k + 12, k + 11])])
    return Mesh(vertices, faces.astype(np.int32)).moved(at_mm, turn_rad=turn_rad)


def rod(start_mm: Iterable[float], end_mm: Iterable[float], radii_mm: tuple[float, float], *, sides: int = 8) -> Mesh:
    """A cone's stump from one point to another, open at its start."""
    start, end = np.asarray(list(start_mm), float), np.asarray(list(end_mm), float)
    along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
    aside = np.cross(along, (0.0, 0.0, 1.0) if abs(along[2]) < 0.9 else (1.0, 0.0, 0.0))
    aside /= np.linalg.norm(aside)
    upward = np.cross(along, aside)
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False)[:, None]
    circle = np.cos(angle) * aside + np.sin(angle) * upward
    texels = np.column_stack([angle[:, 0] / (2 * np.pi), np.zeros(sides)])
    long = float(np.linalg.norm(end - start)) / 60
    return loft([start + circle * radii_mm[0], end + circle * radii_mm[1]], [texels, texels + np.array([0, long])])


def box(size_mm: tuple[float, float, float], *, at_mm: tuple[float, float, float], turn_rad: float = 0.0) -> Mesh:
    """A box that stands on its place, its length along `turn_rad`."""
    return prism(rectangle(size_mm[0], size_mm[1]), 0.0, size_mm[2]).moved(at_mm, turn_rad=turn_rad)
