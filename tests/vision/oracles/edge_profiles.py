"""What is read off edge profiles: confidence in steps, the inner edge, strengths shifted and smoothed."""

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Indices, Mask
from vision.measurement.edge_profiles import INWARD_MM, OFFSETS_MM, STEP_MM, EdgeProfiles
from vision.measurement.fit_settings import HALF_CONFIDENCE, SIDE_PX


def smooth_across(edges: EdgeProfiles, sigma_mm: float) -> Floats32:
    """The strengths, smoothed across the silhouette."""
    soft = cv2.GaussianBlur(edges.strength, (0, 0), sigmaX=sigma_mm / STEP_MM, sigmaY=1e-3)
    return np.asarray(soft, np.float32)


def shift_outward(edges: EdgeProfiles, by_mm: Floats) -> Floats:
    """For every column the strength so far outward of it, (N, columns), a distance for each normal."""
    steps = np.rint(by_mm / STEP_MM).astype(np.intp)
    columns = (np.arange(len(OFFSETS_MM)) + steps[:, None]).clip(0, len(OFFSETS_MM) - 1)
    columns += np.arange(len(steps))[:, None] * len(OFFSETS_MM)
    return np.asarray(edges.strength.take(columns))


def column_of(offsets_mm: Floats) -> Indices:
    """The columns of `EdgeProfiles.strength` that hold these offsets, or the outermost ones."""
    return np.rint((offsets_mm + INWARD_MM) / STEP_MM).astype(np.intp).clip(0, len(OFFSETS_MM) - 1)


def outline_jacobian(edges: EdgeProfiles, centre: Floats) -> Floats:
    """Jacobian of the outline: how far each point moves outward for a millimetre of x and of y, and a radian of
    turn."""
    arm, normals = edges.silhouette.points_mm - centre, edges.silhouette.normals
    return np.column_stack([normals, arm[:, 0] * normals[:, 1] - arm[:, 1] * normals[:, 0]])


def edge_confidence(strength: Floats | Floats32) -> Floats:
    """Confidence in a step of this strength, 0 to 1."""
    return np.asarray(strength / (strength + HALF_CONFIDENCE))


def has_visible_side(edges: EdgeProfiles) -> Mask:
    """On which normals the foot shows so far below the rim that either edge may be seen by itself."""
    return np.asarray(edges.silhouette.rim_mm < -SIDE_PX * edges.mm_per_px)


def inner_edge_mm(edges: EdgeProfiles, rim_width_mm: float) -> Floats:
    """Offset of the rim's inner edge along each normal, from the silhouette."""
    return np.asarray(edges.silhouette.rim_mm - rim_width_mm * edges.silhouette.rim_growth)
