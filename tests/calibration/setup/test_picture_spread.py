"""Pictures whose corners are off together are believed less, by as much as they are off; others as before."""

import numpy as np
import pytest

from calibration.arrays import Floats
from calibration.setup.joint_adjustment import widen_covariance

_COMMON, _POSE, _CORNERS = 3, 6, 24


def _solve(r: np.random.Generator, pictures: int, together: float) -> tuple[Floats, Floats, Floats]:
    """Errors of the common values in a linear problem of this form, and their covariance before and after.

    The misses of a picture follow a smooth pattern of size `together` beside noise of 1.
    """
    size = _COMMON + _POSE * pictures
    parts: list[tuple[Floats, Floats]] = []
    for k in range(pictures):
        rows = np.zeros((_CORNERS, size))
        rows[:, :_COMMON] = r.normal(size=(_CORNERS, _COMMON)) + np.linspace(-2, 2, _CORNERS)[:, None]
        rows[:, _COMMON + _POSE * k : _COMMON + _POSE * (k + 1)] = r.normal(size=(_CORNERS, _POSE))
        off = r.normal(size=_CORNERS) + together * r.normal() * np.linspace(-1, 1, _CORNERS)
        parts.append((rows.T @ rows, rows.T @ off))
    matrix, right = sum(part for part, _ in parts), sum(right for _, right in parts)
    covariance = np.linalg.inv(matrix)
    error = covariance @ right
    solved = [(part, right - part @ error) for part, right in parts]
    wider = widen_covariance(covariance, solved, np.arange(size), first_pose=_COMMON)
    return error[:_COMMON], covariance[:_COMMON, :_COMMON], wider[:_COMMON, :_COMMON]


def _ratios(pictures: int, together: float) -> tuple[float, float]:
    """Variance of errors over that which is stated, without and with what pictures disagree by."""
    r = np.random.default_rng(3)
    draws = [_solve(r, pictures, together) for _ in range(300)]
    made = np.mean([np.square(error) for error, _, _ in draws])
    return tuple(float(made / np.mean([np.diag(one[k]) for one in draws])) for k in (1, 2))  # type: ignore[return-value]


@pytest.mark.parametrize("pictures", [3, 8])
def test_noise_of_each_corner_alone_leaves_the_covariance_as_it_was(pictures: int) -> None:
    before, after = _ratios(pictures, 0.0)

    assert before == pytest.approx(1, abs=0.15)
    assert 0.75 < after < 1.1


@pytest.mark.parametrize("pictures", [5, 12])
def test_pictures_that_are_off_as_a_whole_are_believed_less(pictures: int) -> None:
    before, after = _ratios(pictures, 2.0)

    assert before > 3
    assert 0.6 < after < 1.6


def test_a_single_picture_has_nothing_to_disagree_with() -> None:
    _, before, after = _solve(np.random.default_rng(5), 1, 2.0)

    assert after == pytest.approx(before)
