"""Members of a block: taken in where the network sees them in its order, and nowhere else."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from calibration.arrays import Image
from models.base import RectBase, RoundBase, catalogue_of
from models.camera import Camera, CameraPose
from tests.vision import regiments
from tests.vision.regiments import regiment
from vision.candidates import Candidate, NetworkScore
from vision.ranked import ranked_units
from vision.ranked.block import Block, PlacedRect
from vision.ranked.block_finder import BlockFinder
from vision.ranked.block_fit import FittedBlock, fit_block
from vision.ranked.member_completion import align_lattice, complete_members
from vision.ranked.ranked_units import fit_occupied_block
from vision.rectification.ground_height import Ground

SQUARE = RectBase(width_mm=25, depth_mm=25)
HORSE = RectBase(width_mm=25, depth_mm=50)
FLAT = Ground(0.0, 0.0)
TURN_DEG = 30.0
AHEAD = (math.cos(math.radians(TURN_DEG)), math.sin(math.radians(TURN_DEG)))


def _away(bases: float, *, pitch_mm: float = 25.5) -> tuple[float, float]:
    """So many bases ahead of the block's first."""
    return 200.0 + bases * pitch_mm * AHEAD[0], 150.0 + bases * pitch_mm * AHEAD[1]


def _block(base: RectBase = SQUARE) -> Block:
    return Block((PlacedRect(base, _away(0), math.radians(TURN_DEG), FLAT),), ((0, 0),), math.radians(TURN_DEG))


def _seen(
    at_mm: tuple[float, float],
    base: RectBase | RoundBase = SQUARE,
    *,
    sure: float = 0.8,
    turn_deg: float = TURN_DEG,
) -> Candidate:
    return Candidate(base, at_mm, FLAT, sure, math.radians(turn_deg), NetworkScore(sure, 0.0))


def test_who_is_seen_beside_a_block_joins_it_where_its_order_puts_him() -> None:
    x, y = _away(1)
    block = complete_members(_block(), [_seen((x + 2.0, y - 1.5))])

    assert block.cells == ((0, 0), (1, 0))
    assert block.members[1].at_mm == pytest.approx((x, y))


def test_one_who_joined_brings_in_the_next() -> None:
    assert complete_members(_block(), [_seen(_away(2)), _seen(_away(1))]).cells == ((0, 0), (1, 0), (2, 0))


def test_a_column_and_a_row_are_counted_along_the_turn_and_to_its_left() -> None:
    left = _away(0)[0] - 25.5 * AHEAD[1], _away(0)[1] + 25.5 * AHEAD[0]

    assert complete_members(_block(), [_seen(left)]).cells == ((0, 0), (0, 1))


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (_seen(_away(0)), "it is the member itself"),
        (_seen(_away(2)), "it stands apart"),
        (_seen(_away(1.5)), "it stands out of step"),
        (_seen(_away(1), sure=0.1), "the network hardly sees it"),
        (_seen(_away(1), RectBase(width_mm=30, depth_mm=30)), "it is of another size"),
        (_seen(_away(1), RoundBase(diameter_mm=25)), "it is round"),
        (_seen(_away(1), turn_deg=TURN_DEG + 40), "it is turned"),
        (replace(_seen(_away(1)), network_score=None), "nobody was asked"),
    ],
)
def test_nobody_else_joins(other: Candidate, why: str) -> None:
    assert complete_members(_block(), [other]) == _block(), why


def test_a_square_may_be_seen_turned_by_a_quarter_and_a_deep_base_by_half() -> None:
    square, deep = (
        _seen(_away(1), turn_deg=TURN_DEG - 90),
        _seen(_away(1, pitch_mm=50.5), HORSE, turn_deg=TURN_DEG + 180),
    )

    assert len(complete_members(_block(), [square]).members) == 2
    assert len(complete_members(_block(HORSE), [deep]).members) == 2


UNIT = regiment((250.0, 200.0), TURN_DEG, ranks=3, files=4)


def _found(proposed: Sequence[Candidate]) -> Block:
    (block,) = BlockFinder(catalogue_of(), regiments.layout()).find(proposed)
    return block


def _proposed() -> list[Candidate]:
    """Each a little off, this way or that."""
    off_mm = [(1.0, -1.0), (-1.0, 1.0)] * len(UNIT)
    return [_seen((one.at_mm[0] + x, one.at_mm[1] + y)) for one, (x, y) in zip(UNIT, off_mm, strict=False)]


def test_all_whom_the_network_sees_in_its_order_are_one_block_laid_through_where_it_sees_them() -> None:
    block = _found(_proposed())
    off_mm = [min(math.dist(one.at_mm, other.at_mm) for other in block.members) for one in UNIT]

    assert len(block.members) == len(UNIT)
    assert max(off_mm) < 1.5


def test_a_unit_seen_from_an_end_and_askew_is_grown_to_its_other_end() -> None:
    unit = regiment((250.0, 200.0), TURN_DEG, ranks=1, files=10)
    seen = [_seen(one.at_mm, sure=0.9 - 0.01 * k, turn_deg=TURN_DEG + 4.0) for k, one in enumerate(unit)]

    assert len(_found(seen).members) == len(unit)


def _rimless(image: Image, block: Block, *, camera: Camera, pose: CameraPose) -> FittedBlock:
    fitted = fit_block(image, block, camera=camera, pose=pose)
    return replace(fitted, rims=np.zeros(len(block.members)))


def test_of_a_block_none_of_whose_rims_shows_only_they_stay_whom_the_network_sees(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ranked_units, "fit_block", _rimless)
    picture, block = regiments.photograph(UNIT), _found(_proposed())
    members = tuple(
        replace(member, network_score=NetworkScore(0.9 if k < 5 else 0.0, 0.0))
        for k, member in enumerate(block.members)
    )
    half_seen = replace(block, members=members)

    assert len(fit_occupied_block(picture, half_seen, view=regiments.view()).at_mm) == 5


def _pushed_apart(pitch_mm: float, turn_deg: float) -> list[tuple[float, float]]:
    """Three rows of six, each so far from the next, that turn so much from where the block has them."""
    turn = math.radians(TURN_DEG + turn_deg)
    ahead, left = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    return [tuple(np.array(_away(0)) + pitch_mm * (k * ahead + row * left)) for row in range(3) for k in range(6)]


def _rows() -> Block:
    """Three rows of six, as far apart as usual."""
    left = (-AHEAD[1] * 25.5, AHEAD[0] * 25.5)
    places = [(_away(k)[0] + row * left[0], _away(k)[1] + row * left[1]) for row in range(3) for k in range(6)]
    members = tuple(replace(_block().members[0], at_mm=at) for at in places)
    return Block(members, tuple((k, row) for row in range(3) for k in range(6)), math.radians(TURN_DEG))


@pytest.mark.parametrize(("pitch_mm", "turn_deg"), [(26.3, 0.0), (25.5, 1.5), (26.0, -1.0)])
def test_a_block_stands_as_far_apart_and_turned_as_the_network_sees_it(pitch_mm: float, turn_deg: float) -> None:
    places, off = _pushed_apart(pitch_mm, turn_deg), np.random.default_rng(7).normal(0, 0.8, (18, 2))
    block = align_lattice(
        _rows(), [_seen((x + dx, y + dy)) for (x, y), (dx, dy) in zip(places, off.tolist(), strict=True)]
    )

    assert max(math.dist(one.at_mm, at) for one, at in zip(_rows().members, places, strict=True)) > 2.9
    assert max(math.dist(one.at_mm, at) for one, at in zip(block.members, places, strict=True)) < 1.5
    assert math.degrees(block.turn_rad) == pytest.approx(TURN_DEG + turn_deg, abs=0.5)


def test_one_who_is_seen_far_from_the_rest_does_not_bend_a_block() -> None:
    seen = [_seen(one.at_mm) for one in _rows().members]
    x, y = seen[-1].at_mm

    block = align_lattice(_rows(), [*seen[:-1], _seen((x + 9.0, y))])

    assert max(math.dist(one.at_mm, other.at_mm) for one, other in zip(block.members, seen, strict=True)) < 0.6


def test_three_who_are_seen_tell_no_order() -> None:
    block = _rows()

    assert align_lattice(block, [_seen(one.at_mm) for one in block.members[:3]]) is block
    assert align_lattice(block, []) is block
