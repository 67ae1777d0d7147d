"""Ranked units in a picture become miniatures with their unit, rank, file and facing."""

import math

import pytest

from models.base import Catalogue, RectBase, catalogue_of
from models.miniature import Miniature
from models.state import TableState
from tests.vision import regiments
from tests.vision.regiments import Look, Stood, regiment
from vision.candidates import Candidate, NetworkScore
from vision.locate import locate
from vision.rectification.ground_height import FLAT

INFANTRY = regiment((140.0, 240.0), 75.0, ranks=3, files=5, missing=frozenset({(2, 0), (2, 4)}))
CAVALRY = regiment((370.0, 130.0), 160.0, ranks=2, files=4, sides_mm=(25.0, 50.0))
MONSTER = Stood((400.0, 310.0), 30.0, (50.0, 100.0), is_marked=True)
UNMARKED = regiment((150.0, 80.0), 200.0, ranks=1, files=3, sides_mm=(40.0, 40.0), is_marked=False)
CLEAR = Look()
ALL = [*INFANTRY, *CAVALRY, MONSTER, *UNMARKED]


def _located(stood: list[Stood], look: Look = CLEAR) -> TableState:
    return locate(
        regiments.photograph(stood, look), view=regiments.view(), catalogue=catalogue_of(), edition="warhammer-9"
    )


@pytest.fixture(scope="module")
def state() -> TableState:
    return _located(ALL)


def _nearest(state: TableState, one: Stood) -> Miniature:
    return min(state.miniatures, key=lambda seen: math.dist(seen.at_mm, one.at_mm))


def _off_deg(seen: Miniature, one: Stood) -> float:
    assert seen.facing_deg is not None
    return abs((seen.facing_deg - one.facing_deg + 180) % 360 - 180)


def test_every_rectangle_is_found_in_its_size_and_nothing_else(state: TableState) -> None:
    for one in ALL:
        seen = _nearest(state, one)

        assert isinstance(seen.base, RectBase)
        assert sorted((seen.base.width_mm, seen.base.depth_mm)) == sorted(one.sides_mm)
    assert len(state.miniatures) == len(ALL)


def test_each_member_stands_where_it_stands_and_not_where_a_perfect_block_would_put_it(state: TableState) -> None:
    off = [math.dist(_nearest(state, one).at_mm, one.at_mm) for one in ALL]

    assert math.sqrt(sum(d * d for d in off) / len(off)) < 0.3
    assert max(off) < 0.9


@pytest.mark.parametrize("unit", [INFANTRY, CAVALRY, [MONSTER]], ids=["infantry", "cavalry", "monster"])
def test_rank_and_file_count_from_the_front_and_the_left_of_a_marked_unit(state: TableState, unit: list[Stood]) -> None:
    seen = [_nearest(state, one) for one in unit]

    assert [(one.rank, one.file) for one in seen] == [(one.rank, one.file) for one in unit]
    assert len({one.unit for one in seen}) == 1


def test_a_unit_faces_its_painted_edges_rear_ranks_too(state: TableState) -> None:
    assert max(_off_deg(_nearest(state, one), one) for one in [*INFANTRY, *CAVALRY, MONSTER]) < 2.0


def test_without_paint_every_edge_that_may_be_the_front_is_named_and_no_rank(state: TableState) -> None:
    for one in UNMARKED:
        seen = _nearest(state, one)

        assert seen.facing_deg is None
        assert len(seen.facing_alternatives) == 4
        assert (seen.rank, seen.file) == (None, None)
        assert seen.unit is not None


def test_the_state_names_each_unit_once(state: TableState) -> None:
    named = [unit.id for unit in state.units]

    assert len(named) == len(set(named)) == 4
    assert set(named) == {one.unit for one in state.miniatures}


def test_a_card_with_nothing_on_it_is_no_base() -> None:
    card = Stood((250.0, 200.0), 20.0, (50.0, 100.0), is_bare=True)

    assert _located([card]).miniatures == ()


def test_a_hole_in_the_ranks_holds_nobody() -> None:
    """All four sides of it are there: they are the neighbours'."""
    hole = regiment((250.0, 200.0), 65.0, ranks=3, files=3, missing=frozenset({(1, 1)}), seed=11)
    state = _located(hole)

    assert len(state.miniatures) == 8
    assert sorted((one.rank, one.file) for one in state.miniatures) == sorted((one.rank, one.file) for one in hole)


def test_a_tray_with_a_lip_is_no_base_and_hides_none() -> None:
    unit = regiment((250.0, 200.0), 25.0, ranks=2, files=4, missing=frozenset({(1, 3)}), seed=12)
    look = regiments.Look()
    state = locate(
        regiments.photograph(unit, look, trays=[regiments.tray_under(unit, (60, 80, 90))]),
        view=regiments.view(),
        catalogue=catalogue_of(),
        edition="warhammer-9",
    )

    assert len(state.miniatures) == 7
    assert max(min(math.dist(seen.at_mm, one.at_mm) for seen in state.miniatures) for one in unit) < 1.0


def test_a_base_larger_than_any_on_sale_is_measured_where_the_catalogue_names_it() -> None:
    chariot = Stood((250.0, 200.0), 35.0, (100.0, 150.0), is_marked=True)
    sizes = Catalogue(bases=(*catalogue_of().bases, RectBase(width_mm=100, depth_mm=150)))
    seen = Candidate(sizes.bases[-1], chariot.at_mm, FLAT, 0.5, math.radians(35.0), NetworkScore(0.5, 0.0))
    (block,) = regiments.blocks_in(regiments.photograph([chariot]), sizes, proposed=[seen])
    ((x, y),) = block.at_mm.tolist()

    assert block.block.members[0].base == RectBase(width_mm=100, depth_mm=150)
    assert math.dist((x, y), chariot.at_mm) < 1.0


def test_in_a_washed_out_picture_every_base_is_of_its_own_size(state: TableState) -> None:
    assert sorted(map(_size, _located(ALL, Look(contrast=0.25)).miniatures)) == sorted(map(_size, state.miniatures))


def _size(miniature: Miniature) -> tuple[float, float]:
    assert isinstance(miniature.base, RectBase)
    return miniature.base.width_mm, miniature.base.depth_mm
