"""Which fits are bases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision import rendered
from tests.vision.fits import fit
from vision.candidates import NetworkScore
from vision.measurement.base_fit import RimFeatures
from vision.selection.non_maximum_suppression import select_bases

TABLE_MM = rendered.TABLE_MM


def test_a_base_with_a_good_rim_stays() -> None:
    good = fit()

    assert select_bases([good], table_mm=TABLE_MM) == (good,)


def test_of_two_that_overlap_the_better_one_stays() -> None:
    better, worse = fit((100.0, 100.0), strength=0.9), fit((112.0, 100.0), strength=0.7)

    assert select_bases([worse, better], table_mm=TABLE_MM) == (better,)


def test_of_two_sizes_in_one_place_the_one_whose_whole_rim_is_confirmed_stays() -> None:
    large, small = fit(diameter_mm=50.0, strength=0.85), fit(diameter_mm=30.0, strength=0.85)

    assert select_bases([small, large], table_mm=TABLE_MM) == (large,)


def test_bases_that_touch_both_stay() -> None:
    """Their fits may overlap by what fits are off."""
    left, right = fit((100.0, 100.0)), fit((129.2, 100.0), strength=0.8)

    assert select_bases([left, right], table_mm=TABLE_MM) == (left, right)


def test_a_disc_with_nothing_on_it_is_a_token() -> None:
    bare = RimFeatures(both=0.05, busy=0.8, grain=0.6, around=1.0)

    assert select_bases([fit(features=bare, strength=0.5, support=0.3)], table_mm=TABLE_MM) == ()


def test_a_disc_of_one_colour_is_a_token_however_clean_its_edge() -> None:
    clean = RimFeatures(both=0.05, busy=0.7, grain=0.5, around=0.5)

    assert select_bases([fit(features=clean, strength=1.2, support=0.97)], table_mm=TABLE_MM) == ()


def test_a_rim_that_the_picture_hardly_confirms_is_chance() -> None:
    chance = RimFeatures(both=0.08, busy=8.0, grain=3.0, around=2.5)

    assert select_bases([fit(features=chance, strength=0.3, support=0.2)], table_mm=TABLE_MM) == ()


FAINT = RimFeatures(both=0.12, busy=8.0, grain=3.0, around=1.0)


def test_a_faint_rim_in_which_the_network_sees_that_base_is_a_base() -> None:
    faint = fit(features=FAINT, strength=0.45, support=0.3, network_score=NetworkScore(p_base=0.9, p_other=0.0))

    assert select_bases([faint], table_mm=TABLE_MM) == (faint,)


def test_a_faint_rim_in_which_the_network_sees_nothing_is_none() -> None:
    faint = fit(features=FAINT, strength=0.45, support=0.3, network_score=NetworkScore(p_base=0.0, p_other=0.0))

    assert select_bases([faint], table_mm=TABLE_MM) == ()


def test_where_the_network_is_surer_of_something_else_a_faint_rim_is_no_base() -> None:
    faint = fit(features=FAINT, strength=0.6, support=0.4, network_score=NetworkScore(p_base=0.5, p_other=0.9))
    believed = fit(features=FAINT, strength=0.6, support=0.4, network_score=NetworkScore(p_base=0.7, p_other=0.9))

    assert select_bases([faint], table_mm=TABLE_MM) == ()
    assert select_bases([believed], table_mm=TABLE_MM) == (believed,)


def test_a_clear_rim_is_a_base_only_where_a_network_half_sees_it() -> None:
    """Printed rings and joints have rims as clear."""
    unseen, seen = (fit(network_score=NetworkScore(p_base=chance, p_other=0.0)) for chance in (0.0, 0.1))

    assert select_bases([unseen], table_mm=TABLE_MM) == ()
    assert select_bases([seen], table_mm=TABLE_MM) == (seen,)


@pytest.mark.parametrize("at_mm", [(-1.0, 200.0), (300.0, 400.5), (600.4, 10.0)])
def test_a_base_beside_the_table_is_none(at_mm: tuple[float, float]) -> None:
    assert select_bases([fit(at_mm)], table_mm=TABLE_MM) == ()


def test_a_fit_without_a_finite_covariance_is_none() -> None:
    assert select_bases([fit(covariance_mm2=np.full((2, 2), np.nan))], table_mm=TABLE_MM) == ()


PLACES = st.tuples(st.floats(0, 200), st.floats(0, 200), st.sampled_from([30.0, 40.0, 50.0]), st.floats(0.3, 1.2))


@given(st.lists(PLACES, max_size=14))
def test_no_two_that_stay_are_in_one_place(places: list[tuple[float, float, float, float]]) -> None:
    kept = select_bases([fit((x, y), diameter_mm=d, strength=s) for x, y, d, s in places], table_mm=TABLE_MM)
    far = [
        np.hypot(*np.subtract(a.at_mm, b.at_mm)) - a.base.radius_mm - b.base.radius_mm
        for i, a in enumerate(kept)
        for b in kept[:i]
    ]

    assert min(far, default=0.0) >= -2.5
