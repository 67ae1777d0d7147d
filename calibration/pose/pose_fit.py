"""Pose fit: the camera's pose from fiducial edges, by least squares with the markers' own unknowns.

Least squares over the pose and, for each marker, what is not measured: how far the tone curve moves its edges towards
black, and how it lies off its written place (moved, turned, stretched), held by the layout's sigma. Without the stretch
the sizes of the markers, known to a thousandth, would outvote their places and push the camera up or down.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats
from calibration.least_squares import NormalEquations, ResidualBlock, fit_robustly
from calibration.pose.fiducial_residuals import FiducialEdges, place_covariance_mm2
from models.camera import CameraPose
from models.layout import Fiducials

_OWN = 8  # unknowns of a marker: tone; dx, dy, dz; and its plane's four slopes: d(dx, dy) / d(x, y)
NEIGHBOURS = 2.0  # edge points of one cell's side are one measurement: they share its pixels
FLOOR_PX = 0.015  # what a whole marker is off though each of its edges is sharp: shading, compression
TONE_PX = 2.0
_STRETCH = 0.45  # of the marker's own sigma: how far turning and stretching it moves its corners
_LEAST_NOISE_PX = 0.02
_LEAST_SCALE_SIGMA = 1e-6
_ROUNDS = 4


@dataclass(frozen=True)
class PoseFit:
    """Fitted pose; which share of each marker's edges was believed; whether the markers agree with the layout.

    `disagreement` is the chi square of the markers' places on the table, as a share of what chance gives once in a
    thousand pictures. Above 1 the layout is wrong, and the pose's covariance is widened.
    """

    pose: CameraPose
    believed: dict[int, float]
    disagreement: float


@dataclass(frozen=True)
class _Model:
    """One row an edge, d offset / d unknown: the pose, each marker's own, and by how much the layout is too small.

    `prior` is the inverse covariance of the unknowns beforehand; `places_mm2` that of the markers' x, y, (2M, 2M).
    """

    slopes: Floats
    offset_px: Floats
    prior: Floats
    places_mm2: Floats


def pose_from_rotation(rotation: Floats, translation: Floats) -> CameraPose:
    """The pose with this `camera_from_table`, of which nothing else is known."""
    return CameraPose(
        rotation=to_rows(rotation),
        translation_mm=_to_triple(translation),
        covariance=to_rows(np.eye(6)),
        rms_px=0,
        rms_mm=0,
        markers=(),
        centre_mm=_to_triple(-rotation.T @ translation),
    )


def perturb_pose(pose: CameraPose, change: Floats) -> CameraPose:
    """The pose after a small change of its six parameters."""
    turn = np.asarray(cv2.Rodrigues(change[:3])[0], np.float64)
    return pose_from_rotation(turn @ np.array(pose.rotation), np.array(pose.translation_mm) + change[3:])


def fit_pose(sightings: Sequence[FiducialEdges], *, pose: CameraPose, fiducials: Fiducials) -> PoseFit:
    """Fit the pose that explains the sightings best; `pose` is the one they were looked for at."""
    model = _make_model(sightings, pose=pose, fiducials=fiducials)
    judged = [weigh_edges(seen) for seen in sightings]
    trust = np.concatenate([each for each, _ in judged])
    weights = trust / (NEIGHBOURS * np.concatenate([np.full(len(each), sigma) for each, sigma in judged]) ** 2)
    block = ResidualBlock(model.offset_px, model.slopes, weights=weights)
    equations = NormalEquations.of([block], len(model.prior)).with_prior(model.prior)
    unknowns, covariance = equations.step(), np.linalg.inv(equations.matrix)
    rms_px, rms_mm = _rms(sightings, model, unknowns, trust)
    ids = [seen.marker.id for seen in sightings]
    square, freedom = _place_chi_square(model, unknowns)
    disagreement = square / chi_square_limit(freedom)
    widened = square / freedom if disagreement > 1 else 1.0
    solved = perturb_pose(pose, unknowns[:6])
    fitted = CameraPose(
        rotation=solved.rotation,
        translation_mm=solved.translation_mm,
        covariance=to_rows(((covariance + covariance.T) / 2)[:6, :6] * widened),
        rms_px=rms_px,
        rms_mm=rms_mm,
        markers=tuple(ids),
        centre_mm=solved.centre_mm,
    )
    believed = [float(np.mean(each > 0.1)) for each, _ in judged]
    return PoseFit(fitted, dict(zip(ids, believed, strict=True)), disagreement)


def _place_chi_square(model: _Model, unknowns: Floats) -> tuple[float, int]:
    """Chi square of the markers' places, and its freedom. Three always agree: the pose has as many coordinates."""
    off = unknowns[6:-1].reshape(-1, _OWN)[:, 1:3].ravel()
    return float(off @ np.linalg.solve(model.places_mm2, off)), max(off.size - 6, 1)


def chi_square_limit(freedom: int) -> float:
    """The chi square that chance exceeds once in a thousand times; after Wilson and Hilferty."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + 3.09 * np.sqrt(part)) ** 3)


def _make_model(sightings: Sequence[FiducialEdges], *, pose: CameraPose, fiducials: Fiducials) -> _Model:
    total = sum(len(seen.points_mm) for seen in sightings)
    size = 7 + _OWN * len(sightings)
    matrix = np.zeros((total, size))
    places = place_covariance_mm2(fiducials, [seen.marker.id for seen in sightings])
    centre = np.mean([seen.marker.corners_mm for seen in sightings], axis=(0, 1))
    prior = np.zeros((size, size))
    prior[-1, -1] = 1 / max(fiducials.scale_sigma, _LEAST_SCALE_SIGMA) ** 2
    row = 0
    for i, seen in enumerate(sightings):
        rows, own = slice(row, row + len(seen.points_mm)), slice(6 + _OWN * i, 6 + _OWN * (i + 1))
        matrix[rows, :6] = pose_offset_jacobian(seen, pose)
        matrix[rows, own] = _marker_offset_jacobian(seen)
        matrix[rows, -1] = np.sum(seen.slope * (seen.points_mm - centre), axis=1)
        here = slice(3 * i, 3 * i + 3)
        places[here, here] += np.eye(3) * (FLOOR_PX / _px_per_mm(seen)) ** 2
        prior[own, own] = np.diag(_prior_precision(seen, sigma_mm=fiducials.sigma_mm))
        row = rows.stop
    shifts = (6 + _OWN * np.arange(len(sightings))[:, None] + np.arange(1, 4)).ravel()
    prior[np.ix_(shifts, shifts)] = np.linalg.inv(places)
    flat = np.flatnonzero(np.arange(len(places)) % 3 < 2)
    offset = np.concatenate([seen.offset_px for seen in sightings])
    return _Model(matrix, offset, prior, places[np.ix_(flat, flat)])


def pose_offset_jacobian(seen: FiducialEdges, pose: CameraPose) -> Floats:
    """d offset / d (small turn on the camera's side, t)."""
    rotation = np.array(pose.rotation)
    by_shift = seen.slope @ rotation.T
    by_turn = np.cross(seen.points_mm @ rotation.T, by_shift)
    return np.concatenate([by_turn, by_shift], axis=1)


def _marker_offset_jacobian(seen: FiducialEdges) -> Floats:
    """d offset / d the marker's own unknowns."""
    arm = seen.points_mm - np.array(seen.marker.corners_mm).mean(axis=0)
    own = np.empty((len(arm), _OWN))
    own[:, 0] = 1
    own[:, 1:4] = seen.slope
    own[:, 4:6] = seen.slope[:, :2] * arm[:, :1]
    own[:, 6:8] = seen.slope[:, :2] * arm[:, 1:2]
    return own


def _prior_precision(seen: FiducialEdges, *, sigma_mm: float) -> Floats:
    """1 / sigma^2 of the marker's own unknowns; its place is held together with the others'."""
    corners = np.array(seen.marker.corners_mm)
    place = float(np.hypot(sigma_mm, FLOOR_PX / _px_per_mm(seen)))
    reach = float(np.linalg.norm(corners[0] - corners[2])) / 2
    return np.asarray(1 / np.array([TONE_PX] + 3 * [np.inf] + 4 * [_STRETCH * place / reach]) ** 2)


def _px_per_mm(seen: FiducialEdges) -> float:
    return float(np.median(_px_per_mm_across(seen)))


def weigh_edges(seen: FiducialEdges) -> tuple[Floats, float]:
    """Robust weights of a marker's edges, and their noise in px, whatever the marker's place: by its own pattern.

    What a miniature or a hand covers counts nothing; a marker that was moved as a whole keeps its edges.
    """
    free = np.delete(_marker_offset_jacobian(seen), 3, axis=1)  # up and down is the same as a little larger and smaller
    ridge = 1e-9 * np.linalg.norm(free, axis=0) ** 2
    return fit_robustly(seen.offset_px, free, ridge=ridge, least_noise=_LEAST_NOISE_PX, rounds=_ROUNDS)


def _rms(sightings: Sequence[FiducialEdges], model: _Model, unknowns: Floats, trust: Floats) -> tuple[float, float]:
    """RMS across the edges, in px and on the table: the tone shift taken out, the markers' own places left in."""
    places = unknowns.copy()
    places[:6] = 0
    places[6:-1:_OWN] = 0
    miss = model.offset_px - model.slopes @ unknowns + model.slopes @ places
    per_mm = np.concatenate([_px_per_mm_across(seen) for seen in sightings])
    share = trust / trust.sum()
    return float(np.sqrt(share @ miss**2)), float(np.sqrt(share @ (miss / per_mm) ** 2))


def _px_per_mm_across(seen: FiducialEdges) -> Floats:
    """How many px an edge moves for a millimetre across it on the table."""
    return np.asarray(np.linalg.norm(seen.slope[:, :2], axis=1))


def to_rows(matrix: Floats) -> tuple[tuple[float, ...], ...]:
    """The matrix as a value."""
    return tuple(tuple(map(float, row)) for row in matrix)


def _to_triple(vector: Floats) -> tuple[float, float, float]:
    x, y, z = map(float, vector)
    return x, y, z
