"""The layers of colour by which the sides of a block are explained."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.ranked.layers import SHIFTS_MM, WIDTHS_MM, Kind, explained

KIND = Kind.of(0.0, 0.4, is_inner=True)
COLOURS = np.array([[40.0, 20.0, -10.0], [-90.0, -80.0, -60.0], [0.0, 0.0, 0.0]])  # of basing, rim and paint
IN_THE_GAP = np.array([[30.0, 25.0, 40.0]])  # more than the rims beside it
LAYERS = KIND.layers(np.array(1.0), np.array(0.3), (1.2, None))
SEEN = LAYERS[:, :3] @ COLOURS + LAYERS[:, 5:6] @ IN_THE_GAP


def test_a_side_is_explained_best_where_it_lies() -> None:
    left = explained(KIND, SEEN).alone
    width, shift = np.unravel_index(int(left.argmin()), left.shape)

    assert (WIDTHS_MM[width], SHIFTS_MM[shift]) == pytest.approx((1.0, 0.3))


def test_the_best_shared_colours_leave_less_than_any_others() -> None:
    found = explained(KIND, SEEN).weighed.at(3, 4)
    best = found.colours

    def left(colours: NDArray[np.float64]) -> float:
        return float(found.misfit_of(colours)) + float((colours**2).sum()) / 80.0**2  # for being unlike the mean

    assert left(best) == pytest.approx(float(found.misfit), rel=1e-6)
    assert all(left(best + off) > left(best) for off in np.random.default_rng(3).normal(0, 5, (20, 3, 3)))
