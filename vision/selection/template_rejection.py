"""Template rejection: a disc in the middle of a wider disc belongs to a printed template and is no base."""

import math

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from calibration.view import View
from vision.measurement.base_fit import BaseFit
from vision.rectification.rectify import Window, rectification_maps, rectify

_PX_PER_MM = 1.5
_RAYS = 72
_STEP_MM, _OVER_MM = 0.5, 2.0  # between places on a ray, and over how much of it a step of colour is measured
_BEYOND_MM, _REACH_SHARE = 4.0, 2.4  # of the rim: its own wall and shadow lie nearer; times its radius
_SURFACE_MM = 1.0  # above the ground: about as thick as templates are
_NOISE = 4.0  # grey levels by which steps of colour differ anyway
# The step all round, by how much it differs from ray to ray. The discs of own templates that were taken for bases show
# 1.76 and more; of 482 bases of own tables 99 % less than 0.92, and one, which the network sees, more than this.
_ROUND = 1.4
_SEEN = 0.5  # so sure the network is of a base that stands in the middle of a template


def is_template_disc(image: Image, fit: BaseFit, *, view: View) -> bool:
    """Whether a wider circle runs all round the same centre; not asked where the network sees a base."""
    if fit.network_score is not None and fit.network_score.p_base > _SEEN:
        return False
    return outer_circle_contrast(image, fit, view=view) > _ROUND


def outer_circle_contrast(image: Image, fit: BaseFit, *, view: View) -> float:
    """Contrast of the clearest wider circle round the same centre, against what differs from ray to ray."""
    radius_mm = fit.size_mm / 2
    reach_mm = _REACH_SHARE * radius_mm
    radii = np.arange(radius_mm + _BEYOND_MM - _OVER_MM / 2, reach_mm, _STEP_MM)
    over = round(_OVER_MM / _STEP_MM)
    if len(radii) <= over:
        return 0.0
    rays = _sample_rays(image, fit, radii, reach_mm, view=view)
    steps = rays[:, over:] - rays[:, :-over]
    usual = np.median(steps, axis=0)
    differ = np.median(np.linalg.norm(steps - usual, axis=-1), axis=0)
    return float((np.linalg.norm(usual, axis=-1) / (differ + _NOISE)).max())


def _sample_rays(image: Image, fit: BaseFit, radii_mm: Floats, reach_mm: float, *, view: View) -> Floats32:
    """(rays, radii, 3): the colours so far from the middle."""
    (x, y), half = fit.at_mm, reach_mm + 2 / _PX_PER_MM
    window = Window(x - half, y - half, x + half, y + half, _PX_PER_MM)
    maps = rectification_maps(window, camera=view.camera, pose=view.pose, z_mm=fit.ground.surface_mm + _SURFACE_MM)
    flat = cv2.GaussianBlur(rectify(image, maps).astype(np.float32), (0, 0), 0.8)
    angles = np.arange(_RAYS) * (math.tau / _RAYS)
    at_mm = np.stack([np.outer(np.cos(angles), radii_mm) + x, np.outer(np.sin(angles), radii_mm) + y], axis=-1)
    px = window.to_px(at_mm.reshape(-1, 2)).reshape(*at_mm.shape).astype(np.float32)
    return np.asarray(cv2.remap(flat, px[..., 0], px[..., 1], cv2.INTER_LINEAR), np.float32)
