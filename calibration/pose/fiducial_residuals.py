"""Fiducial residuals: how far each edge of a fiducial lies from where a pose puts it.

Fiducial pattern: the dictionary, the black cells, and the edges between black and white on the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from calibration.arrays import Floats, Image, Mask
from calibration.camera_model import projection
from calibration.image import crop_patch, find_edges
from models.camera import Camera, CameraPose
from models.errors import BadLayout
from models.layout import Fiducials, Marker

_ALONG = (0.35, 0.65)  # where along a cell's side an edge is looked at; its ends are rounded by the lens


@dataclass(frozen=True)
class PatternEdges:
    """Pieces of black/white edge of one marker, (N, 3) each, table mm; `dark` points from white to black."""

    middle_mm: Floats
    along: Floats
    dark: Floats
    cell_mm: float


@lru_cache
def find_dictionary(name: str) -> cv2.aruco.Dictionary:
    """OpenCV's dictionary of that name, with or without its `DICT_`. Raises: BadLayout."""
    number = getattr(cv2.aruco, f"DICT_{name.removeprefix('DICT_')}", None)
    if not isinstance(number, int):
        raise BadLayout(f"no marker dictionary is called {name!r}", field="fiducials.dictionary", value=name)
    return cv2.aruco.getPredefinedDictionary(number)


@lru_cache
def marker_cells(name: str, number: int) -> Mask:
    """Cells of the marker, True where white, rows from the top, with its black rim and a white cell around it.

    Raises: BadLayout when the dictionary has no such marker.
    """
    known = find_dictionary(name)
    if number >= len(known.bytesList):
        raise BadLayout(f"{name} has no marker {number}", field="fiducials.markers.id", value=number)
    side = known.markerSize + 2
    inside = cv2.aruco.generateImageMarker(known, number, side) > 127
    return np.pad(inside, 1, constant_values=True)


def place_covariance_mm2(fiducials: Fiducials, ids: Sequence[int]) -> Floats:
    """Covariance of these markers' places (x, y, z of each, in this order), as the layout knows them."""
    if fiducials.covariance_mm2 is None:
        return np.asarray(fiducials.sigma_mm**2 * np.eye(3 * len(ids)))
    order = {marker.id: i for i, marker in enumerate(fiducials.markers)}
    rows = np.array([3 * order[i] + axis for i in ids for axis in range(3)])
    return np.asarray(np.array(fiducials.covariance_mm2)[np.ix_(rows, rows)], np.float64)


@lru_cache(maxsize=256)
def marker_edges(marker: Marker, *, name: str) -> PatternEdges:
    """Edges between a black and a white cell of this marker where it lies on the table."""
    cells = marker_cells(name, marker.id)
    side = len(cells) - 2
    corner, right, down = _axes(marker, side=side)
    across = _vertical_edges(cells)
    upright = _vertical_edges(cells.T)
    places = np.concatenate([across[:, :2], upright[:, 1::-1]])
    along = np.concatenate([np.tile(down, (len(across), 1)), np.tile(right, (len(upright), 1))])
    dark = np.concatenate([across[:, 2:] * right, upright[:, 2:] * down])
    return PatternEdges(
        corner + places @ np.stack([right, down]), _normalise(along), _normalise(dark), float(np.linalg.norm(right))
    )


def _axes(marker: Marker, *, side: int) -> tuple[Floats, Floats, Floats]:
    """The top-left corner, and one cell to the right and one down; opposite sides averaged."""
    c = np.array(marker.corners_mm)
    right = (c[1] - c[0] + c[2] - c[3]) / (2 * side)
    down = (c[3] - c[0] + c[2] - c[1]) / (2 * side)
    return c.mean(axis=0) - (right + down) * side / 2, right, down


def _vertical_edges(cells: Mask) -> Floats:
    """Edges between horizontal neighbours: (x, y) in cells of the marker, and +1 when black lies to the right."""
    row, column = np.nonzero(cells[:, :-1] != cells[:, 1:])
    sign = np.where(cells[row, column], 1.0, -1.0)
    places = [np.stack([column, row - 1 + part, sign], axis=1) for part in _ALONG]
    return np.stack(places, axis=1).reshape(-1, 3).astype(np.float64)


def _normalise(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


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
    image: Image, marker: Marker, *, fiducials: Fiducials, camera: Camera, pose: CameraPose, roughly: bool = False
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
