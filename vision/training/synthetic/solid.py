"""Solids as stacks of slices, the one form in which everything on a drawn table is described.

A camera above the table meets higher things first, along every ray. So a picture that paints all slices of all solids
in order of their height hides and shows exactly what the camera would, with true parallax.

The shapes and sizes of bases on sale, and their outlines.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibration.arrays import Floats

Colour = tuple[float, float, float]  # BGR, 0 to 255
Vector3 = tuple[float, float, float]

_STEP_MM = 1.5  # height between two slices of a sculpt: no gap shows at 45 degrees once it is shaded and blurred
_CORNERS = 18


@dataclass(frozen=True)
class Slice:
    """A flat polygon of one colour at one height, (N, 2) table mm."""

    z_mm: float
    outline_mm: Floats
    colour: Colour


def ring(radius_mm: float, corners: int = _CORNERS) -> Floats:
    """A circle round the origin."""
    angle = np.arange(corners) * (2 * np.pi / corners)
    return radius_mm * np.column_stack([np.cos(angle), np.sin(angle)])


def rotate(points_mm: Floats, angle_rad: float) -> Floats:
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    return np.asarray(points_mm @ np.array([[cos, sin], [-sin, cos]]))


def ball(at: Vector3, radii_mm: Vector3, colour: Colour, *, yaw_rad: float = 0.0) -> Iterator[Slice]:
    """An ellipsoid."""
    x, y, z = at
    a, b, c = radii_mm
    count = max(3, round(2 * c / _STEP_MM))
    circle = ring(1.0)
    for k in range(count):
        height = -1 + (2 * k + 1) / count
        width = np.sqrt(1 - height**2)
        yield Slice(z + height * c, np.add(rotate(circle * (a * width, b * width), yaw_rad), (x, y)), colour)


def rod(start: Vector3, end: Vector3, radius_mm: float, colour: Colour) -> Iterator[Slice]:
    """A straight limb, blade or pole between two points."""
    (x0, y0, z0), (x1, y1, z1) = start, end
    rise, run = z1 - z0, float(np.hypot(x1 - x0, y1 - y0))
    count = max(1, round(abs(rise) / _STEP_MM))
    across = np.array([-(y1 - y0), x1 - x0]) / max(run, 1e-6) * radius_mm
    for k in range(count):
        near = np.array([x0 + (x1 - x0) * k / count, y0 + (y1 - y0) * k / count])
        far = np.array([x0 + (x1 - x0) * (k + 1) / count, y0 + (y1 - y0) * (k + 1) / count])
        if run / count < 0.7 * radius_mm:
            yield Slice(z0 + rise * (k + 0.5) / count, ring(radius_mm, 10) + (near + far) / 2, colour)
        else:
            outline = np.array([near + across, far + across, far - across, near - across])
            yield Slice(z0 + rise * (k + 0.5) / count + radius_mm / 2, outline, colour)


def prism(outline_mm: Floats, low_mm: float, high_mm: float, colour: Colour, *, taper: float = 0.0) -> Iterator[Slice]:
    """A polygon drawn up from one height to another, drawn in by `taper` of its size on the way."""
    middle = outline_mm.mean(axis=0)
    count = max(1, round((high_mm - low_mm) / _STEP_MM))
    for k in range(count + 1):
        share = k / count
        yield Slice(low_mm + (high_mm - low_mm) * share, middle + (outline_mm - middle) * (1 - taper * share), colour)


def box(width_mm: float, depth_mm: float, *, at: tuple[float, float], turn_rad: float) -> Floats:
    """The corners of a rectangle; its depth lies along `turn_rad`."""
    half = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * (depth_mm / 2, width_mm / 2)
    return rotate(half, turn_rad) + at


Kind = Literal["round", "oval", "rect"]

ROUNDS = (25, 28.5, 30, 32, 40, 50, 60, 65, 80, 100, 120)
OVALS = ((60, 35), (75, 42), (90, 52), (105, 70), (120, 92))
RECTS = (
    (20, 20), (25, 25), (30, 30), (40, 40), (50, 50), (25, 50), (30, 60), (50, 75), (50, 100), (60, 100), (100, 150),
)  # fmt: skip


@dataclass(frozen=True)
class Footprint:
    """A base's kind and size; `depth_mm` lies along its facing."""

    kind: Kind
    width_mm: float
    depth_mm: float

    @property
    def reach_mm(self) -> float:
        """From the centre to the farthest point."""
        return max(self.width_mm, self.depth_mm) / 2 if self.kind != "rect" else self.half_diagonal_mm

    @property
    def half_diagonal_mm(self) -> float:
        return float(np.hypot(self.width_mm, self.depth_mm)) / 2

    @property
    def small_mm(self) -> float:
        return min(self.width_mm, self.depth_mm)

    def outline(self, inset_mm: float, *, turn_rad: float) -> Floats:
        """The outline round the origin, drawn in by `inset_mm` on every side."""
        half = np.array([self.depth_mm / 2 - inset_mm, self.width_mm / 2 - inset_mm])
        if self.kind == "rect":
            return rotate(np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * half, turn_rad)
        angle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        return rotate(np.column_stack([np.cos(angle), np.sin(angle)]) * half, turn_rad)


def any_footprint(random: np.random.Generator) -> Footprint:
    """Mostly the common round sizes, of the others enough to learn them."""
    pick = random.random()
    if pick < 0.62:
        common = (30, 40, 50) if random.random() < 0.5 else ROUNDS
        size = float(common[random.integers(len(common))])
        return Footprint("round", size, size)
    if pick < 0.76:
        depth, width = OVALS[random.integers(len(OVALS))]
        return Footprint("oval", *((width, depth) if random.random() < 0.7 else (depth, width)))
    width, depth = RECTS[random.integers(len(RECTS))]
    return Footprint("rect", width, depth)
