"""How surely a base lies where we say: the stated shares of the doubt against true shifts."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.camera_model.projection import intersect_plane
from tests.vision import rendered
from tests.vision.fits import fit
from vision.measurement.base_fit import BaseFit
from vision.measurement.covariance import common_covariance, common_modes, independent_covariance
from vision.rectification.ground_height import Ground

EYE = rendered.Eye()
FAR = (590.0, 390.0)


def _sigma_mm(one: BaseFit) -> float:
    return float(np.sqrt(np.trace(independent_covariance(one, pose=EYE.pose()))))


def test_a_base_measured_worse_is_in_greater_doubt() -> None:
    assert _sigma_mm(fit(covariance_mm2=np.eye(2) * 0.5)) > _sigma_mm(fit(covariance_mm2=np.eye(2) * 0.01))


def test_ground_of_unknown_height_says_so_in_the_sigma() -> None:
    """20 mm up or down is 8 mm aside where the camera looks at 22 degrees."""
    known, unknown = (_sigma_mm(fit(FAR, ground=Ground(0.0, sigma))) for sigma in (0.3, 20.0))

    assert known < 0.6
    assert unknown == pytest.approx(20 * np.hypot(280, 200) / 800, rel=0.1)


def test_unknown_height_is_in_doubt_along_the_line_of_sight_only() -> None:
    covariance = independent_covariance(fit((310.0, 390.0), ground=Ground(0.0, 20.0)), pose=EYE.pose())

    assert covariance[1, 1] > 100 * covariance[0, 0]


def test_below_the_camera_height_does_not_matter() -> None:
    assert _sigma_mm(fit((310.0, 190.0), ground=Ground(0.0, 20.0))) < 0.6


def test_a_lifted_camera_moves_bases_as_its_mode_says() -> None:
    """The camera 1 mm off along its axis: what every base is shifted by, looked up through a second pose."""
    fits = {"a": fit(FAR), "b": fit((40.0, 300.0))}
    pose = EYE.pose()
    only_height = np.diag([0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    (*_, mode) = common_modes(
        fits,
        camera=EYE.camera(),
        pose=pose.model_copy(update={"covariance": tuple(map(tuple, only_height.tolist()))}),
    )
    x, y, z = pose.translation_mm
    lifted = pose.model_copy(update={"translation_mm": (x, y, z + 1.0)})
    for id_, one in fits.items():
        at_px = EYE.seen([(*one.at_mm, 0.0)])
        shift = intersect_plane(at_px, camera=EYE.camera(), pose=lifted, z_mm=0.0)[0] - one.at_mm

        assert abs(np.array(mode.shift_mm[id_])) == pytest.approx(abs(shift), abs=0.01)


def test_every_mode_moves_every_base() -> None:
    fits = {f"m{k}": fit((100.0 + 90 * k, 120.0)) for k in range(4)}
    modes = common_modes(fits, camera=EYE.camera(), pose=EYE.pose())

    assert len(modes) == 8
    assert all(mode.shift_mm.keys() == fits.keys() for mode in modes)
    assert len({mode.name for mode in modes}) == 8


def test_the_common_share_is_the_sum_of_its_modes() -> None:
    fits = {"a": fit(FAR)}
    modes = common_modes(fits, camera=EYE.camera(), pose=EYE.pose())
    shifts = np.array([mode.shift_mm["a"] for mode in modes])

    assert np.trace(common_covariance("a", modes)) == pytest.approx((shifts**2).sum())


def test_a_pose_without_doubt_leaves_that_of_the_light() -> None:
    sure = EYE.pose().model_copy(update={"covariance": tuple(map(tuple, np.zeros((6, 6)).tolist()))})
    modes = common_modes({"a": fit(FAR)}, camera=EYE.camera(), pose=sure)

    assert [mode.name for mode in modes if any(mode.shift_mm["a"])] == ["light-x", "light-y"]


def test_an_empty_table_has_no_modes_of_the_pose() -> None:
    assert all(mode.shift_mm == {} for mode in common_modes({}, camera=EYE.camera(), pose=EYE.pose()))


def test_a_higher_camera_fears_the_ground_less() -> None:
    high = replace(EYE, centre_mm=(310.0, 190.0, 2000.0))
    one = fit(FAR, ground=Ground(0.0, 20.0))

    assert (
        np.trace(independent_covariance(one, pose=high.pose()))
        < np.trace(independent_covariance(one, pose=EYE.pose())) / 4
    )
