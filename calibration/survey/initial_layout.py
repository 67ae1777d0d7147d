"""Initial layout: roughly how tags lie on a table that pictures show in parts, to start a survey from.

Each picture tells the plane that its tags lie in, by their being squares of one size; pictures are then joined over the
tags that they share.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats
from calibration.camera_model import projection
from calibration.pose.pose_fit import pose_from_rotation
from calibration.survey.tag import Tag, tag_from_corners
from models.camera import Camera, CameraPose

_STEPS = 12
_FARTHEST = 1e4  # tag sizes; a plane that puts a corner there is seen edge-on


@dataclass(frozen=True)
class SurveyImage:
    """Picture of tags: the camera that took it, and the rough corners (4, 2) px of each tag in it."""

    name: str
    camera: Camera
    corners_px: Mapping[int, Floats]


@dataclass(frozen=True)
class InitialLayout:
    """Tags that lie about so on z = 0, and where each picture was taken; `None` for one that shares no tag."""

    tags: tuple[Tag, ...]
    poses: tuple[CameraPose | None, ...]


@dataclass(frozen=True)
class _Plane:
    """The table as one picture shows it: its tags' corners (4, 2) mm in its own axes, which `rotation` holds."""

    corners_mm: dict[int, Floats]
    rotation: Floats  # camera_from_plane
    translation_mm: Floats


def estimate_layout(shots: Sequence[SurveyImage], *, size_mm: float) -> InitialLayout:
    """Estimate how the tags lie, as far as the pictures hang together; the picture with most tags sets the axes."""
    planes = [_fit_plane(shot, size_mm=size_mm) for shot in shots]
    first = max(range(len(shots)), key=lambda i: len(shots[i].corners_px))
    known = dict(planes[first].corners_mm)
    poses: list[CameraPose | None] = [None] * len(shots)
    poses[first] = _pose_of(planes[first], np.eye(2), np.zeros(2))
    while (best := _next_image(planes, poses, known)) is not None:
        turn, shift = _align_plane(planes[best].corners_mm, known)
        poses[best] = _pose_of(planes[best], turn, shift)
        known |= {i: flat @ turn.T + shift for i, flat in planes[best].corners_mm.items() if i not in known}
    tags = tuple(tag_from_corners(i, np.pad(known[i], ((0, 0), (0, 1))), size_mm=size_mm) for i in sorted(known))
    return InitialLayout(tags, tuple(poses))


def _next_image(
    planes: Sequence[_Plane], poses: Sequence[CameraPose | None], known: Mapping[int, Floats]
) -> int | None:
    """The picture that shares most tags with what is known; None when no further one shares any."""
    shared = {i: len(set(plane.corners_mm) & set(known)) for i, plane in enumerate(planes) if poses[i] is None}
    best = max(shared, key=lambda i: shared[i], default=None)
    return best if best is not None and shared[best] else None


def _align_plane(here: Mapping[int, Floats], known: Mapping[int, Floats]) -> tuple[Floats, Floats]:
    """The turn and shift of the plane that lay one picture's tags onto those already known."""
    both = sorted(set(here) & set(known))
    ours, theirs = np.concatenate([here[i] for i in both]), np.concatenate([known[i] for i in both])
    spread = (ours - ours.mean(axis=0)).T @ (theirs - theirs.mean(axis=0))
    angle = np.arctan2(spread[0, 1] - spread[1, 0], spread[0, 0] + spread[1, 1])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return turn, theirs.mean(axis=0) - turn @ ours.mean(axis=0)


def _pose_of(plane: _Plane, turn: Floats, shift: Floats) -> CameraPose:
    upright = np.eye(3)
    upright[:2, :2] = turn
    rotation = plane.rotation @ upright.T
    return pose_from_rotation(rotation, plane.translation_mm - rotation @ np.append(shift, 0.0))


def _fit_plane(shot: SurveyImage, *, size_mm: float) -> _Plane:
    ids = sorted(shot.corners_px)
    flat = [projection.normalise(shot.corners_px[i], camera=shot.camera) for i in ids]
    rays = np.array([np.concatenate([corners, np.ones((4, 1))], axis=1) for corners in flat])
    starts = [normal for corners in flat for normal in _candidate_normals(corners)]
    settled = [_refine_normal(rays, normal) for normal in starts]
    normal = min(settled, key=lambda start: float(np.sum(_squareness_residuals(rays, start) ** 2)))
    corners = _intersect_plane(rays, normal)
    corners *= size_mm / np.mean(_side_lengths(corners))
    axes = _frame_axes(normal)
    origin = corners.reshape(-1, 3).mean(axis=0)
    return _Plane({i: (c - origin) @ axes[:, :2] for i, c in zip(ids, corners, strict=True)}, axes, origin)


def _candidate_normals(flat: Floats) -> list[Floats]:
    """Which ways one square may look, towards the camera: far away it may tilt to either side."""
    square = np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]], np.float64)
    _, turns, _, _ = cv2.solvePnPGeneric(square, flat, np.eye(3), None, flags=cv2.SOLVEPNP_IPPE_SQUARE)
    return [np.asarray(cv2.Rodrigues(turn)[0][:, 2], np.float64) for turn in turns]


def _refine_normal(rays: Floats, normal: Floats) -> Floats:
    """The normal near this one in whose plane the tags are squares of one size, as nearly as may be."""
    best, cost = normal, float(np.sum(_squareness_residuals(rays, normal) ** 2))
    for _ in range(_STEPS):
        sides = _frame_axes(best)[:, :2]
        slopes = np.stack(
            [
                (_squareness_residuals(rays, best + 1e-5 * sides[:, i]) - _squareness_residuals(rays, best)) / 1e-5
                for i in range(2)
            ],
            axis=1,
        )
        step = np.linalg.lstsq(slopes, -_squareness_residuals(rays, best), rcond=None)[0]
        then = best + sides @ np.clip(step, -0.2, 0.2)
        then /= np.linalg.norm(then)
        after = float(np.sum(_squareness_residuals(rays, then) ** 2))
        if not after < cost:
            break
        best, cost = then, after
    return best


def _squareness_residuals(rays: Floats, normal: Floats) -> Floats:
    """How far the tags are from squares of one size in that plane: sides and diagonals against their mean."""
    corners = _intersect_plane(rays, normal)
    sides = _side_lengths(corners)
    diagonals = np.linalg.norm(corners[:, 2:] - corners[:, :2], axis=2) / np.sqrt(2)
    return np.asarray((np.concatenate([sides, diagonals], axis=1) / sides.mean() - 1).ravel())


def _side_lengths(corners: Floats) -> Floats:
    return np.asarray(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2))


def _intersect_plane(rays: Floats, normal: Floats) -> Floats:
    """Where rays (N, 4, 3) meet the plane at distance one with this normal, which looks towards the camera."""
    depth = 1 / np.clip(rays @ -normal, 1 / _FARTHEST, None)
    return np.asarray(rays * depth[:, :, None])


def _frame_axes(normal: Floats) -> Floats:
    """A right-handed frame whose third axis is the normal, as columns."""
    across = np.cross(normal, [0.0, 1.0, 0.0]) if abs(normal[1]) < 0.9 else np.cross(normal, [1.0, 0.0, 0.0])
    first = across / np.linalg.norm(across)
    return np.stack([first, np.cross(normal, first), normal / np.linalg.norm(normal)], axis=1)
