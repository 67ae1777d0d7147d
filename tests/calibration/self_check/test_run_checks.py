"""Known lengths beside measured ones: fit to judge, or what to mend."""

import math
from functools import cache

import numpy as np
import pytest

from calibration.arrays import Image
from calibration.self_check.run_checks import run_self_check
from calibration.survey.known_lengths import Length, TagPoint
from models.errors import TableNotVisible
from models.layout import Fiducials, Layout, Marker
from models.self_check import LengthComparison, SelfCheck
from tests.calibration import scene

CAMERA = scene.camera()
LAYOUT = scene.layout()
CARD_MM = 60.0
CARDS = {20: (400.0, 300.0, 0.3), 21: (800.0, 500.0, -0.5)}  # x, y, turn


def _card(id_: int, *, scale: float) -> Marker:
    x, y, turn = CARDS[id_]
    half, (c, s) = CARD_MM * scale / 2, (math.cos(turn), math.sin(turn))
    at = [
        (x + c * u - s * v, y + s * u + c * v, 0.0)
        for u, v in ((-half, half), (half, half), (half, -half), (-half, -half))
    ]
    return Marker(id=id_, corners_mm=(at[0], at[1], at[2], at[3]))


@cache
def _photograph(
    *, scale: float = 1.0, cards: tuple[int, ...] = (20, 21), moved: int = -1, by_mm: float = 0.0, **how: float
) -> Image:
    """The table with cards on it, printed larger or smaller; one fiducial moved to the right."""
    lying = [
        Marker(id=one.id, corners_mm=tuple((x + by_mm * (one.id == moved), y, z) for x, y, z in one.corners_mm))
        for one in LAYOUT.fiducials.markers
    ]
    markers = (*lying, *(_card(id_, scale=scale) for id_ in cards))
    fiducials = Fiducials(dictionary=LAYOUT.fiducials.dictionary, marker_mm=80, markers=markers)
    seen = Layout(table_mm=LAYOUT.table_mm, fiducials=fiducials)
    return scene.photograph_table(seen, camera=CAMERA, pose=scene.pose_at((610.0, 395.0, 900.0)), **how)


def _checked(image: Image, **more: tuple[Length, ...] | tuple[LengthComparison, ...]) -> SelfCheck:
    return run_self_check(image, camera=CAMERA, layout=LAYOUT, card_mm=CARD_MM, **more)


def test_a_table_in_order_is_fit_to_judge() -> None:
    result = _checked(_photograph())

    assert result.is_fit
    assert result.says == "fit to judge"
    assert result.mend == ()


def test_both_sides_of_every_card_are_compared_to_a_few_hundredths() -> None:
    result = _checked(_photograph())

    assert sorted(one.what for one in result.compared) == [
        f"card {id_}, {side}" for id_ in CARDS for side in ("height", "width")
    ]
    assert max(abs(one.off_mm) for one in result.compared) < 0.05


@pytest.mark.parametrize(("scale", "says"), [(1.006, "scale 0.6% too large"), (0.995, "scale 0.5% too small")])
def test_a_wrong_scale_is_told_with_its_size_and_sense(scale: float, says: str) -> None:
    result = _checked(_photograph(scale=scale))

    assert not result.is_fit
    assert says in result.says


def test_a_fiducial_that_was_moved_is_named_with_how_far() -> None:
    result = _checked(_photograph(moved=3, by_mm=2.1))

    assert "fiducial 3" in result.says
    assert "2.1 mm off" in result.says


def test_without_anything_to_compare_the_table_is_not_called_fit() -> None:
    result = _checked(_photograph(cards=()))

    assert not result.is_fit
    assert "nothing to compare" in result.says


def test_a_length_that_was_measured_by_hand_is_compared() -> None:
    apart = math.dist(CARDS[20][:2], CARDS[21][:2])
    wrong = Length(TagPoint(20), TagPoint(21), apart - 3.0, 0.1)
    result = _checked(_photograph(), lengths=(wrong,))
    (one,) = (one for one in result.compared if one.what == "20 to 21")

    assert one.off_mm == pytest.approx(3.0, abs=0.1)
    assert not one.is_fine
    assert not result.is_fit


def test_a_length_to_a_card_that_is_not_there_is_left_out() -> None:
    result = _checked(_photograph(), lengths=(Length(TagPoint(20), TagPoint(9), 100.0, 0.1),))

    assert len(result.compared) == 4


def test_too_little_light_is_told() -> None:
    assert "the light is too low" in _checked(_photograph(exposure=0.08)).says


def test_a_blurred_picture_is_told() -> None:
    assert "wipe the lens" in _checked(_photograph(blur_px=2.4)).says


def test_bases_that_should_touch_and_do_not_are_told() -> None:
    apart = LengthComparison(what="touching bases", known_mm=35, measured_mm=35.9, sigma_mm=0.2, is_fine=False)

    assert "touching bases: +0.9 mm" in _checked(_photograph(), others=(apart,)).says


def test_a_table_that_is_not_in_sight_is_no_check() -> None:
    with pytest.raises(TableNotVisible):
        _checked(np.full((720, 1280), 90, np.uint8))
