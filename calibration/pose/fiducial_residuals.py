"""Fiducial residuals: how far each edge of a fiducial lies from where a pose puts it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats, Image
from calibration.camera_model import projection
from calibration.image import crop_patch, find_edges
from calibration.pose.fiducial_pattern import PatternEdges, marker_edges
from models.camera import Camera, CameraPose
from models.layout import Fiducials, Marker

_SHARP_REACH_PX, _ROUGH_REACH_PX, _LEAST_REACH_PX = 3.5, 8.0, 2.0
_SHARE = 0.4  # of a cell: beyond lies the next edge
_SHARP_GAIN, _LEAST_GAIN, _TRIAL_PX = 0.9, 0.3, 0.5
_LEAST_SHARE = 0.4  # of a marker's edges must be seen; otherwise something else was taken for it


@dataclass(frozen=True)
class FiducialEdges:
    """Edges of one marker that were seen, (N, ...).

    `offset_px` runs from the expected place to the seen one, towards the black side; `slope` is its derivative by the
    place on the table (x, y, z), per mm. The camera's tone curve moves all edges of a marker towards black alike.
    `dark` is the unit direction in the picture that the offset runs along, (N, 2).
    """

    marker: Marker
    points_mm: Floats
    slope: Floats
    offset_px: Floats
    dark: Floats


def measure_fiducial(
    image: Image,
    marker: Marker,
    *,
    fiducials: Fiducials,
    camera: Camera,
    pose: CameraPose,
    roughly: bool = False,
) -> FiducialEdges | None:
    """Measure the marker's edges near where the pose expects them; None when too few are there.

    A rough look reaches farther, nearly to the next edge, for a pose that is not good yet.
    """
    known = marker_edges(marker, name=fiducials.dictionary)
    points = projection.project(known.middle_mm, camera=camera, pose=pose)
    if not np.all(np.isfinite(points)):
        return None
    by_place = projection.point_jacobian(known.middle_mm, camera=camera, pose=pose)
    dark, cell_px = edge_normals_px(known, by_place)
    reach_px = float(np.clip(_SHARE * cell_px, _LEAST_REACH_PX, _ROUGH_REACH_PX))
    piece = crop_patch(image, points, margin_px=reach_px + 3)
    if piece is None:
        return None
    spots = points - piece.origin_px
    reaches = [reach_px] if roughly else [min(reach_px, _SHARP_REACH_PX), reach_px]
    offset_px, gain = _measure_offsets(piece.gray, spots, dark, reaches)
    seen = np.isfinite(offset_px)
    if seen.mean() < _LEAST_SHARE or gain < _LEAST_GAIN:
        return None
    slope = np.einsum("ni,nij->nj", dark, by_place)
    return FiducialEdges(marker, known.middle_mm[seen], slope[seen], offset_px[seen] / gain, dark[seen])


def _measure_offsets(gray: Image, spots: Floats, dark: Floats, reaches_px: Sequence[float]) -> tuple[Floats, float]:
    """The offsets found within the first reach that holds the whole of an edge, or within the last; and their gain."""
    for reach_px in reaches_px:
        offset_px = find_edges(gray, spots, dark, reach_px=reach_px).offset_px
        gain = _shift_gain(gray, spots, dark, offset_px, reach_px=reach_px)
        if gain > _SHARP_GAIN:
            break
    return offset_px, gain


def _shift_gain(gray: Image, spots: Floats, dark: Floats, offset_px: Floats, *, reach_px: float) -> float:
    """How much of a shift the finder sees: 1, or less where its reach does not hold the whole of a blurred edge.

    It then takes slopes for plateaus, and finds every edge nearer to where it looks than it is.
    """
    shifted_px = find_edges(gray, spots + _TRIAL_PX * dark, dark, reach_px=reach_px).offset_px
    both = np.isfinite(offset_px) & np.isfinite(shifted_px)
    return float(np.median((offset_px - shifted_px)[both])) / _TRIAL_PX if both.any() else 0.0


def edge_normals_px(known: PatternEdges, by_place: Floats) -> tuple[Floats, float]:
    """Unit normals of the edges towards black in the picture, (N, 2), and the length of a cell in px."""
    tangent = np.einsum("nij,nj->ni", by_place, known.along)
    inward = np.einsum("nij,nj->ni", by_place, known.dark)
    normal = np.stack([-tangent[:, 1], tangent[:, 0]], axis=1)
    normal *= np.sign(np.sum(normal * inward, axis=1, keepdims=True))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    return normal, known.cell_mm * float(np.median(np.sum(normal * inward, axis=1)))
