"""The pictures the network learns from: repeatable, and true to where a camera would see things."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera_model.projection import project
from models.camera import Camera, CameraPose
from vision.rectification.rectify import Window, rectification_maps
from vision.rectification.search_windows import HALF_RIM_MM
from vision.training.synthetic.placement import Standing, block, scatter
from vision.training.synthetic.renderer import RIM_MM, Eye, Frame, paint_slices
from vision.training.synthetic.solid import Slice, ball, ring
from vision.training.synthetic.tile import TILE_PX, tile

FRAME = Frame(side_mm=200.0, margin_mm=20.0, px_per_mm=2.0)
EYE = Eye(420.0, -310.0, 1200.0)


def _pose(eye: Eye) -> CameraPose:
    """A camera that hangs there and looks straight down."""
    rotation = np.diag([1.0, -1.0, -1.0])
    centre = np.array([eye.x_mm, eye.y_mm, eye.z_mm])
    return CameraPose(
        rotation=rotation.tolist(), translation_mm=(-rotation @ centre).tolist(), covariance=np.zeros((6, 6)).tolist(),
        rms_px=0, rms_mm=0, markers=(), centre_mm=centre.tolist(),
    )  # fmt: skip


CAMERA = Camera(
    image_size=(4000, 4000),
    model="brown",
    K=((2000, 0, 2000), (0, 2000, 2000), (0, 0, 1)),
    dist=(0,) * 5,
    covariance=np.zeros((9, 9)).tolist(),
    rms_px=0,
)


def test_the_same_seed_draws_the_same_picture() -> None:
    once, again = tile(31, 5), tile(31, 5)

    assert once.labels == again.labels
    assert np.array_equal(once.picture, again.picture)


def test_another_number_draws_another_picture() -> None:
    assert not np.array_equal(tile(31, 5).picture, tile(31, 6).picture)


def test_every_labelled_centre_lies_in_the_picture() -> None:
    drawn = [tile(32, k) for k in range(4)]

    assert sum(len(one.labels) for one in drawn) > 0
    assert all(0 <= label.x_px < TILE_PX and 0 <= label.y_px < TILE_PX for one in drawn for label in one.labels)


@pytest.mark.parametrize("z_mm", [0.0, 4.0, 45.0])
def test_a_disc_is_painted_where_the_finder_sees_it(z_mm: float) -> None:
    """The drawn canvas and the straightening of the product are two ways to one picture."""
    at = np.array([90.0, 120.0])
    mat = np.zeros((FRAME.side_px, FRAME.side_px, 3), np.float32)
    colours, _ = paint_slices(mat, [Slice(z_mm, ring(9.0, 90) + at, (255.0, 0.0, 0.0))], eye=EYE, frame=FRAME)
    rows, columns = np.nonzero(colours[..., 0])
    window = Window(-20, -20, 220, 220, FRAME.px_per_mm)
    maps = rectification_maps(window, camera=CAMERA, pose=_pose(EYE), z_mm=HALF_RIM_MM)
    there = maps[round(rows.mean()), round(columns.mean())]

    ((x, y),) = project([[*at, z_mm]], camera=CAMERA, pose=_pose(EYE))
    assert there == pytest.approx([x, y], abs=1.0)
    assert RIM_MM == HALF_RIM_MM


def test_what_is_higher_hides_what_is_lower() -> None:
    low, high = Slice(3.0, ring(20.0) + 100.0, (1, 2, 3)), Slice(40.0, ring(20.0) + 100.0, (7, 8, 9))
    mat = np.zeros((FRAME.side_px, FRAME.side_px, 3), np.float32)
    colours, heights = paint_slices(mat, [high, low], eye=Eye(100, 100, 1000), frame=FRAME)
    middle = FRAME.side_px // 2

    assert colours[middle, middle].tolist() == [7, 8, 9]
    assert heights[middle, middle] == 40.0


def test_a_ball_is_as_wide_as_it_was_asked_to_be() -> None:
    slices = list(ball((10.0, 20.0, 30.0), (8.0, 8.0, 8.0), (0, 0, 0)))
    widest = max(np.ptp(one.outline_mm[:, 0]) for one in slices)

    assert widest == pytest.approx(16.0, rel=0.05)
    assert all(22 < one.z_mm < 38 for one in slices)


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_no_two_scattered_bases_overlap(seed: int) -> None:
    taken: list[Standing] = []
    list(scatter(np.random.default_rng(seed), 10, side_mm=300.0, taken=taken))

    gaps = [
        np.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]) - a.shape.reach_mm - b.shape.reach_mm
        for k, a in enumerate(taken)
        for b in taken[:k]
    ]
    assert min(gaps, default=0.0) >= 0


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_no_two_members_of_a_block_overlap_by_more_than_its_disorder(seed: int) -> None:
    members = block(np.random.default_rng(seed), side_mm=300.0).members
    corners = [(one.shape.outline(0.3, turn_rad=one.turn_rad) + one.at).astype(np.float32) for one in members]
    shared = [cv2.intersectConvexConvex(a, b)[0] for k, a in enumerate(corners) for b in corners[:k]]

    assert max(shared, default=0.0) < 15.0
