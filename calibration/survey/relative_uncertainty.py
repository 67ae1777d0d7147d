"""Relative uncertainty: how surely tags lie among themselves, whatever frame they are written in."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats
from calibration.pose.pose_fit import FLOOR_PX
from calibration.survey.tag import UNKNOWNS, Tag, corner_jacobian
from calibration.survey.tag_adjustment import Adjustment, TagObservation


def rotate_covariance(covariance: Floats, rotation: Floats) -> Floats:
    """Covariance of tags' unknowns (9 T, 9 T) in a frame that is turned by this."""
    whole = np.kron(np.eye(len(covariance) // 3), rotation)
    return np.asarray(whole @ covariance @ whole.T)


def relative_covariance(tags: Sequence[Tag], covariance: Floats) -> Floats:
    """Covariance once the tags as a whole were laid where they are as well as may be: none of it is the frame's."""
    left = _remove_motions(tags, _rigid_motions(tags))
    return np.asarray(left @ covariance @ left.T)


def scale_free_covariance(tags: Sequence[Tag], covariance: Floats) -> tuple[Floats, float]:
    """Covariance without the scale, and the sigma of the scale, as a share of any length."""
    growth = _scale_motion(tags)
    left = _remove_motions(tags, np.column_stack([_rigid_motions(tags), growth]))
    pull = corner_jacobian(tags).T @ (corner_jacobian(tags) @ growth)
    return np.asarray(left @ covariance @ left.T), float(np.sqrt(pull @ covariance @ pull) / (pull @ growth))


def inconsistency_factor(done: Adjustment, observations: Sequence[TagObservation]) -> float:
    """How many times more than they should the observations contradict each other, in variance; never below 1."""
    places = 6 * len(done.state.poses) - 6 + 3 * len(done.state.tags)
    freedom = max(2 * len(observations) - places, 1)
    return max(1.0, float(np.sum((done.off_px / FLOOR_PX) ** 2)) / freedom)


def middle_columns(tags: Sequence[Tag]) -> NDArray[np.int64]:
    """Columns of the tags' middles among their unknowns."""
    return np.asarray((UNKNOWNS * np.arange(len(tags))[:, None] + np.arange(3)).ravel())


def _remove_motions(tags: Sequence[Tag], motions: Floats) -> Floats:
    """What is left of a change of the unknowns once the corners were laid back by these motions as far as they go."""
    corners = corner_jacobian(tags)
    moved = corners @ motions
    return np.asarray(np.eye(len(motions)) - motions @ np.linalg.solve(moved.T @ moved, moved.T @ corners))


def _rigid_motions(tags: Sequence[Tag]) -> Floats:
    """What a small turn or shift of the whole does to the unknowns, (9 T, 6)."""
    arms = np.array([[tag.middle_mm - _centre(tags), tag.right, tag.down] for tag in tags])
    turns = [np.cross(axis, arms).ravel() for axis in np.eye(3)]
    shifts = [np.concatenate([axis, np.zeros(6)] * len(tags)) for axis in np.eye(3)]
    return np.stack(turns + shifts, axis=1)


def _scale_motion(tags: Sequence[Tag]) -> Floats:
    """What doubling all lengths does to the unknowns, (9 T,)."""
    return np.array([[tag.middle_mm - _centre(tags), tag.right, tag.down] for tag in tags]).ravel()


def _centre(tags: Sequence[Tag]) -> Floats:
    return np.asarray(np.mean([tag.middle_mm for tag in tags], axis=0))
