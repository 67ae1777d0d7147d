"""Zhang's board: separate black squares, whose corners he calibrated by."""

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.image import find_edges
from calibration.intrinsics.board_detection import BoardView

_SIDE = 8
_SQUARE_MM, _GAP_MM = 12.7, 9.8778  # half an inch, and 0.38889 of one


def find_squares(name: str, gray: Image) -> BoardView | None:
    """The four corners of each of the 8 x 8 squares; None unless exactly all squares are found."""
    quads = _quads(gray)
    if len(quads) != _SIDE**2:
        return None
    middles = quads.mean(axis=1)
    ends = np.array(
        [middles[np.argmin(middles @ direction)] for direction in ([1, 1], [-1, 1], [-1, -1], [1, -1])], np.float32
    )
    last = _SIDE - 1
    grid = np.array([[0, 0], [last, 0], [last, last], [0, last]], np.float32)
    to_grid = cv2.getPerspectiveTransform(ends, grid)
    places = np.round(cv2.perspectiveTransform(middles[None].astype(np.float32), to_grid)[0])
    if len({tuple(place) for place in places.tolist()}) != _SIDE**2:
        return None
    seen = np.concatenate([_order_corners(quad, np.asarray(to_grid, np.float64)) for quad in quads])
    square = _SQUARE_MM * np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    points = (places[:, None, :] * (_SQUARE_MM + _GAP_MM) + square).reshape(-1, 2)
    return BoardView(name, np.pad(points, ((0, 0), (0, 1))), _refine_corners(gray, seen))


def _quads(gray: Image) -> Floats:
    """Outlines (N, 4, 2) of what is dark, square and neither large nor small."""
    _, dark = cv2.threshold(gray, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    rims, _ = cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    quads = []
    for rim in rims:
        quad = cv2.approxPolyDP(rim, 0.1 * cv2.arcLength(rim, True), True)
        area = cv2.contourArea(rim)
        full = area > 0.75 * np.prod(cv2.minAreaRect(rim)[1])
        if len(quad) == 4 and 200 < area < 4000 and full:
            quads.append(quad.reshape(4, 2).astype(np.float64))
    return np.array(quads).reshape(-1, 4, 2)


def _order_corners(quad: Floats, to_grid: Floats) -> Floats:
    """The corners from the grid's first, turning as the grid does."""
    on_grid = cv2.perspectiveTransform(quad[None].astype(np.float32), to_grid)[0]
    away = on_grid - on_grid.mean(axis=0)
    return np.asarray(quad[np.argsort(np.arctan2(away[:, 1], away[:, 0]))])


def _refine_corners(gray: Image, seen: Floats) -> Floats:
    """Where straight lines along the sides meet: a corner itself is rounded by the lens."""
    quads = seen.reshape(-1, 4, 2)
    lines = [[_fit_side(gray, quad[i], quad[(i + 1) % 4], quad.mean(axis=0)) for i in range(4)] for quad in quads]
    corners = [[_intersect_lines(line[i - 1], line[i]) for i in range(4)] for line in lines]
    return np.asarray(corners, np.float64).reshape(-1, 2)


def _fit_side(gray: Image, a: Floats, b: Floats, middle: Floats) -> tuple[Floats, Floats]:
    """A point and the direction of the edge between two corners, fitted where the light falls half-way."""
    share = np.linspace(0.2, 0.8, 13)[:, None]
    spots = a + share * (b - a)
    inward = np.array([a[1] - b[1], b[0] - a[0]])
    inward *= np.sign(inward @ (middle - a)) / np.linalg.norm(inward)
    off = find_edges(gray, spots, np.tile(inward, (13, 1)), reach_px=4.0).offset_px
    good = np.isfinite(off)
    if good.sum() < 5:
        return a, b - a
    vx, vy, x, y = np.ravel(
        cv2.fitLine((spots + off[:, None] * inward)[good].astype(np.float32), cv2.DIST_HUBER, 0, 1e-3, 1e-3)
    )
    return np.array([x, y], np.float64), np.array([vx, vy], np.float64)


def _intersect_lines(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> Floats:
    (p, u), (q, v) = first, second
    along, _ = np.linalg.solve(np.stack([u, -v], axis=1), q - p)
    return np.asarray(p + along * u)
