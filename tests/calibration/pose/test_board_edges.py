"""Board edges: a board is proposed where it lies, through whatever lens and from wherever it is seen; else none is."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.arrays import Floats, Image
from calibration.camera_model.projection import project
from calibration.pose.board_edges import propose_boards
from calibration.pose.marked_pose import pinhole_camera
from calibration.pose.mat_sides import corners_mm
from tests.calibration.pose.test_marked_pose import CAMERA, SIZE, TABLE, camera_at

FOCAL = CAMERA.K[0][0]


def _picture(corners_px: Floats, seed: int, *, has_board: bool = True) -> Image:
    """A board with a printed circle and a fold on a floor of planks, all with texture."""
    width, height = SIZE
    random = np.random.default_rng(seed)
    picture = np.full((height, width, 3), (60, 90, 120), np.uint8)
    for x in range(0, width, 170):
        cv2.line(picture, (x, 0), (x + 60, height), (50, 78, 104), 2, cv2.LINE_AA)
    if has_board:
        cv2.fillPoly(picture, [np.rint(corners_px * 16).astype(np.int32)], (110, 120, 70), cv2.LINE_AA, 4)
        fold = (corners_px[[0, 3]] + corners_px[[1, 2]]) / 2
        cv2.line(picture, *np.rint(fold).astype(int).tolist(), (98, 108, 60), 2, cv2.LINE_AA)
        cv2.circle(picture, np.rint(corners_px.mean(axis=0)).astype(int).tolist(), 70, (150, 150, 160), 6, cv2.LINE_AA)
    rough = cv2.GaussianBlur(random.normal(0, 12, (height, width)), (0, 0), 2)[..., None]
    return np.clip(np.round(picture + rough + random.normal(0, 2, picture.shape)), 0, 255).astype(np.uint8)


@settings(max_examples=15)
@given(
    azimuth=st.floats(-110, -70), elevation=st.floats(40, 80), away=st.floats(1050, 1700), seed=st.integers(0, 99),
    times=st.floats(0.8, 1.25),
)  # fmt: skip
def test_a_board_is_proposed_where_it_lies(
    azimuth: float, elevation: float, away: float, seed: int, times: float
) -> None:
    true_px = project(corners_mm(TABLE), camera=CAMERA, pose=camera_at(azimuth, elevation, away))
    lens = pinhole_camera(SIZE, times * FOCAL)
    first, *_ = propose_boards(_picture(true_px, seed), camera=lens, focal_sigma=0.25, table_mm=TABLE)

    assert np.abs(first.corners_px - true_px).max() < 4.0


def test_seen_from_a_short_side_its_near_side_is_as_long_as_the_table_is_wide() -> None:
    true_px = project(
        corners_mm(TABLE), camera=CAMERA, pose=camera_at(azimuth_deg=5.0, elevation_deg=60.0, away_mm=1500)
    )
    first, *_ = propose_boards(_picture(true_px, 1), camera=CAMERA, focal_sigma=0.04, table_mm=TABLE)

    assert min(np.abs(np.roll(first.corners_px, turn, axis=0) - true_px).max() for turn in (0, 2)) < 4.0


@pytest.mark.parametrize("seed", range(3))
def test_on_a_bare_floor_none_is_proposed(seed: int) -> None:
    picture = _picture(np.zeros((4, 2)), seed, has_board=False)

    assert propose_boards(picture, camera=CAMERA, focal_sigma=0.25, table_mm=TABLE) == ()
