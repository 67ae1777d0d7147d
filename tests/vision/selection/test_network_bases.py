"""Bases that the networks see and no fit confirms."""

import math

import pytest

from models.base import OvalBase, RectBase, RoundBase
from vision.candidates import Candidate, NetworkScore
from vision.rectification.ground_height import FLAT
from vision.selection.network_bases import WEAK, bases_seen, unconfirmed_bases

DISC, SMALLER = RoundBase(diameter_mm=32), RoundBase(diameter_mm=30)
SQUARE = RectBase(width_mm=25, depth_mm=25)


def _candidate(
    base: RoundBase | OvalBase | RectBase, at: tuple[float, float], chance: float, sigma: float = 0.8
) -> Candidate:
    return Candidate(base, at, FLAT, chance, network_score=NetworkScore(chance, 0.0), sigma_mm=sigma)


def test_of_the_sizes_at_one_place_the_likeliest_is_told() -> None:
    (one,) = bases_seen([_candidate(SMALLER, (50, 60), 0.8), _candidate(DISC, (50, 60), 0.9)], measured=())

    assert one.base == DISC
    assert one.at_mm == (50, 60)


def test_nothing_is_told_where_a_measured_base_stands() -> None:
    measured = bases_seen([_candidate(DISC, (50, 60), 0.9)], measured=())

    assert bases_seen([_candidate(SMALLER, (53, 62), 0.99)], measured=measured) == ()


def test_nobody_is_added_beside_a_measured_member_of_a_block() -> None:
    measured = bases_seen([_candidate(SQUARE, (50, 60), 0.9)], measured=())

    assert bases_seen([_candidate(SQUARE, (50, 85.5), 0.9)], measured=measured) == ()
    assert len(bases_seen([_candidate(SQUARE, (50, 160), 0.9)], measured=measured)) == 1


@pytest.mark.parametrize(("chance", "count"), [(0.99, 1), (0.4, 1), (WEAK - 0.05, 0)])
def test_a_base_without_a_rim_is_unconfirmed_however_sure_the_networks_are(chance: float, count: int) -> None:
    unconfirmed = unconfirmed_bases([_candidate(DISC, (50, 60), chance)], measured=())

    assert [base.at_mm for base in unconfirmed] == [(50, 60)] * count


def test_the_doubt_of_the_place_grows_with_the_networks_own() -> None:
    near, far = (bases_seen([_candidate(DISC, (50, 60), 0.9, sigma)], measured=())[0] for sigma in (0.5, 3.0))

    assert math.sqrt(far.covariance_mm2[0, 0]) > 3.0 > math.sqrt(near.covariance_mm2[0, 0]) >= 1.0


def test_what_no_network_proposed_is_not_told() -> None:
    assert bases_seen([Candidate(DISC, (50, 60), FLAT, 9.0, network_score=NetworkScore(0.9, 0.0))], measured=()) == ()
