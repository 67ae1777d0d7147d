"""Golden figures: what every solver makes of the shipped demo and of drawn pictures, to a millionth.

`golden_figures.json` holds solved values and their standard deviations. A solver that is rewritten keeps them; one that
is improved writes them again: `python -m tests.calibration.test_golden_figures`.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.arrays import Floats, Image
from calibration.camera_model import projection
from calibration.intrinsics.calibrate_camera import calibrate_camera
from calibration.pose.locate_table import locate_table
from calibration.pose.mat_corners import combine_poses, locate_by_corners
from calibration.pose.mat_sides import corners_mm
from calibration.self_check.run_checks import measure_cards
from calibration.setup.lens_solve import FocalPrior, Known
from calibration.setup.solve_setup import Setup, solve_views
from calibration.setup.solve_sheets import solve_sheets
from calibration.survey.known_lengths import Length, TagPoint
from calibration.survey.solve_layout import solve_layout
from calibration.survey.survey_images import SurveyRequest
from calibration.view import View
from models.board import CharucoBoard
from models.camera import Camera, CameraPose
from tests.calibration import boards, mats, scene
from tests.calibration.setup.drawn_sheets import draw_sheets, lay_sheets, taps_on
from tests.calibration.setup.sweeps import TABLE_MM, Sweep, pages_on, phone, walk_around
from vision.terrain.height_triangulation import ViewingRay, triangulate

Figures = dict[str, list[float]]

FILE = Path(__file__).with_name("golden_figures.json")
DEMO = Path(__file__).parents[2] / "api" / "demo"
ABOVE = (610.0, 395.0, 930.0)
AROUND = (ABOVE, (250.0, 300.0, 1000.0), (930.0, 460.0, 980.0), (640.0, -50.0, 950.0))


def _with_sigmas(values: Sequence[float] | Floats, covariance: Sequence[Sequence[float]] | Floats) -> Figures:
    """Values, their sigmas, and the sum of all correlations, which holds the rest of the covariance."""
    sigmas = np.sqrt(np.diag(np.array(covariance)))
    shared = np.array(covariance) / np.maximum(np.outer(sigmas, sigmas), 1e-30)
    return {"values": np.ravel(values).tolist(), "sigmas": sigmas.tolist(), "correlation": [float(shared.sum())]}


def _camera(camera: Camera) -> Figures:
    (fx, _, cx), (_, fy, cy), _ = camera.K
    return {**_with_sigmas([fx, fy, cx, cy, *camera.dist], camera.covariance), "rms": [camera.rms_px]}


def _pose(pose: CameraPose) -> Figures:
    values = [*np.ravel(pose.rotation), *pose.translation_mm]
    return {**_with_sigmas(values, pose.covariance), "rms": [pose.rms_px, pose.rms_mm]}


def _lens_of_the_demo() -> Figures:
    board = CharucoBoard.model_validate(json.loads((DEMO / "board.json").read_text())["board"])
    files = sorted((DEMO / "views").glob("*.jpg"))
    found = calibrate_camera(((path.name, np.asarray(cv2.imread(str(path)), np.uint8)) for path in files), board)
    return {**_camera(found.camera), "values, unseen views": list(found.heldout_px.values())}


def _lens_of_drawn_boards() -> Figures:
    views = boards.views(boards.CHARUCO, boards.camera(), held=boards.HELD[:5])
    return _camera(calibrate_camera(views, boards.CHARUCO).camera)


def _pose_by_fiducials() -> Figures:
    camera, layout = scene.camera(), scene.layout((0, 1, 2, 3, 17, 23))
    picture = scene.photograph_table(layout, camera=camera, pose=scene.pose_at(ABOVE))
    return _pose(locate_table(picture, camera=camera, layout=layout))


def _pose_by_corners() -> Figures:
    seen = projection.project(corners_mm(mats.TABLE), camera=mats.CAMERA, pose=mats.TRUE)
    taps = seen + np.array([[-2.0, 2.0], [2.0, 1.5], [2.5, -2.0], [-1.5, -2.0]])
    picture = mats.picture(0.6, 0.2)
    by_corners = locate_by_corners(picture, taps.tolist(), camera=mats.CAMERA, table_mm=mats.TABLE)
    shown = scene.photograph_table(scene.layout(), camera=mats.CAMERA, pose=mats.TRUE)
    by_fiducials = locate_table(shown, camera=mats.CAMERA, layout=scene.layout())
    both = combine_poses(by_corners.pose, by_fiducials, table_mm=mats.TABLE)
    return {**_pose(by_corners.pose), **{f"{key}, both": value for key, value in _pose(both.pose).items()}}


@cache
def _pictures_around() -> list[Image]:
    poses = [scene.pose_towards(place, (600.0, 400.0, 0.0)) for place in AROUND]
    return [scene.photograph_table(scene.layout(), camera=scene.camera(), pose=pose) for pose in poses]


def _survey(request: SurveyRequest) -> Figures:
    survey = solve_layout(zip("abcd", _pictures_around(), strict=True), [scene.camera()], request)
    fiducials = survey.layout.fiducials
    corners = np.array([marker.corners_mm for marker in fiducials.markers])
    known = [fiducials.marker_mm, fiducials.sigma_mm, fiducials.scale_sigma, survey.rms_px, survey.widened]
    assert fiducials.covariance_mm2 is not None
    return {**_with_sigmas(corners, fiducials.covariance_mm2), "known": known}


def _survey_by_size() -> Figures:
    return _survey(SurveyRequest(dictionary="APRILTAG_36h11", tag_mm=80.0))


def _survey_by_length() -> Figures:
    ruler = Length(TagPoint(0, 3), TagPoint(1, 2), 1160.0, 0.2)
    return _survey(SurveyRequest(dictionary="APRILTAG_36h11", tag_mm=78.0, length=ruler))


def _setup(known: Known | None = None, **wrong: float) -> Figures:
    poses = walk_around(pictures=8, seed=3)
    moved = {(2, 1): pages_on(seed=3)[1] + np.array([9.0, 4.0, 0.01, 0.0, 0.0])} if wrong else {}
    sweep = Sweep(phone(), pages_on(seed=3), poses, seed=3, moved=moved)
    names = [f"{k}.jpg" for k in range(len(poses))]
    return _setup_figures(solve_views(names, sweep.views(), phone().image_size, table_mm=TABLE_MM, known=known))


def _setup_figures(setup: Setup) -> Figures:
    some = np.arange(len(setup.layout.fiducials.markers))[::8]
    middles = np.array([np.mean(marker.corners_mm, axis=0) for marker in setup.layout.fiducials.markers])[some]
    kept = (3 * some[:, None] + np.arange(3)).ravel()
    covariance = np.array(setup.layout.fiducials.covariance_mm2)[np.ix_(kept, kept)]
    layout = {f"{key}, layout": value for key, value in _with_sigmas(middles, covariance).items()}
    pose = {f"{key}, pose": value for key, value in _pose(setup.poses[-1]).items()}
    return {**_camera(setup.camera), **layout, **pose, "bends": list(setup.bends_mm)}


def _setup_with_exif() -> Figures:
    return _setup(Known(focal=FocalPrior(2900.0, 0.05)))


def _setup_with_a_moved_page() -> Figures:
    return _setup(by_mm=9.0)


def _setup_of_a_breathing_lens() -> Figures:
    views = []
    for k, pose in enumerate(walk_around(pictures=8, seed=1)):
        lens = phone(focal=3050.0 * (1 + 0.004 * np.sin(k)))
        views += [replace(page, picture=k) for page in Sweep(lens, pages_on(seed=1), [pose], seed=k).views()]
    return _setup_figures(solve_views([f"{k}.jpg" for k in range(8)], views, phone().image_size, table_mm=TABLE_MM))


def _two_sheets() -> Figures:
    table = (762.0, 558.8)
    camera = phone(focal=850.0, size=(1280, 960), dist=(-0.05, 0.03, 0.0, 0.0, 0.0))
    pose = scene.pose_towards([330.0, 200.0, 800.0], [381.0, 279.4, 0.0])
    laid = lay_sheets(table, seed=3)
    taps = taps_on(laid, camera, pose)
    setup = solve_sheets(draw_sheets(laid, camera, pose), taps.tolist(), paper="a4", table_mm=table)
    return {**_camera(setup.camera), **{f"{key}, pose": value for key, value in _pose(setup.pose).items()}}


def _cards() -> Figures:
    camera, pose = scene.camera(), scene.pose_at(ABOVE)
    printed = scene.layout((0, 1, 2, 3, 30))
    picture = scene.photograph_table(printed, camera=camera, pose=pose)
    cards = measure_cards(picture, view=View(camera, pose, scene.layout()), size_mm=80.0, without=(0, 1, 2, 3))
    return {str(card.tag.id): [*card.sides_mm, *card.tag.middle_mm.tolist(), card.sigma_mm] for card in cards}


def _height_by_three_cameras() -> Figures:
    places = np.array([[10.0, 20.0, 5.0], [9.6, 19.8, 5.0], [10.3, 20.5, 5.0]])
    eyes = np.array([[0.0, 0.0, 900.0], [800.0, 100.0, 700.0], [300.0, 900.0, 800.0]])
    doubt = np.array([[0.04, 0.01], [0.01, 0.09]])
    rays = [ViewingRay(eye, place, doubt * (k + 1)) for k, (eye, place) in enumerate(zip(eyes, places, strict=True))]
    met = triangulate(rays)
    assert met is not None
    return {**_with_sigmas(met.at_mm, met.covariance_mm2), "chi square": [met.chi_square]}


SOLVERS: dict[str, Callable[[], Figures]] = {
    "lens of the demo": _lens_of_the_demo,
    "lens of drawn boards": _lens_of_drawn_boards,
    "pose by fiducials": _pose_by_fiducials,
    "pose by corners": _pose_by_corners,
    "survey by size": _survey_by_size,
    "survey by length": _survey_by_length,
    "set-up": _setup,
    "set-up with EXIF": _setup_with_exif,
    "set-up with a moved page": _setup_with_a_moved_page,
    "set-up of a breathing lens": _setup_of_a_breathing_lens,
    "two sheets": _two_sheets,
    "printed card": _cards,
    "height by three cameras": _height_by_three_cameras,
}


@pytest.mark.parametrize("name", SOLVERS)
def test_solved_figures_are_those_on_file(name: str) -> None:
    figures, filed = SOLVERS[name](), json.loads(FILE.read_text())[name]

    assert figures.keys() == filed.keys()
    for key, values in figures.items():
        assert values == pytest.approx(filed[key], rel=1e-6, abs=1e-6 if key.startswith("values") else 1e-9), key


if __name__ == "__main__":
    lines = (f" {json.dumps(name)}: {json.dumps(solve())}" for name, solve in SOLVERS.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
