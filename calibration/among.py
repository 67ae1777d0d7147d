"""How surely tags lie among themselves, whatever frame they are written in."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.adjustment import Adjusted, Look
from calibration.pose import FLOOR_PX
from calibration.tag import UNKNOWNS, Tag, by_corners

Floats = NDArray[np.float64]


def turned(covariance: Floats, rotation: Floats) -> Floats:
    """The covariance of tags' unknowns (9 T, 9 T) in a frame that is turned by this."""
    whole = np.kron(np.eye(len(covariance) // 3), rotation)
    return np.asarray(whole @ covariance @ whole.T)


def among_themselves(tags: Sequence[Tag], covariance: Floats) -> Floats:
    """The covariance once the tags as a whole were laid where they are as well as may be: none of it is the frame's."""
    left = _left(tags, _rigid_motions(tags))
    return np.asarray(left @ covariance @ left.T)


def apart_from_scale(tags: Sequence[Tag], covariance: Floats) -> tuple[Floats, float]:
    """The covariance without the scale, and the sigma of the scale, as a share of any length."""
    growth = _growth(tags)
    left = _left(tags, np.column_stack([_rigid_motions(tags), growth]))
    pull = by_corners(tags).T @ (by_corners(tags) @ growth)
    return np.asarray(left @ covariance @ left.T), float(np.sqrt(pull @ covariance @ pull) / (pull @ growth))


def contradiction(done: Adjusted, looks: Sequence[Look]) -> float:
    """How many times more than they should the looks contradict each other, in variance; never below 1."""
    places = 6 * len(done.there.poses) - 6 + 3 * len(done.there.tags)
    freedom = max(2 * len(looks) - places, 1)
    return max(1.0, float(np.sum((done.off_px / FLOOR_PX) ** 2)) / freedom)


def middles(tags: Sequence[Tag]) -> NDArray[np.int64]:
    """Where the tags' middles stand among their unknowns."""
    return np.asarray((UNKNOWNS * np.arange(len(tags))[:, None] + np.arange(3)).ravel())


def _left(tags: Sequence[Tag], motions: Floats) -> Floats:
    """What is left of a change of the unknowns once the corners were laid back by these motions as far as they go."""
    corners = by_corners(tags)
    moved = corners @ motions
    return np.asarray(np.eye(len(motions)) - motions @ np.linalg.solve(moved.T @ moved, moved.T @ corners))


def _rigid_motions(tags: Sequence[Tag]) -> Floats:
    """What a small turn or shift of the whole does to the unknowns, (9 T, 6)."""
    arms = np.array([[tag.middle_mm - _centre(tags), tag.right, tag.down] for tag in tags])
    turns = [np.cross(axis, arms).ravel() for axis in np.eye(3)]
    shifts = [np.concatenate([axis, np.zeros(6)] * len(tags)) for axis in np.eye(3)]
    return np.stack(turns + shifts, axis=1)


def _growth(tags: Sequence[Tag]) -> Floats:
    """What doubling all lengths does to the unknowns, (9 T,)."""
    return np.array([[tag.middle_mm - _centre(tags), tag.right, tag.down] for tag in tags]).ravel()


def _centre(tags: Sequence[Tag]) -> Floats:
    return np.asarray(np.mean([tag.middle_mm for tag in tags], axis=0))
