"""A picture whose camera, plane and scale nobody told: discs of known sizes tell them."""

import math

import cv2
import numpy as np
import pytest

from calibration.arrays import Image
from calibration.camera_model.projection import project
from models.base import Catalogue, RectBase, RoundBase
from models.errors import BadInput, TableNotVisible
from tests.vision import rendered
from vision.uncalibrated.ellipse_detection import Disc, detect_discs
from vision.uncalibrated.locate import UncalibratedTable, locate_uncalibrated
from vision.uncalibrated.plane_solver import Lens, circle_jacobian, ellipse_axes, solve_plane

SIZES_MM = (30.0, 40.0, 50.0, 65.0)
PLACES = ((90.0, 90.0, 30.0), (200.0, 110.0, 50.0), (330.0, 80.0, 40.0), (470.0, 120.0, 65.0),
          (120.0, 290.0, 50.0), (260.0, 300.0, 30.0), (400.0, 280.0, 65.0), (520.0, 310.0, 30.0))  # fmt: skip
COIN = rendered.Make(2.0, 0.0, 2.0)
EYE = rendered.Eye(focal_px=1300.0, size_px=(1440, 1080), middle_px=(719.5, 539.5), tilt_rad=(0.12, -0.08))


@pytest.fixture(scope="module")
def bases() -> tuple[rendered.Base, ...]:
    return tuple(
        rendered.Base((x, y), size, make=COIN, rim=rendered.BONE, seed=k) for k, (x, y, size) in enumerate(PLACES)
    )


@pytest.fixture(scope="module")
def picture(bases: tuple[rendered.Base, ...]) -> Image:
    return rendered.photograph(rendered.Scene(bases, eye=EYE, has_fiducials=False))


@pytest.fixture(scope="module")
def seen(picture: Image) -> UncalibratedTable:
    sizes = Catalogue(bases=tuple(RoundBase(diameter_mm=size) for size in SIZES_MM), rim_mm=2.0)
    return locate_uncalibrated(picture, catalogue=sizes, edition="warmachine-prime", camera=EYE.camera())


def test_every_disc_is_found_and_of_its_size(seen: UncalibratedTable) -> None:
    sizes = sorted(one.base.model_dump()["diameter_mm"] for one in seen.state.miniatures)

    assert sizes == sorted(size for _, _, size in PLACES)


def test_distances_are_those_of_the_table(seen: UncalibratedTable) -> None:
    """The frame is the picture's own, so only distances can be compared."""
    found = _by_picture(seen)
    off = [
        math.dist(found[i], found[k]) - math.dist(PLACES[i][:2], PLACES[k][:2])
        for i in range(len(PLACES))
        for k in range(i)
    ]

    assert np.sqrt(np.mean(np.square(off))) < 1.0


def test_the_slant_is_that_of_the_camera(seen: UncalibratedTable) -> None:
    up = np.array(seen.pose.rotation)[:, 2]

    assert up @ EYE.camera_from_table[:, 2] > math.cos(math.radians(2.0))


def test_the_doubt_of_the_scale_grows_from_the_middle(seen: UncalibratedTable) -> None:
    (mode,) = seen.state.common_mm
    middle = np.array([seen.state.table.width_mm, seen.state.table.depth_mm]) / 2
    far = [math.dist(one.at_mm, middle) for one in seen.state.miniatures]
    shift = [math.hypot(*mode.shift_mm[one.id]) for one in seen.state.miniatures]

    assert np.argsort(far).tolist() == np.argsort(shift).tolist()


def test_discs_of_one_size_leave_the_scale_open() -> None:
    discs = [_disc((200.0 + 100 * k, 300.0), 40.0) for k in range(5)]
    plane = solve_plane(discs, sizes_mm=(20.0, 30.0), lens=Lens(1000.0, (400.0, 300.0)))

    assert plane is not None
    assert any(abs(scale - 1.5) < 0.02 or abs(scale - 1 / 1.5) < 0.02 for scale in plane.other_scales)


def test_discs_of_two_sizes_settle_the_scale() -> None:
    discs = [_disc((200.0 + 100 * k, 300.0), 40.0 if k % 2 else 60.0) for k in range(5)]
    plane = solve_plane(discs, sizes_mm=(20.0, 30.0), lens=Lens(1000.0, (400.0, 300.0)))

    assert plane is not None
    assert plane.other_scales == ()
    assert plane.diameters_mm(discs) == pytest.approx([30.0, 20.0, 30.0, 20.0, 30.0], rel=0.01)


def test_a_circle_seen_straight_from_above_is_a_circle() -> None:
    long, short, _ = ellipse_axes(circle_jacobian(np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0])))

    assert (long, short) == pytest.approx((1.0, 1.0))


def test_an_empty_picture_holds_no_disc_and_is_named() -> None:
    empty = np.full((300, 400, 3), 120, np.uint8)

    assert detect_discs(empty) == ()
    with pytest.raises(TableNotVisible):
        locate_uncalibrated(
            empty, catalogue=Catalogue(bases=(RoundBase(diameter_mm=30.0),)), edition="warmachine-prime"
        )


def test_a_catalogue_without_round_sizes_is_named(picture: Image) -> None:
    with pytest.raises(BadInput) as refused:
        locate_uncalibrated(
            picture, catalogue=Catalogue(bases=(RectBase(width_mm=25.0, depth_mm=50.0),)), edition="warhammer-9"
        )

    assert refused.value.field == "catalogue"


def test_a_disc_is_measured_to_a_part_of_a_pixel() -> None:
    image = np.full((400, 500, 3), 60, np.uint8)
    cv2.ellipse(image, ((240.0, 190.0), (160.0, 120.0), 30.0), (200, 210, 220), -1, cv2.LINE_AA)
    (disc,) = detect_discs(cv2.GaussianBlur(image, (0, 0), 1.0))

    assert disc.at_px == pytest.approx((240.0, 190.0), abs=0.5)
    assert (disc.long_px, disc.short_px) == pytest.approx((80.0, 60.0), rel=0.02)


def test_discs_of_one_size_may_each_be_of_either(plain: Image) -> None:
    seen = _seen(plain, 30.0, 40.0)

    assert len(seen.sizes) == 4
    assert set(seen.unsure) == set(seen.sizes)
    assert all({size for size, _ in told} == {30.0, 40.0} for told in seen.sizes.values())


def test_doubt_between_scales_moves_all_places(plain: Image) -> None:
    doubtful, sure = (_seen(plain, *sizes).state.miniatures[0].sigma.at_mm for sizes in ((30.0, 40.0), (30.0,)))

    assert doubtful > 5 * sure


def test_a_single_disc_may_be_of_any_size() -> None:
    (told,) = _seen(_circles((200, 150, 40)), 30.0, 40.0).sizes.values()

    assert {size for size, _ in told} == {30.0, 40.0}


def test_a_disc_of_no_size_is_left_out() -> None:
    picture = _circles((80, 80, 30), (180, 80, 30), (280, 80, 30), (80, 180, 30), (280, 220, 52))

    assert len(_seen(picture, 30.0).state.miniatures) == 4


def test_among_very_many_sizes_one_is_told(plain: Image) -> None:
    seen = _seen(plain, *np.arange(20.0, 80.0, 0.5).tolist())

    assert len(seen.state.miniatures) == 4
    assert seen.unsure


@pytest.mark.parametrize("shape", [(1, 1), (4, 6), (2, 900), (300, 3)])
def test_a_picture_too_small_for_a_disc_is_named(shape: tuple[int, int]) -> None:
    with pytest.raises(TableNotVisible):
        _seen(np.zeros((*shape, 3), np.uint8), 30.0)


@pytest.fixture(scope="module")
def plain() -> Image:
    return _circles((80, 80, 40), (200, 90, 40), (320, 220, 40), (100, 210, 40))


def _circles(*circles: tuple[int, int, int]) -> Image:
    image = np.full((300, 400, 3), 90, np.uint8)
    for x, y, radius in circles:
        cv2.circle(image, (x * 16, y * 16), radius * 16, (200, 210, 190), -1, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)


def _seen(picture: Image, *sizes_mm: float) -> UncalibratedTable:
    sizes = Catalogue(bases=tuple(RoundBase(diameter_mm=size) for size in sizes_mm), rim_mm=2.0)
    return locate_uncalibrated(picture, catalogue=sizes, edition="warmachine-prime")


def _by_picture(seen: UncalibratedTable) -> dict[int, tuple[float, float]]:
    """The place in the free frame of each base, told by where it appears in the picture."""
    at = np.array([[*one.at_mm, 0.0] for one in seen.state.miniatures])
    shown = project(at, camera=seen.camera, pose=seen.pose)
    wanted = EYE.seen([(x, y, 0.0) for x, y, _ in PLACES])
    nearest = [int(np.linalg.norm(shown - place, axis=1).argmin()) for place in wanted]
    return {k: seen.state.miniatures[i].at_mm for k, i in enumerate(nearest)}


def _disc(at_px: tuple[float, float], radius_px: float) -> Disc:
    return Disc(at_px, radius_px, radius_px, 0.0, support=1.0, log_odds=9.0, sigma_px=0.1)


def test_a_ring_in_a_square_of_a_board_is_no_disc_and_a_pale_stone_is_one() -> None:
    board = np.full((300, 300, 3), (120, 190, 225), np.uint8)
    for k in range(30, 300, 40):
        cv2.line(board, (k, 0), (k, 299), (60, 90, 110), 2)
        cv2.line(board, (0, k), (299, k), (60, 90, 110), 2)
    cv2.circle(board, (150, 150), 18, (215, 220, 222), -1, cv2.LINE_AA)
    (stone,) = detect_discs(cv2.GaussianBlur(board, (0, 0), 0.8))
    assert np.hypot(*np.subtract(stone.at_px, (150, 150))) < 0.5
