"""Where fiducials lie, from pictures of them: right, honest, and refused with a reason."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pytest

from calibration.arrays import Floats, Image
from calibration.camera_model import projection
from calibration.pose.locate_table import locate_table
from calibration.survey.known_lengths import Length, TagPoint, parse_point
from calibration.survey.solve_layout import Survey, solve_layout
from calibration.survey.survey_images import SurveyRequest
from calibration.survey.table_frame import Anchor
from models.camera import CameraPose
from models.errors import BadInput, BadLayout
from models.layout import Layout, Marker
from tests.calibration import scene

CAMERA = scene.camera()
ASKED = SurveyRequest(dictionary="APRILTAG_36h11", tag_mm=80.0)
TRUE = scene.layout()
MIDDLE = (600.0, 400.0, 0.0)
AROUND = ((610.0, 395.0, 930.0), (250.0, 300.0, 1000.0), (930.0, 460.0, 980.0), (640.0, -50.0, 950.0))


def _pose(number: int) -> CameraPose:
    return scene.pose_towards(AROUND[number], MIDDLE)


@lru_cache
def _picture(number: int, layout: Layout = TRUE) -> Image:
    return scene.photograph_table(layout, camera=CAMERA, pose=_pose(number))


def _pictures(numbers: Sequence[int] = (0, 1, 2, 3)) -> list[tuple[str, Image]]:
    return [(f"{'abcd'[number]}.jpg", _picture(number)) for number in numbers]


@pytest.fixture(scope="module")
def found() -> Survey:
    return solve_layout(_pictures(), [CAMERA], ASKED)


def _apart(layout: Layout) -> Floats:
    """All distances between the markers' middles."""
    middles = np.array([np.mean(marker.corners_mm, axis=0) for marker in layout.fiducials.markers])
    return np.asarray(np.linalg.norm(middles[:, None] - middles[None], axis=2)[np.triu_indices(len(middles), 1)])


def test_the_tags_lie_among_themselves_as_they_do(found: Survey) -> None:
    off = _apart(found.layout) - _apart(TRUE)

    assert np.abs(off).max() < 2 * found.layout.fiducials.scale_sigma * 1300
    assert np.abs(off - off.mean() * _apart(TRUE) / _apart(TRUE).mean()).max() < 0.4


def test_the_printed_size_alone_leaves_lengths_in_doubt(found: Survey) -> None:
    """A tenth of a millimetre on 80 is more than one on a table."""
    _, sigma = found.length_mm(TagPoint(0), TagPoint(2))

    assert found.layout.fiducials.scale_sigma == pytest.approx(0.1 / 80, rel=0.2)
    assert sigma > 1


def test_one_measured_length_sets_the_scale() -> None:
    ruler = Length(parse_point("0:bottom-left", field="a"), parse_point("1:bottom-right", field="a"), 1160.0, 0.2)
    wrong_size = SurveyRequest(dictionary="APRILTAG_36h11", tag_mm=78.0, length=ruler)
    found = solve_layout(_pictures(), [CAMERA], wrong_size)

    assert _apart(found.layout) == pytest.approx(_apart(TRUE), abs=0.4)
    assert found.layout.fiducials.marker_mm == pytest.approx(80.0, abs=0.15)


def test_a_length_between_other_places_is_told_with_its_sigma(found: Survey) -> None:
    length, sigma = found.length_mm(parse_point("0:top-left", field="a"), parse_point("0:top-right", field="a"))

    assert abs(length - 80) < 2 * sigma + 0.05
    assert sigma < 0.2


def test_the_table_is_the_rectangle_around_the_tags(found: Survey) -> None:
    corners = np.array([marker.corners_mm for marker in found.layout.fiducials.markers]).reshape(-1, 3)

    assert corners[:, :2].min(axis=0) == pytest.approx([0, 0], abs=0.5)
    assert found.layout.table_mm == pytest.approx((1160, 760), abs=2.5)


def test_a_table_of_a_given_size_lies_in_the_middle_of_the_tags() -> None:
    found = solve_layout(_pictures(), [CAMERA], SurveyRequest("APRILTAG_36h11", 80.0, table_mm=(1200.0, 800.0)))
    first = found.layout.fiducials.markers[0]

    assert found.layout.table_mm == (1200, 800)
    assert first.corners_mm[3] == pytest.approx((20, 40 - 20, 0), abs=1.5)


def test_two_measured_places_lay_the_frame() -> None:
    near_left = Anchor(parse_point("0:bottom-left", field="a"), (120.0, -50.0))
    near_right = Anchor(parse_point("1:bottom-right", field="a"), (1280.0, -50.0))
    found = solve_layout(_pictures(), [CAMERA], SurveyRequest("APRILTAG_36h11", 80.0, anchors=(near_left, near_right)))

    assert found.layout.fiducials.markers[0].corners_mm[3][:2] == pytest.approx((120, -50), abs=0.8)
    assert found.layout.fiducials.markers[2].corners_mm[0][1] == pytest.approx(710, abs=1.2)


def test_height_zero_is_below_the_prints() -> None:
    found = solve_layout(_pictures(), [CAMERA], SurveyRequest("APRILTAG_36h11", 80.0, tag_z_mm=0.3))
    middles = np.array([np.mean(marker.corners_mm, axis=0) for marker in found.layout.fiducials.markers])

    assert middles[:, 2].mean() == pytest.approx(0.3)
    assert np.abs(middles[:, 2] - 0.3).max() < 4 * found.layout.fiducials.sigma_mm


def test_a_pose_found_by_the_solved_layout_knows_what_the_layout_does_not(found: Survey) -> None:
    by_hand = locate_table(_picture(0), camera=CAMERA, layout=TRUE)
    solved = locate_table(_picture(0), camera=CAMERA, layout=found.layout)
    height = np.sqrt(np.array([by_hand.covariance[5][5], solved.covariance[5][5]]))

    assert height[1] == pytest.approx(found.layout.fiducials.scale_sigma * 900, rel=0.2)
    assert height[0] < 0.5 * height[1]


def test_two_pictures_are_too_few() -> None:
    with pytest.raises(BadInput, match="at least 3") as raised:
        solve_layout(_pictures((0, 1)), [CAMERA], ASKED)

    assert (raised.value.field, raised.value.value) == ("images", 2)


def test_pictures_from_one_place_are_refused() -> None:
    """They show the tags' directions, not their heights."""
    with pytest.raises(BadInput, match="same place") as raised:
        solve_layout([(name, _picture(0)) for name in ("a", "b", "c")], [CAMERA], ASKED)

    assert raised.value.value == 0.0


def test_a_tag_in_one_picture_only_is_named() -> None:
    extra = scene.layout((0, 1, 2, 3, 17))
    with pytest.raises(BadInput, match="one picture only") as raised:
        solve_layout([*_pictures((1, 2)), ("d.jpg", _picture(3, extra))], [CAMERA], ASKED)

    assert raised.value.value == [17]


def test_a_tag_that_does_not_belong_to_the_table_is_named_and_not_used() -> None:
    extra = scene.layout((0, 1, 2, 3, 17))
    only = SurveyRequest("APRILTAG_36h11", 80.0, ids=(0, 1, 2, 3))
    found = solve_layout([*_pictures((1, 2)), ("d.jpg", _picture(3, extra))], [CAMERA], only)

    assert found.strangers == (17,)
    assert [marker.id for marker in found.layout.fiducials.markers] == [0, 1, 2, 3]


def test_two_tags_of_one_id_are_refused_with_the_picture() -> None:
    twice = _picture(0).copy()
    corners = projection.project(TRUE.fiducials.markers[0].corners_mm, camera=CAMERA, pose=_pose(0))
    (left, top), (right, bottom) = corners.min(axis=0).astype(int) - 9, corners.max(axis=0).astype(int) + 10
    twice[top - 250 : bottom - 250, left + 250 : right + 250] = twice[top:bottom, left:right]
    with pytest.raises(BadInput, match="more than one tag 0") as raised:
        solve_layout([("twice.jpg", twice), *_pictures((1, 2))], [CAMERA], ASKED)

    assert raised.value.value == "twice.jpg"


def test_a_tag_that_was_moved_between_pictures_is_named() -> None:
    pushed = _moved(TRUE, 3, by_mm=12.0)
    with pytest.raises(BadInput, match="was it moved") as raised:
        solve_layout([*_pictures((0, 1, 2)), ("late.jpg", _picture(3, pushed))], [CAMERA], ASKED)

    assert (raised.value.value, raised.value.facts["tag"]) == ("late.jpg", 3)


def _moved(layout: Layout, number: int, *, by_mm: float) -> Layout:
    markers = tuple(
        Marker(id=m.id, corners_mm=tuple((x + by_mm, y, z) for x, y, z in m.corners_mm)) if m.id == number else m
        for m in layout.fiducials.markers
    )
    return layout.model_copy(update={"fiducials": layout.fiducials.model_copy(update={"markers": markers})})


def test_a_picture_of_another_size_is_named() -> None:
    with pytest.raises(BadInput) as raised:
        solve_layout([*_pictures((0, 1)), ("small.jpg", np.zeros((480, 640), np.uint8))], [CAMERA], ASKED)

    assert (raised.value.value, raised.value.facts["image_size"]) == ("small.jpg", [640, 480])


def test_a_picture_without_tags_is_named() -> None:
    with pytest.raises(BadInput) as raised:
        solve_layout([*_pictures((0, 1)), ("dark.jpg", np.zeros((720, 1280), np.uint8))], [CAMERA], ASKED)

    assert raised.value.value == "dark.jpg"


def test_a_length_to_a_tag_that_is_not_there_is_refused() -> None:
    ruler = Length(TagPoint(0), TagPoint(9), 500.0, 0.5)
    with pytest.raises(BadInput, match="tag 9"):
        solve_layout(_pictures(), [CAMERA], SurveyRequest("APRILTAG_36h11", 80.0, length=ruler))


def test_a_place_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput) as raised:
        parse_point("3:middle-left", field="distance")

    assert (raised.value.field, raised.value.value) == ("distance", "3:middle-left")


def test_an_unknown_dictionary_is_named() -> None:
    with pytest.raises(BadLayout):
        solve_layout(_pictures(), [CAMERA], SurveyRequest("QR_1", 80.0))
