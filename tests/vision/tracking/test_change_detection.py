"""What changed between two pictures of a table."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.arrays import Mask
from tests.vision import rendered
from tests.vision.fits import fit
from vision.tracking.change_detection import (
    Overview,
    RectifiedView,
    change_boxes,
    detect_change,
    detect_solid_change,
    has_arm,
    is_on_change,
    is_still,
    is_touched,
)

EYE = rendered.Eye()
OVERVIEW = Overview(rendered.TABLE_MM, camera=EYE.camera(), pose=EYE.pose())
HERE, THERE = (180.0, 150.0), (400.0, 260.0)
CALM = rendered.Scene((rendered.Base(HERE, 40.0, seed=3), rendered.Base((120.0, 310.0), 30.0)))
MOVED = rendered.Scene((replace(CALM.bases[0], at_mm=THERE), CALM.bases[1]))
SKIN = (120.0, 150.0, 200.0)


def _view(scene: rendered.Scene, *, seed: int = 5) -> RectifiedView:
    return OVERVIEW.make_view(rendered.photograph(scene, seed=seed))


def _change(after: rendered.Scene) -> Mask:
    return detect_change(_view(CALM), _view(after, seed=6))


def _arm(*, from_y_mm: float) -> rendered.Scene:
    """A hand over the table's middle and its arm, from this far away towards the player."""
    along = np.arange(from_y_mm, 190.0, 18.0)
    return replace(CALM, balls=tuple(rendered.Ball((300.0, float(y), 60.0), 22.0, SKIN) for y in along))


def test_noise_is_no_change() -> None:
    assert is_still(_change(CALM), OVERVIEW.window)


@pytest.mark.parametrize("light", [0.6, 0.85, 1.1])
def test_a_lamp_that_is_dimmed_or_turned_up_is_no_change(light: float) -> None:
    assert is_still(_change(replace(CALM, light=light)), OVERVIEW.window)


@pytest.mark.parametrize("lights", [(1.0, 1.35), (1.35, 1.0)])
def test_white_that_reaches_its_limit_in_brighter_light_is_no_change(lights: tuple[float, float]) -> None:
    white = replace(CALM, bases=(rendered.Base(HERE, 50.0, basing=rendered.WHITE, rim=rendered.WHITE, seed=3),))
    before, after = (_view(replace(white, light=light), seed=5 + k) for k, light in enumerate(lights))

    assert is_still(detect_change(before, after), OVERVIEW.window)


def _shaded(view: RectifiedView, *, depth: float) -> RectifiedView:
    """A band of shadow across the whole table, over its edges too."""
    picture = view.picture.copy()
    picture[:, 100:220] = (picture[:, 100:220] * (1 - depth)).astype(np.uint8)
    return RectifiedView(picture, view.seen)


def test_a_shadow_over_the_edge_is_no_arm() -> None:
    before, after = _view(CALM), _shaded(_view(CALM, seed=6), depth=0.4)
    change = detect_change(before, after)

    assert not has_arm(change, detect_solid_change(before, after), OVERVIEW.window, before.seen)


def test_an_arm_in_a_shadow_is_an_arm() -> None:
    before, after = _view(CALM), _shaded(_view(_arm(from_y_mm=-60.0), seed=6), depth=0.3)
    change = detect_change(before, after)

    assert has_arm(change, detect_solid_change(before, after), OVERVIEW.window, before.seen)


def test_a_moved_base_is_a_change_inside_the_table() -> None:
    mask = _change(MOVED)

    assert not is_still(mask, OVERVIEW.window)
    assert not has_arm(mask, mask, OVERVIEW.window, _view(CALM).seen)


def test_an_arm_reaches_over_the_edge() -> None:
    mask = _change(_arm(from_y_mm=-60.0))

    assert has_arm(mask, mask, OVERVIEW.window, _view(CALM).seen)


def test_a_moved_base_touches_where_it_was_and_stands_where_it_is() -> None:
    mask = _change(MOVED)

    assert is_touched(mask, OVERVIEW.window, fit(HERE, diameter_mm=40.0))
    assert is_on_change(mask, OVERVIEW.window, fit(THERE, diameter_mm=40.0))


def test_a_base_that_stayed_is_not_touched() -> None:
    mask = _change(MOVED)

    assert not is_touched(mask, OVERVIEW.window, fit(CALM.bases[1].at_mm))


def test_every_change_lies_in_a_box() -> None:
    mask = _change(MOVED)
    boxes = change_boxes(mask, OVERVIEW.window)

    for x, y in (HERE, THERE):
        assert any(x0 < x - 20 and x + 20 < x1 and y0 < y - 20 and y + 20 < y1 for x0, y0, x1, y1 in boxes)


def test_far_changes_have_boxes_of_their_own() -> None:
    assert len(change_boxes(_change(MOVED), OVERVIEW.window)) == 2


def test_no_change_has_no_box() -> None:
    assert change_boxes(np.zeros_like(OVERVIEW.make_view(rendered.photograph(CALM)).seen), OVERVIEW.window) == ()


def test_what_the_camera_does_not_see_is_no_change() -> None:
    """A corner of the table out of the picture: black before and after, however the light changes."""
    aside = replace(EYE, middle_px=(700.0, 352.8))
    overview = Overview(rendered.TABLE_MM, camera=aside.camera(), pose=aside.pose())
    views = [
        overview.make_view(rendered.photograph(replace(CALM, eye=aside, light=light), seed=seed))
        for seed, light in ((5, 1.0), (6, 0.75))
    ]

    assert not views[0].seen.all()
    assert is_still(detect_change(*views), overview.window)
