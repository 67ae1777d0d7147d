import math

import numpy as np
import pytest

from calibration.arrays import Image
from models.base import RoundBase
from tests.vision import fits, rendered
from vision.candidates import Candidate, NetworkScore
from vision.measurement.base_fit import BaseFit, fit_base
from vision.measurement.silhouette import PROFILES
from vision.rectification.ground_height import Ground
from vision.selection import shared_rim_profile
from vision.selection.shared_rim_profile import cluster_rim_profiles, read_shared_profiles
from vision.selection.size_posterior import infer_sizes

LIPPED, SLOTTED = PROFILES
FLAT = Ground(0.0, 0.0)
BLACK, RED = (30.0, 30.0, 34.0), (40.0, 46.0, 190.0)


def _clear(lip_mm: float, **other: object) -> BaseFit:
    return fits.fit(rim_width_mm=lip_mm, strength=0.7, **other)


def test_the_makes_are_those_of_most_rims_the_commonest_first() -> None:
    found = cluster_rim_profiles(
        [_clear(lip, profile=SLOTTED) for lip in (0.7, 0.8)] + [_clear(2.3 + k / 20) for k in range(5)]
    )

    assert [(make.profile.name, round(make.profile.rim_widths_mm[0], 2)) for make in found] == [
        ("lipped", 2.4),
        ("slotted", 0.75),
    ]


def test_one_rim_alone_makes_no_make() -> None:
    assert cluster_rim_profiles([_clear(2.4)]) == ()


def test_rims_of_which_little_is_seen_tell_of_no_make() -> None:
    assert cluster_rim_profiles([fits.fit(rim_width_mm=2.4, strength=0.3, support=0.1)] * 9) == ()


def test_a_lip_at_the_end_of_what_its_make_can_have_tells_of_no_make() -> None:
    """It would have been wider still, or narrower: that is how a base of another make is measured."""
    assert cluster_rim_profiles([_clear(1.4, profile=SLOTTED)] * 9 + [_clear(3.0)] * 9) == ()


def test_nothing_is_made_of_no_bases() -> None:
    image = np.zeros((4, 4, 3), np.uint8)

    assert read_shared_profiles(image, (), (), view=rendered.Eye().view()) == ()


OF_A_BOX = rendered.Make(3.4, 0.7, 1.2)
PLACES = [(470.0 + 60 * k, 300.0 + 55 * row) for row in range(2) for k in range(4)]
EYE = rendered.Eye().around((560.0, 330.0), reach_mm=170.0)


def _army(rim: tuple[float, float, float] = BLACK) -> list[rendered.Base]:
    return [rendered.Base(at, 40.0, make=OF_A_BOX, rim=rim) for at in PLACES]


def _fitted(image: Image, at_mm: tuple[float, float], base: RoundBase, **asked: object) -> BaseFit:
    fit = fit_base(
        image, start_mm=at_mm, base=base, ground=FLAT, camera=EYE.camera(), pose=EYE.pose(), min_score=0.0,
        **asked,  # type: ignore[arg-type]
    )  # fmt: skip
    assert fit is not None
    return fit


def _again(image: Image, wrong: BaseFit, others: list[BaseFit], sizes_mm: tuple[float, ...]) -> BaseFit:
    proposed = [
        Candidate(RoundBase(diameter_mm=size), wrong.at_mm, FLAT, 0.5, 0.0, NetworkScore(0.6, 0.0)) for size in sizes_mm
    ]
    read = read_shared_profiles(image, [wrong, *others], proposed, view=EYE.view())
    return infer_sizes(image, read, proposed, [wrong, *others], view=EYE.view())[0]


@pytest.mark.parametrize(("true_mm", "taken_for_mm"), [(28.5, 30.0), (30.0, 28.5), (30.0, 32.0), (32.0, 30.0)])
def test_a_base_taken_for_one_of_another_size_is_righted_by_the_make_of_its_army(
    true_mm: float, taken_for_mm: float
) -> None:
    doubtful = rendered.Base((530.0, 410.0), true_mm, make=OF_A_BOX, rim=BLACK)
    image = rendered.photograph(rendered.Scene((*_army(), doubtful), eye=EYE))
    others = [_fitted(image, at, RoundBase(diameter_mm=40.0)) for at in PLACES]
    wrong = _fitted(image, doubtful.at_mm, RoundBase(diameter_mm=taken_for_mm))

    found = _again(image, wrong, others, (28.5, 30.0, 32.0))

    assert found.base == RoundBase(diameter_mm=true_mm)
    assert found.rim_width_mm == pytest.approx(OF_A_BOX.lip_mm, abs=0.2)
    assert math.dist(found.at_mm, doubtful.at_mm) < 0.2 < math.dist(wrong.at_mm, doubtful.at_mm)


def test_an_army_of_another_colour_tells_nothing_of_a_base() -> None:
    alone = rendered.Base((530.0, 410.0), 32.0, rim=RED)
    image = rendered.photograph(rendered.Scene((*_army(), alone), eye=EYE))
    others = [_fitted(image, at, RoundBase(diameter_mm=40.0)) for at in PLACES]
    own = _fitted(image, alone.at_mm, RoundBase(diameter_mm=32.0))

    assert _again(image, own, others, (30.0, 32.0)) == own


def test_what_is_too_far_from_its_size_is_no_rival() -> None:
    own = fits.fit(diameter_mm=30.0)
    proposed = [Candidate(RoundBase(diameter_mm=size), own.at_mm, FLAT, 0.5) for size in (25.0, 28.5, 32.0, 40.0)]

    assert [base.diameter_mm for base, _ in shared_rim_profile._candidate_bases(own, proposed)] == [
        30.0,
        25.0,
        28.5,
        32.0,
    ]  # type: ignore[union-attr]


@pytest.mark.parametrize("turn_rad", [0.0, 1.2])
def test_where_the_readings_of_a_base_differ_the_doubt_is_greater(turn_rad: float) -> None:
    one, other = (
        fits.fit((100.0 + off, 100.0), covariance_mm2=np.eye(2) * 0.01, turn_rad=turn_rad) for off in (-0.3, 0.3)
    )

    _, both = shared_rim_profile._average_hypotheses(
        [shared_rim_profile._Hypothesis(one, 1.0), shared_rim_profile._Hypothesis(other, 1.0)]
    )

    assert both.at_mm == pytest.approx((100.0, 100.0))
    assert both.turn_rad == pytest.approx(turn_rad)
    assert both.covariance_mm2 == pytest.approx(np.diag([0.01 + 0.09, 0.01]))
