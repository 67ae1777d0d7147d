"""Bad sweeps: pictures of another table in between are named and left out, and a fisheye is solved or refused."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from calibration.arrays import Floats
from calibration.setup.joint_adjustment import place_points
from calibration.setup.pages import PageView, setup_pages
from calibration.setup.solve_setup import Setup, solve_views
from models.camera import Camera, CameraPose
from models.errors import BadInput
from tests.calibration.scene import pose_towards
from tests.calibration.setup.sweeps import TABLE_MM, Sweep, pages_on, phone, walk_around

WIDER_MM = (1828.8, 1219.2)
LEFT_OUT = "shows the pages lying differently, as on another table: left out"


def _solved(views: Sequence[PageView], camera: Camera) -> Setup:
    names = [f"{k}.jpg" for k in range(1 + max(one.picture for one in views))]
    return solve_views(names, views, camera.image_size, table_mm=TABLE_MM)


def _mixed(seed: int, elsewhere: Sequence[int], pages: Floats, wider: Floats) -> list[PageView]:
    """Twelve pictures, of which some are of another table."""
    here, there = walk_around(seed=seed), walk_around(WIDER_MM, seed=900 + seed)
    views: list[PageView] = []
    for k in range(12):
        lies, pose = (wider, there[k]) if k in elsewhere else (pages, here[k])
        views += [replace(one, picture=k) for one in Sweep(phone(), lies, [pose], seed=100 * seed + k).views()]
    return views


def _off_mm(setup: Setup, pages: Floats) -> float:
    """RMS of the layout's markers once both layouts are laid upon each other."""
    true = np.concatenate([place_points(p.markers_mm.mean(axis=1), pages[p.number]) for p in setup_pages()])[:, :2]
    got = np.array([np.mean(m.corners_mm, axis=0)[:2] for m in setup.layout.fiducials.markers])
    a, b = true - true.mean(axis=0), got - got.mean(axis=0)
    u, _, vt = np.linalg.svd(a.T @ b)
    return float(np.sqrt(np.mean(np.sum((b - a @ (u @ vt)) ** 2, axis=1))))


def test_pictures_of_another_table_in_between_are_named_and_left_out() -> None:
    pages = pages_on(seed=0)
    setup = _solved(_mixed(0, (7, 9), pages, pages_on(WIDER_MM, seed=500)), phone())

    assert setup.remarks == (f"7.jpg {LEFT_OUT}", f"9.jpg {LEFT_OUT}")
    assert set(setup.pictures) == {f"{k}.jpg" for k in range(12)} - {"7.jpg", "9.jpg"}
    assert _off_mm(setup, pages) < 0.15


def test_a_table_of_the_same_size_whose_pages_lie_a_little_otherwise_is_another_too() -> None:
    pages = pages_on(seed=1)
    setup = _solved(_mixed(1, (4, 5, 9), pages, pages_on(seed=501)), phone())

    assert setup.remarks == tuple(f"{k}.jpg {LEFT_OUT}" for k in (4, 5, 9))
    assert _off_mm(setup, pages) < 0.15


@pytest.mark.parametrize("shown", [(0, 1, 2), (0, 1, 2, 3)])
def test_another_table_on_which_two_pages_lie_as_here_is_no_moved_page(shown: tuple[int, ...]) -> None:
    """As deep a table, carefully laid: a picture of it has two of its pages beside each other as all others do."""
    pages, wider = pages_on(seed=4), pages_on(WIDER_MM, seed=504, laid_mm=0.2)
    views = [
        one for one in _mixed(4, (3,), pages, wider) if one.picture != 3 or one.page in shown
    ]  # fmt: skip
    assert len([one for one in views if one.picture == 3]) == len(shown)
    setup = _solved(views, phone())

    assert setup.remarks == (f"3.jpg {LEFT_OUT}",)
    assert _off_mm(setup, pages) < 0.15


def test_of_as_many_pictures_of_either_table_nobody_can_tell_which_is_meant() -> None:
    turns = np.arange(6) * np.pi / 3
    above = [pose_towards([610 + 700 * np.cos(t), 610 + 700 * np.sin(t), 1900.0], [610, 610, 0]) for t in turns]
    tables = (pages_on(seed=0), pages_on(seed=500, laid_mm=20.0))
    seen = [Sweep(phone(focal=2600.0), tables[k % 2], [pose], seed=k).views() for k, pose in enumerate(above)]
    views = [replace(one, picture=k) for k, some in enumerate(seen) for one in some]

    with pytest.raises(BadInput, match=r"one way in 0.jpg, 2.jpg, 4.jpg, and another in 1.jpg, 3.jpg, 5.jpg"):
        _solved(views, phone())


@pytest.mark.slow
def test_a_page_that_was_moved_half_way_is_told_as_one_that_moved() -> None:
    pages, poses = pages_on(seed=2), walk_around(seed=2)
    elsewhere = pages[1] + [60.0, 20.0, 0.1, 0.0, 0.0]
    sweep = Sweep(phone(), pages, poses, seed=2, moved={(k, 1): elsewhere for k in (10, 11)})
    setup = _solved(sweep.views(), phone())

    assert setup.remarks
    assert all("page 2 does not lie as in the other pictures" in one for one in setup.remarks)
    assert _off_mm(setup, pages) < 0.15


def _fisheye(focal: float) -> Camera:
    """Equidistant: the angle from the axis is the distance from the middle."""
    return Camera(
        image_size=(1920, 1080), model="fisheye", K=((focal, 0, 968.3), (0, focal, 534.1), (0, 0, 1)),
        dist=(0.0, 0.0, 0.0, 0.0), covariance=tuple(map(tuple, np.zeros((8, 8)))), rms_px=0,
    )  # fmt: skip


def test_a_fisheye_is_solved_where_it_sees_the_pages_near_its_middle() -> None:
    pages, camera = pages_on(seed=3), _fisheye(600.0)
    setup = _solved(Sweep(camera, pages, walk_around(seed=3), seed=3).views(), camera)

    assert _off_mm(setup, pages) < 0.5
    assert setup.remarks == ()


def _close_by(k: int) -> CameraPose:
    """Half a metre above the table, where its corners lie some 65 degrees off the axis."""
    turn = 2 * np.pi * k / 8
    place = [609.6 + 300 * np.cos(turn), 609.6 + 300 * np.sin(turn), 560.0 + 30 * (k % 3)]
    return pose_towards(place, [609.6, 609.6, 0.0])


@pytest.mark.slow
def test_a_fisheye_that_sees_the_pages_far_out_is_refused_with_what_to_do() -> None:
    camera = _fisheye(600.0)
    sweep = Sweep(camera, pages_on(seed=3), [_close_by(k) for k in range(8)], seed=3)

    with pytest.raises(BadInput, match="the lens is a fisheye, and the pages are seen too far from the middle"):
        _solved(sweep.views(), camera)
