"""Lens and pose from marks: solved from any mix of them, as surely as told, refused where they make no table."""

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.arrays import Floats
from calibration.camera_model.projection import project
from calibration.pose.covariance_propagation import sigma_mm
from calibration.pose.marked_pose import MarkedView, pinhole_camera, solve_marks
from calibration.pose.mat_sides import corners_mm
from calibration.pose.pose_fit import pose_from_rotation
from models.camera import CameraPose
from models.errors import BadInput
from models.marks import CORNERS, MOST_DISCS, MOST_MARKS, SIDES, Marks
from models.parsing import parse

TABLE = (762.0, 558.8)
CORNER = {"kind": "corner", "corner": "near-left", "at_px": [100.0, 200.0]}
DISC = {"kind": "disc", "diameter_mm": 40.0, "at_px": [[10.0, 10.0], [30.0, 10.0], [20.0, 25.0]]}
SIZE, FOCAL = (1600, 1000), 1250.0
CAMERA = pinhole_camera(SIZE, FOCAL)
GRID = np.stack(np.meshgrid(np.linspace(0, 762, 7), np.linspace(0, 558.8, 5), [0.0]), axis=-1).reshape(-1, 3)


def camera_at(azimuth_deg: float = -80.0, elevation_deg: float = 42.0, away_mm: float = 1050.0) -> CameraPose:
    """A camera that looks at the middle of the table."""
    azimuth, elevation = math.radians(azimuth_deg), math.radians(elevation_deg)
    ahead = -np.array(
        [math.cos(elevation) * math.cos(azimuth), math.cos(elevation) * math.sin(azimuth), math.sin(elevation)]
    )
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    return pose_from_rotation(rotation, -rotation @ (np.array([381.0, 279.4, 0.0]) - ahead * away_mm))


def _marks(pose: CameraPose, seed: int, *, sigma_px: float = 2.0) -> list[dict[str, Any]]:
    """Two corners, two places on each side that both corners leave open, a fold, and a 40 mm disc."""
    random = np.random.default_rng(seed)

    def seen(points: Floats | Sequence[Sequence[float]]) -> list[list[float]]:
        at = project(points, camera=CAMERA, pose=pose) + random.normal(0, sigma_px, (len(points), 2))
        return np.clip(at, 0, np.array(SIZE) - 1).tolist()

    corners = corners_mm(TABLE)
    around = np.arange(6) * math.pi / 3
    disc = np.column_stack([300 + 20 * np.cos(around), 200 + 20 * np.sin(around), np.zeros(6)])
    marks: list[dict[str, Any]] = [
        {"kind": "corner", "corner": CORNERS[k], "at_px": seen(corners[[k]])[0]} for k in (0, 1)
    ]  # fmt: skip
    for number in (1, 2, 3):
        start, end = corners[number], corners[(number + 1) % 4]
        marks.append(
            {"kind": "side", "side": SIDES[number], "at_px": seen([start + s * (end - start) for s in (0.2, 0.8)])}
        )
    marks.append({"kind": "line", "x_mm": 381.0, "at_px": seen([[381.0, 100.0, 0.0], [381.0, 450.0, 0.0]])})
    marks.append({"kind": "disc", "diameter_mm": 40.0, "at_px": seen(disc)})
    return [mark | {"sigma_px": sigma_px} for mark in marks]


def _solve(marks: list[dict[str, Any]], *, focal: float = 1.0, sigma: float = 0.04) -> MarkedView:
    told = Marks.model_validate({"table_mm": TABLE, "marks": marks})
    return solve_marks(told, camera=pinhole_camera(SIZE, FOCAL * focal), focal_sigma=sigma)


def _off_mm(solved: MarkedView, pose: CameraPose) -> Floats:
    back = solved.view.intersect_plane(project(GRID, camera=CAMERA, pose=pose), z_mm=0.0)
    return np.asarray(back - GRID[:, :2])


@settings(max_examples=5)
@given(st.floats(0, 360), st.floats(30, 75), st.floats(1200, 1600))
def test_exact_marks_are_met_wherever_the_camera_stands(azimuth: float, elevation: float, away: float) -> None:
    pose = camera_at(azimuth, elevation, away)
    solved = _solve([mark | {"sigma_px": 0.1} for mark in _marks(pose, 0, sigma_px=1e-6)], focal=1.03)
    assert np.abs(_off_mm(solved, pose)).max() < 0.2
    assert solved.view.camera.K[0][0] == pytest.approx(FOCAL, rel=2e-3)


def test_errors_are_as_large_as_told() -> None:
    squares = []
    for seed in range(8):
        pose = camera_at(azimuth_deg=45.0 * seed, elevation_deg=35.0 + 4 * seed, away_mm=1400.0)
        solved = _solve(_marks(pose, seed), focal=1.0 + 0.03 * math.sin(seed))
        sigmas = sigma_mm(GRID, view=solved.view)
        squares.append(np.mean(np.sum(_off_mm(solved, pose) ** 2, axis=1) / sigmas**2))
    assert (
        0.3 < math.sqrt(float(np.mean(squares))) < 1.3
    )  # the lens may be bent and off its middle besides: none is here


def test_marks_in_any_order_are_the_same() -> None:
    pose = camera_at()
    marks = _marks(pose, 4)
    assert np.allclose(_off_mm(_solve(marks), pose), _off_mm(_solve(marks[::-1]), pose), atol=1e-3)


def test_four_points_and_a_known_lens_are_enough() -> None:
    pose = camera_at()
    at = [[100.0, 100.0], [650.0, 120.0], [600.0, 500.0], [80.0, 450.0]]
    marks = [
        {"kind": "point", "at_mm": place, "at_px": project([[*place, 0.0]], camera=CAMERA, pose=pose)[0].tolist()}
        for place in at
    ]
    solved = _solve(marks, sigma=0.0)
    assert np.abs(_off_mm(solved, pose)).max() < 0.1
    assert solved.view.camera == CAMERA


def test_marks_that_leave_the_camera_open_say_what_to_add() -> None:
    with pytest.raises(BadInput, match="mark another corner"):
        _solve(_marks(camera_at(), 1)[:2])


def test_a_mark_that_does_not_fit_is_named() -> None:
    marks = _marks(camera_at(), 2)
    x, y = marks[1]["at_px"]
    marks[1]["at_px"] = [x - 60.0, y - 40.0]
    with pytest.raises(BadInput) as refused:
        _solve(marks)
    assert str(refused.value.field).startswith("marks.")


@pytest.mark.parametrize("times", [0.5, 0.7, 1.3, 2.0])
def test_a_lens_that_is_named_wrong_makes_no_table(times: float) -> None:
    with pytest.raises(BadInput, match=r"lies .* from where the rest puts it|no place of the camera"):
        _solve(_marks(camera_at(), 2), focal=times)


def test_two_corners_swapped_make_no_table() -> None:
    marks = _marks(camera_at(), 3)
    marks[0]["at_px"], marks[1]["at_px"] = marks[1]["at_px"], marks[0]["at_px"]
    with pytest.raises(BadInput):
        _solve(marks)


def test_a_rim_on_one_line_is_no_rim() -> None:
    marks = _marks(camera_at(), 5)
    marks[-1]["at_px"] = [[700.0 + 9 * k, 500.0 + 3 * k] for k in range(5)]
    with pytest.raises(BadInput, match=r"the 5 places lie on one line, 0\.0 px beside it") as refused:
        _solve(marks)
    assert refused.value.field == f"marks.{len(marks) - 1}.at_px"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"table_mm": (1e-9, 500.0)}, "table_mm.0"),
        ({"marks": [CORNER] * (MOST_MARKS + 1)}, "marks"),
        ({"marks": [DISC] * (MOST_DISCS + 1)}, f"{MOST_DISCS} are the most"),
        ({"marks": [CORNER | {"sigma_px": 1e-300}]}, "marks.0.corner.sigma_px"),
        ({"marks": [DISC | {"diameter_mm": 1e9}]}, "marks.0.disc.diameter_mm"),
    ],
)
def test_marks_that_no_finger_makes_are_refused_before_any_work(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(BadInput, match=field):
        parse(Marks, json.dumps({"table_mm": TABLE, "marks": [CORNER]} | changes), error=BadInput)


def test_a_mark_outside_the_picture_is_named() -> None:
    marks = _marks(camera_at(), 5)
    marks[2]["at_px"][1] = [1600.0, 20.0]
    with pytest.raises(BadInput) as refused:
        _solve(marks)
    assert refused.value.field == "marks.2.at_px"
