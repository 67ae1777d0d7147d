"""Long bases, whose edges draw the eye far from their middle; and rectangles that are no base."""

import math
from dataclasses import replace

import numpy as np
import pytest

from models.base import RectBase, catalogue_of
from models.layout import Layout, LayoutTerrain
from models.vocabulary import Point
from tests.vision import regiments
from tests.vision.regiments import Look, Stood
from vision.candidates import Candidate, NetworkScore
from vision.ranked.block import Block, PlacedRect
from vision.ranked.block_finder import BlockFinder
from vision.ranked.edge_orientations import EdgeOrientation
from vision.ranked.lattice_search import oriented_sizes
from vision.ranked.member_completion import is_seen_as_several
from vision.ranked.surface_search import SurfaceSearch
from vision.rectification.ground_height import Ground
from vision.rectification.search_windows import HALF_RIM_MM

LONG = RectBase(width_mm=50, depth_mm=100)
SQUARE = RectBase(width_mm=60, depth_mm=60)
FLAT = Ground(0.0, 0.0)
CHARIOT = Stood((250.0, 200.0), 25.0, (50.0, 100.0), is_marked=True)
SIZES = oriented_sizes([base for base in catalogue_of().bases if isinstance(base, RectBase)])


def _on_the_table(along_mm: float, left_mm: float) -> Point:
    """So far ahead of the chariot's middle, and to its left."""
    cos, sin = math.cos(math.radians(CHARIOT.facing_deg)), math.sin(math.radians(CHARIOT.facing_deg))
    x, y = CHARIOT.at_mm
    return x + along_mm * cos - left_mm * sin, y + along_mm * sin + left_mm * cos


@pytest.mark.parametrize("corner", [(1, 1), (1, -1), (-1, 1), (-1, -1)])
def test_a_long_base_is_found_from_any_of_its_corners(corner: tuple[int, int]) -> None:
    eye = SurfaceSearch(regiments.photograph([CHARIOT]), regiments.camera(), regiments.pose(), HALF_RIM_MM, SIZES)
    seen = eye.search_at(
        EdgeOrientation(_on_the_table(45.0 * corner[0], 22.0 * corner[1]), math.radians(CHARIOT.facing_deg), 30.0)
    )

    assert seen is not None
    assert seen.lattice.size.base == LONG
    assert math.dist(seen.at_mm[0].tolist(), CHARIOT.at_mm) < 1.5


def _layout(*corners_mm: Point) -> Layout:
    piece = LayoutTerrain.model_validate({"id": "tile", "kind": "rough", "polygon_mm": corners_mm})
    return regiments.layout().model_copy(update={"terrain": (piece,)})


def _found(layout: Layout, *proposed: Candidate) -> tuple[Block, ...]:
    return BlockFinder(catalogue_of(), layout).find(
        regiments.photograph([CHARIOT], Look(front_mm=0.8)), view=regiments.view(), proposed=proposed
    )


# The chariot's own rectangle and one that shares two of its sides, or one of them.
ITSELF = tuple(_on_the_table(a * 50.0, b * 25.0) for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1)))
TWO_SIDES = tuple(_on_the_table(a, b) for a, b in ((50, 25), (-80, 25), (-80, -60), (50, -60)))
ONE_SIDE = tuple(_on_the_table(a, b) for a, b in ((90, 25), (-80, 25), (-80, 110), (90, 110)))


def test_without_terrain_the_lines_are_a_base() -> None:
    assert len(_found(regiments.layout())) == 1


@pytest.mark.parametrize("corners_mm", [ITSELF, TWO_SIDES])
def test_lines_of_which_the_layout_knows_two_are_no_base(corners_mm: tuple[Point, ...]) -> None:
    assert _found(_layout(*corners_mm)) == ()


def test_a_base_may_stand_along_the_edge_of_a_piece() -> None:
    assert len(_found(_layout(*ONE_SIDE))) == 1


def test_a_base_may_stand_in_the_corner_of_a_piece_where_the_network_sees_it() -> None:
    seen = Candidate(LONG, CHARIOT.at_mm, FLAT, 0.5, math.radians(CHARIOT.facing_deg), NetworkScore(0.5, 0.0))

    assert len(_found(_layout(*TWO_SIDES), seen)) == 1


def test_round_a_block_is_the_rectangle_that_holds_all_of_its_members() -> None:
    one = PlacedRect(RectBase(width_mm=20, depth_mm=20), (100.0, 100.0), math.radians(30.0), FLAT)
    ahead = replace(one, at_mm=(100.0 + 20 * math.cos(one.turn_rad), 100.0 + 20 * math.sin(one.turn_rad)))
    corners = Block((one, ahead), ((0, 0), (1, 0)), one.turn_rad, 10.0).corners_mm
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)

    assert sides == pytest.approx([40.0, 20.0, 40.0, 20.0])
    assert corners.mean(axis=0) == pytest.approx(np.mean([one.at_mm, ahead.at_mm], axis=0))


def _lone(base: RectBase = SQUARE) -> Block:
    return Block((PlacedRect(base, (200.0, 200.0), 0.0, FLAT),), ((0, 0),), 0.0, 100.0)


def _seen(side_mm: float, *places: Point, sure: float = 0.7) -> list[Candidate]:
    base = RectBase(width_mm=side_mm, depth_mm=side_mm)
    return [Candidate(base, at, FLAT, sure, 0.0, NetworkScore(sure, 0.0)) for at in places]


THREE: tuple[Point, ...] = ((185.0, 185.0), (205.0, 185.0), (185.0, 205.0))


def test_several_smaller_bases_may_be_seen_where_one_would_stand() -> None:
    assert is_seen_as_several(_lone(), _seen(20.0, *THREE))


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (_seen(20.0, *THREE[:2]), "they are two"),
        (_seen(20.0, *THREE, sure=0.3), "the network is not sure"),
        (_seen(20.0, (185.0, 185.0), (240.0, 185.0), (185.0, 240.0)), "they stand beside it"),
        (_seen(50.0, *THREE), "they are hardly smaller"),
        ([*_seen(20.0, *THREE), *_seen(60.0, (200.0, 200.0))], "it is seen itself"),
        ([replace(one, network_score=None) for one in _seen(20.0, *THREE)], "nobody was asked"),
    ],
)
def test_otherwise_nobody_else_is_seen_there(seen: list[Candidate], why: str) -> None:
    assert not is_seen_as_several(_lone(), seen), why


def test_two_that_no_line_parts_are_worth_half_as_one_where_the_network_sees_smaller_bases() -> None:
    halves = tuple(_on_the_table(along, 0.0) for along in (-25.0, 25.0))
    turn = math.radians(CHARIOT.facing_deg)
    members = tuple(PlacedRect(RectBase(width_mm=50, depth_mm=50), at, turn, FLAT) for at in halves)
    two = Block(members, ((0, 0), (1, 0)), turn, 1000.0)
    seen = [replace(one, turn_rad=turn) for one in _seen(25.0, *(_on_the_table(along, 10.0) for along in (-30, 0, 30)))]
    eye = SurfaceSearch(regiments.photograph([CHARIOT]), regiments.camera(), regiments.pose(), HALF_RIM_MM, SIZES)
    alone, among = eye.complete_block(two, []), eye.complete_block(two, seen)

    assert [one.base for one in alone.members] == [one.base for one in among.members] == [LONG]
    assert among.worth_mm == alone.worth_mm / 2
