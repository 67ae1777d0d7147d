"""Board edges: the four straight edges in a photograph that may be the sides of a table of known size.

Line segments that continue each other are one edge. Of all quadrilaterals that four edges make, those that a lens of
about this length shows of such a rectangle are weighed by how much of their sides is edge, and parts two colours.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image, Mask
from models.camera import Camera

_LOOKED_AT_PX = 1000  # the longer side of the picture in which edges are sought
_LEAST_SEGMENT, _LEAST_EDGE = 0.02, 0.14  # of the picture's diagonal
_BESIDE_PX, _ASKEW_RAD = 3.0, np.radians(1.5)  # segments so near a line continue it
_MOST_EDGES = 14
_LEAST_CROSSING_RAD = np.radians(15.0)
_BEYOND, _LEAST_AREA = 0.25, 0.08  # of the picture: how far a corner lies out of it, and what a table fills
_LEAST_COVER = 0.25  # of a side in sight
_STRIP_PX = 6.0  # beside an edge, from which its two colours are taken
_UNLIKE = 30.0  # grey levels between them that are half believed
_FACTORS = np.exp(np.linspace(-0.35, 0.35, 15))  # of the focal length that is tried
_ODD = 0.06  # relative misfit of the rectangle's sides and of its right angle that is one sigma
_MISFIT_WEIGHT = 0.05
_LEAST_SCORE = 1.4
_BLUR_PX = 1.5
_NO_OTHER: Any = None  # map beside one that holds both axes
_SAMPLES = 60


@dataclass(frozen=True)
class ProposedBoard:
    """Corners in the picture (4, 2) px, in the order of `corners_mm`, and how well edges and lens agree with them."""

    corners_px: Floats
    score: float


@dataclass(frozen=True)
class _Edge:
    """A straight edge: a place and a direction (unit) in px, and the pieces of it that were seen, (N, 2) along it."""

    at_px: Floats
    along: Floats
    pieces: Floats

    @property
    def length_px(self) -> float:
        return float((self.pieces[:, 1] - self.pieces[:, 0]).sum())


def propose_boards(
    image: Image, *, camera: Camera, focal_sigma: float, table_mm: tuple[float, float]
) -> tuple[ProposedBoard, ...]:
    """Where the table may lie in the picture, likeliest first. `focal_sigma`: relative, of the camera's focal length.

    The near side is one as long as the table's width, below in the picture where that fits.
    """
    scale = min(1.0, _LOOKED_AT_PX / max(image.shape[:2]))
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    colours = cv2.GaussianBlur(small, (0, 0), _BLUR_PX).astype(np.float32)
    lens = _Lens((np.array(small.shape[1::-1]) - 1) / 2, camera.K[0][0] * scale, focal_sigma)
    boards = []
    for four in combinations(_straight_edges(small, colours), 4):
        for sides in _quadrilaterals(four, lens.middle_px):
            corners = _corners_of(sides)
            if corners is None or not _fills(corners, small.shape):
                continue
            if (seen := _edge_score(sides, corners, colours)) is None:
                continue
            odds = [(seen - lens.misfit(corners, size), turn) for turn, size in enumerate((table_mm, table_mm[::-1]))]
            score, turn = max(odds)
            if score > _LEAST_SCORE:
                boards.append(ProposedBoard((np.roll(corners, turn, axis=0) + 0.5) / scale - 0.5, score))
    return tuple(sorted(boards, key=lambda board: -board.score))


@dataclass(frozen=True)
class _Lens:
    """What is known of the lens: the middle of the picture, its focal length in px and how well that is known."""

    middle_px: Floats
    focal_px: float
    focal_sigma: float

    def misfit(self, corners: Floats, size_mm: tuple[float, float]) -> float:
        """How unlike a rectangle of this size the corners are, through the likeliest focal length; in scores."""
        width, depth = size_mm
        plane = np.array([[0, 0], [width, 0], [width, depth], [0, depth]], np.float32)
        plane_px = cv2.getPerspectiveTransform(plane, (corners - self.middle_px).astype(np.float32))
        factors = _FACTORS if self.focal_sigma else np.ones(1)
        focal = (self.focal_px * factors)[:, None] * np.ones(2)
        along, across = (
            np.column_stack([plane_px[:2, k] / focal, np.full(len(focal), plane_px[2, k])]) for k in (0, 1)
        )
        lengths = np.linalg.norm(along, axis=1), np.linalg.norm(across, axis=1)
        oblong = (lengths[0] / lengths[1] - 1) / _ODD
        askew = (along * across).sum(axis=1) / (lengths[0] * lengths[1]) / _ODD
        prior = np.log(factors) / max(self.focal_sigma, 0.01)
        return _MISFIT_WEIGHT * float(np.min(oblong**2 + askew**2 + prior**2))


def _straight_edges(picture: Image, colours: Floats32) -> list[_Edge]:
    """The longest edges that part two colours, each of all segments that continue it."""
    diagonal = float(np.hypot(*picture.shape[:2]))
    detector = cv2.createLineSegmentDetector()
    channels = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB))  # light, and both directions of colour
    detected = [lines.reshape(-1, 4) for lines in (detector.detect(each)[0] for each in channels) if lines is not None]
    segments = np.concatenate([np.zeros((0, 4)), *detected])
    lengths = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    segments = segments[np.argsort(-lengths)][: np.count_nonzero(lengths > _LEAST_SEGMENT * diagonal)]
    edges: list[_Edge] = []
    free = np.ones(len(segments), bool)
    for number in range(len(segments)):
        if free[number]:
            edge, taken = _grow(segments, free, segments[number])
            free &= ~taken
            if edge.length_px > _LEAST_EDGE * diagonal:
                edges.append(edge)
    return sorted(edges, key=lambda edge: -edge.length_px * _parting(_places_on(edge), edge, colours))[:_MOST_EDGES]


def _places_on(edge: _Edge) -> Floats:
    """Places along its pieces, (N, 2)."""
    steps = np.concatenate([np.arange(start, end, _STRIP_PX) for start, end in edge.pieces])
    return np.asarray(edge.at_px + steps[:, None] * edge.along)


def _parting(places: Floats, edge: _Edge, colours: Floats32) -> float:
    """How far an edge is believed to part two colours at these places, 0 to 1."""
    normal = _STRIP_PX * np.array([-edge.along[1], edge.along[0]])
    inside, outside = (
        cv2.remap(colours, (places + step).astype(np.float32)[None], _NO_OTHER, cv2.INTER_LINEAR)[0]
        for step in (normal, -normal)
    )
    unlike = float(np.linalg.norm(np.median(inside - outside, axis=0)))
    return unlike / (unlike + _UNLIKE)


def _grow(segments: Floats, free: Mask, seed: Floats) -> tuple[_Edge, Mask]:
    """The edge through a segment and what continues it, fitted twice; and which segments that are."""
    at, end = seed[:2], seed[2:]
    taken = np.zeros(len(segments), bool)
    for _ in range(3):
        along = (end - at) / np.linalg.norm(end - at)
        normal = np.array([-along[1], along[0]])
        off = np.abs(np.stack([(segments[:, :2] - at) @ normal, (segments[:, 2:] - at) @ normal]))
        taken = free & (off.max(axis=0) < _BESIDE_PX)
        points = segments[taken].reshape(-1, 2)
        weights = np.repeat(np.linalg.norm(segments[taken, 2:] - segments[taken, :2], axis=1), 2)
        middle = np.average(points, axis=0, weights=weights)
        _, _, axes = np.linalg.svd((points - middle) * np.sqrt(weights)[:, None], full_matrices=False)
        at, end = middle, middle + axes[0]
    along = end - at
    reach = np.sort(np.stack([(segments[taken, :2] - at) @ along, (segments[taken, 2:] - at) @ along], axis=1), axis=1)
    return _Edge(at, along, _union(reach)), taken


def _union(pieces: Floats) -> Floats:
    """The pieces, those that overlap as one."""
    joined: list[list[float]] = []
    for start, end in pieces[np.argsort(pieces[:, 0])].tolist():
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([start, end])
    return np.array(joined)


def _quadrilaterals(four: tuple[_Edge, ...], middle_px: Floats) -> Iterator[tuple[_Edge, ...]]:
    """The edges in the order near, right, far, left, as two pairs of opposite sides; each pairing once."""
    a, b, c, d = four
    for (p, q), (r, s) in (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))):
        level, steep = ((p, q), (r, s)) if _tilt(p) + _tilt(q) < _tilt(r) + _tilt(s) else ((r, s), (p, q))
        far, near = sorted(level, key=lambda edge: _at(edge, middle_px[0], 0))
        left, right = sorted(steep, key=lambda edge: _at(edge, middle_px[1], 1))
        yield near, right, far, left


def _tilt(edge: _Edge) -> float:
    return float(abs(edge.along[1]))


def _at(edge: _Edge, value: float, axis: int) -> float:
    """The other coordinate of the place of an edge where this one has this value."""
    step = edge.along[axis] if abs(edge.along[axis]) > 1e-6 else 1e-6
    return float(edge.at_px[1 - axis] + (value - edge.at_px[axis]) / step * edge.along[1 - axis])


def _corners_of(sides: tuple[_Edge, ...]) -> Floats | None:
    """Near left, near right, far right, far left, (4, 2); None where two sides hardly cross."""
    near, right, far, left = sides
    corners = []
    for first, second in ((left, near), (near, right), (right, far), (far, left)):
        across = first.along[0] * second.along[1] - first.along[1] * second.along[0]
        if abs(across) < np.sin(_LEAST_CROSSING_RAD):
            return None
        off = second.at_px - first.at_px
        corners.append(first.at_px + (off[0] * second.along[1] - off[1] * second.along[0]) / across * first.along)
    return np.array(corners)


def _fills(corners: Floats, shape: tuple[int, ...]) -> bool:
    """Whether they are in order, convex, and large enough in the picture."""
    size = np.array(shape[1::-1])
    if np.any(corners < -_BEYOND * size) or np.any(corners > (1 + _BEYOND) * size):
        return False
    after = np.roll(corners, -1, axis=0) - corners
    turns = after[:, 0] * np.roll(after, -1, axis=0)[:, 1] - after[:, 1] * np.roll(after, -1, axis=0)[:, 0]
    area = abs(float(cv2.contourArea(corners.astype(np.float32))))
    return bool(np.all(turns < 0)) and area > _LEAST_AREA * float(np.prod(size))


def _edge_score(sides: tuple[_Edge, ...], corners: Floats, colours: Floats32) -> float | None:
    """The sum over the sides of the share that is edge in the picture, and of how far it parts two colours."""
    total, size = 0.0, np.array(colours.shape[1::-1]) - 1.0
    for number, edge in enumerate(sides):
        start, end = corners[number], corners[(number + 1) % 4]
        places = start + (np.arange(_SAMPLES)[:, None] + 0.5) / _SAMPLES * (end - start)
        inside = np.all((places >= _STRIP_PX) & (places <= size - _STRIP_PX), axis=1)
        if inside.sum() < _SAMPLES / 6:
            return None
        places = places[inside]
        along = (places - edge.at_px) @ edge.along
        covered = ((along[:, None] >= edge.pieces[:, 0]) & (along[:, None] <= edge.pieces[:, 1])).any(axis=1)
        if covered.mean() < _LEAST_COVER:
            return None
        total += float(covered.mean()) * (0.5 + _parting(places, edge, colours))
    return total
