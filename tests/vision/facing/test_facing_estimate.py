"""Facings read from painted rims, in pictures with exact truth."""

import math
from dataclasses import replace

import pytest

from models.base import RoundBase
from tests.vision import rendered
from vision.facing.facing_estimate import Facing, estimate_facings
from vision.measurement.base_fit import fit_base
from vision.rectification.ground_height import Ground

SHARP = rendered.Eye(focal_px=2000.0)  # 2.5 px a millimetre
ALL_ROUND = tuple(range(4, 360, 27))


def _read(base: rendered.Base, *balls: rendered.Ball, eye: rendered.Eye = SHARP) -> Facing | None:
    eye = eye.around(base.at_mm, reach_mm=base.radius_mm + 22)
    image = rendered.photograph(rendered.Scene((base,), balls, eye=eye))
    camera, pose = eye.camera(), eye.pose()
    size, ground = RoundBase(diameter_mm=base.diameter_mm), Ground(0.0, 0.0)
    fit = fit_base(image, start_mm=base.at_mm, base=size, ground=ground, camera=camera, pose=pose)
    assert fit is not None
    return estimate_facings(image, [fit], view=eye.view())[0]


def _off_deg(facing: Facing | None, true_deg: float) -> float:
    assert facing is not None
    return abs((math.degrees(facing.facing_rad) - true_deg + 180) % 360 - 180)


@pytest.mark.parametrize("facing_deg", ALL_ROUND)
def test_a_painted_half_is_read(facing_deg: int) -> None:
    base = rendered.Base((417.0, 268.0), 40.0, facing_deg, "front-half")
    facing = _read(base)

    assert _off_deg(facing, facing_deg) < 3.0
    assert facing is not None
    assert not facing.is_ambiguous


@pytest.mark.parametrize("facing_deg", ALL_ROUND)
def test_ticks_and_a_dot_are_read(facing_deg: int) -> None:
    base = rendered.Base((417.0, 268.0), 40.0, facing_deg, "ticks+dot", paint=rendered.WHITE)
    facing = _read(base)

    assert _off_deg(facing, facing_deg) < 3.0
    assert facing is not None
    assert not facing.is_ambiguous


@pytest.mark.parametrize("facing_deg", ALL_ROUND)
def test_two_ticks_leave_both_ways_open(facing_deg: int) -> None:
    base = rendered.Base((417.0, 268.0), 40.0, facing_deg, "ticks", paint=rendered.WHITE)
    facing = _read(base)

    assert facing is not None
    assert facing.is_ambiguous
    assert min(_off_deg(facing, facing_deg), _off_deg(facing, facing_deg + 180)) < 3.0


@pytest.mark.parametrize("marking", ["front-half", "ticks+dot"])
@pytest.mark.parametrize("diameter_mm", [30.0, 50.0, 120.0])
def test_a_marking_is_read_on_every_size(diameter_mm: float, marking: str) -> None:
    base = rendered.Base((360.0, 170.0), diameter_mm, 147.0, marking, paint=rendered.WHITE)

    assert _off_deg(_read(base), 147.0) < 3.0


@pytest.mark.parametrize("diameter_mm", [30.0, 40.0, 50.0])
@pytest.mark.parametrize("rim", [rendered.BLACK, rendered.BONE, rendered.STEEL])
def test_a_bare_rim_has_no_facing(rim: rendered.Colour, diameter_mm: float) -> None:
    assert _read(rendered.Base((360.0, 170.0), diameter_mm, rim=rim)) is None


@pytest.mark.parametrize("diameter_mm", [30.0, 40.0, 50.0])
def test_stripes_all_round_are_no_facing(diameter_mm: float) -> None:
    """Every stripe could be a tick."""
    assert _read(rendered.Base((360.0, 170.0), diameter_mm, marking="stripes", paint=rendered.WHITE)) is None


@pytest.mark.parametrize("diameter_mm", [30.0, 40.0, 50.0])
def test_light_from_one_side_is_no_painted_half(diameter_mm: float) -> None:
    """It fades all along the rim, where paint ends abruptly."""
    assert _read(rendered.Base((360.0, 170.0), diameter_mm, marking="shaded", paint=(110.0, 108.0, 106.0))) is None


@pytest.mark.parametrize(
    ("rim", "paint"),
    [(rendered.BLACK, rendered.RED), (rendered.BONE, rendered.RED), (rendered.BLACK, rendered.BONE)],
)
def test_the_colourful_or_else_the_brighter_half_is_the_front(rim: rendered.Colour, paint: rendered.Colour) -> None:
    base = rendered.Base((360.0, 170.0), 40.0, 222.0, "front-half", rim=rim, paint=paint)

    assert _off_deg(_read(base), 222.0) < 3.0


def test_an_arm_over_one_end_of_a_painted_half_leaves_the_facing() -> None:
    base = rendered.Base((360.0, 170.0), 50.0, 90.0, "front-half")
    arm = rendered.Ball((388.0, 170.0, 0.0), 9.0)

    assert _off_deg(_read(base, arm), 90.0) < 6.0


def test_an_arm_over_a_bare_rim_is_no_marking() -> None:
    base = rendered.Base((360.0, 170.0), 50.0)
    arm = rendered.Ball((388.0, 170.0, 0.0), 12.0, rendered.RED)

    assert _read(base, arm) is None


def test_a_larger_base_has_the_surer_ticks() -> None:
    """A tick is as wide on every base, so it is fewer degrees of a larger one."""
    small, large = (
        _read(rendered.Base((360.0, 170.0), size, 20.0, "ticks+dot", paint=rendered.WHITE)) for size in (30.0, 50.0)
    )

    assert small is not None
    assert large is not None
    assert large.sigma_rad < small.sigma_rad


def test_marks_are_read_from_the_side_as_from_above() -> None:
    """Slantwise the outline is the foot's on one side and the rim's on the other: marks are not where it says."""
    eye = replace(SHARP, centre_mm=(310.0, -420.0, 800.0), tilt_rad=(-0.62, 0.0))
    base = rendered.Base((310.0, 190.0), 40.0, 205.0, "ticks+dot", paint=rendered.WHITE)

    assert _off_deg(_read(base, eye=eye), 205.0) < 3.0


def test_two_ticks_are_as_likely_seen_from_behind() -> None:
    facing = _read(rendered.Base((417.0, 268.0), 40.0, 130.0, "ticks", paint=rendered.WHITE))

    assert facing is not None
    assert [share for _, share in facing.hypotheses] == [pytest.approx(0.5, abs=0.05)] * 2


def test_a_mark_that_an_arm_hides_leaves_the_facing() -> None:
    base = rendered.Base((360.0, 170.0), 40.0, 90.0, "ticks+dot", paint=rendered.WHITE)
    arm = rendered.Ball((379.0, 170.0, 0.0), 4.0)

    assert _off_deg(_read(base, arm), 90.0) < 4.0
