"""Polar unwrapping: the colours of the upper face of a rim by their angle round the centre of the base.

The silhouette is not that: seen slantwise it is the foot's on one side and the upper rim's on the other, and between
them the angle jumps. Marks are painted on the upper face, and every view shows it.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from calibration.camera_model.projection import project
from models.camera import Camera, CameraPose
from vision.measurement.base_fit import BaseFit

STEP_MM = 0.4  # along the rim
_LEAST, _MOST = 180, 900  # samples round a rim
_WIDEST_LIP_MM = 2.0
# Where colours are read: shares of the lip's width from its outer edge, mm inward from the basing's edge, over which
# marks may reach a little, and mm outward from the outline.
_ON_LIP, _INSIDE_MM, _OUTSIDE_MM = (0.15, 0.35, 0.55, 0.8), (0.5, 1.0, 1.6, 2.2, 2.8), (0.9, 1.5, 2.1)
_RINGS = (slice(0, 2), slice(2, 4), slice(4, 6), slice(6, 9), slice(9, 12))  # which of these are one ring


@dataclass(frozen=True)
class UnwrappedRim:
    """Grey levels round a base (N, 5, 3), anticlockwise from +x: the outer and the inner half of its rim, the basing's
    border and what is further in, and the ground outside."""

    rings: Floats
    radius_mm: float
    rim_width_mm: float

    @property
    def count(self) -> int:
        return len(self.rings)

    @property
    def step_mm(self) -> float:
        return 2 * math.pi * self.radius_mm / self.count

    @property
    def step_rad(self) -> float:
        return 2 * math.pi / self.count

    def index(self, deg: float) -> int:
        """How many places an angle is."""
        return round(deg / 360 * self.count)


def unwrap_rim(image: Image, fit: BaseFit, *, camera: Camera, pose: CameraPose) -> UnwrappedRim:
    """Polar unwrap of a fitted rim, with the basing and the ground beside it."""
    radius_mm, top_mm = fit.size_mm / 2, fit.profile.top_mm
    edge_mm, lip_mm = radius_mm - fit.profile.inset_mm, min(fit.rim_width_mm, _WIDEST_LIP_MM)
    count = int(np.clip(2 * math.pi * edge_mm / STEP_MM, _LEAST, _MOST))
    angle = np.arange(count) * (2 * math.pi / count)
    spokes = np.column_stack([np.cos(angle), np.sin(angle)])
    on_lip = [np.full(count, edge_mm - share * lip_mm) for share in _ON_LIP]
    inside = [np.full(count, edge_mm - fit.rim_width_mm - aside) for aside in _INSIDE_MM]
    beyond = radius_mm + np.maximum(_cast_mm(fit, spokes, pose) - fit.profile.inset_mm, 0.0)
    outside = [beyond + aside for aside in _OUTSIDE_MM]
    radii = np.stack([*on_lip, *inside, *outside], axis=1)
    heights = np.repeat([top_mm, top_mm, 0.0], [len(on_lip), len(inside), len(outside)])
    seen = _sample_colours(image, fit, spokes, radii, heights, camera=camera, pose=pose)
    rings = np.stack([seen[:, ring].mean(axis=1) for ring in _RINGS], axis=1)
    return UnwrappedRim(rings.astype(np.float64), radius_mm, fit.rim_width_mm)


def _cast_mm(fit: BaseFit, spokes: Floats, pose: CameraPose) -> Floats:
    """How far outward along each spoke the camera casts the upper rim on the ground."""
    away = np.subtract(fit.at_mm, pose.centre_mm[:2]) / (pose.centre_mm[2] - fit.ground.surface_mm)
    return np.asarray(spokes @ away * fit.profile.top_mm)


def _sample_colours(
    image: Image, fit: BaseFit, spokes: Floats, radii: Floats, heights: Floats, *, camera: Camera, pose: CameraPose
) -> Floats32:
    """The picture's colours at these distances from the centre, (N, M, 3)."""
    places = np.asarray(fit.at_mm) + spokes[:, None, :] * radii[..., None]
    z_mm = np.broadcast_to(fit.ground.surface_mm + heights, radii.shape)
    at_px = project(np.dstack([places, z_mm]).reshape(-1, 3), camera=camera, pose=pose)
    maps = np.nan_to_num(at_px, nan=-1e4).astype(np.float32).reshape(*radii.shape, 2)
    colours = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return colours.astype(np.float32)
