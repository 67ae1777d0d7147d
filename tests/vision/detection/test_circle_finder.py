"""The finder: it proposes each base once or more, and nothing needs to be exact yet."""

import math

import pytest

from models.base import Catalogue, RectBase, RoundBase
from models.layout import LayoutTerrain
from models.vocabulary import Point
from tests.vision import rendered
from vision.candidates import Box, Candidate
from vision.detection.circle_finder import CircleFinder

SIZES = (30.0, 40.0, 50.0, 120.0)
EYE = rendered.Eye()
NEAR_MM = 3.0
FOUR = (
    rendered.Base((90.0, 80.0), 30.0),
    rendered.Base((250.0, 90.0), 40.0, seed=2),
    rendered.Base((120.0, 300.0), 50.0, seed=3),
    rendered.Base((440.0, 240.0), 120.0, seed=4),
)


def _catalogue(*diameters_mm: float) -> Catalogue:
    return Catalogue(bases=tuple(RoundBase(diameter_mm=d) for d in diameters_mm))


def _found(
    scene: rendered.Scene,
    *terrain: LayoutTerrain,
    catalogue: Catalogue | None = None,
    boxes: tuple[Box, ...] | None = None,
) -> tuple[Candidate, ...]:
    finder = CircleFinder(catalogue or _catalogue(*SIZES), rendered.layout(*terrain))
    return finder.find(rendered.photograph(scene), camera=scene.eye.camera(), pose=scene.eye.pose(), boxes=boxes)


def _of(found: tuple[Candidate, ...], base: rendered.Base) -> list[Candidate]:
    """Candidates of this base's size near its place."""
    return [
        one for one in found if one.base.diameter_mm == base.diameter_mm and math.dist(one.at_mm, base.at_mm) < NEAR_MM
    ]


@pytest.fixture(scope="module")
def found() -> tuple[Candidate, ...]:
    return _found(rendered.Scene(FOUR))


@pytest.mark.parametrize("base", FOUR, ids=lambda base: f"{base.diameter_mm:.0f}")
def test_a_base_of_every_size_is_proposed(found: tuple[Candidate, ...], base: rendered.Base) -> None:
    assert len(_of(found, base)) == 1


def test_the_best_candidates_come_first(found: tuple[Candidate, ...]) -> None:
    scores = [one.score for one in found]

    assert scores == sorted(scores, reverse=True)


def test_every_base_scores_higher_than_all_chance_beside_bases(found: tuple[Candidate, ...]) -> None:
    real = min(_of(found, base)[0].score for base in FOUR)
    chance = [one.score for one in found if all(math.dist(one.at_mm, b.at_mm) > b.radius_mm + 70 for b in FOUR)]

    assert real > max(chance, default=0.0)


def test_a_size_that_is_not_in_the_catalogue_is_not_proposed() -> None:
    found = _found(rendered.Scene(FOUR), catalogue=_catalogue(30.0, 50.0))

    assert {one.base.diameter_mm for one in found} <= {30.0, 50.0}


def test_a_catalogue_of_rectangles_gives_no_candidates() -> None:
    square = Catalogue(bases=(RectBase(width_mm=25, depth_mm=25),))

    assert _found(rendered.Scene(FOUR), catalogue=square) == ()


def test_an_empty_table_gives_few_candidates() -> None:
    assert len(_found(rendered.Scene())) < 20


def test_with_boxes_only_bases_with_their_centres_there_are_proposed() -> None:
    box: Box = (200.0, 50.0, 300.0, 140.0)
    found = _found(rendered.Scene(FOUR), boxes=(box,))

    assert _of(found, FOUR[1])
    assert not any(_of(found, base) for base in (FOUR[0], FOUR[2], FOUR[3]))


def test_a_base_of_the_largest_size_at_the_edge_of_a_box_is_proposed() -> None:
    box: Box = (380.0, 238.0, 442.0, 300.0)

    assert _of(_found(rendered.Scene(FOUR), boxes=(box,)), FOUR[3])


@pytest.mark.parametrize("light", [0.4, 1.3])
def test_more_or_less_light_hides_no_base(light: float) -> None:
    found = _found(rendered.Scene(FOUR, light=light))

    assert all(_of(found, base) for base in FOUR)


def test_a_dark_rim_on_a_dark_mat_is_proposed() -> None:
    base = rendered.Base((250.0, 90.0), 40.0, basing=rendered.BONE)

    assert _of(_found(rendered.Scene((base,), mat=(38.0, 36.0, 34.0))), base)


def test_a_base_on_a_hill_is_proposed_where_it_stands_and_with_the_hills_ground() -> None:
    base = rendered.Base((530.0, 320.0), 40.0, ground_mm=48.0)
    (candidate,) = _of(_found(rendered.Scene((base,)), _hill(48.0)), base)

    assert candidate.ground.surface_mm == 48.0


def test_a_base_on_low_ground_is_proposed_where_it_stands() -> None:
    """It is looked for together with the table: 2 mm up and 250 mm aside, seen from 800 mm, look 0.6 mm farther out."""
    base = rendered.Base((530.0, 320.0), 40.0, ground_mm=2.0)
    (candidate,) = _of(_found(rendered.Scene((base,)), _hill(2.0)), base)

    assert candidate.ground.surface_mm == 2.0
    assert candidate.at_mm == pytest.approx(base.at_mm, abs=0.7)


def test_a_base_on_a_hill_that_the_layout_does_not_know_is_proposed_off_its_place() -> None:
    """48 mm up and 250 mm aside, seen from 800 mm: it looks as if it stood 16 mm farther out."""
    base = rendered.Base((530.0, 320.0), 40.0, ground_mm=48.0)

    assert not _of(_found(rendered.Scene((base,))), base)


def _hill(surface_mm: float) -> LayoutTerrain:
    corners: tuple[Point, ...] = ((460, 250), (590, 250), (590, 390), (460, 390))
    return LayoutTerrain(id="hill", kind="hill", polygon_mm=corners, surface_mm=surface_mm)
