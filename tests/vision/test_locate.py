"""A whole picture of a table with exact truth becomes a state."""

import math

import numpy as np
import pytest

from calibration.arrays import Image
from calibration.pose.locate_table import locate_table
from calibration.view import View
from models.base import catalogue_of
from models.layout import Layout, LayoutTerrain
from models.miniature import Miniature
from models.state import TableState
from models.vocabulary import Point
from tests.vision import rendered
from tests.vision.fits import seen
from vision.locate import locate
from vision.state_assembly import assign_ids, state_of

EYE = rendered.Eye(focal_px=1900.0, size_px=(1824, 1368), middle_px=(920.0, 670.0))
BASES = (
    rendered.Base((70.0, 330.0), 50.0, 200.0, "front-half"),
    rendered.Base((240.0, 310.0), 30.0, 75.0, "ticks+dot", paint=rendered.WHITE, seed=2),
    rendered.Base((270.2, 310.0), 30.0, 320.0, "none", seed=3),  # 0.2 mm from the one before
    rendered.Base((130.0, 120.0), 40.0, 140.0, "ticks", paint=rendered.WHITE, seed=4),
    rendered.Base((420.0, 170.0), 120.0, 10.0, "front-half", paint=rendered.WHITE, seed=5),
    rendered.Base((530.0, 345.0), 40.0, 255.0, "front-half", ground_mm=38.0, seed=6),  # on the hill
)
TOKEN = rendered.Base((250.0, 60.0), 30.0, rim=rendered.BONE, is_bare=True)
BALLS = (rendered.Ball((66.0, 335.0, 16.0), 13.0), rendered.Ball((425.0, 180.0, 30.0), 40.0))
HILL_MM: tuple[Point, ...] = ((470, 280), (595, 280), (595, 395), (470, 395))


def _layout(**facts: float) -> Layout:
    return rendered.layout(LayoutTerrain.model_validate({"id": "hill", "kind": "hill", "polygon_mm": HILL_MM} | facts))


@pytest.fixture(scope="module")
def picture() -> Image:
    return rendered.photograph(rendered.Scene((*BASES, TOKEN), BALLS, eye=EYE))


def _located(picture: Image, layout: Layout) -> TableState:
    return locate(
        picture,
        view=View(EYE.camera(), locate_table(picture, camera=EYE.camera(), layout=layout), layout),
        catalogue=catalogue_of(("warmachine-prime",)),
        edition="warmachine-prime",
    )


@pytest.fixture(scope="module")
def state(picture: Image) -> TableState:
    return _located(picture, _layout(surface_mm=38.0, sigma_mm=0.3))


def _nearest(state: TableState, base: rendered.Base) -> Miniature:
    return min(state.miniatures, key=lambda one: math.dist(one.at_mm, base.at_mm))


@pytest.mark.parametrize("base", BASES, ids=lambda base: f"{base.diameter_mm:.0f}-{base.marking}")
def test_every_base_is_found_in_its_place_with_its_size(state: TableState, base: rendered.Base) -> None:
    found = _nearest(state, base)

    assert math.dist(found.at_mm, base.at_mm) < 0.3
    assert found.base.model_dump()["diameter_mm"] == base.diameter_mm


def test_nothing_else_is_found(state: TableState) -> None:
    """The token, the markers and the hand's breadth of mat between are no bases."""
    assert len(state.miniatures) == len(BASES)


@pytest.mark.parametrize(
    "base", [base for base in BASES if base.marking in ("front-half", "ticks+dot")], ids=lambda base: base.marking
)
def test_a_marked_base_has_its_facing(state: TableState, base: rendered.Base) -> None:
    facing_deg = _nearest(state, base).facing_deg

    assert facing_deg is not None
    assert abs((facing_deg - base.facing_deg + 180) % 360 - 180) < 4


def test_an_unmarked_base_has_none(state: TableState) -> None:
    found = _nearest(state, BASES[2])

    assert found.facing_deg is None
    assert found.facing_alternatives == ()


def test_two_ticks_are_two_alternatives(state: TableState) -> None:
    found = _nearest(state, BASES[3])
    turns = sorted(alternative.facing_deg for alternative in found.facing_alternatives)

    assert found.facing_deg is None
    assert turns == pytest.approx([140.0, 320.0], abs=4)
    assert sum(alternative.probability for alternative in found.facing_alternatives) == 1


def test_bases_that_nearly_touch_are_a_contact_in_doubt(state: TableState) -> None:
    pair = {_nearest(state, BASES[1]).id, _nearest(state, BASES[2]).id}
    (contact,) = state.contacts

    assert {contact.a, contact.b} == pair
    assert 0.1 < contact.probability < 0.95


def test_no_two_bases_overlap(state: TableState) -> None:
    """To the micrometre at which places are written."""
    gaps = [
        math.dist(a.at_mm, b.at_mm) - (a.base.model_dump()["diameter_mm"] + b.base.model_dump()["diameter_mm"]) / 2
        for i, a in enumerate(state.miniatures)
        for b in state.miniatures[:i]
    ]

    assert min(gaps) > -0.002


def test_a_base_on_a_hill_carries_the_hills_height(state: TableState) -> None:
    found = _nearest(state, BASES[5])

    assert found.elevation_mm == 38.0
    assert found.sigma.elevation_mm == 0.3


def test_a_hill_of_unknown_height_puts_the_base_in_doubt_by_as_much_as_it_is_off(picture: Image) -> None:
    found = _nearest(_located(picture, _layout()), BASES[5])
    off = np.subtract(found.at_mm, BASES[5].at_mm)

    assert np.hypot(*off) > 8
    assert off @ np.linalg.solve(np.array(found.covariance_mm2), off) < 3**2


def test_the_stated_doubt_covers_what_is_off(state: TableState) -> None:
    offs = []
    for base in BASES:
        found = _nearest(state, base)
        off = np.subtract(found.at_mm, base.at_mm)
        offs.append(off @ np.linalg.solve(np.array(found.covariance_mm2), off))

    assert np.mean(offs) < 2 * 1.5**2


def test_terrain_and_table_are_those_of_the_layout(state: TableState) -> None:
    assert (state.table.width_mm, state.table.depth_mm) == rendered.TABLE_MM
    assert [(piece.id, piece.surface_mm) for piece in state.terrain] == [("hill", 38.0)]


def test_the_same_picture_gives_the_same_bytes(picture: Image, state: TableState) -> None:
    again = _located(picture, _layout(surface_mm=38.0, sigma_mm=0.3))

    assert again.model_dump_json() == state.model_dump_json()


def test_an_empty_table_is_a_state_without_miniatures() -> None:
    state = _located(rendered.photograph(rendered.Scene(eye=EYE)), rendered.layout())

    assert state.miniatures == ()
    assert state.contacts == ()


def test_names_follow_the_reading_order() -> None:
    places = [(300.0, 50.0), (50.0, 380.0), (400.0, 375.0), (20.0, 60.0)]
    names = {id_: one.fit.at_mm for id_, one in assign_ids(tuple(seen(at) for at in places)).items()}

    assert names == {"m1": places[1], "m2": places[2], "m3": places[3], "m4": places[0]}


def test_overlapping_fits_are_written_apart() -> None:
    pair = {"a": seen((100.0, 100.0)), "b": seen((129.0, 100.0))}
    state = state_of(pair, view=EYE.view(), edition="warmachine-prime")
    a, b = state.miniatures

    assert math.dist(a.at_mm, b.at_mm) == pytest.approx(30.0, abs=2e-3)
    assert state.contacts[0].probability > 0.5


def test_however_doubtful_the_pose_is_said_to_be_the_same_bases_stand_there(picture: Image) -> None:
    layout = _layout(surface_mm=38.0, sigma_mm=0.3)
    pose = locate_table(picture, camera=EYE.camera(), layout=layout)
    doubted = pose.model_copy(update={"covariance": tuple(tuple(25.0 * v for v in row) for row in pose.covariance)})
    sure, unsure = (
        locate(picture, view=View(EYE.camera(), each, layout), catalogue=catalogue_of(), edition="open").miniatures
        for each in (pose, doubted)
    )

    assert [one.base for one in sure] == [one.base for one in unsure]
    assert max(math.dist(a.at_mm, b.at_mm) for a, b in zip(sure, unsure, strict=True)) < 0.1
