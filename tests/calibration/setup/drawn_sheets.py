"""Drawn sheets: a photograph of two sheets of blank paper on a table, cut and laid as people's are."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.camera_model import projection
from models.camera import Camera, CameraPose

A4, LETTER = (297.0, 210.0), (279.4, 215.9)
_FINER = 4


@dataclass(frozen=True)
class LaidSheets:
    """Each sheet's corners (2, 4, 3) mm on the table, from the one at the table's corner on."""

    corners_mm: Floats


def lay_sheets(
    table_mm: tuple[float, float], *, paper: tuple[float, float] = A4, seed: int = 0, is_upright: bool = False
) -> LaidSheets:
    """One at the near left corner, one at the far right."""
    r = np.random.default_rng(seed)
    cut = r.normal(0, 0.3, 2)
    found = []
    for k in range(2):
        long, short = np.array(paper) + cut + r.normal(0, 0.1, 2)
        wide, deep = (short, long) if is_upright else (long, short)
        turn = np.pi * k + r.normal(0, np.radians(1.0))
        corner = k * np.array(table_mm) + r.normal(0, 2.0, 2)
        c, s = np.cos(turn), np.sin(turn)
        flat = np.array([[0, 0], [wide, 0], [wide, deep], [0, deep]]) @ np.array([[c, s], [-s, c]]) + corner
        found.append(np.column_stack([flat, np.zeros(4)]))
    return LaidSheets(np.array(found))


def draw_sheets(
    laid: LaidSheets, camera: Camera, pose: CameraPose, *, mat: float = 0.12, paper: float = 0.8, seed: int = 0
) -> Image:
    """The sheets on a mat of this reflectance, through the lens, blurred, with a tone curve, texture and noise."""
    width, height = camera.image_size
    light = np.full((height * _FINER, width * _FINER), mat, np.float32)
    share = np.linspace(0, 1, 100)[:, None]
    for corners in laid.corners_mm:
        rim = np.concatenate([corners[i] + share * (corners[(i + 1) % 4] - corners[i]) for i in range(4)])
        seen = (projection.project(rim, camera=camera, pose=pose) + 0.5) * _FINER - 0.5
        cv2.fillPoly(light, [np.round(seen * 256).astype(np.int32)], paper, shift=8)
    soft = cv2.GaussianBlur(light, (0, 0), 0.7 * _FINER)
    small = cv2.resize(soft, (width, height), interpolation=cv2.INTER_AREA)
    draw = np.random.default_rng(seed)
    texture = cv2.GaussianBlur(draw.normal(0, 0.1, small.shape), (0, 0), 3)
    shown = 255 * np.clip(small + texture * small, 0, 1) ** (1 / 2.2) + draw.normal(0, 1, small.shape)
    return np.clip(np.round(shown), 0, 255).astype(np.uint8)


def taps_on(laid: LaidSheets, camera: Camera, pose: CameraPose, *, seed: int = 0, tap_px: float = 3.0) -> Floats:
    """Four taps (4, 2) px: of each sheet the corner at the table's corner, then the opposite one."""
    places = laid.corners_mm[:, [0, 2]].reshape(-1, 3)
    return projection.project(places, camera=camera, pose=pose) + np.random.default_rng(seed).normal(0, tap_px, (4, 2))
