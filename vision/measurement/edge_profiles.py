"""Edge profiles: the picture sampled across a silhouette, and the strength of the colour steps along each normal."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats32, Image
from calibration.camera_model.projection import project, project_jacobian
from models.camera import Camera, CameraPose
from vision.measurement.silhouette import Silhouette
from vision.rectification.tone_curve import tone_mapped

STEP_MM = 0.1
INWARD_MM, OUTWARD_MM = 7.0, 5.0
OFFSETS_MM = np.arange(-INWARD_MM, OUTWARD_MM + STEP_MM / 2, STEP_MM)
SMOOTH_ALONG_MM = 1.5
BLUR_PX = 0.6


@dataclass(frozen=True)
class EdgeProfiles:
    """Strength of the colour steps across a silhouette: rows are normals, columns `OFFSETS_MM` outward.

    In grey levels per pixel of the camera, so that a coarser camera shows the same strengths.
    """

    strength: Floats32
    silhouette: Silhouette
    mm_per_px: float
    colours: Floats32  # (rows, columns, 3), as the eye takes them, averaged a little along the rim


def measure_edge_profiles(
    image: Image, outline: Silhouette, *, ground_mm: float, camera: Camera, pose: CameraPose
) -> EdgeProfiles:
    """Gradient magnitude of the picture along every normal of the silhouette."""
    colours, mm_per_px = sample_colours_across(image, outline, ground_mm=ground_mm, camera=camera, pose=pose)
    spacing_mm = float(np.linalg.norm(outline.points_mm[1] - outline.points_mm[0])) or 1.0
    along = _smooth_along_rim(tone_mapped(colours), spacing_mm)
    blur = cv2.GaussianBlur(along, (0, 0), sigmaX=BLUR_PX * mm_per_px / STEP_MM, sigmaY=1e-3)
    slope = np.gradient(blur, STEP_MM, axis=1)
    return EdgeProfiles(colour_norms(slope) * np.float32(mm_per_px), outline, mm_per_px, along)


def sample_colours_across(
    image: Image, outline: Silhouette, *, ground_mm: float, camera: Camera, pose: CameraPose
) -> tuple[Image, float]:
    """Colours (N, len(OFFSETS_MM), 3) along the silhouette's normals, and the millimetres of a pixel there."""
    points = np.column_stack([outline.points_mm, np.full(len(outline.points_mm), ground_mm)])
    at_px = project(points, camera=camera, pose=pose)
    along_px = np.einsum("nij,nj->ni", project_jacobian(points, camera=camera, pose=pose), outline.normals)
    start_px, step_px = np.nan_to_num(at_px, nan=-1e4), np.nan_to_num(along_px, nan=0.0)
    x, y = ((start_px[:, axis, None] + OFFSETS_MM * step_px[:, axis, None]).astype(np.float32) for axis in (0, 1))
    colours = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(colours, np.uint8), float(1 / np.nanmean(np.linalg.norm(along_px, axis=1)))


def colour_norms(colours: Floats32) -> Floats32:
    """Euclidean norm of each colour, (rows, columns) of (rows, columns, 3)."""
    blue, green, red = colours[..., 0], colours[..., 1], colours[..., 2]
    return np.asarray(np.sqrt(blue * blue + green * green + red * red), np.float32)


def _smooth_along_rim(colours: Floats32, spacing_mm: float) -> Floats32:
    """Averaged along the rim: texture goes, the rim stays. The outline is closed, so the ends are joined."""
    sigma = SMOOTH_ALONG_MM / 2 / spacing_mm
    pad = int(np.ceil(3 * sigma)) + 1
    closed = np.concatenate([colours[-pad:], colours, colours[:pad]])
    smooth = cv2.GaussianBlur(closed, (0, 0), sigmaX=1e-3, sigmaY=max(sigma, 1e-3))
    return np.asarray(smooth[pad:-pad], np.float32)
