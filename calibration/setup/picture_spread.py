"""Cluster-robust covariance: what pictures disagree by about lens and pages, beside what their corners' noise allows.

Were the corners of a picture off independently of each other, each picture's pull on the common values (its score, with
its own pose eliminated) would have a known covariance. Paper that is not flat, sharpened edges and a lens that the
model does not describe pull all corners of a picture together. Sources: Liang and Zeger, "Longitudinal data analysis
using generalized linear models", Biometrika 73, 1986; Bell and McCaffrey, "Bias reduction in standard errors", Survey
Methodology 28, 2002 (CR2), which is right on average also where pictures are few.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats

_SHARE = (
    0.5  # of what pictures disagree by in each direction; the rest is one factor for all, which is told more surely
)
_SURE = 2.0  # degrees of freedom: so much is that factor drawn towards 1
_WHOLE = 0.98  # share of a direction from which a picture alone tells it, and nothing contradicts it
_CUT = 1e-13


def widen_covariance(
    covariance: Floats,
    parts: Sequence[tuple[Floats, Floats]],
    free: NDArray[np.int64],
    *,
    first_pose: int,
) -> Floats:
    """The covariance (F, F) of the free values, as pictures disagree; as it was where they do so by chance only.

    `parts`: normal matrix and right side of each picture; the poses, six values of each, begin at `first_pose`.
    """
    poses = range(first_pose, first_pose + 6 * len(parts))
    place = np.flatnonzero([k not in poses for k in free])
    pulls = [_reduce(*part, free[place], np.arange(6) + first_pose + 6 * k) for k, part in enumerate(parts)]
    root = _root(covariance[np.ix_(place, place)])
    shares = [root.T @ curvature @ root for curvature, _ in pulls]
    scores = [root.T @ score for _, score in pulls]
    excess = _excess(shares, scores)
    spread = excess * (1 - _SHARE) * np.eye(root.shape[1]) + _SHARE * _spread(shares, scores)
    by_common = covariance[:, place] @ np.linalg.pinv(root).T  # (F, c): how all values follow the common ones
    wider = excess * covariance + by_common @ (spread - excess * np.eye(len(spread))) @ by_common.T
    return np.asarray((wider + wider.T) / 2)


def _reduce(matrix: Floats, right: Floats, common: NDArray[np.int64], pose: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """What a picture says of the common values once its pose follows them (Schur complement)."""
    across = matrix[np.ix_(common, pose)] @ np.linalg.pinv(matrix[np.ix_(pose, pose)], rcond=_CUT, hermitian=True)
    curvature = matrix[np.ix_(common, common)] - across @ matrix[np.ix_(pose, common)]
    return curvature, right[common] - across @ right[pose]


def _root(covariance: Floats) -> Floats:
    """A matrix whose product with its transpose is the covariance."""
    scale = np.sqrt(np.diag(covariance))
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    kept = values > _CUT * values[-1]
    return np.asarray(scale[:, None] * vectors[:, kept] * np.sqrt(values[kept]))


def _excess(shares: Sequence[Floats], scores: Sequence[Floats]) -> float:
    """One factor for all values, at least 1: the size of all pulls over that which noise gives them."""
    measured = sum(float(score @ score) for score in scores)
    expected = sum(float(np.trace(share - share @ share)) for share in shares)
    return max(1.0, (measured + _SURE) / (expected + _SURE))


def _spread(shares: Sequence[Floats], scores: Sequence[Floats]) -> Floats:
    """The covariance in units of the stated one: on average the unit matrix where pictures disagree by noise alone."""
    out = np.eye(len(shares[0])) - np.sum(shares, axis=0)  # what priors say
    for share, score in zip(shares, scores, strict=True):
        values, vectors = np.linalg.eigh(share)
        shared = values < _WHOLE
        pull = vectors[:, shared] @ ((vectors[:, shared].T @ score) / np.sqrt(1 - np.clip(values[shared], 0, None)))
        alone = vectors[:, ~shared]
        out += np.outer(pull, pull) + alone @ np.diag(values[~shared]) @ alone.T
    return np.asarray(out)
