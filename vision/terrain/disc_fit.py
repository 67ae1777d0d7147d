"""Disc fit: flat discs that are no bases, templates and tokens, fitted in the camera's own pixels."""

import math
from collections.abc import Iterator

import numpy as np

from calibration.arrays import Floats, Image
from models.camera import Camera, CameraPose
from models.terrain_proposal import ProposedDisc
from models.unit_conversion import inches
from vision.measurement.edge_profiles import OFFSETS_MM, EdgeProfiles, measure_edge_profiles
from vision.measurement.silhouette import RimProfile, disc_silhouette
from vision.rectification.rectify import Window
from vision.terrain.segmentation import Blob

TEMPLATES_MM = tuple(inches(size) for size in (3.0, 4.0, 5.0))
_FLAT = RimProfile("flat", top_mm=1.5, inset_mm=0.0, rim_widths_mm=())
_TOKEN_MM = (20.0, 62.0)
_SAME_MM = 1.5  # a disc this near to a template's size is one
_NEAR_MM = 4.0  # the seen blob is this good
_POINTS = 180
_LEAST_STEP = 4.0  # grey levels per pixel
_ON_MM = 0.5
_LEAST_SHARE = 0.75  # of the rim that must lie on the circle
# per axis: shadow and printed rings draw the circle aside (drawn tables, `benchmarks.detection.terrain_proposals`)
_EDGE_SIGMA_MM = 0.35
_THICK_SIGMA_MM = 0.7  # cardboard or acrylic: what stands higher is seen farther out


def is_round(blob: Blob) -> bool:
    """Whether it may be a disc: as wide as long, and filling its box as a circle does."""
    return blob.short_mm > 0.85 * blob.long_mm and abs(blob.fills * blob.long_mm / blob.short_mm - np.pi / 4) < 0.1


def fit_disc(
    image: Image, blob: Blob, *, window: Window, camera: Camera, pose: CameraPose, name: str
) -> ProposedDisc | None:
    """Fits a disc to this blob; None where it is none, or none of a size that templates and tokens have."""
    middle = window.to_mm((blob.outline_px.min(axis=0) + blob.outline_px.max(axis=0))[None] / 2)[0]
    radius = (blob.long_mm + blob.short_mm) / 4
    for _ in range(2):
        edges = _edges(image, middle, radius, camera=camera, pose=pose)
        fitted = _fit_circle(edges)
        if fitted is None:
            return None
        state, share, spread = fitted
        middle, radius = middle + state[:2], radius + float(state[2])
    slant = float(np.hypot(*(middle - pose.centre_mm[:2]))) / pose.centre_mm[2]
    sigma = math.hypot(spread * math.sqrt(2 / _POINTS) * 2, _EDGE_SIGMA_MM, _THICK_SIGMA_MM * slant)
    return None if share < _LEAST_SHARE else _to_proposal(middle, radius, sigma, name)


def _to_proposal(middle: Floats, radius: float, sigma: float, name: str) -> ProposedDisc | None:
    """A template where its size is that of one, a token where it is as small as those."""
    size = 2 * radius
    nearest = min(TEMPLATES_MM, key=lambda template: abs(template - size))
    is_template = abs(nearest - size) < _SAME_MM
    if not is_template and not _TOKEN_MM[0] <= size <= _TOKEN_MM[1]:
        return None
    return ProposedDisc(
        what="template" if is_template else "token",
        id=name,
        centre_mm=(round(float(middle[0]), 2), round(float(middle[1]), 2)),
        diameter_mm=nearest if is_template else round(size, 2),
        sigma_mm=round(sigma, 2),
        diameter_sigma_mm=0.0 if is_template else round(2 * sigma, 2),
    )


def _edges(image: Image, middle: Floats, radius: float, *, camera: Camera, pose: CameraPose) -> EdgeProfiles:
    outline = disc_silhouette(
        (float(middle[0]), float(middle[1])), radius_mm=radius, profile=_FLAT, ground_mm=0.0,
        camera_mm=np.array(pose.centre_mm), count=_POINTS,
    )  # fmt: skip
    return measure_edge_profiles(image, outline, ground_mm=0.0, camera=camera, pose=pose)


def _fit_circle(edges: EdgeProfiles) -> tuple[Floats, float, float] | None:
    """Shift and growth that put the circle on the outermost strong steps, the share of the rim on it, their scatter."""
    offset = np.array(list(_outermost_edges(edges)))
    rows = np.column_stack([edges.silhouette.normals, np.ones(len(offset))])
    known = np.isfinite(offset)
    if known.sum() < _LEAST_SHARE * len(offset) * 0.8:
        return None
    state, weight = np.array([0.0, 0.0, float(np.median(offset[known]))]), np.zeros(len(offset))
    for _ in range(8):
        left = np.where(known, offset - rows @ state, np.inf)
        weight = 1 / (1 + (left / 0.4) ** 2) * known
        moved = (rows * weight[:, None]).T
        state = np.linalg.solve(moved @ rows + 1e-6 * np.eye(3), moved @ np.where(known, offset, 0.0))
    left = np.where(known, offset - rows @ state, np.inf)
    on = np.abs(left) < _ON_MM
    return state, float(on.mean()), float(np.std(left[on])) if on.any() else _ON_MM


def _outermost_edges(edges: EdgeProfiles) -> Iterator[float]:
    """Of each normal the offset of the outermost step that is half as strong as its strongest; NaN where none is."""
    near = np.abs(OFFSETS_MM) <= _NEAR_MM
    for row in np.where(near, edges.strength, 0.0):
        peaks = np.flatnonzero((row[1:-1] >= row[:-2]) & (row[1:-1] > row[2:]) & (row[1:-1] > _LEAST_STEP)) + 1
        strong = peaks[row[peaks] >= 0.5 * row[peaks].max()] if len(peaks) else peaks
        yield float(OFFSETS_MM[strong[-1]]) if len(strong) else float("nan")
