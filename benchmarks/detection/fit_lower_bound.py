"""Fully visible rims on clean synthetic edges, placed by the fit, beside the least error that any method can have.

A disc of contrast C, blurred by s px, under pixel noise n, can be centred to (n / C) * sqrt(2 s / (sqrt(pi) R)) px per
axis. Each disc is drawn from its distance to the centre, not by the outline that the fit predicts.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats
from models.base import RoundBase
from models.camera import Camera, CameraPose
from vision.measurement.base_fit import fit_base
from vision.measurement.silhouette import PROFILES
from vision.rectification.ground_height import Ground

MAT, RIM, BASING = 170.0, 60.0, 140.0
HIGH_MM, FOCAL_PX = 1500.0, 2250.0
SIDE_PX = 160


@dataclass(frozen=True)
class FitError:
    """Per axis, in px: how far the fit is off (RMS), and the bound."""

    ours_px: float
    bound_px: float


def measure_clean_discs(*, diameter_mm: float, noise: float, blur_px: float, count: int = 60) -> FitError:
    """The same discs every time, each elsewhere between the pixels."""
    off_px = [off for seed in range(count) for off in _off_px(seed, diameter_mm, noise, blur_px)]
    radius_px = diameter_mm / 2 * FOCAL_PX / HIGH_MM
    bound_px = noise / (MAT - RIM) * math.sqrt(2 * blur_px / (math.sqrt(math.pi) * radius_px))
    return FitError(float(np.sqrt(np.mean(np.square(off_px)))), bound_px)


def _off_px(seed: int, diameter_mm: float, noise: float, blur_px: float) -> Iterator[float]:
    random = np.random.default_rng([seed, round(diameter_mm)])
    at_mm = random.uniform(-1, 1, 2)
    picture = _draw_disc(at_mm, diameter_mm, blur_px) + random.normal(
        0, noise, (SIDE_PX, SIDE_PX, 1)
    )  # one for all colours
    levels = np.asarray(np.clip(np.rint(picture), 0, 255), np.uint8)  # as a camera gives them
    fit = fit_base(
        levels, start_mm=(0.0, 0.0), base=RoundBase(diameter_mm=diameter_mm),
        ground=Ground(0.0, 0.0), camera=_camera(), pose=_pose_above(),
    )  # fmt: skip
    if fit is not None:
        yield from (np.subtract(fit.at_mm, at_mm) * FOCAL_PX / HIGH_MM).tolist()


def _draw_disc(at_mm: Floats, diameter_mm: float, blur_px: float) -> Floats:
    """A lipped base straight below the camera, four rays a pixel each way."""
    make, finer = PROFILES[0], 4
    middle = (SIDE_PX - 1) / 2
    across = (np.arange(SIDE_PX * finer) + 0.5) / finer - 0.5 - middle
    x, y = np.meshgrid(across, -across)
    picture = np.full(x.shape, MAT)
    lip_mm = make.inset_mm + 2.2
    for z_mm, radius_mm, colour in (
        (0.0, diameter_mm / 2, RIM), (make.top_mm, diameter_mm / 2 - make.inset_mm, RIM),
        (make.top_mm, diameter_mm / 2 - lip_mm, BASING),
    ):  # fmt: skip
        scale = FOCAL_PX / (HIGH_MM - z_mm)
        away_px = radius_mm * scale - np.hypot(x - at_mm[0] * scale, y - at_mm[1] * scale)
        picture += np.clip(away_px * finer + 0.5, 0.0, 1.0) * (colour - picture)  # part of both at the edge
    small = cv2.resize(picture, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
    return np.repeat(cv2.GaussianBlur(small, (0, 0), blur_px)[..., None], 3, axis=2).astype(np.float64)


def _camera() -> Camera:
    middle = (SIDE_PX - 1) / 2
    return Camera(
        image_size=(SIDE_PX, SIDE_PX), model="brown", K=((FOCAL_PX, 0, middle), (0, FOCAL_PX, middle), (0, 0, 1)),
        dist=(0,) * 5, covariance=np.zeros((9, 9)).tolist(), rms_px=0.0,
    )  # fmt: skip


def _pose_above() -> CameraPose:
    rotation = np.diag([1.0, -1.0, -1.0])
    return CameraPose(
        rotation=rotation.tolist(), translation_mm=(0.0, 0.0, HIGH_MM), covariance=np.zeros((6, 6)).tolist(),
        rms_px=0.0, rms_mm=0.0, markers=(), centre_mm=(0.0, 0.0, HIGH_MM),
    )  # fmt: skip
