"""Silhouette: the outline of a round or oval base as the camera sees it, the hull of its foot and its upper rim.

All is worked out on the ground plane that the base stands on. The upper rim, at its own height, is cast there from the
camera's centre and keeps its shape.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from calibration.arrays import Floats
from models.base import OvalBase, RoundBase
from models.vocabulary import Point

Base = RoundBase | OvalBase


@dataclass(frozen=True)
class RimProfile:
    """Profile of a base's side: how high its rim is, how much narrower than its foot, how wide before the basing
    begins."""

    name: str
    top_mm: float
    inset_mm: float
    rim_widths_mm: tuple[float, ...]


# Two makes are on sale: a lipped base with a nearly upright side, and a slotted one whose side slants inward.
# Heights and slants are those of the plastic, within about 0.2 mm between makers; rims are painted less exactly.
PROFILES = (
    RimProfile("lipped", top_mm=4.2, inset_mm=0.2, rim_widths_mm=(1.6, 1.9, 2.2, 2.5, 2.8)),
    RimProfile("slotted", top_mm=3.4, inset_mm=0.7, rim_widths_mm=(0.6, 0.8, 1.0, 1.2)),
)


@dataclass(frozen=True)
class Silhouette:
    """Points on the silhouette with their outward normals, on the ground plane: (N, 2) mm each.

    `rim_mm` says how far the upper rim lies outside the outline along each normal: 0 where it is the outline, negative
    where the foot shows below it. `rim_growth` is how much the camera enlarges figures at the rim's height.
    """

    points_mm: Floats
    normals: Floats
    rim_mm: Floats
    rim_growth: float


Figure = tuple[Floats, Floats, Floats]  # outward normals, and round the centre points of the foot and of the upper rim


def disc_silhouette(
    at_mm: Point, *, radius_mm: float, profile: RimProfile, ground_mm: float, camera_mm: Floats, count: int
) -> Silhouette:
    """Silhouette of the round base centred at `at_mm`, sampled in `count` directions. `camera_mm`: (3,)."""
    return _cast_hull(
        at_mm, _round_figure(radius_mm, profile, count), profile, ground_mm=ground_mm, camera_mm=camera_mm
    )


def base_silhouette(
    base: Base, at_mm: Point, *, turn_rad: float, profile: RimProfile, ground_mm: float, camera_mm: Floats, count: int
) -> Silhouette:
    """Silhouette of a round base, or of an oval one whose depth runs along `turn_rad`."""
    if isinstance(base, RoundBase):
        figure = _round_figure(base.radius_mm, profile, count)
    else:
        figure = _oval_figure(base.depth_mm / 2, base.width_mm / 2, profile, count)
        cos, sin = np.cos(turn_rad), np.sin(turn_rad)
        normals, foot, rim = (part @ np.array([[cos, sin], [-sin, cos]]) for part in figure)
        figure = normals, foot, rim
    return _cast_hull(at_mm, figure, profile, ground_mm=ground_mm, camera_mm=camera_mm)


def _round_figure(radius_mm: float, profile: RimProfile, count: int) -> Figure:
    angle = np.arange(count) * (2 * np.pi / count)
    normals = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return normals, normals * radius_mm, normals * (radius_mm - profile.inset_mm)


@lru_cache(512)
def _oval_figure(a_mm: float, b_mm: float, profile: RimProfile, count: int) -> Figure:
    """Semi-axes along x and y; points about evenly spaced along the rim."""
    dense = np.linspace(0, 2 * np.pi, 1441)
    speed = np.hypot(a_mm * np.sin(dense), b_mm * np.cos(dense))
    length = np.concatenate([[0.0], np.cumsum((speed[1:] + speed[:-1]) / 2)])
    angle = np.interp(np.arange(count) * (length[-1] / count), length, dense)
    normals = np.stack([np.cos(angle) * b_mm, np.sin(angle) * a_mm], axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    rim = _points_at_normals(a_mm - profile.inset_mm, b_mm - profile.inset_mm, normals)
    return normals, np.stack([a_mm * np.cos(angle), b_mm * np.sin(angle)], axis=1), rim


def _points_at_normals(a_mm: float, b_mm: float, normals: Floats) -> Floats:
    """The points of an ellipse with these outward normals."""
    points = normals * (a_mm**2, b_mm**2)
    return np.asarray(points / np.sqrt((normals * points).sum(axis=1, keepdims=True)))


def _cast_hull(at_mm: Point, figure: Figure, profile: RimProfile, *, ground_mm: float, camera_mm: Floats) -> Silhouette:
    """The outline of the foot and of the upper rim cast on the ground, whichever lies farther out."""
    normals, foot_points, rim_points = figure
    foot = np.asarray(at_mm, np.float64)
    grown = _cast_growth(profile.top_mm, camera_height_mm=float(camera_mm[2]) - ground_mm)
    rim = camera_mm[:2] + (foot - camera_mm[:2]) * grown
    beyond = normals @ (rim - foot) + (normals * (rim_points * grown - foot_points)).sum(axis=1)
    is_foot = beyond < 0
    points = np.where(is_foot[:, None], foot + foot_points, rim + rim_points * grown)
    return Silhouette(points, normals, np.minimum(beyond, 0.0), grown)


def _cast_growth(top_mm: float, *, camera_height_mm: float) -> float:
    """How much a figure at height `top_mm` grows when the camera casts it on the ground."""
    return camera_height_mm / (camera_height_mm - top_mm)
