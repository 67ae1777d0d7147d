"""Who is in somebody's hand, looked at through an arm."""

from dataclasses import replace

import pytest

from calibration.arrays import Mask
from tests.vision import rendered
from tests.vision.fits import fit
from vision.tracking.change_detection import Overview, RectifiedView, detect_change, detect_solid_change
from vision.tracking.departures import LiftDetector, UnderArm

EYE = rendered.Eye()
OVERVIEW = Overview(rendered.TABLE_MM, camera=EYE.camera(), pose=EYE.pose())
HERE, BESIDE = (300.0, 250.0), (350.0, 250.0)
STANDING = rendered.Scene((rendered.Base(HERE, 40.0, seed=3), rendered.Base(BESIDE, 40.0, seed=5)))
FITS = {"m1": fit(HERE, diameter_mm=40.0), "m2": fit(BESIDE, diameter_mm=40.0)}


def _under_arm(scene: rendered.Scene, *, x_mm: float) -> rendered.Scene:
    return replace(
        scene, balls=tuple(rendered.Ball((x_mm, 18.0 * k - 80, 60.0), 22.0, (120, 150, 200)) for k in range(22))
    )


def _under(before: RectifiedView, now: RectifiedView, change: Mask) -> UnderArm:
    return UnderArm(now, change, detect_solid_change(before, now), OVERVIEW.window)


def _update(detector: LiftDetector, scene: rendered.Scene, *, t_s: float) -> tuple[str, ...]:
    before, now = (OVERVIEW.make_view(rendered.photograph(one)) for one in (STANDING, scene))
    return detector.update(_under(before, now, detect_change(before, now)), FITS, t_s=t_s)


def test_two_looks_that_agree_tell_who_is_in_a_hand_and_no_third_does() -> None:
    detector, gone = LiftDetector(), _under_arm(STANDING.without(0), x_mm=180.0)

    assert [_update(detector, gone, t_s=t_s) for t_s in (1.0, 1.2, 1.4)] == [(), ("m1",), ()]


def test_looks_that_follow_at_once_are_one_look() -> None:
    detector, gone = LiftDetector(), _under_arm(STANDING.without(0), x_mm=180.0)

    assert [_update(detector, gone, t_s=t_s) for t_s in (1.0, 1.03, 1.06)] == [(), (), ()]


@pytest.mark.parametrize("x_mm", [180.0, 300.0, 330.0], ids=["beside", "over one", "over both"])
def test_an_arm_over_those_who_stand_lifts_nobody(x_mm: float) -> None:
    detector, covered = LiftDetector(), _under_arm(STANDING, x_mm=x_mm)

    assert [_update(detector, covered, t_s=t_s) for t_s in (1.0, 1.2)] == [(), ()]


def test_once_the_table_is_settled_a_new_lift_is_told_again() -> None:
    detector, gone = LiftDetector(), _under_arm(STANDING.without(0), x_mm=180.0)
    first = [_update(detector, gone, t_s=t_s) for t_s in (1.0, 1.2)]
    detector.reset()

    assert first == [_update(detector, gone, t_s=t_s) for t_s in (2.0, 2.2)] == [(), ("m1",)]


def test_a_picture_that_changed_all_over_lifts_nobody() -> None:
    """The camera itself was knocked, or the lamp fell."""
    gone = _under_arm(STANDING.without(0), x_mm=180.0)
    before, now = (OVERVIEW.make_view(rendered.photograph(one)) for one in (STANDING, gone))
    change = detect_change(before, now)
    change[: len(change) // 5] = True
    detector = LiftDetector()

    assert [detector.update(_under(before, now, change), FITS, t_s=t_s) for t_s in (1.0, 1.2)] == [(), ()]
