"""Marker detection: roughly where each fiducial is, searched for everywhere, or recognised near its expected place."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.image import crop_patch
from calibration.pose.fiducial_residuals import find_dictionary, marker_cells
from calibration.view import View
from models.layout import Layout, Marker

_SEARCH_WIDTH_PX = 2000  # wider pictures are searched at half size first
_TEMPLATE_PX, _TEMPLATE_REACH_PX = 48.0, 14
_ALIKE = 0.6
_DRAWN = 8  # px a cell of the template, before it is warped into the view


@dataclass(frozen=True)
class MarkerDetections:
    """Rough corners (4, 2) px of each of the layout's markers in sight; an id that is seen twice has none.

    `strangers` are markers of its dictionary that the layout does not hold.
    """

    corners_px: dict[int, Floats]
    twice: tuple[int, ...] = ()
    strangers: tuple[int, ...] = ()


def find_markers(gray: Image, *, layout: Layout) -> MarkerDetections:
    """Find each of the layout's markers, anywhere in the picture."""
    if gray.shape[1] > _SEARCH_WIDTH_PX:
        half = np.asarray(cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        detections = _detect(half, layout, scale=0.5)
        if len(detections.corners_px) == len(layout.fiducials.markers):
            return detections
    return _detect(gray, layout, scale=1.0)


def _detect(gray: Image, layout: Layout, *, scale: float) -> MarkerDetections:
    known = {marker.id for marker in layout.fiducials.markers}
    markers = detect_dictionary(gray, name=layout.fiducials.dictionary)
    seen = [(i, quad) for i, quad in markers if i in known]
    numbers = [i for i, _ in seen]
    twice = tuple(sorted({i for i in numbers if numbers.count(i) > 1}))
    strangers = tuple(sorted({i for i, _ in markers} - known))
    return MarkerDetections({i: (quad + 0.5) / scale - 0.5 for i, quad in seen if i not in twice}, twice, strangers)


def detect_dictionary(gray: Image, *, name: str) -> list[tuple[int, Floats]]:
    """Every marker of the dictionary in sight: its id and its corners (4, 2) px, in printed order."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    quads, ids, _ = cv2.aruco.ArucoDetector(find_dictionary(name), parameters).detectMarkers(gray)
    numbers = [] if ids is None else np.ravel(ids).tolist()
    return [(int(i), np.asarray(quad, np.float64).reshape(4, 2)) for i, quad in zip(numbers, quads, strict=True)]


def recognise_marker(image: Image, marker: Marker, *, view: View) -> Floats | None:
    """Corners of the marker where it looks most like itself near its expected place; None when nothing there does."""
    corners = view.project(marker.corners_mm)
    if not np.all(np.isfinite(corners)):
        return None
    size_px = float(np.sqrt(max(cv2.contourArea(corners.astype(np.float32)), 1.0)))
    scale = min(1.0, _TEMPLATE_PX / size_px)
    piece = crop_patch(image, corners, margin_px=(_TEMPLATE_REACH_PX + 2) / scale)
    if piece is None:
        return None
    small = cv2.resize(piece.gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    template, origin = _draw_marker(
        marker, (corners - piece.origin_px + 0.5) * scale - 0.5, name=view.layout.fiducials.dictionary
    )
    if np.any(np.array(small.shape) < np.array(template.shape) + 2):
        return None
    likeness = cv2.matchTemplate(small, template, cv2.TM_CCOEFF_NORMED)
    _, best, _, at = cv2.minMaxLoc(likeness)
    return corners + (np.array(at) - origin) / scale if best > _ALIKE else None


def _draw_marker(marker: Marker, corners: Floats, *, name: str) -> tuple[Image, Floats]:
    """The marker as it should look with these corners, and where the drawing's first pixel lies."""
    cells = marker_cells(name, marker.id)
    side = len(cells) - 2
    low = np.floor(corners.min(axis=0))
    width, height = (np.ceil(corners.max(axis=0)) - low + 1).astype(int)
    drawn = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    warp = cv2.getPerspectiveTransform((drawn + 1) * _DRAWN - 0.5, (corners - low).astype(np.float32))
    large = np.kron(cells, np.ones((_DRAWN, _DRAWN))).astype(np.uint8) * 255
    return np.asarray(cv2.warpPerspective(large, warp, (int(width), int(height)), borderValue=255), np.uint8), low
