"""Set-up solve: lens, layout and poses together, as surely as it says."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from calibration.arrays import Floats
from calibration.camera_model import projection
from calibration.setup.joint_adjustment import place_points
from calibration.setup.lens_solve import FocalPrior, Known
from calibration.setup.pages import PageView, setup_pages
from calibration.setup.solve_setup import Setup, solve_views
from models.errors import BadInput
from tests.calibration.scene import pose_towards
from tests.calibration.setup.sweeps import TABLE_MM, Sweep, pages_on, phone, walk_around


def _solved(sweep: Sweep, **how: object) -> Setup:
    names = [f"{k}.jpg" for k in range(len(sweep.poses))]
    return solve_views(names, sweep.views(), sweep.camera.image_size, table_mm=TABLE_MM, **how)  # type: ignore[arg-type]


def _sweep(seed: int, **how: object) -> Sweep:
    return Sweep(phone(), pages_on(seed=seed), walk_around(seed=seed), seed=seed, **how)  # type: ignore[arg-type]


def _off_mm(setup: Setup, pages: Floats) -> Floats:
    """How far the layout's markers lie from the truth once both are laid upon each other."""
    true = np.concatenate([place_points(p.markers_mm.mean(axis=1), pages[p.number]) for p in setup_pages()])[:, :2]
    got = np.array([np.mean(m.corners_mm, axis=0)[:2] for m in setup.layout.fiducials.markers])
    a, b = true - true.mean(axis=0), got - got.mean(axis=0)
    u, _, vt = np.linalg.svd(a.T @ b)
    return np.asarray(b - a @ (u @ vt))


@pytest.mark.parametrize("seed", range(3))
def test_lens_and_layout_come_out_of_a_walk_around_the_table(seed: int) -> None:
    sweep = _sweep(seed)
    setup = _solved(sweep)

    assert np.sqrt(np.mean(np.sum(_off_mm(setup, sweep.pages) ** 2, axis=1))) < 0.15
    assert setup.camera.K[0][0] == pytest.approx(sweep.camera.K[0][0], rel=1e-3)
    assert setup.remarks == ()


def test_a_first_focal_length_from_exif_leads_to_the_same_lens() -> None:
    sweep = _sweep(5)
    alone, told = _solved(sweep), _solved(sweep, known=Known(focal=FocalPrior(2900.0, 0.05)))

    assert told.camera.K[0][0] == pytest.approx(alone.camera.K[0][0], rel=3e-4)


def test_errors_are_as_large_as_they_are_said_to_be() -> None:
    ratios = []
    for seed in range(12):
        sweep = Sweep(phone(), pages_on(seed=seed), walk_around(pictures=8, seed=seed), seed=seed)
        setup = _solved(sweep)
        sigma = np.sqrt(setup.camera.covariance[0][0])
        ratios.append((setup.camera.K[0][0] - sweep.camera.K[0][0]) / sigma)

    assert 0.5 < np.sqrt(np.mean(np.square(ratios))) < 1.6


def test_the_poses_lead_table_points_to_where_they_are_seen() -> None:
    sweep = _sweep(1)
    setup = _solved(sweep)
    layout = {marker.id: np.array(marker.corners_mm) for marker in setup.layout.fiducials.markers}
    for pose, true in zip(setup.poses, sweep.poses, strict=True):
        page = setup_pages()[2]
        seen = projection.project(place_points(page.markers_mm[4], sweep.pages[2]), camera=sweep.camera, pose=true)
        back = projection.project(layout[page.first_id + 4], camera=setup.camera, pose=pose)

        if np.all((seen > 0) & (seen < sweep.camera.image_size)):
            assert np.abs(seen - back).max() < 0.3


def test_a_page_that_was_moved_for_one_picture_tells_of_the_lens_only() -> None:
    pages = pages_on(seed=2)
    elsewhere = pages[1] + [14.0, 3.0, 0.05, 0.0, 0.0]
    poses = walk_around(seed=2)
    sweep = Sweep(phone(), pages, poses, seed=2)
    counts = Counter(one.picture for one in sweep.views())
    picture = next(one.picture for one in sweep.views() if one.page == 1 and counts[one.picture] == 4)
    moved = Sweep(phone(), pages, poses, seed=2, moved={(picture, 1): elsewhere})
    setup = _solved(moved)

    assert setup.remarks == (
        f"in {picture}.jpg page 2 does not lie as in the other pictures: it tells of the lens only",
    )
    assert np.abs(_off_mm(setup, pages)).max() < 0.3


def test_a_bent_page_is_found_and_does_no_harm() -> None:
    pages = pages_on(seed=3)
    pages[0, 3] = 4.0
    setup = _solved(Sweep(phone(), pages, walk_around(seed=3), seed=3))

    assert setup.bends_mm[0] == pytest.approx(4.0, abs=0.5)
    assert np.abs(_off_mm(setup, pages)).max() < 0.4


def test_pictures_from_above_alone_say_that_the_lens_is_not_known() -> None:
    above = [pose_towards([600 + 5 * k, 600 - 3 * k, 1500 + 20 * k], [600, 600, 0]) for k in range(4)]
    setup = _solved(Sweep(phone(focal=2000.0), pages_on(seed=6), above, seed=6))

    assert any("focal length is known to" in one for one in setup.remarks)


def _breathing_views(seed: int, changes: Floats) -> list[PageView]:
    """What a phone sees whose focal length changes so from picture to picture, relative."""
    pages = pages_on(seed=seed)
    views: list[PageView] = []
    for k, pose in enumerate(walk_around(seed=seed)):
        camera = phone(focal=3050.0 * (1 + changes[k]))
        views += [replace(one, picture=k) for one in Sweep(camera, pages, [pose], seed=100 * seed + k).views()]
    return views


def test_a_camera_that_refocuses_is_noticed_and_said() -> None:
    changes = 0.003 * np.tile([1.0, -1.0], 6)
    views = _breathing_views(3, changes)
    setup = solve_views([f"{k}.jpg" for k in range(12)], views, phone().image_size, table_mm=TABLE_MM)

    assert any(one.startswith("the camera refocused between the pictures") for one in setup.remarks)
    assert np.sqrt(np.mean(np.sum(_off_mm(setup, pages_on(seed=3)) ** 2, axis=1))) < 0.15
    assert np.sqrt(setup.camera.covariance[0][0]) / setup.camera.K[0][0] == pytest.approx(0.003, rel=0.5)


def test_a_camera_that_does_not_is_not_said_to() -> None:
    setup = _solved(_sweep(4))

    assert setup.remarks == ()
    assert setup.focal_sigma < 1e-3


def test_pages_that_no_picture_shows_together_are_named() -> None:
    views = _sweep(1).views()
    apart = [one for one in views if (one.page < 2) == (one.picture < 6)]
    with pytest.raises(BadInput, match="no picture shows page 3 together with page 1 or 2: add one that does") as wrong:
        solve_views([f"{k}.jpg" for k in range(12)], apart, phone().image_size, table_mm=TABLE_MM)

    assert wrong.value.value == 3


def test_pictures_of_two_phones_are_named() -> None:
    lenses = (phone(), phone(focal=4200.0, dist=(0.02, -0.05, 0.0, 0.0, 0.0)))
    poses = walk_around(pictures=8, seed=1)
    seen = [Sweep(lenses[k % 2], pages_on(), [pose], seed=k).views() for k, pose in enumerate(poses)]
    views = [replace(one, picture=k) for k, some in enumerate(seen) for one in some]

    with pytest.raises(BadInput, match="are they of two phones"):
        solve_views([f"{k}.jpg" for k in range(8)], views, phone().image_size, table_mm=TABLE_MM)
