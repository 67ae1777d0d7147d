"""The picture read across an outline: colour steps along each normal."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import project, project_jacobian
from models.camera import Camera, CameraPose
from vision.outline import Outline
from vision.tone import perceived

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

STEP_MM = 0.1
INWARD_MM, OUTWARD_MM = 7.0, 5.0
OFFSETS_MM = np.arange(-INWARD_MM, OUTWARD_MM + STEP_MM / 2, STEP_MM)
SMOOTH_ALONG_MM = 1.5
BLUR_PX = 0.6


@dataclass(frozen=True)
class Edges:
    """Strength of the colour steps across an outline: rows are normals, columns `OFFSETS_MM` outward.

    In grey levels per pixel of the camera, so that a coarser camera shows the same strengths.
    """

    strength: NDArray[np.float32]
    outline: Outline
    mm_per_px: float
    colours: NDArray[np.float32]  # (rows, columns, 3), as the eye takes them, averaged a little along the rim

    def softened(self, sigma_mm: float) -> NDArray[np.float32]:
        """`strength`, smoothed across the outline."""
        soft = cv2.GaussianBlur(self.strength, (0, 0), sigmaX=sigma_mm / STEP_MM, sigmaY=1e-3)
        return np.asarray(soft, np.float32)

    def moved(self, by_mm: Floats) -> Floats:
        """For every column the strength so far outward of it, (N, columns), a distance for each normal."""
        steps = np.rint(by_mm / STEP_MM).astype(np.intp)
        columns = (np.arange(len(OFFSETS_MM)) + steps[:, None]).clip(0, len(OFFSETS_MM) - 1)
        columns += np.arange(len(steps))[:, None] * len(OFFSETS_MM)
        return np.asarray(self.strength.take(columns))


def column_of(offsets_mm: Floats) -> NDArray[np.intp]:
    """The columns of `Edges.strength` that hold these offsets, or the outermost ones."""
    return np.rint((offsets_mm + INWARD_MM) / STEP_MM).astype(np.intp).clip(0, len(OFFSETS_MM) - 1)


def edges_across(image: Picture, outline: Outline, *, ground_mm: float, camera: Camera, pose: CameraPose) -> Edges:
    """How strongly the picture changes along every normal of the outline."""
    colours, mm_per_px = sample_across(image, outline, ground_mm=ground_mm, camera=camera, pose=pose)
    spacing_mm = float(np.linalg.norm(outline.points_mm[1] - outline.points_mm[0])) or 1.0
    along = _smoothed_rows(perceived(colours), spacing_mm)
    blur = cv2.GaussianBlur(along, (0, 0), sigmaX=BLUR_PX * mm_per_px / STEP_MM, sigmaY=1e-3)
    slope = np.gradient(blur, STEP_MM, axis=1)
    return Edges(lengths(slope) * np.float32(mm_per_px), outline, mm_per_px, along)


def sample_across(
    image: Picture, outline: Outline, *, ground_mm: float, camera: Camera, pose: CameraPose
) -> tuple[Picture, float]:
    """Colours (N, len(OFFSETS_MM), 3) along the outline's normals, and the millimetres of a pixel there."""
    points = np.column_stack([outline.points_mm, np.full(len(outline.points_mm), ground_mm)])
    at_px = project(points, camera=camera, pose=pose)
    along_px = np.einsum("nij,nj->ni", project_jacobian(points, camera=camera, pose=pose), outline.normals)
    start_px, step_px = np.nan_to_num(at_px, nan=-1e4), np.nan_to_num(along_px, nan=0.0)
    x, y = ((start_px[:, axis, None] + OFFSETS_MM * step_px[:, axis, None]).astype(np.float32) for axis in (0, 1))
    colours = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(colours, np.uint8), float(1 / np.nanmean(np.linalg.norm(along_px, axis=1)))


def lengths(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """(rows, columns) of (rows, columns, 3): how far each colour is from black."""
    blue, green, red = colours[..., 0], colours[..., 1], colours[..., 2]
    return np.asarray(np.sqrt(blue * blue + green * green + red * red), np.float32)


def _smoothed_rows(colours: NDArray[np.float32], spacing_mm: float) -> NDArray[np.float32]:
    """Averaged along the rim: texture goes, the rim stays. The outline is closed, so the ends are joined."""
    sigma = SMOOTH_ALONG_MM / 2 / spacing_mm
    pad = int(np.ceil(3 * sigma)) + 1
    closed = np.concatenate([colours[-pad:], colours, colours[:pad]])
    smooth = cv2.GaussianBlur(closed, (0, 0), sigmaX=1e-3, sigmaY=max(sigma, 1e-3))
    return np.asarray(smooth[pad:-pad], np.float32)
