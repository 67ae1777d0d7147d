"""BoofCV's boards of dots that lie in hexagons: however many are seen, each view counts from a dot of its own.

Zhang's board: separate black squares, whose corners he calibrated by.
"""

import cv2
import numpy as np

from calibration.arrays import Floats, Image, Ints32
from calibration.image import find_edges
from calibration.intrinsics.board_detection import BoardView

Cell = tuple[int, int]

STEP_MM = 10.0
"""Between neighbours. Nobody published it, and neither lens nor angles depend on it."""
_STEPS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
_NEAR = 0.3  # of a step: a dot that far from where it is expected is another one
_FEWEST = 12


def find_dots(name: str, gray: Image) -> BoardView | None:
    """The dots that hang together, from one in the middle outwards."""
    dots, _ = _detect_ellipses(gray)
    cells = _grow_lattice(dots) if len(dots) >= _FEWEST else {}
    if len(cells) < _FEWEST:
        return None
    places = np.array(list(cells), np.float64)
    across = np.array([[1.0, 0.0], [0.5, np.sqrt(0.75)]])
    return BoardView(name, np.pad(STEP_MM * places @ across, ((0, 0), (0, 1))), dots[list(cells.values())])


def measure_dot_mm(gray: Image, view: BoardView) -> float:
    """The diameter of a dot: the share of the paper that is black tells it."""
    _, areas = _detect_ellipses(gray)
    ones = np.column_stack([view.points_mm[:, :2], np.ones(len(view.points_mm))])
    affine = np.linalg.lstsq(ones, view.seen_px, rcond=None)[0]
    return float(np.sqrt(np.median(areas) / abs(np.linalg.det(affine[:2])) * 4 / np.pi))


def _detect_ellipses(gray: Image) -> tuple[Floats, Floats]:
    """Middles (N, 2) and areas of dark ellipses on bright ground, px."""
    fine = np.asarray(cv2.resize(gray, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC), np.uint8)
    dark = cv2.adaptiveThreshold(fine, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 151, 12)
    rims, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    ellipses = np.array([one for rim in rims if (one := _fit_ellipse(np.asarray(rim))) is not None]).reshape(-1, 3)
    usual = np.median(ellipses[:, 2]) if len(ellipses) else 0.0
    alike = ellipses[(ellipses[:, 2] > 0.3 * usual) & (ellipses[:, 2] < 3 * usual)]
    return np.asarray((alike[:, :2] + 0.5) / 3 - 0.5), np.asarray(alike[:, 2] / 9)


def _fit_ellipse(rim: Ints32) -> tuple[float, float, float] | None:
    """Middle and area of the ellipse that this outline is; None when it is none."""
    if len(rim) < 20:
        return None
    (x, y), (width, height), _ = cv2.fitEllipse(rim)
    area = cv2.contourArea(rim)
    is_round = min(width, height) > 9 and max(width, height) < 3 * min(width, height) and area > 100
    return (x, y, area) if is_round and 0.9 < area / (np.pi * width * height / 4) < 1.1 else None


def _grow_lattice(dots: Floats) -> dict[Cell, int]:
    """The cell of each dot that hangs together with the one nearest to the middle."""
    first = int(np.argmin(np.linalg.norm(dots - np.median(dots, axis=0), axis=1)))
    right, down = _lattice_vectors(dots, first)
    cells, sides = {(0, 0): first}, {(0, 0): (right, down)}
    rim = [(0, 0)]
    while rim:
        cell = rim.pop(0)
        for step in _STEPS:
            neighbour = (cell[0] + step[0], cell[1] + step[1])
            if neighbour in cells:
                continue
            right, down = sides[cell]
            expected = dots[cells[cell]] + step[0] * right + step[1] * down
            nearest = int(np.argmin(np.linalg.norm(dots - expected, axis=1)))
            close = np.linalg.norm(dots[nearest] - expected) < _NEAR * min(np.linalg.norm(right), np.linalg.norm(down))
            if close and nearest not in cells.values():
                cells[neighbour] = nearest
                sides[neighbour] = _refine_vectors(dots, cells, neighbour, right, down)
                rim.append(neighbour)
    return cells


def _lattice_vectors(dots: Floats, first: int) -> tuple[Floats, Floats]:
    """The ways to two neighbours of a dot that are a sixth of a turn apart."""
    ways = dots - dots[first]
    ways = ways[np.argsort(np.linalg.norm(ways, axis=1))[1:7]]
    ways = ways[np.argsort(np.arctan2(ways[:, 1], ways[:, 0]))]
    return ways[0], ways[1]


def _refine_vectors(
    dots: Floats, cells: dict[Cell, int], cell: Cell, right: Floats, down: Floats
) -> tuple[Floats, Floats]:
    """The two ways as the neighbours already counted show them here."""
    steps = [step for step in _STEPS if (cell[0] + step[0], cell[1] + step[1]) in cells]
    if np.linalg.matrix_rank(np.array(steps)) < 2:
        return right, down
    seen = np.array([dots[cells[cell[0] + a, cell[1] + b]] - dots[cells[cell]] for a, b in steps])
    both = np.linalg.lstsq(np.array(steps, np.float64), seen, rcond=None)[0]
    return both[0], both[1]


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
