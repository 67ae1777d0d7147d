"""Rectangles that the network saw: looked for where no line drew the eye, and believed sooner."""

import math
from dataclasses import replace

import pytest

from models.base import RectBase, RoundBase, catalogue_of
from tests.vision import fits, regiments
from tests.vision.regiments import Stood, regiment
from vision.candidates import Candidate, NetworkScore
from vision.ranked.block import Block, PlacedRect
from vision.ranked.block_finder import BlockFinder
from vision.ranked.network_evidence import add_network_scores, drop_members_inside_others
from vision.ranked.ranked_units import ranked_bases
from vision.rectification.ground_height import Ground
from vision.selection.log_odds import log_odds

HORSE = RectBase(width_mm=25, depth_mm=50)
SQUARE = RectBase(width_mm=25, depth_mm=25)
FLAT = Ground(0.0, 0.0)
RIDER = Stood((250.0, 200.0), 35.0, (25.0, 50.0), is_marked=True)


def _seen(
    base: RectBase | RoundBase, at_mm: tuple[float, float], *, turn_deg: float = 0.0, sure: float = 0.9
) -> Candidate:
    return Candidate(base, at_mm, FLAT, sure, math.radians(turn_deg), NetworkScore(sure, 0.0))


def _blocks(*proposed: Candidate) -> tuple[Block, ...]:
    return BlockFinder(catalogue_of(), regiments.layout()).find(proposed)


def test_a_base_is_measured_where_it_was_proposed_a_few_millimetres_and_degrees_off() -> None:
    seen = [_seen(HORSE, (252.0, 198.5), turn_deg=38.0)]
    (fitted,) = regiments.blocks_in(regiments.photograph([RIDER]), catalogue_of(), proposed=seen)

    assert math.dist(fitted.at_mm[0], RIDER.at_mm) < 0.5
    assert math.degrees(fitted.turns_rad[0]) % 180 == pytest.approx(35.0, abs=1.0)


def test_nothing_is_told_where_nothing_stands_whatever_was_proposed() -> None:
    seen = [_seen(HORSE, (100.0, 100.0), turn_deg=35.0)]

    assert regiments.blocks_in(regiments.photograph([RIDER]), catalogue_of(), proposed=seen) == ()


def test_a_base_one_side_of_which_is_hidden_is_measured_where_it_was_proposed() -> None:
    front = RIDER.at_mm[0] + 25 * math.cos(math.radians(35.0)), RIDER.at_mm[1] + 25 * math.sin(math.radians(35.0))
    picture = regiments.overhung(regiments.photograph([RIDER]), front, 14.0)
    (fitted,) = regiments.blocks_in(picture, catalogue_of(), proposed=[_seen(HORSE, (251.0, 199.0), turn_deg=36.0)])

    assert math.dist(fitted.at_mm[0], RIDER.at_mm) < 0.5


def test_a_disc_that_was_proposed_is_no_reason_to_look_for_rectangles() -> None:
    assert _blocks(_seen(RoundBase(diameter_mm=40), RIDER.at_mm)) == ()


def test_of_the_sizes_at_one_place_the_likeliest_is_told() -> None:
    (block,) = _blocks(_seen(HORSE, RIDER.at_mm, sure=0.5), _seen(SQUARE, RIDER.at_mm, sure=0.6))

    assert block.members[0].base == SQUARE


def _block(*places: tuple[float, float]) -> Block:
    members = tuple(PlacedRect(SQUARE, at, 0.0, FLAT) for at in places)
    return Block(members, tuple((k, 0) for k in range(len(places))), 0.0)


def test_the_network_says_of_a_block_what_it_says_of_its_members_on_the_whole() -> None:
    two = _block((100.0, 100.0), (125.5, 100.0))

    assert add_network_scores(two, [_seen(SQUARE, (101.0, 99.0), sure=0.8)]).network_score == NetworkScore(0.4, 0.0)


def test_a_rectangle_of_another_size_says_nothing_for_a_block() -> None:
    assert add_network_scores(_block((100.0, 100.0)), [_seen(HORSE, (100.0, 100.0))]).network_score == NetworkScore(
        0.0, 0.0
    )


def test_a_disc_in_its_place_speaks_against_a_block() -> None:
    disc = _seen(RoundBase(diameter_mm=30), (104.0, 100.0), sure=0.7)

    assert add_network_scores(_block((100.0, 100.0)), [disc]).network_score == NetworkScore(0.0, 0.7)


def test_no_opinion_is_had_where_nobody_was_asked() -> None:
    ring = Candidate(RoundBase(diameter_mm=30), (104.0, 100.0), FLAT, 0.9)

    assert add_network_scores(_block((100.0, 100.0)), [ring]).network_score is None


@pytest.mark.parametrize("opinion", [None, NetworkScore(0.9, 0.0)])
def test_of_a_disc_and_a_rectangle_in_one_place_the_one_stays_that_is_likelier_a_base(
    opinion: NetworkScore | None,
) -> None:
    image, at_mm = regiments.photograph([RIDER]), RIDER.at_mm
    (block,) = regiments.blocks_in(image, catalogue_of(), proposed=[_seen(HORSE, at_mm, turn_deg=35.0, sure=0.8)])
    disc = replace(fits.fit((at_mm[0], at_mm[1]), support=0.2, strength=0.3), network_score=opinion)

    assert ranked_bases([replace(block, log_odds=log_odds(disc) - 0.1)], [disc]) == ()
    assert len(ranked_bases([replace(block, log_odds=log_odds(disc) + 0.1)], [disc])) == 1


def test_a_disc_that_hardly_shows_is_no_likelier_than_a_rider_whom_the_network_sees() -> None:
    image, at_mm = regiments.photograph([RIDER]), RIDER.at_mm
    (block,) = regiments.blocks_in(image, catalogue_of(), proposed=[_seen(HORSE, at_mm, turn_deg=35.0, sure=0.8)])
    disc = replace(fits.fit((at_mm[0], at_mm[1]), support=0.2, strength=0.3), network_score=NetworkScore(0.6, 0.8))

    assert block.log_odds > log_odds(disc)


@pytest.mark.parametrize(("off_mm", "count"), [(0.0, 0), (30.0, 1)])
def test_a_rectangle_is_not_measured_on_a_base_of_which_the_network_is_surer(off_mm: float, count: int) -> None:
    at_mm = (RIDER.at_mm[0] + off_mm, RIDER.at_mm[1])
    disc = replace(fits.fit(at_mm, diameter_mm=40.0), network_score=NetworkScore(0.9, 0.0))
    seen = _seen(HORSE, RIDER.at_mm, turn_deg=35.0, sure=0.8)

    assert (
        len(regiments.blocks_in(regiments.photograph([RIDER]), catalogue_of(), proposed=[seen], others=[disc])) == count
    )


def test_who_stands_on_a_base_of_which_the_network_is_surer_is_left_out_of_a_block() -> None:
    unit = regiment((250.0, 200.0), 0.0, ranks=1, files=3)
    seen = [_seen(SQUARE, one.at_mm, sure=0.4) for one in unit]
    disc = replace(fits.fit(unit[2].at_mm, diameter_mm=25.0), network_score=NetworkScore(0.9, 0.0))
    (fitted,) = regiments.blocks_in(regiments.photograph(unit), catalogue_of(), proposed=seen, others=[disc])

    assert sorted(math.dist(one.at_mm, unit[2].at_mm) > 10 for one in fitted.block.members) == [True, True]


@pytest.mark.parametrize(("diameter_mm", "sure", "places"), [(40, 0.9, 1), (40, 0.7, 2), (25, 0.9, 2)])
def test_no_rectangle_that_the_network_does_not_see_reaches_deep_into_a_disc_that_it_does(
    diameter_mm: float, sure: float, places: int
) -> None:
    two = [_seen(SQUARE, (100.0, 100.0))]
    disc = _seen(RoundBase(diameter_mm=diameter_mm), (150.0, 100.0), sure=sure)
    block = add_network_scores(_block((100.0, 100.0), (125.5, 100.0)), [*two, disc])

    clear = drop_members_inside_others(block, [*two, disc])

    assert clear is not None
    assert len(clear.members) == places


def test_nothing_is_left_of_a_block_that_stands_on_discs() -> None:
    disc = _seen(RoundBase(diameter_mm=50), (100.0, 100.0))

    assert drop_members_inside_others(add_network_scores(_block((100.0, 100.0)), [disc]), [disc]) is None


def test_a_member_on_a_likelier_disc_is_left_out_and_the_rest_of_its_unit_stays() -> None:
    unit = regiment((250.0, 200.0), 0.0, ranks=1, files=3)
    seen = [_seen(SQUARE, one.at_mm, sure=0.8) for one in unit]
    (fitted,) = regiments.blocks_in(regiments.photograph(unit), catalogue_of(), proposed=seen)
    disc = fits.fit(unit[2].at_mm, diameter_mm=25.0)
    likelier = replace(fitted, log_odds=log_odds(disc) - 0.1)

    assert len(ranked_bases([likelier], [disc])) == 2
    assert len(ranked_bases([replace(fitted, log_odds=log_odds(disc) + 0.1)], [disc])) == 3
