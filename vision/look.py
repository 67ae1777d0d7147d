"""How a miniature looks from above, whichever way it is turned and wherever it stands: which colours it shows."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import project
from models.camera import Camera, CameraPose
from vision.fit import RimFit
from vision.tone import perceived

_DEEPEST = 45.0  # grey levels, on the scale of `perceived`, by which a shadow darkens all colours about alike
_SHADED = 0.2

Look = NDArray[np.float64]

_INSIDE = (0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.88)  # of the radius: sculpt and basing
_RIM = (0.9, 0.94, 0.98)
_SPOKES = 48
_SHARES = (8, 20, 35, 50, 65, 80, 92)  # percentiles: where on the base a colour shows depends on where it stands


def look_of(
    image: NDArray[np.uint8],
    fit: RimFit,
    *,
    camera: Camera,
    pose: CameraPose,
    light: NDArray[np.float32] | None = None,
) -> Look:
    """(42,) grey levels: of sculpt and basing, and of the rim, seven percentiles of each colour.

    `light` (3,) says how much brighter it is there than in the light in which looks are compared.
    """
    angle = np.arange(_SPOKES) * (2 * np.pi / _SPOKES)
    radii = np.array(_INSIDE + _RIM)[:, None] * fit.small_mm
    x, y = fit.at_mm[0] + radii * np.cos(angle), fit.at_mm[1] + radii * np.sin(angle)
    height = np.full(x.size, fit.ground.surface_mm + fit.profile.top_mm)
    at_px = project(np.column_stack([x.ravel(), y.ravel(), height]), camera=camera, pose=pose)
    maps = at_px.reshape(len(radii), _SPOKES, 2).astype(np.float32)
    gains = np.ones(3, np.float32) if light is None else light
    seen = np.asarray(cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR), np.float32)
    colours = perceived(seen / gains)
    parts = (colours[: len(_INSIDE)], colours[len(_INSIDE) :])
    levels = [np.percentile(part.reshape(-1, 3), _SHARES, axis=0).ravel() for part in parts]
    return np.concatenate(levels).astype(np.float64)


def unlike(a: Look, b: Look) -> float:
    """How different two miniatures look, in grey levels; to stand in a shadow is a small difference."""
    off = a - b
    shade = float(np.clip(np.median(off), -_DEEPEST, _DEEPEST))
    return float(min(np.mean(np.abs(off)), np.mean(np.abs(off - shade)) + _SHADED * abs(shade)))
