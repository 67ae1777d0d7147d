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

_STEP_MM = 0.4  # along the rim
_LEAST, _MOST = 180, 900  # samples round a rim
_ON_LIP = (0.15, 0.3, 0.45, 0.6)  # of the lip's width, from its outer edge: where its colour is read
_WIDEST_LIP_MM = 2.0
_INSIDE_MM = (1.6, 2.2, 2.8)  # from the basing's edge, over which marks may reach a little
_OUTSIDE_MM = (0.9, 1.5, 2.1)  # from the outline: where the ground is read


@dataclass(frozen=True)
class RimStrip:
    """Colours of a rim, of the basing inside it and the ground outside, anticlockwise from +x: (N, 3) grey levels."""

    colours: Floats
    inside: Floats
    outside: Floats
    radius_mm: float

    @property
    def count(self) -> int:
        return len(self.colours)

    @property
    def step_mm(self) -> float:
        return 2 * math.pi * self.radius_mm / self.count

    @property
    def step_rad(self) -> float:
        return 2 * math.pi / self.count


def unrolled(image: Picture, fit: RimFit, *, camera: Camera, pose: CameraPose) -> RimStrip:
    """The rim that was fitted, and the basing and the ground beside it."""
    radius_mm, top_mm = fit.size_mm / 2, fit.profile.top_mm
    edge_mm, lip_mm = radius_mm - fit.profile.inset_mm, min(fit.lip_mm, _WIDEST_LIP_MM)
    count = int(np.clip(2 * math.pi * edge_mm / _STEP_MM, _LEAST, _MOST))
    angle = np.arange(count) * (2 * math.pi / count)
    spokes = np.column_stack([np.cos(angle), np.sin(angle)])
    lip = [np.full(count, edge_mm - share * lip_mm) for share in _ON_LIP]
    inside = [np.full(count, edge_mm - fit.lip_mm - aside) for aside in _INSIDE_MM]
    beyond = radius_mm + np.maximum(_cast_mm(fit, spokes, pose) - fit.profile.inset_mm, 0.0)
    outside = [beyond + aside for aside in _OUTSIDE_MM]
    radii = np.stack([*lip, *inside, *outside], axis=1)
    heights = np.repeat([top_mm, top_mm, 0.0], [len(lip), len(inside), len(outside)])
    seen = _read(image, fit, spokes, radii, heights, camera=camera, pose=pose)
    parts = np.split(seen, [len(lip), len(lip) + len(inside)], axis=1)
    rim, basing, ground = (np.asarray(part.mean(axis=1), np.float64) for part in parts)
    return RimStrip(rim, basing, ground, radius_mm)


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
