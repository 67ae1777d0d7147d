"""How a miniature looks from above, whichever way it is turned: colours by distance from the centre."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import project
from models.camera import Camera, CameraPose
from vision.fit import RimFit
from vision.tone import perceived

Look = NDArray[np.float64]

_RINGS = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
_SPOKES = 36


def look_of(image: NDArray[np.uint8], fit: RimFit, *, camera: Camera, pose: CameraPose) -> Look:
    """(6 rings, 3 colours x (mean, spread)): the same for a miniature that was only turned or moved a little."""
    angle = np.arange(_SPOKES) * (2 * np.pi / _SPOKES)
    radii = np.array(_RINGS)[:, None] * fit.base.radius_mm
    x, y = fit.at_mm[0] + radii * np.cos(angle), fit.at_mm[1] + radii * np.sin(angle)
    height = np.full(x.size, fit.ground.surface_mm + fit.profile.top_mm)
    at_px = project(np.column_stack([x.ravel(), y.ravel(), height]), camera=camera, pose=pose)
    maps = at_px.reshape(len(_RINGS), _SPOKES, 2).astype(np.float32)
    colours = perceived(cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR).astype(np.float32))
    return np.concatenate([colours.mean(axis=1), colours.std(axis=1)], axis=1).astype(np.float64)


def unlike(a: Look, b: Look) -> float:
    """How different two miniatures look, in grey levels."""
    return float(np.sqrt(np.mean((a - b) ** 2)))
