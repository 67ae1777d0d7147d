"""Fiducial pattern: the dictionary, the black cells, and the edges between black and white on the table."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from calibration.arrays import Floats, Mask
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
