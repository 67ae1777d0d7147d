"""What a picture says of one fiducial: how far each of its edges lies from where a pose puts it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration import edge, lens, picture
from calibration.fiducial import Edges, edges
from models.camera import Camera, CameraPose
from models.layout import Fiducials, Marker

Floats = NDArray[np.float64]

_SHARP_REACH_PX, _ROUGH_REACH_PX, _LEAST_REACH_PX = 3.5, 8.0, 2.0
_LEAST_SHARE = 0.4  # of a marker's edges must be seen; otherwise something else was taken for it


@dataclass(frozen=True)
class Sighting:
    """The edges of one marker that were seen, (N, ...).

    `offset_px` runs from the expected place to the seen one, towards the black side; `slope` is its derivative by the
    place on the table (x, y, z), per mm. The camera's tone curve moves all edges of a marker towards black alike.
    `dark` is the unit direction in the picture that the offset runs along, (N, 2).
    """

    marker: Marker
    points_mm: Floats
    slope: Floats
    offset_px: Floats
    dark: Floats


def look(
    image: picture.Image,
    marker: Marker,
    *,
    fiducials: Fiducials,
    camera: Camera,
    pose: CameraPose,
    roughly: bool = False,
) -> Sighting | None:
    """The marker's edges near where the pose expects them; None when too few are there.

    A rough look reaches farther, nearly to the next edge, for a pose that is not good yet.
    """
    known = edges(marker, name=fiducials.dictionary)
    points = lens.project(known.middle_mm, camera=camera, pose=pose)
    if not np.all(np.isfinite(points)):
        return None
    by_place = lens.point_jacobian(known.middle_mm, camera=camera, pose=pose)
    dark, cell_px = across(known, by_place)
    most_px = _ROUGH_REACH_PX if roughly else _SHARP_REACH_PX
    reach_px = float(np.clip(0.4 * cell_px, _LEAST_REACH_PX, most_px))
    piece = picture.patch(image, points, margin_px=reach_px + 3)
    if piece is None:
        return None
    found = edge.find(piece.gray, points - piece.origin_px, dark, reach_px=reach_px)
    seen = np.isfinite(found.offset_px)
    if seen.mean() < _LEAST_SHARE:
        return None
    slope = np.einsum("ni,nij->nj", dark, by_place)
    return Sighting(marker, known.middle_mm[seen], slope[seen], found.offset_px[seen], dark[seen])


def across(known: Edges, by_place: Floats) -> tuple[Floats, float]:
    """The edges' unit normals towards black in the picture, (N, 2), and the length of a cell in px."""
    tangent = np.einsum("nij,nj->ni", by_place, known.along)
    inward = np.einsum("nij,nj->ni", by_place, known.dark)
    normal = np.stack([-tangent[:, 1], tangent[:, 0]], axis=1)
    normal *= np.sign(np.sum(normal * inward, axis=1, keepdims=True))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    return normal, known.cell_mm * float(np.median(np.sum(normal * inward, axis=1)))
