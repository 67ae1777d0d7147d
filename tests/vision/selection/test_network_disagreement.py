"""A fit that lies away from where the networks see the base is in doubt."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base import RectBase, RoundBase
from tests.vision import fits
from vision.candidates import Candidate
from vision.measurement.base_fit import BaseFit
from vision.rectification.ground_height import FLAT
from vision.selection.network_bases import widen_by_disagreement

AT = (100.0, 100.0)
SQUARE = RectBase(width_mm=25, depth_mm=25)


def _seen(at_mm: tuple[float, float], *, sigma_mm: float = 0.8) -> Candidate:
    return Candidate(RoundBase(diameter_mm=30), at_mm, FLAT, 0.9, sigma_mm=sigma_mm)


def _sigma_mm(fit: BaseFit, direction: tuple[float, float]) -> float:
    along = np.array(direction)
    return math.sqrt(float(along @ fit.covariance_mm2 @ along))


def test_a_fit_where_the_networks_see_the_base_keeps_its_doubt() -> None:
    fit = fits.fit(AT)

    assert widen_by_disagreement([fit], [_seen((100.3, 100.2))], units=[None]) == (fit,)


def test_a_fit_three_millimetres_off_is_in_as_much_doubt_most_of_all_that_way() -> None:
    (wide,) = widen_by_disagreement([fits.fit(AT)], [_seen((103.0, 100.0))], units=[None])

    assert 2.5 < _sigma_mm(wide, (1.0, 0.0)) < 3.5
    assert 1.5 < _sigma_mm(wide, (0.0, 1.0)) < _sigma_mm(wide, (1.0, 0.0))


@given(near=st.floats(0, 8), farther=st.floats(0.01, 0.9))
def test_the_farther_off_the_larger_the_doubt(near: float, farther: float) -> None:
    one, other = (
        widen_by_disagreement([fits.fit(AT)], [_seen((100.0 + off, 100.0))], units=[None])[0]
        for off in (near, near + farther)
    )

    assert np.linalg.eigvalsh(other.covariance_mm2 - one.covariance_mm2).min() >= -1e-9


@pytest.mark.parametrize(
    "seen", [(), (_seen((130.0, 100.0)),), (_seen((103.0, 100.0), sigma_mm=0.0),)],
    ids=["nothing", "another base", "rings of the classical finder"],
)  # fmt: skip
def test_where_the_networks_see_nothing_of_it_the_fit_keeps_its_doubt(seen: tuple[Candidate, ...]) -> None:
    fit = fits.fit(AT)

    assert widen_by_disagreement([fit], seen, units=[None]) == (fit,)


def test_members_of_a_unit_share_the_middle_of_what_each_is_off() -> None:
    rank = [replace(fits.fit((100.0 + 25 * k, 100.0)), base=SQUARE) for k in range(3)]
    seen = [_seen((100.0 + 25 * k, 100.0 + off)) for k, off in enumerate((0.0, 2.0, 2.5))]
    wide = widen_by_disagreement(rank, seen, units=[4, 4, 4])

    assert len({_sigma_mm(one, (0.0, 1.0)) for one in wide}) == 1
    assert _sigma_mm(wide[0], (0.0, 1.0)) > 2.0
