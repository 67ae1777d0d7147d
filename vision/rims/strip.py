"""The rim of a round base unrolled: the colours of its upper face by the angle at which they lie round its centre.

The outline of a base is not that: seen slantwise it is the foot's on one side and the upper rim's on the other, and
where it turns from one to the other the angle jumps. Marks are painted on the upper face, and every view shows it.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import project
from models.camera import Camera, CameraPose
from vision.fit import RimFit

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

STEP_MM = 0.4  # along the rim
_LEAST, _MOST = 180, 900  # samples round a rim
_WIDEST_LIP_MM = 2.0
# Where colours are read: shares of the lip's width from its outer edge, mm inward from the basing's edge, over which
# marks may reach a little, and mm outward from the outline.
_ON_LIP, _INSIDE_MM, _OUTSIDE_MM = (0.15, 0.35, 0.55, 0.8), (0.5, 1.0, 1.6, 2.2, 2.8), (0.9, 1.5, 2.1)
_RINGS = (slice(0, 2), slice(2, 4), slice(4, 6), slice(6, 9), slice(9, 12))  # which of these are one ring


@dataclass(frozen=True)
class RimStrip:
    """Grey levels round a base (N, 5, 3), anticlockwise from +x: of the outer and the inner half of its rim, of the
    basing's border and what is further in, and of the ground outside."""

    rings: Floats
    radius_mm: float
    lip_mm: float

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


def unrolled(image: Picture, fit: RimFit, *, camera: Camera, pose: CameraPose) -> RimStrip:
    """The rim that was fitted, and the basing and the ground beside it."""
    radius_mm, top_mm = fit.size_mm / 2, fit.profile.top_mm
    edge_mm, lip_mm = radius_mm - fit.profile.inset_mm, min(fit.lip_mm, _WIDEST_LIP_MM)
    count = int(np.clip(2 * math.pi * edge_mm / STEP_MM, _LEAST, _MOST))
    angle = np.arange(count) * (2 * math.pi / count)
    spokes = np.column_stack([np.cos(angle), np.sin(angle)])
    on_lip = [np.full(count, edge_mm - share * lip_mm) for share in _ON_LIP]
    inside = [np.full(count, edge_mm - fit.lip_mm - aside) for aside in _INSIDE_MM]
    beyond = radius_mm + np.maximum(_cast_mm(fit, spokes, pose) - fit.profile.inset_mm, 0.0)
    outside = [beyond + aside for aside in _OUTSIDE_MM]
    radii = np.stack([*on_lip, *inside, *outside], axis=1)
    heights = np.repeat([top_mm, top_mm, 0.0], [len(on_lip), len(inside), len(outside)])
    seen = _read(image, fit, spokes, radii, heights, camera=camera, pose=pose)
    rings = np.stack([seen[:, ring].mean(axis=1) for ring in _RINGS], axis=1)
    return RimStrip(rings.astype(np.float64), radius_mm, fit.lip_mm)


def _cast_mm(fit: RimFit, spokes: Floats, pose: CameraPose) -> Floats:
    """How far outward along each spoke the camera casts the upper rim on the ground."""
    away = np.subtract(fit.at_mm, pose.centre_mm[:2]) / (pose.centre_mm[2] - fit.ground.surface_mm)
    return np.asarray(spokes @ away * fit.profile.top_mm)


def _read(
    image: Picture, fit: RimFit, spokes: Floats, radii: Floats, heights: Floats, *, camera: Camera, pose: CameraPose
) -> NDArray[np.float32]:
    """The picture's colours at these distances from the centre, (N, M, 3)."""
    places = np.asarray(fit.at_mm) + spokes[:, None, :] * radii[..., None]
    z_mm = np.broadcast_to(fit.ground.surface_mm + heights, radii.shape)
    at_px = project(np.dstack([places, z_mm]).reshape(-1, 3), camera=camera, pose=pose)
    maps = np.nan_to_num(at_px, nan=-1e4).astype(np.float32).reshape(*radii.shape, 2)
    colours = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return colours.astype(np.float32)
