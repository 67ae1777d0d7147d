"""Side profiles: the picture sampled across the sides of every base of a block.

Sides are numbered anticlockwise from the one at which the depth ends: ahead, left, behind, right. Offsets run outward
along a side's normal, in mm on the ground from the line on which the base's foot stands.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from calibration.camera_model.projection import project, project_jacobian
from models.base import RectBase
from models.camera import Camera, CameraPose
from vision.rectification.tone_curve import tone_mapped

STEP_MM = 0.1
OFFSETS_MM = np.arange(-5.0, 4.0 + STEP_MM / 2, STEP_MM)
_CORNER_MM = 2.0  # of a side left out at its ends
_POINT_MM = 0.9
_PART_MM = 4.0  # of a side measured as one


@dataclass(frozen=True)
class RectProfile:
    """Profile of a rectangular base's side: how high its rim is, and how much narrower than its foot."""

    top_mm: float
    inset_mm: float


@dataclass(frozen=True)
class SampledSides:
    """The picture sampled across the sides of N bases, side by side in parts: P parts in a side at most.

    `gradients` (N, 4, P, len(OFFSETS_MM), 3): the change of colour per pixel, outward; `along_mm` (4, P): where along
    its side, anticlockwise, the middle of each part lies, nan where a side has fewer. `slope` (N, 4, P): how far a
    point at the height of a millimetre is seen outward of one on the ground.
    """

    gradients: Floats32
    colours: Floats32
    along_mm: Floats
    slope: Floats
    mm_per_px: float


def half_sides_mm(base: RectBase) -> Floats:
    """Distance from the centre to each side, (4,)."""
    return np.array([base.depth_mm, base.width_mm, base.depth_mm, base.width_mm]) / 2


def symmetry_turns(base: RectBase) -> tuple[int, ...]:
    """Rotational symmetry: the quarter turns, anticlockwise from where its depth runs, by which it looks the same."""
    return (0, 1, 2, 3) if base.width_mm == base.depth_mm else (0, 2)


def normals_of(turns_rad: Floats) -> Floats:
    """Outward normals, (N, 4, 2)."""
    angle = turns_rad[:, None] + np.arange(4) * (np.pi / 2)
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def sample_sides(
    image: Image, base: RectBase, at_mm: Floats, turns_rad: Floats, *, ground_mm: float, camera: Camera,
    pose: CameraPose,
) -> SampledSides:  # fmt: skip
    """Samples the sides of bases of one size at (N, 2) mm, turned by (N,)."""
    along, points = _parts(base)  # (4, P), (4, P, K)
    normals = normals_of(turns_rad)
    tangents = np.stack([-normals[..., 1], normals[..., 0]], axis=-1)
    feet = at_mm[:, None] + normals * half_sides_mm(base)[:, None]  # (N, 4, 2)
    spots = feet[:, :, None, None] + np.nan_to_num(points)[None, ..., None] * tangents[:, :, None, None]
    flat = np.column_stack([spots.reshape(-1, 2), np.full(spots[..., 0].size, ground_mm)])
    at_px = project(flat, camera=camera, pose=pose)
    outward = np.broadcast_to(normals[:, :, None, None], spots.shape).reshape(-1, 2)
    step_px = np.einsum("nij,nj->ni", project_jacobian(flat, camera=camera, pose=pose), outward)
    across, down = (_outward_positions(at_px[:, axis], step_px[:, axis]) for axis in (0, 1))
    seen = cv2.remap(image, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mm_per_px = float(1 / np.nanmean(np.linalg.norm(step_px, axis=1)))
    colours = tone_mapped(np.asarray(seen, np.uint8)).reshape(*spots.shape[:4], len(OFFSETS_MM), 3).mean(axis=3)
    eye = np.array(pose.centre_mm)
    slope = np.einsum("nspx,nsx->nsp", spots.mean(axis=3) - eye[:2], normals) / (eye[2] - ground_mm)
    return SampledSides(_outward_gradients(colours, mm_per_px), colours, along, slope, mm_per_px)


def _outward_positions(at_px: Floats, step_px: Floats) -> Floats32:
    """(N, R): where each is seen at `OFFSETS_MM`, along one axis of the picture; far aside where it is not."""
    at, step = (np.nan_to_num(values, nan=-1e4).astype(np.float32)[:, None] for values in (at_px, step_px))
    return at + OFFSETS_MM.astype(np.float32) * step


def _parts(base: RectBase) -> tuple[Floats, Floats]:
    """Along each side, anticlockwise from its middle: where its parts lie (4, P), and their points (4, P, K)."""
    lengths = [2 * half - 2 * _CORNER_MM for half in half_sides_mm(base)[[1, 0, 3, 2]]]
    counts = [max(2, round(length / _PART_MM)) for length in lengths]
    points = max(2, round(max(length / count for length, count in zip(lengths, counts, strict=True)) / _POINT_MM))
    middle, spread = np.full((4, max(counts)), np.nan), np.full((4, max(counts), points), np.nan)
    for side, (length, count) in enumerate(zip(lengths, counts, strict=True)):
        part = length / count
        middle[side, :count] = (np.arange(count) + 0.5) * part - length / 2
        spread[side, :count] = middle[side, :count, None] + ((np.arange(points) + 0.5) / points - 0.5) * part
    return middle, spread


def _outward_gradients(colours: Floats32, mm_per_px: float) -> Floats32:
    """How the colours change outward, per pixel, slightly smoothed."""
    flat = np.ascontiguousarray(colours.reshape(-1, colours.shape[-2], 3))
    sigma = 0.5 * mm_per_px / STEP_MM
    smooth = cv2.GaussianBlur(flat, (0, 0), sigmaX=sigma, sigmaY=1e-3, borderType=cv2.BORDER_REPLICATE)
    slope = np.gradient(smooth, STEP_MM, axis=1) * mm_per_px
    return np.asarray(slope.reshape(colours.shape), np.float32)
