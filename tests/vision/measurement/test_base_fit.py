"""Bases of known size, measured in pictures with exact truth."""

import numpy as np
import pytest

from benchmarks.detection.fit_lower_bound import measure_clean_discs
from models.base import RoundBase
from models.vocabulary import Point
from tests.vision import rendered
from vision.measurement import base_fit as fit
from vision.measurement.base_fit import BaseFit, fit_base
from vision.measurement.silhouette import PROFILES, RimProfile
from vision.rectification.ground_height import Ground

SHARP = rendered.Eye(focal_px=2000.0)  # 2.5 px a millimetre
DARK_MAT = (38.0, 36.0, 34.0)


def _measured(
    base: rendered.Base,
    *balls: rendered.Ball,
    off_mm: Point = (2.1, -2.1),
    mat: rendered.Colour = rendered.GRASS,
    eye: rendered.Eye = SHARP,
    light: float = 1.0,
    makes: tuple[RimProfile, ...] = PROFILES,
) -> BaseFit | None:
    near = eye.around(base.at_mm, reach_mm=base.radius_mm + 22)
    image = rendered.photograph(rendered.Scene((base,), balls, mat=mat, eye=near, light=light))
    start = (base.at_mm[0] + off_mm[0], base.at_mm[1] + off_mm[1])
    size, ground = RoundBase(diameter_mm=base.diameter_mm), Ground(base.ground_mm, 0.0)
    return fit_base(
        image, start_mm=start, base=size, ground=ground, camera=near.camera(), pose=near.pose(), profiles=makes
    )


def _miss_mm(fit: BaseFit | None, base: rendered.Base) -> float:
    assert fit is not None
    return float(np.hypot(*np.subtract(fit.at_mm, base.at_mm)))


def _sigma_mm(fit: BaseFit | None) -> float:
    assert fit is not None
    return float(np.sqrt(np.trace(fit.covariance_mm2)))


@pytest.mark.parametrize("off_mm", [(3.0, 0.0), (0.0, -3.0), (-2.1, 2.1)])
@pytest.mark.parametrize("diameter_mm", [30.0, 40.0, 50.0, 120.0])
def test_every_size_is_found_from_three_millimetres_off(diameter_mm: float, off_mm: Point) -> None:
    base = rendered.Base((487.3, 311.8), diameter_mm)

    assert _miss_mm(_measured(base, off_mm=off_mm), base) < 0.15


@pytest.mark.parametrize("at_mm", [(303.0, 188.0), (61.2, 48.7), (555.0, 352.0), (52.0, 361.0)])
@pytest.mark.parametrize("make", [rendered.LIPPED, rendered.SLOTTED])
def test_every_make_is_found_everywhere_on_the_table(make: rendered.Make, at_mm: Point) -> None:
    """At the edges the camera sees a base's side, which differs between makes."""
    base = rendered.Base(at_mm, 40.0, make=make)

    assert _miss_mm(_measured(base), base) < 0.15


@pytest.mark.parametrize(
    ("mat", "rim"),
    [
        (rendered.GRASS, rendered.BONE),
        (rendered.BONE, rendered.BLACK),
        (DARK_MAT, rendered.BONE),
        (rendered.EARTH, rendered.STEEL),
    ],
)
def test_a_rim_of_any_colour_on_any_mat_is_found(mat: rendered.Colour, rim: rendered.Colour) -> None:
    base = rendered.Base((131.0, 77.4), rim=rim, basing=rendered.RED)

    assert _miss_mm(_measured(base, mat=mat), base) < 0.15


@pytest.mark.parametrize("diameter_mm", [30.0, 50.0])
def test_a_dark_rim_on_a_dark_mat_is_placed_by_its_inner_edge(diameter_mm: float) -> None:
    base = rendered.Base((423.0, 95.0), diameter_mm, rim=rendered.BLACK, basing=rendered.BONE)

    assert _miss_mm(_measured(base, mat=DARK_MAT), base) < 0.15


@pytest.mark.parametrize("at_mm", [(57.0, 361.0), (555.0, 352.0)])
@pytest.mark.parametrize("diameter_mm", [30.0, 40.0, 60.0])
def test_an_edge_of_the_rim_is_not_taken_for_the_foot(diameter_mm: float, at_mm: Point) -> None:
    """Of a side hardly told from the mat, and a rim hardly told from its basing, the rim's own edge is all that stands
    out: taken for the foot it puts a base at the table's edge 1.5 mm further out."""
    side, basing = (66.0, 114.0, 88.0), (150.0, 190.0, 196.0)
    base = rendered.Base(at_mm, diameter_mm, rim=rendered.BONE, side=side, basing=basing)

    assert _miss_mm(_measured(base), base) < 0.5


def test_dim_light_moves_nothing() -> None:
    base = rendered.Base((211.7, 305.2), 40.0)

    assert _miss_mm(_measured(base, light=0.4), base) < 0.15


def test_a_painted_half_moves_nothing() -> None:
    base = rendered.Base((211.7, 305.2), 40.0, 65.0, "front-half", paint=rendered.WHITE)

    assert _miss_mm(_measured(base), base) < 0.15


@pytest.mark.parametrize("side_deg", [0, 90, 210])
def test_with_half_its_rim_hidden_a_base_is_found_within_half_a_millimetre(side_deg: int) -> None:
    base = rendered.Base((371.0, 262.0), 40.0)

    assert _miss_mm(_measured(base, _hiding_half(base, side_deg)), base) < 0.5


@pytest.mark.parametrize("side_deg", [0, 90, 210])
def test_the_stated_sigma_grows_when_half_the_rim_is_hidden(side_deg: int) -> None:
    base = rendered.Base((371.0, 262.0), 40.0)

    assert _sigma_mm(_measured(base, _hiding_half(base, side_deg))) > 1.2 * _sigma_mm(_measured(base))


def test_the_stated_sigma_grows_where_a_pixel_covers_more_than_a_millimetre(monkeypatch: pytest.MonkeyPatch) -> None:
    base, coarse = rendered.Base((371.0, 262.0), 40.0), rendered.Eye(focal_px=560.0)
    told = _sigma_mm(_measured(base, eye=coarse))
    monkeypatch.setattr(fit, "_COARSE_MM", 10.0)

    assert told / _sigma_mm(_measured(base, eye=coarse)) == pytest.approx(800 / 560, rel=0.03)


def test_a_hidden_rim_is_no_support() -> None:
    base = rendered.Base((371.0, 262.0), 40.0)
    whole, half = _measured(base), _measured(base, _hiding_half(base, 0))

    assert whole is not None
    assert half is not None
    assert half.support < whole.support - 0.15


def test_the_stated_sigma_is_larger_along_the_axis_that_fewer_rim_points_hold() -> None:
    """Of a rim that is hidden left and right, the upper and lower parts are left: they say little about x."""
    base = rendered.Base((371.0, 262.0), 50.0)
    balls = [rendered.Ball((371.0 + side, 262.0, 0.0), 20.0, rendered.GRASS) for side in (-27.0, 27.0)]
    found = _measured(base, *balls)

    assert found is not None
    assert found.covariance_mm2[0, 0] > 1.3 * found.covariance_mm2[1, 1]


def test_the_stated_sigma_covers_the_miss() -> None:
    """Over many bases, each half hidden by another arm."""
    bases = [rendered.Base((97.0 + 61 * k, 80.0 + 31 * k), 40.0, seed=k + 1) for k in range(8)]
    fits = [_measured(base, _hiding_half(base, 47 * k)) for k, base in enumerate(bases)]
    misses = [_miss_mm(fit, base) / _sigma_mm(fit) for fit, base in zip(fits, bases, strict=True)]

    assert np.sqrt(np.mean(np.square(misses))) < 1.5


def test_on_a_hill_a_base_is_placed_by_the_hills_height() -> None:
    base = rendered.Base((544.0, 330.0), 40.0, ground_mm=48.0)

    assert _miss_mm(_measured(base, eye=SHARP), base) < 0.15


def test_on_bare_ground_no_base_is_found() -> None:
    eye = SHARP.around((200.0, 200.0), reach_mm=45.0)
    image = rendered.photograph(rendered.Scene(eye=eye))
    fit = fit_base(
        image,
        start_mm=(200.0, 200.0),
        base=RoundBase(diameter_mm=40.0),
        ground=Ground(0.0, 0.0),
        camera=eye.camera(),
        pose=eye.pose(),
    )

    assert fit is None


def test_the_same_picture_gives_the_same_fit_to_the_last_digit() -> None:
    base = rendered.Base((487.3, 311.8))
    first, second = _measured(base), _measured(base)

    assert first is not None
    assert second is not None
    assert (first.at_mm, first.covariance_mm2.tolist()) == (second.at_mm, second.covariance_mm2.tolist())


def _hiding_half(base: rendered.Base, side_deg: float) -> rendered.Ball:
    """Something large that stands over the base from one side, up to its middle as the camera sees it."""
    side = np.radians(side_deg)
    radius = 1.5 * base.radius_mm
    away = radius + 1.0
    x, y = base.at_mm[0] + away * np.cos(side), base.at_mm[1] + away * np.sin(side)
    return rendered.Ball((float(x), float(y), 0.0), radius, (92.0, 110.0, 150.0))


def test_a_base_of_a_make_between_two_lies_between_where_both_would_put_it() -> None:
    """Which make it is decides how far the camera casts the rim; at the edge of the table that is a millimetre."""
    base = rendered.Base((555.0, 352.0), 40.0, make=rendered.Make(3.8, 0.45, 1.6))
    alone = [_measured(base, makes=(profile,)) for profile in PROFILES]
    both, doubt = _measured(base), max(_sigma_mm(one) for one in alone)

    assert both is not None
    assert _miss_mm(both, base) < max(_miss_mm(one, base) for one in alone)
    assert _sigma_mm(both) > doubt


def test_a_clean_rim_is_placed_about_as_well_as_its_noise_allows() -> None:
    found = measure_clean_discs(diameter_mm=50, noise=2.0, blur_px=0.7, count=12)

    assert found.ours_px < 1.5 * found.bound_px
