"""The straightened picture: a ruler can be laid on it."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.arrays import Image
from tests.vision import rendered
from vision.rectification.rectify import (
    Window,
    rectification_maps,
    rectify,
    rectify_filtered,
    rectify_table,
    table_window,
)

EYE = rendered.Eye()


@given(
    x0=st.floats(-100, 500),
    y0=st.floats(-100, 300),
    width=st.floats(10, 700),
    depth=st.floats(10, 500),
    scale=st.floats(0.2, 5),
    at=st.tuples(st.floats(-200, 900), st.floats(-200, 900)),
)
def test_to_px_and_to_mm_undo_each_other(
    x0: float, y0: float, width: float, depth: float, scale: float, at: tuple[float, float]
) -> None:
    window = Window(x0, y0, x0 + width, y0 + depth, scale)

    assert window.to_mm(window.to_px(np.array([at])))[0] == pytest.approx(at, abs=1e-8)


def test_the_far_left_corner_is_the_corner_of_the_first_pixel() -> None:
    window = table_window((600.0, 400.0), px_per_mm=0.5, margin_mm=20.0)

    assert window.to_px(np.array([[-20.0, 420.0]]))[0] == pytest.approx([-0.5, -0.5])
    assert window.size_px == (320, 220)


@pytest.mark.parametrize("z_mm", [0.0, 38.0])
@pytest.mark.parametrize("at_mm", [(57.0, 66.0), (311.5, 204.25), (548.0, 339.0)])
def test_a_point_appears_where_the_straightened_picture_says(at_mm: tuple[float, float], z_mm: float) -> None:
    """A spot drawn in the camera's picture through the test's own projection."""
    window = table_window(rendered.TABLE_MM, px_per_mm=2.0)
    spot = _spot(EYE.seen([(*at_mm, z_mm)])[0])
    flat = rectify(spot, rectification_maps(window, camera=EYE.camera(), pose=EYE.pose(), z_mm=z_mm))

    assert window.to_mm(_middle(flat)[None])[0] == pytest.approx(at_mm, abs=0.05)


def test_a_point_above_the_plane_appears_away_from_the_camera() -> None:
    """Parallax: 40 mm up, 240 mm aside, seen from 800 mm."""
    window = table_window(rendered.TABLE_MM, px_per_mm=2.0)
    spot = _spot(EYE.seen([(550.0, 190.0, 40.0)])[0])
    flat = rectify(spot, rectification_maps(window, camera=EYE.camera(), pose=EYE.pose()))

    assert window.to_mm(_middle(flat)[None])[0] == pytest.approx((550 + 240 * 40 / 760, 190), abs=0.1)


@pytest.mark.parametrize("px_per_mm", [0.5, 1.0, 3.0])
def test_every_pixel_of_a_window_is_looked_up_to_a_hundredth_of_a_pixel(px_per_mm: float) -> None:
    window = table_window((590.0, 395.0), px_per_mm=px_per_mm)
    maps = rectification_maps(window, camera=EYE.camera(), pose=EYE.pose(), z_mm=5.0)
    at_px = np.random.default_rng(1).integers(0, window.size_px, (500, 2))
    at_mm = np.column_stack([window.to_mm(at_px.astype(np.float64)), np.full(len(at_px), 5.0)])

    assert maps[at_px[:, 1], at_px[:, 0]] == pytest.approx(np.array(EYE.seen(at_mm.tolist())), abs=0.01)


def test_the_picture_of_a_window_has_the_windows_size() -> None:
    image = np.full((720, 960, 3), 90, np.uint8)
    flat = rectify_table(
        image, camera=EYE.camera(), pose=EYE.pose(), table_mm=rendered.TABLE_MM, px_per_mm=0.7, margin_mm=10
    )

    assert flat.shape == (294, 434, 3)


def test_what_the_camera_does_not_see_is_black() -> None:
    image = np.full((720, 960, 3), 90, np.uint8)
    flat = rectify_table(
        image, camera=EYE.camera(), pose=EYE.pose(), table_mm=rendered.TABLE_MM, px_per_mm=0.5, margin_mm=200
    )

    assert flat[0, 0].tolist() == [0, 0, 0]
    assert flat[flat.shape[0] // 2, flat.shape[1] // 2].tolist() == [90, 90, 90]


def _spot(at_px: rendered.Floats) -> Image:
    """A soft spot, centred between pixels."""
    x, y = np.arange(960), np.arange(720)[:, None]
    soft = 250 * np.exp(-((x - at_px[0]) ** 2 + (y - at_px[1]) ** 2) / 8)
    return np.asarray(cv2.merge([np.round(soft).astype(np.uint8)] * 3), np.uint8)


def _middle(picture: Image) -> rendered.Floats:
    weight = picture[..., 0].astype(np.float64)
    rows, columns = np.indices(weight.shape)
    return np.asarray(np.array([(weight * columns).sum(), (weight * rows).sum()]) / weight.sum())


def test_a_picture_finer_than_asked_does_not_alias() -> None:
    columns = np.broadcast_to(np.arange(400), (400, 400))
    stripes = np.repeat((255 * (columns // 2 % 2)).astype(np.uint8)[..., None], 3, axis=2)
    across, down = np.meshgrid(np.arange(80) * 5.0, np.arange(80) * 5.0)
    maps = np.dstack([across, down]).astype(np.float32)

    inner = rectify_filtered(stripes, maps)[4:-4, 4:-4]
    assert inner.std() < 0.3 * rectify(stripes, maps)[4:-4, 4:-4].std()


def test_a_small_part_of_a_fine_picture_looks_as_it_does_in_the_whole() -> None:
    noise = np.random.default_rng(4).integers(0, 255, (1200, 1600, 3)).astype(np.uint8)
    picture = np.asarray(cv2.GaussianBlur(noise, (0, 0), 6.0), np.uint8)
    across, down = np.meshgrid(np.arange(500) * 3.0 + 20.3, np.arange(380) * 3.0 + 10.6)
    maps = np.dstack([across, down]).astype(np.float32)
    part = rectify_filtered(picture, maps[200:300, 100:250]).astype(int)

    assert np.abs(part - rectify_filtered(picture, maps)[200:300, 100:250]).max() <= 3


def test_where_the_camera_sees_nothing_a_fine_picture_is_black() -> None:
    beyond = np.full((40, 40, 2), -1e6, np.float32)
    beyond[:20, :20] = np.dstack(np.meshgrid(np.arange(20) * 4.0, np.arange(20) * 4.0))
    seen = rectify_filtered(np.full((300, 300, 3), 200, np.uint8), beyond)

    assert (seen[2:18, 2:18] == 200).all()
    assert (seen[20:, 20:] == 0).all()


def test_a_picture_as_coarse_as_asked_is_resampled_as_ever() -> None:
    picture = np.random.default_rng(3).integers(0, 255, (60, 60, 3)).astype(np.uint8)
    across, down = np.meshgrid(np.arange(50) + 0.3, np.arange(50) + 0.6)
    maps = np.dstack([across, down]).astype(np.float32)

    assert (rectify_filtered(picture, maps) == rectify(picture, maps)).all()
