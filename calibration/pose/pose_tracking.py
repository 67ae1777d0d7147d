"""Pose tracking: how the camera moved since a picture of known pose, from its anchor patches found again."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Mask
from calibration.least_squares import tukey
from calibration.pose import anchor_patches as pieces
from calibration.pose.anchor_patches import BACKGROUND, Anchors, AnchorShifts, SmallImage
from calibration.pose.covariance_propagation import covariance_mm2, pose_shifts
from calibration.pose.pose_fit import perturb_pose
from calibration.view import View
from models.camera import CameraPose

_MARKER_FLOOR_PX, _GROUND_FLOOR_PX = 0.06, 0.1  # of a piece, whatever its noise: shading, compression
_UNEVEN = 0.05  # of a shift: the ground is taken for flat, but what stands on it is nearer the camera
_ROUNDS, _WEIGHINGS = 4, 8
_FEWEST = 8
_ENOUGH_MARKERS = 2  # that stay where they were, whatever the mat under them does
_SEEN_SHARE = 0.4  # of a fiducial's pieces, for it to count as seen
_SURE_MM = 0.3
_SETTLED_PX = 0.02


@dataclass(frozen=True)
class TrackedPose:
    """Tracked pose, relative to the picture of the anchors.

    `sigma_mm` is how far the movement may put the table's worst corner off (both axes together); `fiducials` are those
    whose pieces were found in their places; `held` (N,) says which anchors were.
    """

    pose: CameraPose
    sigma_mm: float
    fiducials: tuple[int, ...]
    held: Mask

    @property
    def share(self) -> float:
        """Share of the anchors that held."""
        return float(self.held.mean())


@dataclass(frozen=True)
class _Solved:
    change: Floats
    covariance: Floats
    trust: Floats


def track_pose(small: SmallImage, anchors: Anchors, *, registered: View, last: CameraPose) -> TrackedPose | None:
    """Track the pose from `registered`, the view of the anchors' picture; searched for near `last`.

    None when too few pieces are found again to tell it within a third of a millimetre: the camera was moved far, or is
    covered.
    """
    near = _refine_pose(small, anchors, last, registered)
    if near is not None and (near.share > 0.5 or len(near.fiducials) >= _ENOUGH_MARKERS):
        return near
    start = _search_pose(small, anchors, registered.with_pose(last))
    far = None if start is None else _refine_pose(small, anchors, start, registered)
    return max((track for track in (near, far) if track is not None), key=lambda track: track.share, default=None)


def pose_shift_mm(before: View, after: CameraPose) -> float:
    """How far the farthest corner of the table seems to have moved between the two poses."""
    corners = _table_corners(before)
    seen = before.with_pose(after).project(corners)
    off = np.linalg.norm(before.intersect_plane(seen, z_mm=0.0) - corners[:, :2], axis=1)
    return float(off.max()) if np.all(np.isfinite(off)) else float("inf")


def worst_sigma_mm(view: View) -> float:
    """Sigma of the table's worst corner by the pose's covariance, both axes together."""
    by_pose = covariance_mm2(pose_shifts(_table_corners(view), view=view))
    return float(np.sqrt(np.trace(by_pose, axis1=1, axis2=2).max()))


def _refine_pose(small: SmallImage, anchors: Anchors, start: CameraPose, registered: View) -> TrackedPose | None:
    view = registered.with_pose(start)
    track = None
    for _ in range(_ROUNDS):
        expected = pieces.project_anchors(anchors, small, view=view)
        by_pose = view.pose_jacobian(anchors.points_mm) / small.by
        solved = _solve(anchors, pieces.measure_shifts(anchors, small, expected), by_pose)
        if solved is None:
            return None
        view = view.with_pose(perturb_pose(view.pose, solved.change))
        track = _make_tracked_pose(anchors, solved, view, registered.pose)
        if np.abs(by_pose @ solved.change).max() < _SETTLED_PX:
            break
    return track


def _search_pose(small: SmallImage, anchors: Anchors, last: View) -> CameraPose | None:
    expected = pieces.project_anchors(anchors, small, view=last)
    by_pose = last.pose_jacobian(anchors.points_mm) / small.by
    solved = _solve(anchors, pieces.search_shifts(anchors, small, expected), by_pose)
    return None if solved is None else perturb_pose(last.pose, solved.change)


def _solve(anchors: Anchors, measured: AnchorShifts, by_pose: Floats) -> _Solved | None:
    """The change of pose that most pieces agree on; the fiducials outweigh a mat that slides under them."""
    good = measured.is_alike & np.all(np.isfinite(by_pose), axis=(1, 2))
    if good.sum() < _FEWEST:
        return None
    shift, slope = measured.shift_px[good], by_pose[good]
    weight = np.linalg.inv(
        measured.covariance[good] + _variance_floor(anchors.of[good], shift)[:, None, None] * np.eye(2)
    )
    scale = np.sqrt(np.einsum("nij,nij->j", slope, slope)) + 1e-12
    trust = np.ones(len(shift))
    change = np.zeros(6)
    judges = _reference_anchors(anchors.of[good])
    for _ in range(_WEIGHINGS):
        change, normal = _solve_weighted(shift, slope / scale, weight, trust)
        left = shift - slope @ (change / scale)
        ratio = np.sqrt(np.einsum("ni,nij,nj->n", left, weight, left))
        trust = tukey(ratio / max(1.0, 0.85 * float(np.median(ratio[judges]))), least=0.0)
    if (trust > 0.1).sum() < _FEWEST:
        return None
    excess = float(np.sum(trust * ratio**2) / max(2 * np.sum(trust) - 6, 1.0))
    covariance = np.linalg.inv(normal) / np.outer(scale, scale) * max(1.0, excess)
    full = np.zeros(len(good))
    full[good] = trust
    return _Solved(change / scale, covariance, full)


def _reference_anchors(of: NDArray[np.int64]) -> Mask:
    """The pieces whose usual misfit is the measure of all: the fiducials', where two are seen."""
    on_marker = of != BACKGROUND
    return on_marker if len(np.unique(of[on_marker])) >= _ENOUGH_MARKERS else np.ones(len(of), np.bool_)


def _variance_floor(of: NDArray[np.int64], shift_px: Floats) -> Floats:
    """Variance, px^2, that a piece has besides its noise."""
    ground = of == BACKGROUND
    usual = np.hypot(*np.median(shift_px, axis=0))
    return np.where(ground, _GROUND_FLOOR_PX**2 + (_UNEVEN * usual) ** 2, _MARKER_FLOOR_PX**2)


def _solve_weighted(shift: Floats, slope: Floats, weight: Floats, trust: Floats) -> tuple[Floats, Floats]:
    weighted = np.einsum("n,nij->nij", trust, weight)
    normal = np.einsum("nia,nij,njb->ab", slope, weighted, slope) + 1e-6 * np.eye(6)
    right = np.einsum("nia,nij,nj->a", slope, weighted, shift)
    return np.asarray(np.linalg.solve(normal, right)), np.asarray(normal)


def _make_tracked_pose(anchors: Anchors, solved: _Solved, view: View, registered: CameraPose) -> TrackedPose | None:
    held = solved.trust > 0.1
    moving = _with_covariance(view.pose, solved.covariance, registered)
    sigma = worst_sigma_mm(view.with_pose(moving))
    if sigma > _SURE_MM:
        return None
    ids = np.unique(anchors.of[anchors.of != BACKGROUND])
    seen = tuple(int(id_) for id_ in ids if held[anchors.of == id_].mean() > _SEEN_SHARE)
    whole = _with_covariance(view.pose, solved.covariance + np.array(registered.covariance), registered)
    return TrackedPose(whole, sigma, seen, held)


def _with_covariance(pose: CameraPose, covariance: Floats, registered: CameraPose) -> CameraPose:
    """This pose with that doubt; the rest is as it was registered."""
    facts = registered.model_dump() | {
        "rotation": pose.rotation,
        "translation_mm": pose.translation_mm,
        "centre_mm": pose.centre_mm,
        "covariance": ((covariance + covariance.T) / 2).tolist(),
    }
    return CameraPose.model_validate(facts)


def _table_corners(view: View) -> Floats:
    width, depth = view.table_mm
    return np.array([[x, y, 0.0] for x in (0.0, width) for y in (0.0, depth)])
