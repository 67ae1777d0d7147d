"""Long bases beside pieces of terrain, whose edges look like theirs."""

import math
from dataclasses import replace

import numpy as np
import pytest

from models.base import RectBase, catalogue_of
from models.layout import Layout, LayoutTerrain
from models.vocabulary import Point
from tests.vision import regiments
from tests.vision.regiments import Stood
from vision.candidates import Candidate, NetworkScore
from vision.ranked.block import Block, PlacedRect
from vision.ranked.block_finder import BlockFinder
from vision.rectification.ground_height import Ground

LONG = RectBase(width_mm=50, depth_mm=100)
FLAT = Ground(0.0, 0.0)
CHARIOT = Stood((250.0, 200.0), 25.0, (50.0, 100.0), is_marked=True)


def _on_the_table(along_mm: float, left_mm: float) -> Point:
    """So far ahead of the chariot's middle, and to its left."""
    cos, sin = math.cos(math.radians(CHARIOT.facing_deg)), math.sin(math.radians(CHARIOT.facing_deg))
    x, y = CHARIOT.at_mm
    return x + along_mm * cos - left_mm * sin, y + along_mm * sin + left_mm * cos


def _layout(*corners_mm: Point) -> Layout:
    piece = LayoutTerrain.model_validate({"id": "tile", "kind": "rough", "polygon_mm": corners_mm})
    return regiments.layout().model_copy(update={"terrain": (piece,)})


def _found(layout: Layout, *, sure: float = 0.28) -> tuple[Block, ...]:
    seen = Candidate(LONG, CHARIOT.at_mm, FLAT, sure, math.radians(CHARIOT.facing_deg), NetworkScore(sure, 0.0))
    return BlockFinder(catalogue_of(), layout).find([seen])


# The chariot's own rectangle and one that shares two of its sides, or one of them.
ITSELF = tuple(_on_the_table(a * 50.0, b * 25.0) for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1)))
TWO_SIDES = tuple(_on_the_table(a, b) for a, b in ((50, 25), (-80, 25), (-80, -60), (50, -60)))
ONE_SIDE = tuple(_on_the_table(a, b) for a, b in ((90, 25), (-80, 25), (-80, 110), (90, 110)))


def test_without_terrain_what_is_seen_is_a_base() -> None:
    assert len(_found(regiments.layout())) == 1


@pytest.mark.parametrize("corners_mm", [ITSELF, TWO_SIDES])
def test_lines_of_which_the_layout_knows_two_are_no_base(corners_mm: tuple[Point, ...]) -> None:
    assert _found(_layout(*corners_mm)) == ()


def test_a_base_may_stand_along_the_edge_of_a_piece() -> None:
    assert len(_found(_layout(*ONE_SIDE))) == 1


def test_a_base_may_stand_in_the_corner_of_a_piece_where_the_network_sees_it() -> None:
    assert len(_found(_layout(*TWO_SIDES), sure=0.5)) == 1


def test_round_a_block_is_the_rectangle_that_holds_all_of_its_members() -> None:
    one = PlacedRect(RectBase(width_mm=20, depth_mm=20), (100.0, 100.0), math.radians(30.0), FLAT)
    ahead = replace(one, at_mm=(100.0 + 20 * math.cos(one.turn_rad), 100.0 + 20 * math.sin(one.turn_rad)))
    corners = Block((one, ahead), ((0, 0), (1, 0)), one.turn_rad).corners_mm
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)

    assert sides == pytest.approx([40.0, 20.0, 40.0, 20.0])
    assert corners.mean(axis=0) == pytest.approx(np.mean([one.at_mm, ahead.at_mm], axis=0))
