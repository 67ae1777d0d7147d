"""Who is in somebody's hand, looked at through an arm."""

from dataclasses import replace

import pytest

from tests.vision import rendered
from tests.vision.fits import fit
from vision.change import Mask, Overview, View, changed, solidly_changed
from vision.lifting import Lifting, UnderArm

EYE = rendered.Eye()
OVERVIEW = Overview(rendered.TABLE_MM, camera=EYE.camera(), pose=EYE.pose())
HERE, BESIDE = (300.0, 250.0), (350.0, 250.0)
STANDING = rendered.Scene((rendered.Base(HERE, 40.0, seed=3), rendered.Base(BESIDE, 40.0, seed=5)))
FITS = {"m1": fit(HERE, diameter_mm=40.0), "m2": fit(BESIDE, diameter_mm=40.0)}


def _under_arm(scene: rendered.Scene, *, x_mm: float) -> rendered.Scene:
    return replace(
        scene, balls=tuple(rendered.Ball((x_mm, 18.0 * k - 80, 60.0), 22.0, (120, 150, 200)) for k in range(22))
    )


def _under(before: View, now: View, change: Mask) -> UnderArm:
    return UnderArm(now, change, solidly_changed(before, now), OVERVIEW.window)


def _looked(lifting: Lifting, scene: rendered.Scene, *, t_s: float) -> tuple[str, ...]:
    before, now = (OVERVIEW.of(rendered.photograph(one)) for one in (STANDING, scene))
    return lifting.look(_under(before, now, changed(before, now)), FITS, t_s=t_s)


def test_two_looks_that_agree_tell_who_is_in_a_hand_and_no_third_does() -> None:
    lifting, gone = Lifting(), _under_arm(STANDING.without(0), x_mm=180.0)

    assert [_looked(lifting, gone, t_s=t_s) for t_s in (1.0, 1.2, 1.4)] == [(), ("m1",), ()]


def test_looks_that_follow_at_once_are_one_look() -> None:
    lifting, gone = Lifting(), _under_arm(STANDING.without(0), x_mm=180.0)

    assert [_looked(lifting, gone, t_s=t_s) for t_s in (1.0, 1.03, 1.06)] == [(), (), ()]


@pytest.mark.parametrize("x_mm", [180.0, 300.0, 330.0], ids=["beside", "over one", "over both"])
def test_an_arm_over_those_who_stand_lifts_nobody(x_mm: float) -> None:
    lifting, covered = Lifting(), _under_arm(STANDING, x_mm=x_mm)

    assert [_looked(lifting, covered, t_s=t_s) for t_s in (1.0, 1.2)] == [(), ()]


def test_once_the_table_is_settled_a_new_lift_is_told_again() -> None:
    lifting, gone = Lifting(), _under_arm(STANDING.without(0), x_mm=180.0)
    first = [_looked(lifting, gone, t_s=t_s) for t_s in (1.0, 1.2)]
    lifting.forget()

    assert first == [_looked(lifting, gone, t_s=t_s) for t_s in (2.0, 2.2)] == [(), ("m1",)]


def test_a_picture_that_changed_all_over_lifts_nobody() -> None:
    """The camera itself was knocked, or the lamp fell."""
    gone = _under_arm(STANDING.without(0), x_mm=180.0)
    before, now = (OVERVIEW.of(rendered.photograph(one)) for one in (STANDING, gone))
    change = changed(before, now)
    change[: len(change) // 5] = True
    lifting = Lifting()

    assert [lifting.look(_under(before, now, change), FITS, t_s=t_s) for t_s in (1.0, 1.2)] == [(), ()]
