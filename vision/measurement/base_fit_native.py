"""Base fit by the compiled kernel: hands over what `base_fit_numpy` says and reads the result."""

import ctypes
from functools import lru_cache
from typing import Any

import numpy as np

from calibration.arrays import Image
from calibration.camera_model.projection import is_fisheye
from models.base import OvalBase, RoundBase
from models.camera import Camera, CameraPose
from vision.measurement import base_fit_numpy, edge_profiles, rim_features, robust_least_squares
from vision.measurement.base_fit_numpy import FitResult, Start
from vision.measurement.rim_features import RimFeatures
from vision.measurement.silhouette import RimProfile
from vision.native import library
from vision.rectification.tone_curve import LEVELS


def fit_base_native(image: Image, start: Start, *, camera: Camera, pose: CameraPose) -> FitResult | None:
    """Fits the base near the start in C; None if no profile explains its rim. Raises: MemoryError."""
    assert library.KERNEL is not None
    seen, fit, is_round = np.ascontiguousarray(image), library.FitResult(), isinstance(start.base, RoundBase)
    settings = _ROUND if is_round else _OVAL
    library.KERNEL.fit_base(
        _picture(seen),
        _view(camera, pose),
        _start(start),
        _profiles(start.profiles),
        len(start.profiles),
        ctypes.byref(settings),
        ctypes.byref(fit),
    )
    if fit.profile == library.NO_MEMORY:
        raise MemoryError
    return _to_result(fit, start.profiles[fit.profile], is_round=is_round) if fit.profile >= 0 else None


def _search_grid(search: base_fit_numpy.SearchGrid) -> library.SearchGrid:
    return library.SearchGrid(search.reach_mm, search.step_mm, (*search.turns_rad,), len(search.turns_rad))


def _settings(*, is_round: bool) -> library.FitSettings:
    rough, fine = (
        (base_fit_numpy.ROUGH, base_fit_numpy.FINE)
        if is_round
        else (base_fit_numpy.ROUGH_OVAL, base_fit_numpy.FINE_OVAL)
    )
    doubt = (
        (robust_least_squares.DOUBT, robust_least_squares.SCATTER_POWER)
        if is_round
        else (robust_least_squares.OVAL_DOUBT, robust_least_squares.OVAL_SCATTER_POWER)
    )
    return library.FitSettings(
        edge_profiles.OFFSETS_MM.ctypes.data, LEVELS.ctypes.data, len(edge_profiles.OFFSETS_MM),
        edge_profiles.STEP_MM, edge_profiles.SMOOTH_ALONG_MM, edge_profiles.BLUR_PX,
        _search_grid(rough), _search_grid(fine),
        base_fit_numpy.FINER_WIDTHS_MM, len(base_fit_numpy.FINER_WIDTHS_MM), 1 if is_round else 2,
        edge_profiles.HALF_CONFIDENCE, base_fit_numpy.INNER_SHARE, edge_profiles.SIDE_PX, base_fit_numpy.SHADED_PRICE,
        base_fit_numpy.NEARER_PER_MM, base_fit_numpy.LIKENESS, base_fit_numpy.CLOSE_PROFILE,
        robust_least_squares.SOFT_PX, robust_least_squares.MOST_SOFT_MM, robust_least_squares.SOFT_COLUMNS,
        robust_least_squares.AGREE_MM,
        robust_least_squares.WINDOWS_MM, robust_least_squares.NOISE, robust_least_squares.INNER_PRECISION,
        robust_least_squares.PEAK_SIGMA_MM, robust_least_squares.SIGMAS,
        robust_least_squares.USUAL_SCATTER_MM, robust_least_squares.LEAST_SCATTER, *doubt,
        base_fit_numpy.SUPPORT_MM, base_fit_numpy.ON_RIM_MM,
        rim_features.NEAR_MM, rim_features.FAINT, rim_features.SHADE_MM, rim_features.BUSY_SHARE,
        rim_features.BUSY_IN_MM, rim_features.GRAIN_IN_MM,
        rim_features.AROUND_OUT_MM, rim_features.AROUND_TO_MM, rim_features.SHADE_COLUMNS,
    )  # fmt: skip


_ROUND, _OVAL = _settings(is_round=True), _settings(is_round=False)


@lru_cache(64)
def _profiles(profiles: tuple[RimProfile, ...]) -> Any:
    return (library.RimProfile * len(profiles))(*map(_profile, profiles))


def _profile(profile: RimProfile) -> library.RimProfile:
    widths_mm = profile.rim_widths_mm
    return library.RimProfile(profile.top_mm, profile.inset_mm, widths_mm, len(widths_mm))


def _picture(image: Image) -> Any:
    height, width = image.shape[:2]
    return ctypes.byref(library.Picture(image.ctypes.data, width, height, image.strides[0]))


def _view(camera: Camera, pose: CameraPose) -> Any:
    k, (along, aside, ahead) = camera.K, pose.rotation
    view = library.View(
        (*along, *aside, *ahead), pose.translation_mm, pose.centre_mm, (k[0][0], k[1][1]), (k[0][2], k[1][2]),
        camera.dist, len(camera.dist), is_fisheye(camera),
    )  # fmt: skip
    return ctypes.byref(view)


def _start(start: Start) -> Any:
    base = start.base
    depth, width = (base.depth_mm, base.width_mm) if isinstance(base, OvalBase) else (base.diameter_mm,) * 2
    is_round = isinstance(base, RoundBase)
    return ctypes.byref(
        library.Start(
            depth, width, start.at_mm, start.turn_rad, start.ground_mm, start.min_score, is_round, start.points
        )
    )


def _to_result(fit: library.FitResult, profile: RimProfile, *, is_round: bool) -> FitResult:
    xx, xy, yy = fit.covariance_mm2
    return FitResult(
        profile=profile,
        at_mm=(fit.at_mm[0], fit.at_mm[1]),
        turn_rad=fit.turn_rad,
        covariance_mm2=np.array([[xx, xy], [xy, yy]]),
        turn_sigma_rad=0.0 if is_round else float(fit.turn_variance**0.5),
        support=fit.support,
        strength=fit.score,
        bias_mm=fit.bias_mm,
        rim_width_mm=fit.rim_width_mm,
        scatter_mm=fit.scatter_mm,
        features=RimFeatures(both=fit.both, busy=fit.busy, grain=fit.grain, around=fit.around),
    )
