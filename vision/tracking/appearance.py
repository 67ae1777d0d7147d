"""Appearance descriptor: which colours a miniature shows from above, whichever way it is turned."""

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from calibration.camera_model.projection import project
from models.camera import Camera, CameraPose
from vision.measurement.base_fit import BaseFit
from vision.rectification.tone_curve import tone_mapped

_DEEPEST = 45.0  # grey levels, on the scale of `tone_mapped`, by which a shadow darkens all colours about alike
_SHADED = 0.2

Appearance = Floats

_INSIDE = (0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.88)  # of the radius: sculpt and basing
_RIM = (0.9, 0.94, 0.98)
_SPOKES = 48
_SHARES = (8, 20, 35, 50, 65, 80, 92)  # percentiles: where on the base a colour shows depends on where it stands


def appearance_of(
    image: Image,
    fit: BaseFit,
    *,
    camera: Camera,
    pose: CameraPose,
    light: Floats32 | None = None,
) -> Appearance:
    """Descriptor (42,) in grey levels: of sculpt and basing, and of the rim, seven percentiles of each colour.

    `light` (3,) says how much brighter it is there than in the light in which looks are compared.
    """
    angle = np.arange(_SPOKES) * (2 * np.pi / _SPOKES)
    radii = np.array(_INSIDE + _RIM)[:, None] * fit.inradius_mm
    x, y = fit.at_mm[0] + radii * np.cos(angle), fit.at_mm[1] + radii * np.sin(angle)
    height = np.full(x.size, fit.ground.surface_mm + fit.profile.top_mm)
    at_px = project(np.column_stack([x.ravel(), y.ravel(), height]), camera=camera, pose=pose)
    maps = at_px.reshape(len(radii), _SPOKES, 2).astype(np.float32)
    gains = np.ones(3, np.float32) if light is None else light
    seen = np.asarray(cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR), np.float32)
    colours = tone_mapped(seen / gains)
    parts = (colours[: len(_INSIDE)], colours[len(_INSIDE) :])
    levels = [np.percentile(part.reshape(-1, 3), _SHARES, axis=0).ravel() for part in parts]
    return np.concatenate(levels).astype(np.float64)


def appearance_distance(a: Appearance, b: Appearance) -> float:
    """Distance of two descriptors, in grey levels; to stand in a shadow is a small difference."""
    off = a - b
    shade = float(np.clip(np.median(off), -_DEEPEST, _DEEPEST))
    return float(min(np.mean(np.abs(off)), np.mean(np.abs(off - shade)) + _SHADED * abs(shade)))
