"""The camera's pose from the edges of fiducials, with what is not known of their places and of the tone curve.

Least squares over the pose and, for each marker, what nobody measured: how far the tone curve moves its edges towards
black, and how it lies off its written place (moved, turned, stretched), held by the layout's sigma. Without the stretch
the sizes of the markers, known to a thousandth, would outvote their places and push the camera up or down.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.sighting import Sighting
from models.camera import CameraPose

Floats = NDArray[np.float64]

_OWN = 8  # unknowns of a marker: tone; dx, dy, dz; and its plane's four slopes: d(dx, dy) / d(x, y)
_NEIGHBOURS = 2.0  # edge points of one cell's side are one measurement: they share its pixels
_FLOOR_PX = 0.015  # what a whole marker is off though each of its edges is sharp: shading, compression
_TONE_PX = 2.0
_STRETCH = 0.45  # of the marker's own sigma: how far turning and stretching it moves its corners
_LEAST_NOISE_PX = 0.02
_ROUNDS = 4


@dataclass(frozen=True)
class Fit:
    """The pose; which share of each marker's edges was believed; and whether the markers agree with the layout.

    `disagreement` is the chi square of the markers' places on the table, as a share of what chance gives once in a
    thousand pictures. Above 1 the layout is wrong, and the pose's covariance is widened.
    """

    pose: CameraPose
    believed: dict[int, float]
    disagreement: float


@dataclass(frozen=True)
class _Equations:
    """One row an edge: d offset / d unknown, and the offset; `prior` is 1 / sigma^2 of each unknown beforehand."""

    matrix: Floats
    offset_px: Floats
    prior: Floats


@dataclass(frozen=True)
class _Solution:
    unknowns: Floats
    covariance: Floats
    trust: Floats
    left_px: Floats


def from_rotation(rotation: Floats, translation: Floats) -> CameraPose:
    """The pose with this `camera_from_table`, of which nothing else is known."""
    return CameraPose(
        rotation=_rows(rotation),
        translation_mm=_three(translation),
        covariance=_rows(np.eye(6)),
        rms_px=0,
        rms_mm=0,
        markers=(),
        centre_mm=_three(-rotation.T @ translation),
    )


def moved(pose: CameraPose, change: Floats) -> CameraPose:
    """The pose after a small change of its six parameters."""
    turn = np.asarray(cv2.Rodrigues(change[:3])[0], np.float64)
    return from_rotation(turn @ np.array(pose.rotation), np.array(pose.translation_mm) + change[3:])


def fit(sightings: Sequence[Sighting], *, pose: CameraPose, sigma_mm: float) -> Fit:
    """The pose that explains the sightings best; `pose` is the one they were looked for at."""
    asked = _equations(sightings, pose=pose, sigma_mm=sigma_mm)
    judged = [_judge(seen) for seen in sightings]
    noise = np.concatenate([np.full(len(trust), sigma) for trust, sigma in judged])
    solved = _solve(asked, np.concatenate([trust for trust, _ in judged]), noise)
    rms_px, rms_mm = _residuals(sightings, asked, solved)
    ids = [seen.marker.id for seen in sightings]
    square, freedom = _disagreement(asked, solved)
    disagreement = square / _once_in_a_thousand(freedom)
    widened = square / freedom if disagreement > 1 else 1.0
    there = moved(pose, solved.unknowns[:6])
    found = CameraPose(
        rotation=there.rotation,
        translation_mm=there.translation_mm,
        covariance=_rows(solved.covariance[:6, :6] * widened),
        rms_px=rms_px,
        rms_mm=rms_mm,
        markers=tuple(ids),
        centre_mm=there.centre_mm,
    )
    believed = [float(np.mean(trust > 0.1)) for trust, _ in judged]
    return Fit(found, dict(zip(ids, believed, strict=True)), disagreement)


def _disagreement(asked: _Equations, solved: _Solution) -> tuple[float, int]:
    """Chi square of the markers' places, and its freedom. Three always agree: the pose has as many coordinates."""
    off = solved.unknowns[6:].reshape(-1, _OWN)[:, 1:3]
    known = asked.prior[6:].reshape(-1, _OWN)[:, 1:3]
    return float(np.sum(off**2 * known)), max(off.size - 6, 1)


def _once_in_a_thousand(freedom: int) -> float:
    """The chi square that chance exceeds so often; after Wilson and Hilferty."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + 3.09 * np.sqrt(part)) ** 3)


def _equations(sightings: Sequence[Sighting], *, pose: CameraPose, sigma_mm: float) -> _Equations:
    total = sum(len(seen.points_mm) for seen in sightings)
    matrix = np.zeros((total, 6 + _OWN * len(sightings)))
    prior = [np.zeros(6)]
    row = 0
    for i, seen in enumerate(sightings):
        rows = slice(row, row + len(seen.points_mm))
        matrix[rows, :6] = _by_pose(seen, pose)
        matrix[rows, 6 + _OWN * i : 6 + _OWN * (i + 1)], known = _by_marker(seen, sigma_mm=sigma_mm)
        prior.append(known)
        row = rows.stop
    return _Equations(matrix, np.concatenate([seen.offset_px for seen in sightings]), np.concatenate(prior))


def _by_pose(seen: Sighting, pose: CameraPose) -> Floats:
    """d offset / d (small turn on the camera's side, t)."""
    rotation = np.array(pose.rotation)
    by_shift = seen.slope @ rotation.T
    by_turn = np.cross(seen.points_mm @ rotation.T, by_shift)
    return np.concatenate([by_turn, by_shift], axis=1)


def _by_marker(seen: Sighting, *, sigma_mm: float) -> tuple[Floats, Floats]:
    """d offset / d the marker's own unknowns, and 1 / sigma^2 of each."""
    corners = np.array(seen.marker.corners_mm)
    arm = seen.points_mm - corners.mean(axis=0)
    own = np.empty((len(arm), _OWN))
    own[:, 0] = 1
    own[:, 1:4] = seen.slope
    own[:, 4:6] = seen.slope[:, :2] * arm[:, :1]
    own[:, 6:8] = seen.slope[:, :2] * arm[:, 1:2]
    px_per_mm = float(np.median(_per_mm(seen)))
    place = float(np.hypot(sigma_mm, _FLOOR_PX / px_per_mm))
    reach = float(np.linalg.norm(corners[0] - corners[2])) / 2
    return own, 1 / np.array([_TONE_PX] + 3 * [place] + 4 * [_STRETCH * place / reach]) ** 2


def _solve(asked: _Equations, trust: Floats, noise_px: Floats) -> _Solution:
    weights = trust / (_NEIGHBOURS * noise_px**2)
    normal = asked.matrix.T @ (asked.matrix * weights[:, None]) + np.diag(asked.prior)
    unknowns = np.asarray(np.linalg.solve(normal, asked.matrix.T @ (weights * asked.offset_px)), np.float64)
    covariance = np.asarray(np.linalg.inv(normal), np.float64)
    left = asked.offset_px - asked.matrix @ unknowns
    return _Solution(unknowns, (covariance + covariance.T) / 2, trust, left)


def _judge(seen: Sighting) -> tuple[Floats, float]:
    """How far to trust each edge of a marker, and their noise in px, whatever the marker's place: by its own pattern.

    What a miniature or a hand covers counts nothing; a marker that was moved as a whole keeps its edges.
    """
    own, _ = _by_marker(seen, sigma_mm=1)
    free = np.delete(own, 3, axis=1)  # up and down is the same as a little larger and smaller
    scale = np.linalg.norm(free, axis=0)
    trust = np.ones(len(free))
    for _ in range(_ROUNDS):
        normal = free.T @ (free * trust[:, None]) + np.diag(1e-9 * scale**2)
        left = seen.offset_px - free @ np.linalg.solve(normal, free.T @ (trust * seen.offset_px))
        noise = max(1.4826 * float(np.median(np.abs(left))), _LEAST_NOISE_PX)
        trust = _tukey(left / noise)
    return trust, noise


def _tukey(ratio: Floats) -> Floats:
    return np.where(np.abs(ratio) < 4.685, (1 - (ratio / 4.685) ** 2) ** 2, 1e-9)


def _residuals(sightings: Sequence[Sighting], asked: _Equations, solved: _Solution) -> tuple[float, float]:
    """RMS across the edges, in px and on the table: the tone shift taken out, the markers' own places left in."""
    places = solved.unknowns.copy()
    places[:6] = 0
    places[6::_OWN] = 0
    miss = solved.left_px + asked.matrix @ places
    per_mm = np.concatenate([_per_mm(seen) for seen in sightings])
    share = solved.trust / solved.trust.sum()
    return float(np.sqrt(share @ miss**2)), float(np.sqrt(share @ (miss / per_mm) ** 2))


def _per_mm(seen: Sighting) -> Floats:
    """How many px an edge moves for a millimetre across it on the table."""
    return np.asarray(np.linalg.norm(seen.slope[:, :2], axis=1))


def _rows(matrix: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(map(float, row)) for row in matrix)


def _three(vector: Floats) -> tuple[float, float, float]:
    x, y, z = map(float, vector)
    return x, y, z
