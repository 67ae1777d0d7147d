"""Which view of the board is needed next."""

import cv2
import numpy as np
import pytest

from calibration.intrinsics.board_detection import BoardView
from calibration.intrinsics.next_view import measure_coverage, next_view
from calibration.intrinsics.view_collector import ViewCollector, lens_sigma_mm
from models.board import CharucoBoard

SIZE = (1280, 720)
FOCAL = 1000.0
BOARD_MM = np.stack(np.meshgrid(30.0 * np.arange(9), 30.0 * np.arange(6), [0.0]), axis=-1).reshape(-1, 3)
TABLE = (1219.2, 1219.2)
NINTHS = [(x, y) for y in (-200, 0, 200) for x in (-400, 0, 400)]
LEANS = {"left": (0.0, -0.5), "right": (0.0, 0.5), "top": (0.5, 0.0), "bottom": (-0.5, 0.0)}


def _view(
    at_px: tuple[float, float] = (0.0, 0.0), turn: tuple[float, float] = (0.0, 0.0), *, depth: float = 900.0
) -> BoardView:
    """The board around this place, from the picture's middle; turned about its own x, then y."""
    about_x, about_y = (np.asarray(cv2.Rodrigues(np.array(one))[0]) for one in ((turn[0], 0, 0), (0, turn[1], 0)))
    middle = np.array([at_px[0] * depth / FOCAL, at_px[1] * depth / FOCAL, depth])
    there = (BOARD_MM - BOARD_MM.mean(axis=0)) @ (about_x @ about_y).T + middle
    seen = FOCAL * there[:, :2] / there[:, 2:] + np.array(SIZE) / 2
    rough = np.random.default_rng(round(abs(middle[0]) + 7 * abs(middle[1]) + depth)).normal(0, 0.05, seen.shape)
    shown = np.all((seen > 0) & (seen < np.array(SIZE) - 1), axis=1)
    return BoardView(f"{at_px}{turn}{depth}", BOARD_MM[shown], seen[shown] + rough[shown])


def _everywhere(turn: tuple[float, float] = (0.0, 0.0)) -> list[BoardView]:
    return [_view(place, turn) for place in NINTHS]


def _enough() -> list[BoardView]:
    """Everywhere, leaning to every side, near and far."""
    return [*_everywhere(), *(_view((0, 0), turn) for turn in LEANS.values()), _view(depth=500.0)]


def test_the_first_hint_is_a_corner() -> None:
    hint = next_view([_view()], SIZE)

    assert hint is not None
    assert hint.kind == "place"
    assert hint.says == "hold the board at the top left of the picture"


def test_the_only_ninth_that_is_empty_is_asked_for() -> None:
    views = [view for place, view in zip(NINTHS, _everywhere(), strict=True) if place[0] <= 0 or place[1] <= 0]
    views = [view for view in views if view.seen_px.max(axis=0)[1] < 470 or view.seen_px.max(axis=0)[0] < 850]
    hint = next_view(views, SIZE)

    assert hint is not None
    assert hint.says == "hold the board at the bottom right of the picture"


@pytest.mark.parametrize("missing", LEANS)
def test_the_side_that_was_never_nearer_is_asked_for(missing: str) -> None:
    views = _everywhere() + [_view((0, 0), turn) for side, turn in LEANS.items() if side != missing]
    hint = next_view(views, SIZE)

    assert hint is not None
    assert hint.kind == "tilt"
    assert hint.says.endswith(f"its {missing}{' side' if missing in {'left', 'right'} else ''} nearer to the camera")


def test_views_from_one_distance_ask_for_another() -> None:
    hint = next_view(_enough()[:-1], SIZE)

    assert hint is not None
    assert hint.kind in {"nearer", "farther"}


def test_a_set_without_tilt_never_is_enough() -> None:
    """However many there are: they cannot tell the focal length."""
    flat = [*_everywhere(), *(_view(place, depth=500.0) for place in NINTHS)]
    hint = next_view(flat, SIZE)

    assert hint is not None
    assert hint.kind == "tilt"


def test_a_good_set_is_enough() -> None:
    assert next_view(_enough(), SIZE) is None


def test_doubt_over_the_table_asks_for_more_where_it_is_largest() -> None:
    doubt = np.full((3, 3), 0.05)
    doubt[0, 2] = 0.4
    hint = next_view(_enough(), SIZE, doubt_mm=doubt, limit_mm=0.1)

    assert hint is not None
    assert "top right" in hint.says
    assert "0.40 mm" in hint.says


def test_what_was_taken_is_summed_up() -> None:
    so_far = measure_coverage(_enough(), SIZE)

    assert (so_far.views, so_far.covered, so_far.leans) == (14, 1.0, 4)
    assert so_far.depths > 1.5
    assert measure_coverage([], SIZE).views == 0


def test_more_views_leave_less_in_doubt_over_a_table() -> None:
    tilted = [_view(place, turn) for place, turn in zip(NINTHS, [*LEANS.values()] * 3, strict=False)]
    few, many = (lens_sigma_mm(views, SIZE, table_mm=TABLE) for views in (tilted, [*tilted, *_enough()]))

    assert few is not None
    assert many is not None
    assert many.shape == (3, 3)
    assert many.max() < few.max()


PRINT = CharucoBoard(squares_x=9, squares_y=6, square_mm=30, marker_mm=22, dictionary="DICT_5X5_250")


def _held(place: tuple[int, int], *, lean: float = 0.0) -> np.ndarray:
    """A picture of a small board at this place."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    drawn = cv2.aruco.CharucoBoard((9, 6), 30, 22, dictionary).generateImage((450, 300), marginSize=8)
    x, y = place
    corners = np.array([[x, y + lean], [x + 450, y], [x + 450, y + 300], [x, y + 300 - lean]], np.float32)
    source = np.array([[0, 0], [450, 0], [450, 300], [0, 300]], np.float32)
    warp = cv2.getPerspectiveTransform(source, corners)
    return np.asarray(cv2.warpPerspective(drawn, warp, SIZE, borderValue=128), np.uint8)


def _collector(**how: bool) -> ViewCollector:
    return ViewCollector(PRINT, table_mm=TABLE, limit_mm=0.2, **how)


def test_a_board_that_moves_is_not_taken_and_one_that_rests_is() -> None:
    collector = _collector()
    steps = [collector.add_image(_held(place)) for place in ((40, 40), (80, 60), (120, 60), (120, 60))]

    assert [step.was_taken for step in steps] == [False, False, False, True]
    assert steps[1].says == "hold the board still"


def test_the_same_view_is_taken_once() -> None:
    collector = _collector()
    steps = [collector.add_image(_held((120, 60))) for _ in range(4)]

    assert [step.was_taken for step in steps] == [False, True, False, False]
    assert steps[-1].says.startswith("hold the board at the ")


def test_an_empty_picture_asks_for_the_board() -> None:
    step = _collector().add_image(np.full((720, 1280), 128, np.uint8))

    assert step.says == "show the board to the camera"
    assert not step.is_done


def test_pictures_that_are_single_shots_need_no_rest() -> None:
    collector = _collector(must_be_still=False)

    assert [collector.add_image(_held(place)).was_taken for place in ((40, 40), (600, 300))] == [True, True]
