"""A pose must fit its picture, whatever way it came."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.arrays import Image
from calibration.pose.pose_fitness import check_pose, judge_pose
from calibration.view import View
from models.camera import Camera
from models.errors import BadInput
from models.layout import Layout, NoFiducials
from tests.calibration import mats

VIEW = View(mats.CAMERA, mats.TRUE, Layout(table_mm=mats.TABLE, fiducials=NoFiducials()))


@pytest.fixture(scope="module")
def picture() -> Image:
    return mats.picture(0.6, 0.2)


def test_nothing_is_said_where_the_sides_lie_as_the_pose_puts_them(picture: Image) -> None:
    fitness = judge_pose(picture, view=VIEW)

    assert set(fitness.off_mm) == {"near", "right", "far", "left"}
    assert max(fitness.off_mm.values()) < 1.0
    assert fitness.warnings() == ()


def test_a_picture_that_lies_upside_down_is_refused(picture: Image) -> None:
    """Turned by 180 degrees, and the mat's middle is not the picture's."""
    aside = np.roll(picture, 60, axis=1)
    moved = replace(VIEW, camera=_shifted(60.0))

    assert check_pose(aside, view=moved) == ()
    with pytest.raises(BadInput, match="upside down"):
        check_pose(np.ascontiguousarray(aside[::-1, ::-1]), view=moved)


def test_a_pose_of_another_picture_is_said(picture: Image) -> None:
    other = judge_pose(picture, view=replace(VIEW, camera=_shifted(30.0, 30.0)))

    assert other.in_sight >= 2
    assert "shows an edge where the pose puts it" in other.warnings()[0]


def test_an_edge_beside_the_pose_is_said_with_its_number(picture: Image) -> None:
    (says,) = judge_pose(picture, view=replace(VIEW, camera=_shifted(9.0))).warnings()

    assert "the left side by" in says
    assert "mark its corners again" in says


def test_where_no_side_is_in_sight_nothing_is_said(picture: Image) -> None:
    larger = Layout(table_mm=(4000.0, 4000.0), fiducials=NoFiducials())

    assert judge_pose(picture, view=replace(VIEW, layout=larger)).warnings() == ()


def _shifted(aside_px: float, down_px: float = 0.0) -> Camera:
    (fx, _, cx), (_, fy, cy), last = mats.CAMERA.K
    return mats.CAMERA.model_copy(update={"K": ((fx, 0.0, cx + aside_px), (0.0, fy, cy + down_px), last)})
