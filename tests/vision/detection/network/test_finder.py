"""The network behind the seam: pixels become millimetres, shapes become sizes of the catalogue."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base import Catalogue, OvalBase, RectBase, RoundBase
from tests.vision import rendered
from tests.vision.detection.network.fake_network import FakeNetwork, network_that_answers
from vision.candidates import Box, Candidate, NetworkScore
from vision.detection.network.finder import NetworkFinder, align_to_stride
from vision.detection.network.inference import PX_PER_MM, STRIDE
from vision.detection.network.proposals import Proposal
from vision.rectification.ground_height import FLAT
from vision.rectification.rectify import Window

EYE = rendered.Eye()
DARK = np.zeros((EYE.size_px[1], EYE.size_px[0], 3), np.uint8)
SIZES = Catalogue(
    bases=(*(RoundBase(diameter_mm=d) for d in (28.5, 30.0, 40.0, 120.0)), RectBase(width_mm=25, depth_mm=50))
)
WHOLE = Window(-64, -62, rendered.TABLE_MM[0] + 62, 480, 1.0)  # what is shown of a flat table, in step from 462


def _seen_at(x_mm: float, y_mm: float, *, kind: str = "round", size: float = 30.0) -> Proposal:
    ((x, y),) = WHOLE.to_px(np.array([[x_mm, y_mm]])).tolist()
    return Proposal(kind, (x, y), size, size, 0.4, 0.8)  # type: ignore[arg-type]


def _found(*answers: Proposal, boxes: tuple[Box, ...] | None = None) -> tuple[Candidate, ...]:
    finder = NetworkFinder(SIZES, rendered.layout(), network_that_answers(*answers))
    return finder.find(DARK, camera=EYE.camera(), pose=EYE.pose(), boxes=boxes)


def test_a_proposal_stands_where_the_network_saw_it() -> None:
    (candidate,) = _found(_seen_at(210.0, 130.0, size=41.0))

    assert candidate.at_mm == pytest.approx((210.0, 130.0))
    assert candidate.base == RoundBase(diameter_mm=40)
    assert candidate.ground == FLAT


def test_sizes_that_come_near_are_all_proposed_the_nearest_first() -> None:
    assert [one.base for one in _found(_seen_at(210.0, 130.0, size=30.3))] == [
        RoundBase(diameter_mm=30.0),
        RoundBase(diameter_mm=28.5),
    ]


@pytest.mark.parametrize("shape", [OvalBase, RectBase])
@pytest.mark.parametrize(("width", "depth", "turn_rad"), [(41.0, 77.0, 0.4), (77.0, 41.0, 0.4 + np.pi / 2)])
def test_a_long_base_is_proposed_with_its_depth_along_the_seen_one(
    shape: type[OvalBase | RectBase], width: float, depth: float, turn_rad: float
) -> None:
    horse = shape(width_mm=42, depth_mm=75)
    seen = replace(_seen_at(210.0, 130.0, kind=horse.shape), width=width, depth=depth, turn_rad=-0.4)
    finder = NetworkFinder(Catalogue(bases=(horse,)), rendered.layout(), network_that_answers(seen))
    (candidate,) = finder.find(DARK, camera=EYE.camera(), pose=EYE.pose())

    assert candidate.base == horse
    assert candidate.turn_rad == pytest.approx(turn_rad)


def test_what_has_no_size_of_the_catalogue_is_no_candidate() -> None:
    assert _found(_seen_at(210.0, 130.0, size=70.0)) == ()


@pytest.mark.parametrize("kind", ["oval", "rect"])
def test_other_shapes_are_no_round_candidates(kind: str) -> None:
    assert _found(_seen_at(210.0, 130.0, kind=kind)) == ()


@pytest.mark.parametrize("at_mm", [(-30.0, 100.0), (300.0, 440.0)])
def test_what_stands_beside_the_table_is_no_candidate(at_mm: tuple[float, float]) -> None:
    assert _found(_seen_at(*at_mm)) == ()


def test_angles_are_those_of_the_table() -> None:
    finder = NetworkFinder(SIZES, rendered.layout(), network_that_answers(_seen_at(210.0, 130.0, kind="rect")))
    (placed,) = finder.propose(DARK, camera=EYE.camera(), pose=EYE.pose())

    assert placed.proposal.turn_rad == -0.4
    assert placed.ground == FLAT


def test_only_the_boxes_are_looked_at() -> None:
    told = FakeNetwork([])
    finder = NetworkFinder(SIZES, rendered.layout(), told)  # type: ignore[arg-type]
    finder.find(DARK, camera=EYE.camera(), pose=EYE.pose(), boxes=((100.0, 100.0, 130.0, 120.0),))

    assert told.asked == [(192 - 38, 192 - 32, 3)]


@given(
    x_mm=st.integers(-99, 2000), y_mm=st.integers(-99, 2000), wide_mm=st.integers(1, 900), deep_mm=st.integers(1, 900)
)
def test_every_place_falls_on_the_same_strides_whichever_window_shows_it(
    x_mm: int, y_mm: int, wide_mm: int, deep_mm: int
) -> None:
    window = Window(x_mm, y_mm, x_mm + wide_mm, y_mm + deep_mm, PX_PER_MM)
    shown = align_to_stride(window)
    reach = shown.to_px(np.array([[0.0, 0.0]])) - WHOLE.to_px(np.array([[0.0, 0.0]]))

    assert reach % STRIDE == pytest.approx(np.zeros((1, 2)))
    assert window.x0_mm - STRIDE < shown.x0_mm <= window.x0_mm
    assert window.y1_mm <= shown.y1_mm < window.y1_mm + STRIDE
    assert (shown.x1_mm, shown.y0_mm) == (window.x1_mm, window.y0_mm)


def test_a_candidate_bears_the_networks_scores_of_its_own_base_and_of_others_in_its_place() -> None:
    smaller, larger = _found(_seen_at(210.0, 130.0, size=30.0), _seen_at(213.0, 130.0, size=40.0))[:2]

    assert smaller.network_score == NetworkScore(0.8, 0.8)
    assert larger.network_score == NetworkScore(0.8, 0.8)


def test_nothing_else_is_seen_where_one_base_stands_alone() -> None:
    (candidate,) = _found(_seen_at(210.0, 130.0, size=40.0))

    assert candidate.network_score == NetworkScore(0.8, 0.0)
