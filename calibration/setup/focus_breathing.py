"""Focus breathing: whether a focal length a picture explains the pictures better than one for all, and how much."""

from collections.abc import Sequence

import numpy as np

from calibration.setup.joint_adjustment import JointSolution, Prior, adjust_jointly
from calibration.setup.pages import PageView
from models.errors import BadInput

_TWO_LENSES = 0.03  # no camera refocuses by so much: relative, of the focal length
_MOST_BREATHING = 0.02  # a lens that refocuses is longer or shorter by less
_LEAST_BREATHING = 1e-4
_TOLD_BREATHING = 5e-4  # from which somebody can do something about it
_SURE_BREATHING = 6.0  # sigmas of a ratio of variances


def allow_breathing(views: Sequence[PageView], solution: JointSolution, prior: Prior) -> tuple[JointSolution, float]:
    """The solution with a focal length a picture where the pictures ask for one, and how much they differ (sigma)."""
    loose = adjust_jointly(views, solution.state, prior, breathing=_MOST_BREATHING)
    if loose is None:
        return solution, 0.0
    before, after = (float(np.sum(np.concatenate(fit.misses_px) ** 2)) for fit in (solution, loose))
    pictures, corners = len(loose.focal_changes), sum(map(len, loose.misses_px))
    ratio = (before - after) / pictures / (after / max(2 * corners - pictures, 1))
    if ratio < 1 + _SURE_BREATHING * np.sqrt(2 / pictures):
        return solution, 0.0
    breathing = max(float(np.sqrt(np.mean(loose.focal_changes**2))), _LEAST_BREATHING)
    return adjust_jointly(views, loose.state, prior, breathing=breathing) or loose, breathing


def check_breathing(breathing: float) -> None:
    """Pass one lens that refocuses a little. Raises: BadInput where no one lens took these pictures."""
    if breathing > _TWO_LENSES:
        raise BadInput(
            f"the pictures' focal lengths differ by {100 * breathing:.0f} %: are they of two phones, two zooms, or is "
            "one of another table? Take all of this table with one phone and one lens, without zooming",
            field="images",
            value=round(breathing, 3),
        )


def describe_breathing(breathing: float) -> tuple[str, ...]:
    """What is said of a camera that refocused; nothing of one that did not."""
    if breathing < _TOLD_BREATHING:
        return ()
    return (
        f"the camera refocused between the pictures (its focal length differs by {100 * breathing:.2f} %): lock the "
        "focus and take them anew for a surer table; what is said of doubt allows for it",
    )
