"""The compiled fit of a base is that of the same steps in NumPy."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera_model.projection import project
from models.base import OvalBase, RoundBase
from models.camera import Camera, CameraPose
from models.vocabulary import Point
from tests.vision.oracles.base_fit import fit_base_numpy
from vision.measurement.base_fit import BaseFit, fit_base
from vision.measurement.silhouette import PROFILES, RimProfile
from vision.native import library
from vision.rectification.ground_height import Ground

SIZE_PX = (320, 240)
LENSES = {
    "brown": (0.05, -0.08, 0.001, -0.002, 0.01),
    "rational": (0.3, 0.1, 0.001, 0.002, 0.05, 0.25, 0.08, 0.02),
    "fisheye": (-0.02, 0.005, -0.001, 0.0002),
}
ROUND, LARGE, OVAL = RoundBase(diameter_mm=40.0), RoundBase(diameter_mm=120.0), OvalBase(width_mm=42.0, depth_mm=75.0)
TURN_RAD = 0.4


def _camera(model: str) -> Camera:
    dist = LENSES[model]
    return Camera.model_validate(
        {
            "image_size": SIZE_PX, "model": model, "K": ((520.0, 0, 162.0), (0, 518.0, 117.0), (0, 0, 1)), "dist": dist,
            "covariance": np.zeros((4 + len(dist),) * 2).tolist(), "rms_px": 0.0,
        }
    )  # fmt: skip


def _pose() -> CameraPose:
    """A slanted look at the table's origin from half a metre."""
    rotation, _ = cv2.Rodrigues(np.array([np.pi - 0.25, 0.1, 0.05]))
    shift = np.array([4.0, -3.0, 400.0])
    centre = -rotation.T @ shift
    return CameraPose.model_validate(
        {
            "rotation": rotation.tolist(), "translation_mm": shift.tolist(), "covariance": np.zeros((6, 6)).tolist(),
            "rms_px": 0.0, "rms_mm": 0.0, "markers": (), "centre_mm": centre.tolist(),
        }
    )  # fmt: skip


def _picture(
    base: RoundBase | OvalBase, at_mm: Point, camera: Camera, seed: int, *, shows_foot: bool = True
) -> NDArray[np.uint8]:
    """A base painted by rings, coarse noise all over. Without its foot, its side is of the ground's colour."""
    random = np.random.default_rng(seed)
    picture = np.full((SIZE_PX[1], SIZE_PX[0], 3), random.uniform(60, 180, 3))
    sides = (base.depth_mm, base.width_mm) if isinstance(base, OvalBase) else (base.diameter_mm,) * 2
    angle = np.linspace(0, 2 * np.pi, 200)
    rings = ((0.0, 0.0), (0.2, 4.2), (2.4, 4.2))
    for inward_mm, z_mm in rings if shows_foot else rings[1:]:
        a, b = (side / 2 - inward_mm for side in sides)
        x, y = a * np.cos(angle), b * np.sin(angle)
        cos, sin = np.cos(TURN_RAD), np.sin(TURN_RAD)
        ring = np.column_stack([at_mm[0] + x * cos - y * sin, at_mm[1] + x * sin + y * cos, np.full(200, z_mm)])
        corners = np.rint(project(ring, camera=camera, pose=_pose()) * 16).astype(np.int32)
        if inward_mm != 0.2 or not shows_foot:
            colour = random.uniform(0, 255, 3)
        cv2.fillPoly(picture, [corners], colour.tolist(), shift=4)
    noise = cv2.GaussianBlur(random.normal(0, 30, picture.shape), (0, 0), 1.5)
    return np.asarray(np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + noise, 0, 255), np.uint8)


Fits = tuple[BaseFit | None, BaseFit | None]


def _fits(image: NDArray[np.uint8], base: RoundBase | OvalBase, camera: Camera, **other: Any) -> Fits:
    """By NumPy and by the kernel, from about the table's origin."""
    asked = {"start_mm": (1.0, 1.5), "ground": Ground(0.0, 0.0)} | other
    plain, kernel = (fit(image, base=base, camera=camera, pose=_pose(), **asked) for fit in (fit_base_numpy, fit_base))
    return plain, kernel


def _both(
    base: RoundBase | OvalBase, model: str, seed: int, at_mm: Point = (0.0, 0.0), *, shows_foot: bool = True
) -> Fits:
    camera, off = _camera(model), np.random.default_rng([seed, 1]).uniform(-2, 2, 2)
    image = _picture(base, at_mm, camera, seed, shows_foot=shows_foot)
    start_mm = (at_mm[0] + off[0], at_mm[1] + off[1])
    return _fits(image, base, camera, start_mm=start_mm, turn_rad=TURN_RAD + off[0] / 40)


def _assert_alike(plain: BaseFit | None, kernel: BaseFit | None) -> None:
    """Single precision is in both, in another order: the last digits differ."""
    assert plain is not None
    assert kernel is not None
    assert kernel.at_mm == pytest.approx(plain.at_mm, abs=1e-3)
    assert kernel.turn_rad == pytest.approx(plain.turn_rad, abs=1e-4)
    assert (kernel.profile, kernel.rim_width_mm) == (plain.profile, pytest.approx(plain.rim_width_mm))
    assert kernel.covariance_mm2 == pytest.approx(plain.covariance_mm2, rel=0.01, abs=1e-6)
    assert kernel.turn_sigma_rad == pytest.approx(plain.turn_sigma_rad, rel=0.01)
    for name in ("strength", "bias_mm", "scatter_mm"):
        assert getattr(kernel, name) == pytest.approx(getattr(plain, name), abs=1e-3), name
    assert kernel.support == pytest.approx(plain.support, abs=0.01)
    for name in ("both", "busy", "grain", "around"):
        assert getattr(kernel.features, name) == pytest.approx(getattr(plain.features, name), abs=1e-3), name


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("model", LENSES)
def test_both_find_the_same_round_base(model: str, seed: int) -> None:
    _assert_alike(*_both(ROUND, model, seed))


@pytest.mark.parametrize("seed", range(6))
def test_both_find_the_same_oval_base(seed: int) -> None:
    _assert_alike(*_both(OVAL, "brown", seed))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("base", [ROUND, OVAL], ids=["round", "oval"])
def test_both_find_the_same_where_the_foot_is_hardly_seen(base: RoundBase | OvalBase, seed: int) -> None:
    _assert_alike(*_both(base, "brown", seed, shows_foot=False))


@pytest.mark.parametrize("model", LENSES)
@pytest.mark.parametrize("at_mm", [(-105.0, 60.0), (110.0, -75.0)])
def test_both_go_on_beyond_the_border_of_the_picture(model: str, at_mm: Point) -> None:
    _assert_alike(*_both(LARGE, model, 3, at_mm))


@pytest.mark.parametrize("lip_mm", [0.9, 2.4])
@pytest.mark.parametrize("make", PROFILES, ids=[one.name for one in PROFILES])
@pytest.mark.parametrize("base", [ROUND, OVAL], ids=["round", "oval"])
def test_both_find_the_same_as_of_one_make(base: RoundBase | OvalBase, make: RimProfile, lip_mm: float) -> None:
    known, camera = replace(make, rim_widths_mm=(lip_mm,)), _camera("brown")
    image = _picture(base, (0.0, 0.0), camera, 4)
    plain, kernel = _fits(
        image, base, camera, start_mm=(1.0, -1.5), turn_rad=TURN_RAD, min_score=0.0, profiles=(known,)
    )

    _assert_alike(plain, kernel)
    assert kernel is not None
    assert kernel.profile == known
    assert abs(kernel.rim_width_mm - lip_mm) < 0.21


def test_both_find_nothing_on_bare_ground() -> None:
    image = np.full((SIZE_PX[1], SIZE_PX[0], 3), 90, np.uint8)

    assert _fits(image, ROUND, _camera("brown"), start_mm=(0.0, 0.0)) == (None, None)


@pytest.mark.parametrize(("min_score", "is_found"), [(0.5, True), (1.9, False)])
def test_both_want_so_much_of_a_rim(min_score: float, is_found: bool) -> None:
    camera = _camera("brown")
    fits = _fits(_picture(ROUND, (0.0, 0.0), camera, 5), ROUND, camera, min_score=min_score)

    assert [fit is not None for fit in fits] == [is_found, is_found]


def test_both_find_the_same_on_higher_ground() -> None:
    camera = _camera("brown")

    _assert_alike(*_fits(_picture(ROUND, (0.0, 0.0), camera, 5), ROUND, camera, ground=Ground(3.0, 3.0)))


def test_a_library_of_an_older_make_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "_SIZES", tuple(size + 8 for size in library._SIZES))
    library.kernel.cache_clear()

    with pytest.raises(ImportError, match="install Tableside again"):
        library.kernel()
