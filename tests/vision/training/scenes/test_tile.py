"""Training tiles: the same every time, and labels that agree with a projection of the base worked out apart."""

import numpy as np
import pytest

from vision.detection.network.channels import MAP_STRIDE
from vision.training.scenes.assets import procedural
from vision.training.scenes.camera import camera_at
from vision.training.scenes.rasterizer import Triangles, rasterize
from vision.training.scenes.tile import COLUMNS, TILE_PX, tile

ASSETS = procedural()


@pytest.fixture(scope="module")
def tiles():
    return [tile(41, number, ASSETS) for number in range(8)]


def test_a_tile_is_the_same_for_the_same_seed(tiles) -> None:
    again = tile(41, 3, ASSETS)

    assert np.array_equal(again.picture, tiles[3].picture)
    assert np.array_equal(again.labels, tiles[3].labels)
    assert np.array_equal(again.maps, tiles[3].maps)


def test_another_number_is_another_tile(tiles) -> None:
    assert not np.array_equal(tiles[0].picture, tiles[1].picture)


def test_maps_are_half_as_fine_as_the_picture(tiles) -> None:
    assert tiles[0].picture.shape == (TILE_PX, TILE_PX, 3)
    assert tiles[0].maps.shape == (TILE_PX // MAP_STRIDE, TILE_PX // MAP_STRIDE, 4)


def test_a_base_on_the_table_stands_where_a_ray_through_its_label_meets_half_its_rim(tiles) -> None:
    """The label's pixel sent back to table mm by hand, and from there through the camera and the plane's homography."""
    for one in tiles:
        for row in one.labels:
            label = dict(zip(COLUMNS, row, strict=True))
            x_mm, y_mm = label["x"] - (TILE_PX - 1) / 2, (TILE_PX - 1) / 2 - label["y"]
            (pixel,) = one.camera.to_px(np.array([[x_mm, y_mm, 2.0]]))
            eye, ray = one.camera.eye_mm, np.linalg.inv(one.camera.matrix[:, :3]) @ [*pixel, 1.0]
            met = eye + ray * (2.0 - eye[2]) / ray[2]

            assert met == pytest.approx([x_mm, y_mm, 2.0], abs=1e-3)


def test_the_rim_that_is_seen_lies_on_the_outline_of_a_base(tiles) -> None:
    """Cells of the bottom rim are near the outline drawn from the label's numbers, cast from the table's height."""
    offs = []
    for one in tiles:
        outlines = [_cast(one, dict(zip(COLUMNS, row, strict=True))) for row in one.labels if row[-1] > 0.2]
        rows, columns = np.nonzero(one.maps[..., 0] > 200)
        inside = (rows > 25) & (rows < 135) & (columns > 25) & (columns < 135)
        for row, column in zip(rows[inside], columns[inside], strict=True):
            at = (np.array([column, row]) + 0.5) * MAP_STRIDE - 0.5
            offs.append(min((np.hypot(*(outline - at).T).min() for outline in outlines), default=99.0))

    assert len(offs) > 100
    assert np.percentile(offs, 85) < 3.0


def _cast(one, label) -> np.ndarray:
    """A base's bottom outline in the straightened picture: from table height along the rays to half a rim."""
    angle = np.linspace(0, 2 * np.pi, 400)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    if label["kind"] == 2:
        circle = circle / np.abs(circle).max(axis=1, keepdims=True)
    local = circle * (label["long"] / 2, label["short"] / 2)
    cos, sin = np.cos(-label["axis"]), np.sin(-label["axis"])
    turned = local @ np.array([[cos, sin], [-sin, cos]])
    centre = np.array([label["x"] - (TILE_PX - 1) / 2, (TILE_PX - 1) / 2 - label["y"]])
    eye = one.camera.eye_mm
    seen = eye[:2] + (centre + turned - eye[:2]) * (eye[2] - 2.0) / eye[2]
    return np.column_stack([seen[:, 0] + (TILE_PX - 1) / 2, (TILE_PX - 1) / 2 - seen[:, 1]])


def test_the_nearer_of_two_triangles_is_drawn() -> None:
    vertices = np.zeros((6, 8), np.float32)
    vertices[:3, :3] = [[-9, -9, 0], [9, -9, 0], [0, 12, 0]]
    vertices[3:, :3] = [[-3, -3, 5], [3, -3, 5], [0, 4, 5]]
    faces = np.array([[0, 1, 2, 0], [3, 4, 5, 0]], np.int32)
    camera = camera_at(np.array([0.0, -1.0, 400.0]), 2.0, 0.0, 30.0)

    view = rasterize(Triangles(vertices, faces), camera.matrix.astype(np.float32), camera.size_px)
    (middle,), (aside,) = (np.round(camera.to_px(np.array([at]))).astype(int) for at in ([0, 0, 5.0], [6.0, -7, 0]))

    assert view.faces[middle[1], middle[0]] == 1
    assert view.faces[aside[1], aside[0]] == 0
    assert 1 / view.depth[middle[1], middle[0]] == pytest.approx(395, abs=0.1)
