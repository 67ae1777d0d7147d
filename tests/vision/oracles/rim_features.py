"""Rim features: what tells a base from what a circle happens to fit."""

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Mask
from vision.measurement.base_fit import RimFeatures
from vision.measurement.edge_profiles import INWARD_MM, OFFSETS_MM, EdgeProfiles, colour_norms
from vision.measurement.fit_settings import (
    AROUND_OUT_MM,
    AROUND_TO_MM,
    BUSY_IN_MM,
    BUSY_SHARE,
    FAINT,
    GRAIN_IN_MM,
    NEAR_MM,
    SHADE_COLUMNS,
    SHADE_MM,
)


def extract_rim_features(edges: EdgeProfiles, confidence: Floats, *, outer_mm: Floats, inner_mm: Floats) -> RimFeatures:
    """Features of a rim whose edges lie at these offsets along the normals; `confidence` is that in each step."""
    both = np.minimum(_max_confidence_near(confidence, outer_mm), _max_confidence_near(confidence, inner_mm))
    along, across = (
        _contrast_along_rim(edges),
        colour_norms(edges.colours - _box_blur(edges.colours, (SHADE_COLUMNS, 1))),
    )
    return RimFeatures(
        both=float(np.quantile(both, FAINT)),
        busy=_quantile(along[_inside_mask(inner_mm - BUSY_IN_MM)], BUSY_SHARE),
        grain=_quantile(across[_inside_mask(inner_mm - GRAIN_IN_MM)], 0.5),
        around=_quantile(across[_band_mask(outer_mm + AROUND_OUT_MM, np.full(len(outer_mm), AROUND_TO_MM))], 0.5),
    )


def _max_confidence_near(confidence: Floats, at_mm: Floats) -> Floats:
    """The best belief near these offsets, one for each normal."""
    near = np.abs(OFFSETS_MM[None, :] - at_mm[:, None]) <= NEAR_MM + 1e-9
    return np.asarray(np.where(near, confidence, 0.0).max(axis=1))


def _contrast_along_rim(edges: EdgeProfiles) -> Floats32:
    """How far each colour is from its mean over some way along the rim."""
    spacing_mm = float(np.linalg.norm(edges.silhouette.points_mm[1] - edges.silhouette.points_mm[0])) or 1.0
    wide = max(3, round(SHADE_MM / spacing_mm) | 1)
    closed = np.concatenate([edges.colours[-wide:], edges.colours, edges.colours[:wide]])
    return colour_norms((closed - _box_blur(closed, (1, wide)))[wide:-wide])


def _box_blur(colours: Floats32, size: tuple[int, int]) -> Floats32:
    return np.asarray(cv2.blur(colours, size), np.float32)


def _inside_mask(to_mm: Floats) -> Mask:
    return _band_mask(np.full(len(to_mm), -INWARD_MM), to_mm)


def _band_mask(from_mm: Floats, to_mm: Floats) -> Mask:
    """Which samples lie between two offsets, one of each for every normal."""
    return np.asarray((from_mm[:, None] - 1e-9 <= OFFSETS_MM) & (to_mm[:, None] + 1e-9 >= OFFSETS_MM))


def _quantile(values: Floats32, share: float) -> float:
    return float(np.quantile(values, share)) if len(values) else 0.0
