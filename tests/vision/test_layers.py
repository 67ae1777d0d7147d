"""The layers of colour by which the sides of a block are explained."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.ranked.layers import RELATIVE_MM, SHIFTS_MM, WIDTHS_MM, Kind, explained

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


def test_a_sculpt_far_within_a_side_does_not_move_it() -> None:
    seen = SEEN + np.where(RELATIVE_MM < -3.5, 40.0, 0.0)[:, None]
    left = explained(KIND, seen).alone
    _, shift = np.unravel_index(int(left.argmin()), left.shape)

    assert SHIFTS_MM[shift] == pytest.approx(0.3)


def test_paint_is_taken_for_about_as_wide_as_the_rims() -> None:
    kind = replace(KIND, is_inner=False, is_painted=True)
    found = explained(kind, SEEN)
    cost = 1e6 * (np.abs(kind.widths_mm - WIDTHS_MM[:, None]) > 0.11)

    told = found.of_best_width(cost)

    wide = kind.widths_mm[told.widths]
    known = (kind.widths_mm[0] <= WIDTHS_MM) & (kind.widths_mm[-1] >= WIDTHS_MM)
    assert np.abs(wide - WIDTHS_MM[:, None])[known].max() < 0.11
