"""What is to be seen where a base stood."""

from dataclasses import replace

import pytest

from tests.vision import rendered
from tests.vision.fits import fit
from vision.tracking.change_detection import Overview, detect_change
from vision.tracking.departures import is_occluded, is_vacated

EYE = rendered.Eye()
OVERVIEW = Overview(rendered.TABLE_MM, camera=EYE.camera(), pose=EYE.pose())
HERE = (300.0, 200.0)
EMPTY = rendered.Scene()
STANDING = rendered.Scene((rendered.Base(HERE, 40.0, seed=3),))
SLEEVE = replace(EMPTY, balls=tuple(rendered.Ball((300.0, 20.0 * k, 40.0), 32.0, (90, 50, 40)) for k in range(14)))
TOKEN = replace(EMPTY, bases=(rendered.Base(HERE, 40.0, rim=rendered.BONE, basing=rendered.BONE, is_bare=True),))


def _is_bare(scene: rendered.Scene, *others: tuple[float, float]) -> bool:
    before, view = (OVERVIEW.make_view(rendered.photograph(one)) for one in (STANDING, scene))
    new = detect_change(before, view) if scene.light == 1 else None
    return is_vacated(
        view, OVERVIEW.window, fit(HERE, diameter_mm=40.0), others=[fit(at) for at in others], changed=new
    )


def test_ground_is_bare() -> None:
    assert _is_bare(EMPTY)


def test_ground_in_a_dim_light_is_bare() -> None:
    assert _is_bare(replace(EMPTY, light=0.5))


@pytest.mark.parametrize("scene", [STANDING, SLEEVE, TOKEN], ids=["a base", "a sleeve", "a token"])
def test_what_lies_there_is_no_bare_ground(scene: rendered.Scene) -> None:
    assert not _is_bare(scene)


def test_neighbours_are_not_taken_for_ground() -> None:
    """Alike in colour, two stand close to where a third of them is."""
    places = ((264.0, 200.0), (336.0, 200.0))
    near = tuple(rendered.Base(at, 30.0, seed=3) for at in places)

    assert not _is_bare(replace(STANDING, bases=(*STANDING.bases, *near)), *places)


def test_a_sleeve_is_larger_than_a_base_and_a_token_is_not() -> None:
    before = OVERVIEW.make_view(rendered.photograph(STANDING))
    masks = [detect_change(before, OVERVIEW.make_view(rendered.photograph(scene, seed=6))) for scene in (SLEEVE, TOKEN)]

    assert [is_occluded(mask, OVERVIEW.window, fit(HERE, diameter_mm=40.0)) for mask in masks] == [True, False]
