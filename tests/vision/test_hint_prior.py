"""One word teaches the rest of a table: sizes and looks of what was confirmed and dismissed weigh what is open."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base import RoundBase, catalogue_of
from models.unconfirmed_base import UnconfirmedBase
from tests.vision import rendered
from vision.hint_prior import HintPrior, learn_prior, search_gaps
from vision.measurement.base_fit import fit_base
from vision.rectification.ground_height import FLAT
from vision.state_assembly import MeasuredBase

EYE = rendered.Eye().around((560.0, 330.0), reach_mm=170.0)
VIEW, CATALOGUE = EYE.view(), catalogue_of()
BLACK, RED, CLAY, SAND = (30.0, 30.0, 34.0), (40.0, 46.0, 190.0), (60.0, 90.0, 140.0), (150.0, 190.0, 210.0)
ARMY = [rendered.Base((450.0 + 45 * k, 290.0), 40.0, rim=BLACK, basing=CLAY, seed=k) for k in range(3)]
OPEN = rendered.Base((500.0, 370.0), 40.0, rim=BLACK, basing=CLAY, seed=8)
STRANGER = rendered.Base((590.0, 370.0), 32.0, rim=RED, basing=SAND, seed=9)
IMAGE = rendered.photograph(rendered.Scene((*ARMY, OPEN, STRANGER), eye=EYE))


def _confirmed(base: rendered.Base, placement: str | None = "measured") -> MeasuredBase:
    fit = fit_base(
        IMAGE, start_mm=base.at_mm, base=RoundBase(diameter_mm=base.diameter_mm), ground=FLAT, camera=VIEW.camera,
        pose=VIEW.pose,
    )  # fmt: skip
    assert fit is not None
    return MeasuredBase(fit, None, placement=placement)  # type: ignore[arg-type]


SURE = [_confirmed(base) for base in ARMY]


def _open(base: rendered.Base, mm: float, probability: float = 0.2) -> UnconfirmedBase:
    at_mm = (base.at_mm[0] + 1.5, base.at_mm[1] - 1.0)
    return UnconfirmedBase(base=RoundBase(diameter_mm=mm), at_mm=at_mm, sigma_mm=1.5, probability=probability)


def _searched(
    prior: HintPrior, *unconfirmed: UnconfirmedBase
) -> tuple[tuple[MeasuredBase, ...], tuple[UnconfirmedBase, ...]]:
    bases, left = search_gaps(
        IMAGE, prior, SURE, unconfirmed, candidates=(), catalogue=CATALOGUE, view=VIEW
    )  # fmt: skip
    return bases[len(SURE) :], left


def test_what_is_of_a_confirmed_size_and_look_is_pulled_in_and_measured_in_that_size() -> None:
    prior = learn_prior(IMAGE, SURE, (), view=VIEW)
    assert prior is not None
    (pulled,), left = _searched(prior, _open(OPEN, 32.0))

    assert left == ()
    assert pulled.fit.base == RoundBase(diameter_mm=40)
    assert math.dist(pulled.fit.at_mm, OPEN.at_mm) < 0.5


def test_what_is_like_something_dismissed_is_not_proposed_again() -> None:
    prior = learn_prior(IMAGE, SURE, [_confirmed(OPEN).fit], view=VIEW)
    assert prior is not None
    known = HintPrior(prior.sizes, prior.confirmed[:0], prior.dismissed)
    added, left = _searched(known, _open(OPEN, 40.0, probability=0.1))

    assert added == ()
    assert all(each.probability < 0.1 for each in left)


def test_a_stranger_stays_open() -> None:
    prior = learn_prior(IMAGE, SURE, (), view=VIEW)
    assert prior is not None
    added, (left,) = _searched(prior, _open(STRANGER, 32.0))

    assert added == ()
    assert 0 < left.probability < 0.6


def test_a_size_of_the_table_alone_makes_no_base_of_what_looks_otherwise() -> None:
    prior = learn_prior(IMAGE, SURE, (), view=VIEW)
    assert prior is not None
    small = HintPrior(Counter({RoundBase(diameter_mm=32): 4}), prior.confirmed, prior.dismissed)
    added, _ = _searched(small, _open(STRANGER, 32.0, probability=0.4))

    assert added == ()


def test_without_a_word_nothing_is_learnt() -> None:
    assert learn_prior(IMAGE, [_confirmed(base, None) for base in ARMY], (), view=VIEW) is None


@given(st.integers(0, 6), st.integers(0, 6), st.floats(0.0, 30.0))
def test_each_more_confirmed_makes_its_like_likelier_and_each_dismissed_less(
    confirmed: int, dismissed: int, off: float
) -> None:
    look, size = np.full(6, off), RoundBase(diameter_mm=40)

    def ratio(told: int, denied: int) -> float:
        prior = HintPrior(Counter({size: told}), np.zeros((told, 6)), np.zeros((denied, 6)))
        return prior.log_ratio(size, look, tried=1, is_proposed=False)

    assert ratio(confirmed, dismissed + 1) <= ratio(confirmed, dismissed)
    if off < 8.0:
        assert ratio(confirmed + 1, dismissed) >= ratio(confirmed, dismissed) - 1e-9
    assert ratio(0, 0) == pytest.approx(0.0)
