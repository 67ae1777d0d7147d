"""Covariance of a measured base: its own errors, and the error modes that it shares with all others."""

import numpy as np

from calibration.arrays import Floats
from calibration.camera_model.projection import pose_jacobian, project_jacobian
from models.base import RectBase
from models.camera import Camera, CameraPose
from models.state import CommonMode
from vision.measurement.base_fit import BaseFit

# What a plain rim fit leaves beside what its scatter tells: sculpts, paint and texture move single bases, and the light
# moves all bases of a picture alike (shadow side against lit side). Chosen so that the 95 % ellipse holds 93 to 97 % of
# the round bases on drawn tables (`python -m benchmarks.detection.synthetic_tables`).
OWN_SIGMA_MM = 0.05
# The fit of a whole block doubts paint and light itself (`python -m benchmarks.detection.ranked_units`).
RANKED_SIGMA_MM = 0.03
LIGHT_SIGMA_MM = 0.06
RIM_HEIGHT_SIGMA_MM = 0.15  # beside what the fit itself leaves open


def independent_covariance(fit: BaseFit, *, pose: CameraPose) -> Floats:
    """Covariance of this base alone, (2, 2) mm², its ground's height included."""
    slant = (np.array(fit.at_mm) - np.array(pose.centre_mm[:2])) / (pose.centre_mm[2] - fit.ground.surface_mm)
    height_variance = fit.ground.sigma_mm**2 + RIM_HEIGHT_SIGMA_MM**2
    beside_mm = RANKED_SIGMA_MM if isinstance(fit.base, RectBase) else OWN_SIGMA_MM
    return np.asarray(fit.covariance_mm2 + np.eye(2) * beside_mm**2 + np.outer(slant, slant) * height_variance)


def common_modes(fits: dict[str, BaseFit], *, camera: Camera, pose: CameraPose) -> tuple[CommonMode, ...]:
    """Common error modes: two of the light, and those of the camera's pose; unit-normal, mm per sigma."""
    light = tuple(
        CommonMode(name=f"light-{axis}", shift_mm=dict.fromkeys(fits, shift))
        for axis, shift in (("x", (LIGHT_SIGMA_MM, 0.0)), ("y", (0.0, LIGHT_SIGMA_MM)))
    )
    if not fits:
        return light
    shifts = _pose_shifts(list(fits.values()), camera=camera, pose=pose)
    return light + tuple(
        CommonMode(
            name=f"pose-{k + 1}", shift_mm={id_: (float(x), float(y)) for id_, (x, y) in zip(fits, mode, strict=True)}
        )
        for k, mode in enumerate(np.moveaxis(shifts, 2, 0))
    )


def common_covariance(id_: str, modes: tuple[CommonMode, ...]) -> Floats:
    """Covariance of the common modes at one base, (2, 2) mm²."""
    shifts = np.array([mode.shift_mm[id_] for mode in modes])
    return np.asarray(shifts.T @ shifts)


def _pose_shifts(fits: list[BaseFit], *, camera: Camera, pose: CameraPose) -> Floats:
    """(N, 2, 6) mm: how one sigma of each mode of the pose's covariance moves each base."""
    points = np.array([[*fit.at_mm, fit.ground.surface_mm] for fit in fits])
    by_pose = pose_jacobian(points, camera=camera, pose=pose)
    by_place = project_jacobian(points, camera=camera, pose=pose)
    values, vectors = np.linalg.eigh(np.array(pose.covariance))
    modes = vectors * np.sqrt(np.maximum(values, 0.0))
    return np.asarray(-np.linalg.solve(by_place, by_pose @ modes))
