"""Drawn blocks of rectangular bases under a camera that looks straight down, as exactly as their edges are tested."""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import project
from models.camera import Camera, CameraPose
from models.layout import Fiducials, Layout, Marker

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]

TABLE_MM = (500.0, 400.0)
TOP_MM, INSET_MM, LIP_MM = 3.3, 0.4, 0.8
_FINER = 4
_PX_PER_MM = 1.3
_EYE = (250.0, 200.0, 1700.0)
MAT: Colour = (120, 130, 140)
RIM: Colour = (30, 45, 60)
BASING: Colour = (70, 120, 95)
PAINT: Colour = (225, 230, 235)


@dataclass(frozen=True)
class Stood:
    """A base of the width and depth, facing `facing_deg`; `is_marked`: its front edge is painted."""

    at_mm: tuple[float, float]
    facing_deg: float
    sides_mm: tuple[float, float] = (25.0, 25.0)
    is_marked: bool = False
    rank: int = 0
    file: int = 0
    is_bare: bool = False


def regiment(
    at_mm: tuple[float, float],
    facing_deg: float,
    *,
    ranks: int,
    files: int,
    sides_mm: tuple[float, float] = (25.0, 25.0),
    gap_mm: float = 0.4,
    missing: frozenset[tuple[int, int]] = frozenset(),
    jitter_mm: float = 0.2,
    is_marked: bool = True,
) -> list[Stood]:
    """A unit whose middle is at `at_mm`; the front rank is marked."""
    random = np.random.default_rng(7)
    angle = np.radians(facing_deg)
    ahead, left = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    found = []
    for rank in range(ranks):
        for file in range(files):
            off = ahead * ((ranks - 1) / 2 - rank) * (sides_mm[1] + gap_mm)
            off = off + left * ((files - 1) / 2 - file) * (sides_mm[0] + gap_mm)
            x, y = (np.array(at_mm) + off + np.clip(random.normal(0, jitter_mm, 2), -gap_mm / 2, gap_mm / 2)).tolist()
            if (rank, file) not in missing:
                turned = facing_deg + float(random.normal(0, 0.3))
                found.append(Stood((x, y), turned, sides_mm, is_marked and rank == 0, rank, file))
    return found


def camera() -> Camera:
    focal = _EYE[2] * _PX_PER_MM
    width, height = size_px()
    return Camera(
        image_size=(width, height), model="brown", K=((focal, 0, width / 2), (0, focal, height / 2), (0, 0, 1)),
        dist=(0,) * 5, covariance=np.zeros((9, 9)).tolist(), rms_px=0.0,
    )  # fmt: skip


def size_px() -> tuple[int, int]:
    return round(TABLE_MM[0] * _PX_PER_MM * 1.1), round(TABLE_MM[1] * _PX_PER_MM * 1.1)


def pose() -> CameraPose:
    rotation = np.diag([1.0, -1.0, -1.0])
    return CameraPose(
        rotation=rotation.tolist(), translation_mm=(-rotation @ np.array(_EYE)).tolist(),
        covariance=np.zeros((6, 6)).tolist(), rms_px=0.0, rms_mm=0.0, markers=(), centre_mm=_EYE,
    )  # fmt: skip


def layout() -> Layout:
    corners = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0))
    markers = Fiducials(dictionary="none", marker_mm=1.0, markers=(Marker(id=0, corners_mm=corners),))
    return Layout(table_mm=TABLE_MM, fiducials=markers)


def photograph(stood: Iterable[Stood], *, noise: float = 2.0) -> Picture:
    """What the camera sees of these bases on a plain mat."""
    width, height = size_px()
    canvas = np.full((height * _FINER, width * _FINER, 3), MAT, np.uint8)
    random = np.random.default_rng(3)
    for one in stood:
        _draw(canvas, one, random)
    small = cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(small, (0, 0), 0.6).astype(np.float64)
    return np.clip(blurred + random.normal(0, noise, blurred.shape), 0, 255).astype(np.uint8)


def _draw(canvas: Picture, one: Stood, random: np.random.Generator) -> None:
    for z in np.linspace(0, TOP_MM, 5):
        _fill(canvas, one, INSET_MM * z / TOP_MM, float(z), RIM)
    if one.is_marked:
        _fill(canvas, one, INSET_MM, TOP_MM, PAINT, only_front_mm=1.8)
    _fill(canvas, one, INSET_MM + LIP_MM, TOP_MM, BASING, front_mm=1.8 if one.is_marked else 0.0)
    if not one.is_bare:
        for _ in range(5):
            spot = np.array(one.at_mm) + random.normal(0, min(one.sides_mm) / 8, 2)
            (at,) = project(np.array([[*spot, 12.0]]), camera=camera(), pose=pose())
            radius = round(random.uniform(1.2, 2.4) * _PX_PER_MM * _FINER)
            middle = np.rint((at + 0.5) * _FINER - 0.5).astype(int).tolist()
            cv2.circle(canvas, middle, radius, random.integers(0, 255, 3).tolist(), -1, cv2.LINE_AA)


def _fill(
    canvas: Picture, one: Stood, inset_mm: float, z_mm: float, colour: Colour, *, only_front_mm: float = 0.0,
    front_mm: float = 0.0,
) -> None:  # fmt: skip
    angle = np.radians(one.facing_deg)
    half = np.array([one.sides_mm[1], one.sides_mm[0]]) / 2 - inset_mm
    low, high = -half, half.copy()
    if only_front_mm:
        low = np.array([half[0] - only_front_mm, -half[1]])
    if front_mm:
        high = np.array([one.sides_mm[1] / 2 - INSET_MM - front_mm, half[1]])
    corners = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    turned = corners @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) + one.at_mm
    at = project(np.column_stack([turned, np.full(4, z_mm)]), camera=camera(), pose=pose())
    points = np.rint(((at + 0.5) * _FINER - 0.5) * 16).astype(np.int32)
    cv2.fillPoly(canvas, [points], colour, cv2.LINE_AA, shift=4)
