"""One photograph of a game: lens and pose by taps as a finger makes them, drawn to the sides that the picture shows."""

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from api.cli.setup import job_of
from api.setup_pictures.draft import Draft, DraftFolder
from api.setup_pictures.marked_photograph import Lens, MarkedPhotographs, solve_photograph
from api.setup_pictures.schemas import PhotographMarks, SetupChoice
from api.setup_pictures.setup_guide import SetupGuide
from api.storage.camera_profiles import profiles_in
from calibration.camera_model.projection import project
from calibration.pose.marked_pose import pinhole_camera
from calibration.pose.mat_sides import corners_mm
from models.camera import CameraPose
from models.errors import BadInput
from models.marks import CORNERS, CornerMark, Marks
from tests.calibration import mats
from tests.calibration.pose.test_marked_pose import CAMERA, TABLE, camera_at

TRUE = project(corners_mm(mats.TABLE), camera=mats.CAMERA, pose=mats.TRUE)
DRAFT = Draft(eye="photograph", table_mm=mats.TABLE, lens=mats.CAMERA)
FINGER_PX = 12.0


@pytest.fixture(scope="module")
def photograph() -> bytes:
    return bytes(cv2.imencode(".png", mats.picture(0.6, 0.2))[1].tobytes())


def _marks(version: int, corners: np.ndarray, *, sigma_px: float) -> PhotographMarks:
    marks = tuple(
        CornerMark(kind="corner", corner=name, at_px=(x, y), sigma_px=sigma_px)
        for name, (x, y) in zip(CORNERS, corners.tolist(), strict=False)
    )
    return PhotographMarks(version=version, marks=marks)


def test_taps_of_a_finger_are_drawn_to_the_sides(photograph: bytes, tmp_path: Path) -> None:
    held, folder = MarkedPhotographs(), DraftFolder(tmp_path)
    picture = held.take(photograph, "table.png", DRAFT)
    slips = np.random.default_rng(5).normal(0, FINGER_PX / 2, (4, 2))
    pose, result = held.solve(_marks(picture.version, TRUE + slips, sigma_px=FINGER_PX), DRAFT, folder)
    kept = CameraPose.model_validate_json((tmp_path / "pose.json").read_bytes())
    off_mm = np.linalg.norm(np.subtract(kept.centre_mm, mats.TRUE.centre_mm))

    assert (pose.lens, len(pose.misses), result.by) == ("kept", 4, "marks")
    assert off_mm < 5.0
    assert pose.near_mm <= pose.far_mm < 3.0
    assert folder.is_solved("marks")


def test_proposed_marks_put_the_table_where_it_lies(photograph: bytes, tmp_path: Path) -> None:
    held, folder = MarkedPhotographs(), DraftFolder(tmp_path)
    picture = held.take(photograph, "table.png", DRAFT)
    assert picture.proposed is not None
    pose, _ = held.solve(PhotographMarks(version=picture.version, marks=picture.proposed.marks), DRAFT, folder)
    kept = CameraPose.model_validate_json((tmp_path / "pose.json").read_bytes())

    assert {mark.kind for mark in picture.proposed.marks} == {"corner"}
    assert np.abs(np.subtract(picture.proposed.outline_px, TRUE)).max() < 4.0
    assert np.linalg.norm(np.subtract(kept.centre_mm, mats.TRUE.centre_mm)) < 8.0
    assert pose.warnings == ()


def test_where_no_table_is_clear_nothing_is_proposed(photograph: bytes) -> None:
    bare = bytes(cv2.imencode(".png", np.full((720, 1280, 3), 90, np.uint8))[1].tobytes())

    assert MarkedPhotographs().take(bare, "bare.png", DRAFT).proposed is None
    assert MarkedPhotographs().take(photograph, "table.png", Draft(eye="photograph")).proposed is None


def test_what_is_kept_of_a_photograph_shows_no_room(photograph: bytes, tmp_path: Path) -> None:
    held, folder = MarkedPhotographs(), DraftFolder(tmp_path)
    held.solve(_marks(held.take(photograph, "table.png", DRAFT).version, TRUE, sigma_px=3.0), DRAFT, folder)
    kept = cv2.imread(str(folder.photograph()))

    assert kept is not None
    assert kept.shape[1::-1] == mats.CAMERA.image_size
    assert kept[0, 0].max() < 12


def test_a_pose_that_is_no_measure_is_refused(photograph: bytes, tmp_path: Path) -> None:
    held, folder = MarkedPhotographs(), DraftFolder(tmp_path)
    unknown = DRAFT.model_copy(update={"lens": None})
    version = held.take(photograph, "table.png", unknown).version

    with pytest.raises(BadInput, match="mark another corner"):
        held.solve(_marks(version, TRUE[:2], sigma_px=60.0), unknown, folder)
    assert not folder.is_solved("marks")


def test_marks_of_an_older_photograph_are_refused(photograph: bytes, tmp_path: Path) -> None:
    held = MarkedPhotographs()
    version = held.take(photograph, "table.png", DRAFT).version
    held.take(photograph, "table.png", DRAFT)

    with pytest.raises(BadInput, match="newer photograph"):
        held.solve(_marks(version, TRUE, sigma_px=3.0), DRAFT, DraftFolder(tmp_path))


def test_a_photograph_of_the_same_moment_is_kept_beside_the_one_before_it(photograph: bytes, tmp_path: Path) -> None:
    guide = SetupGuide("club", DraftFolder(tmp_path), lambda _: np.zeros((4, 4), np.uint8), profiles_in(tmp_path))
    guide.choose(SetupChoice(eye="photograph", table_mm=mats.TABLE))
    first = guide.take_photograph(photograph, "a.png")
    with pytest.raises(BadInput, match="mark the photograph before"):
        guide.take_photograph(photograph, "b.png", is_beside=True)
    guide.mark_photograph(_marks(first.version, TRUE, sigma_px=3.0))
    second = guide.take_photograph(photograph, "b.png", is_beside=True)
    guide.mark_photograph(_marks(second.version, TRUE + 1.0, sigma_px=3.0))
    (first_view,) = guide.folder.further_views()

    assert (first.joined, second.joined) == (0, 1)
    assert Path(first_view.source).read_bytes() != b""
    assert first_view.pose != guide.folder.pose()
    assert first_view in job_of(guide, guide.folder).further_views


def test_another_photograph_on_another_day_joins_none_of_the_last_ones(photograph: bytes, tmp_path: Path) -> None:
    held, folder = MarkedPhotographs(), DraftFolder(tmp_path)
    held.solve(_marks(held.take(photograph, "a.png", DRAFT).version, TRUE, sigma_px=3.0), DRAFT, folder)
    folder.set_aside()
    later = SetupGuide("club", folder, lambda _: np.zeros((4, 4), np.uint8), profiles_in(tmp_path))

    assert later.take_photograph(photograph, "later.png").joined == 0
    assert folder.further_views() == ()
    assert list(tmp_path.glob("*-1.*")) == []


def test_exif_that_lies_is_not_believed() -> None:
    """Seen at a slant: from straight above no mark tells how long the lens is."""
    pose = camera_at(away_mm=1400.0)
    true_px = project(corners_mm(TABLE), camera=CAMERA, pose=pose)
    marks = Marks(table_mm=TABLE, marks=_marks(0, true_px, sigma_px=2.0).marks)
    focal = CAMERA.K[0][0]
    solved = solve_photograph(marks, Lens("exif", pinhole_camera(CAMERA.image_size, 2.2 * focal), 0.04))

    (says,) = solved.warnings()
    assert solved.lens == "usual"
    assert re.search(r"2\.[123]\d times as long as the marks show", says)
    assert solved.marked.view.camera.K[0][0] == pytest.approx(focal, rel=0.06)
    assert np.linalg.norm(np.subtract(solved.marked.view.pose.centre_mm, pose.centre_mm)) < 60.0
