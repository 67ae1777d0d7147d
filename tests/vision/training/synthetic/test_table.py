"""Drawn pieces of tables that come with their camera."""

import numpy as np

from calibration.camera_model.projection import project
from vision.training.synthetic.table import SIDE_MM, base_of, drawn_table


def test_the_same_number_draws_the_same_table_and_its_camera_sees_all_of_it() -> None:
    once, again = (drawn_table(8, 3, px_per_mm=0.8, ranked=1.0) for _ in range(2))
    corners = np.array([[x, y, 2.0] for x in (0.0, SIDE_MM) for y in (0.0, SIDE_MM)])
    at_px = project(corners, camera=once.camera, pose=once.pose)

    assert np.array_equal(once.picture, again.picture)
    assert once.bases == again.bases
    assert once.picture.shape[:2] == once.camera.image_size[::-1]
    assert (at_px > 0).all()
    assert (at_px < once.picture.shape[0]).all()


def test_a_drawn_unit_tells_rank_and_file_as_the_unit_sees() -> None:
    standing = drawn_table(8, 3, px_per_mm=0.8, ranked=1.0).bases
    unit = {(one.rank, one.file): one for one in standing if one.rank is not None}
    leader, right = unit[0, 0], unit[0, 1]
    step = np.subtract(right.at, leader.at)
    ahead = np.array([np.cos(leader.turn_rad), np.sin(leader.turn_rad)])

    assert base_of(leader).shape == "rect"
    assert abs(float(step @ ahead)) < 3.0
    assert float(step @ (ahead[1], -ahead[0])) > 15.0  # to the right
