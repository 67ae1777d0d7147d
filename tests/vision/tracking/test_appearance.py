"""How miniatures look from above, whichever way they are turned."""

from tests.vision import rendered
from tests.vision.fits import fit
from vision.measurement.base_fit import BaseFit
from vision.tracking.association import Appearance, appearance_distance, appearance_of


def _appearance(base: rendered.Base, *, seed: int = 5) -> Appearance:
    eye = rendered.Eye().around(base.at_mm, reach_mm=50)
    image = rendered.photograph(rendered.Scene((base,), eye=eye), seed=seed)
    true: BaseFit = fit(base.at_mm, diameter_mm=base.diameter_mm)
    return appearance_of(image, true, camera=eye.camera(), pose=eye.pose())


RED_ONE = rendered.Base((300.0, 200.0), 40.0, basing=rendered.RED)
BONE_ONE = rendered.Base((300.0, 200.0), 40.0, basing=rendered.BONE)


def test_a_miniature_looks_like_itself() -> None:
    assert appearance_distance(_appearance(RED_ONE), _appearance(RED_ONE, seed=6)) < 2.0


def test_a_turned_miniature_looks_much_the_same() -> None:
    turned = rendered.Base(RED_ONE.at_mm, 40.0, 133.0, basing=rendered.RED)

    assert (
        appearance_distance(_appearance(RED_ONE), _appearance(turned))
        < appearance_distance(_appearance(RED_ONE), _appearance(BONE_ONE)) / 4
    )


def test_a_moved_miniature_looks_much_the_same() -> None:
    moved = rendered.Base((440.0, 120.0), 40.0, 60.0, basing=rendered.RED)

    assert (
        appearance_distance(_appearance(RED_ONE), _appearance(moved))
        < appearance_distance(_appearance(RED_ONE), _appearance(BONE_ONE)) / 4
    )


def test_unlikeness_is_the_same_both_ways() -> None:
    a, b = _appearance(RED_ONE), _appearance(BONE_ONE)

    assert appearance_distance(a, b) == appearance_distance(b, a) > 0
