"""A lens from pictures of a board: right, honest about its doubt, and refused with a reason."""

import cv2
import numpy as np
import pytest

from calibration.arrays import Image
from calibration.intrinsics.calibrate_camera import Calibration, calibrate_camera
from models.board import CharucoBoard
from models.camera import Camera
from models.errors import BadBoard, BadInput
from tests.calibration import boards

Views = list[tuple[str, Image]]

TRUE = boards.camera()


@pytest.fixture(scope="module")
def charuco() -> Views:
    return boards.views(boards.CHARUCO, TRUE)


@pytest.fixture(scope="module")
def found(charuco: Views) -> Calibration:
    return calibrate_camera(charuco, boards.CHARUCO)


def _worst_px(camera: Camera) -> float:
    """How far the lens bends rays off where the true one does, at worst where boards were seen."""
    x, y = np.meshgrid(np.linspace(-0.33, 0.33, 11), np.linspace(-0.25, 0.25, 9))
    rays = np.stack([x.ravel(), y.ravel(), np.ones(x.size)], axis=1)
    seen, true = (
        cv2.projectPoints(rays, np.zeros(3), np.zeros(3), np.array(one.K), np.array(one.dist))[0].reshape(-1, 2)
        for one in (camera, TRUE)
    )
    # A small turn of the camera is no error of the lens: the pose takes it up.
    shift = np.median(seen - true, axis=0)
    return float(np.linalg.norm(seen - true - shift, axis=1).max())


def test_the_lens_is_the_one_that_took_the_pictures(found: Calibration) -> None:
    assert _worst_px(found.camera) < 0.5


def test_the_focal_length_is_within_its_stated_doubt(found: Calibration) -> None:
    sigma = float(np.sqrt(found.camera.covariance[0][0]))

    assert abs(found.camera.K[0][0] - TRUE.K[0][0]) < 4 * sigma
    assert sigma < 1.0


def test_the_model_is_chosen_by_views_that_it_has_not_seen(found: Calibration) -> None:
    """The pictures are bent by terms that a two-term lens does not have."""
    assert found.heldout_px["pinhole2"] > found.heldout_px[found.camera.model]
    assert found.camera.heldout_px == found.heldout_px[found.camera.model]


def test_all_views_are_named_as_used(found: Calibration, charuco: Views) -> None:
    assert found.camera.views == tuple(name for name, _ in charuco)
    assert found.rejected == ()


def test_the_covariance_has_a_row_for_every_value_of_the_lens(found: Calibration) -> None:
    count = 4 + len(found.camera.dist)

    assert np.array(found.camera.covariance).shape == (count, count)
    assert np.linalg.eigvalsh(np.array(found.camera.covariance)).min() > -1e-12


@pytest.mark.parametrize("board", [boards.CHESS, boards.DOTS], ids=["chessboard", "asymmetric circles"])
def test_other_boards_serve_as_well(board: boards.Board) -> None:
    found = calibrate_camera(boards.views(board, TRUE), board)

    assert _worst_px(found.camera) < 1.0


def test_the_size_of_the_dots_mends_what_their_slant_does() -> None:
    """The residual does not tell: every view shifts the dots so that another focal length explains them as well."""
    seen = boards.views(boards.DOTS, TRUE)
    plain = calibrate_camera(seen, boards.DOTS)
    mended = calibrate_camera(seen, boards.DOTS.model_copy(update={"diameter_mm": boards.DOT_MM}))

    assert _worst_px(mended.camera) < 0.6 * _worst_px(plain.camera)


def test_each_step_is_told(charuco: Views) -> None:
    told: list[str] = []
    calibrate_camera(charuco[:5], boards.CHARUCO, progress=told.append)

    assert told[:5] == [name for name, _ in charuco[:5]]
    assert {"pinhole2", "brown", "rational", "fisheye"} <= set(told)


def test_a_view_without_the_board_is_named(charuco: Views) -> None:
    empty = ("lamp.png", np.full((480, 640), 128, np.uint8))
    found = calibrate_camera([*charuco, empty], boards.CHARUCO)

    assert [one.name for one in found.rejected] == ["lamp.png"]


def test_a_view_through_another_lens_is_rejected_and_named(charuco: Views) -> None:
    other = boards.photograph(
        boards.CHARUCO, boards.HELD[1], camera=TRUE.model_copy(update={"dist": (0.4, -0.1, 0.01, 0.02, 0.0)})
    )
    found = calibrate_camera([*charuco, ("zoomed.png", other)], boards.CHARUCO)

    assert [one.name for one in found.rejected] == ["zoomed.png"]
    assert _worst_px(found.camera) < 0.5


def test_blurred_views_are_named_and_not_used() -> None:
    sharp = boards.views(boards.CHESS, TRUE)[:4]
    with pytest.raises(BadBoard, match="blurred") as raised:
        calibrate_camera([(name, cv2.GaussianBlur(picture, (0, 0), 7.0)) for name, picture in sharp], boards.CHESS)

    assert set(raised.value.facts["rejected"]) == {name for name, _ in sharp}


def test_a_board_on_a_screen_is_told_from_a_print() -> None:
    on_screen = [(name, _on_screen(picture)) for name, picture in boards.views(boards.CHESS, TRUE)[:4]]
    with pytest.raises(BadBoard, match="screen") as raised:
        calibrate_camera(on_screen, boards.CHESS)

    assert set(raised.value.facts["rejected"]) == {name for name, _ in on_screen}


def _on_screen(picture: Image) -> Image:
    """The same with a screen's pixels, a little larger than the camera's and not quite upright."""
    y, x = np.indices(picture.shape)
    turned = (x + 0.1 * y, y - 0.1 * x)
    grid = [1 + 0.1 * np.cos(2 * np.pi * way / 2.9) for way in turned]
    return np.clip(np.round(picture * grid[0] * grid[1] / 1.21), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("count", [1, 2])
def test_one_view_is_no_calibration(charuco: Views, count: int) -> None:
    with pytest.raises(BadInput, match="at least 4") as raised:
        calibrate_camera(charuco[:count], boards.CHARUCO)

    assert (raised.value.field, raised.value.value) == ("images", count)


def test_a_board_of_other_squares_than_described_is_refused() -> None:
    wrong = boards.CHESS.model_copy(update={"corners_x": 9})
    with pytest.raises(BadBoard) as raised:
        calibrate_camera(boards.views(boards.CHESS, TRUE)[:2], wrong)

    assert raised.value.field == "board"


def test_three_views_are_too_few(charuco: Views) -> None:
    with pytest.raises(BadInput) as raised:
        calibrate_camera(charuco[:3], boards.CHARUCO)

    assert (raised.value.field, raised.value.value) == ("images", 3)


def test_views_without_tilt_cannot_tell_the_focal_length() -> None:
    flat = boards.views(boards.CHARUCO, TRUE, held=boards.FLAT)
    with pytest.raises(BadInput, match="tilt") as raised:
        calibrate_camera(flat, boards.CHARUCO)

    assert raised.value.field == "images"


def test_another_dictionary_is_a_wrong_board(charuco: Views) -> None:
    wrong = boards.CHARUCO.model_copy(update={"dictionary": "DICT_4X4_100"})
    with pytest.raises(BadBoard) as raised:
        calibrate_camera(charuco[:2], wrong)

    assert raised.value.field == "board"


def test_a_mirrored_print_is_told_from_a_missing_board(charuco: Views) -> None:
    mirrored = [(name, np.ascontiguousarray(picture[:, ::-1])) for name, picture in charuco[:4]]
    with pytest.raises(BadBoard, match="mirror"):
        calibrate_camera(mirrored, boards.CHARUCO)


def test_pictures_of_two_sizes_are_refused_by_name(charuco: Views) -> None:
    with pytest.raises(BadInput) as raised:
        calibrate_camera([*charuco[:4], ("small.png", np.zeros((240, 320), np.uint8))], boards.CHARUCO)

    assert (raised.value.field, raised.value.value) == ("images", "small.png")


def test_a_marker_as_large_as_its_square_is_refused() -> None:
    wrong = CharucoBoard(squares_x=8, squares_y=6, square_mm=30, marker_mm=31, dictionary="DICT_5X5_100")
    with pytest.raises(BadBoard) as raised:
        calibrate_camera([("a.png", np.zeros((480, 640), np.uint8))], wrong)

    assert (raised.value.field, raised.value.value) == ("board.marker_mm", 31)


def test_markers_of_another_size_than_described_are_named_and_measured(charuco: Views) -> None:
    with pytest.raises(BadBoard) as raised:
        calibrate_camera(charuco, boards.CHARUCO.model_copy(update={"marker_mm": 18}))

    assert (raised.value.field, raised.value.value) == ("board.marker_mm", 18)
    assert raised.value.facts["measured_mm"] == pytest.approx(boards.CHARUCO.marker_mm, rel=0.05)
