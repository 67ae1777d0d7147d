"""The outline of a round base as the camera sees it: the hull of its foot and of its upper rim.

Everything is worked out on the ground plane the base stands on. The upper rim, a disc at the height of the rim, is cast
there from the camera's centre and stays a disc; the outline is the hull of both discs.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.words import Point

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RimProfile:
    """The side of a base: how high its rim is, how much narrower than its foot, how wide before the basing begins."""

    name: str
    top_mm: float
    inset_mm: float
    lips_mm: tuple[float, ...]


# Two makes are on sale: a lipped base with a nearly upright side, and a slotted one whose side slants inward.
# Heights and slants are those of the plastic, within about 0.2 mm between makers; rims are painted less exactly.
PROFILES = (
    RimProfile("lipped", top_mm=4.2, inset_mm=0.2, lips_mm=(1.6, 1.9, 2.2, 2.5, 2.8)),
    RimProfile("slotted", top_mm=3.4, inset_mm=0.7, lips_mm=(0.6, 0.8, 1.0, 1.2)),
)


@dataclass(frozen=True)
class Outline:
    """Points on the outline with their outward normals, on the ground plane: (N, 2) mm each.

    `rim_mm` says how far the upper rim lies outside the outline along each normal: 0 where it is the outline, negative
    where the foot shows below it. `rim_growth` is how much the camera enlarges figures at the rim's height.
    """

    points_mm: Floats
    normals: Floats
    rim_mm: Floats
    rim_growth: float


def outline_of(
    at_mm: Point, *, radius_mm: float, profile: RimProfile, ground_mm: float, camera_mm: Floats, count: int
) -> Outline:
    """The outline of the base centred at `at_mm`, sampled in `count` directions. `camera_mm`: (3,) table frame."""
    angle = np.arange(count) * (2 * np.pi / count)
    normals = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    foot = np.asarray(at_mm, np.float64)
    grown = _cast(profile.top_mm, camera_height_mm=float(camera_mm[2]) - ground_mm)
    rim = camera_mm[:2] + (foot - camera_mm[:2]) * grown
    rim_radius_mm = (radius_mm - profile.inset_mm) * grown
    beyond = normals @ (rim - foot) + rim_radius_mm - radius_mm
    is_foot = beyond < 0
    centres = np.where(is_foot[:, None], foot, rim)
    radii = np.where(is_foot, radius_mm, rim_radius_mm)
    return Outline(centres + normals * radii[:, None], normals, np.minimum(beyond, 0.0), grown)


def _cast(top_mm: float, *, camera_height_mm: float) -> float:
    """How much a figure at height `top_mm` grows when the camera casts it on the ground."""
    return camera_height_mm / (camera_height_mm - top_mm)
