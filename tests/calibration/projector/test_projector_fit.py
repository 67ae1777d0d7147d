"""The rendered loop: a projector calibrated by the pictures of its own dots draws where it should."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.calibration.projector import HILL, calibrate, draw_rings
from calibration.arrays import Floats, Image
from calibration.camera_model import projection
from calibration.pose.pose_fit import pose_from_rotation
from calibration.projector.dot_pattern import DotPattern, SeenDots, read_dots
from calibration.projector.projector_fit import Projector, solve_projector
from calibration.view import View
from models.camera import Camera, CameraPose
from models.errors import BadInput
from tests.calibration.projector.light_scene import FULL_HD, SIX_BY_FOUR_MM, LightScene, lens, pattern_page

SMALL = (1280, 720)


@pytest.fixture(scope="module")
def hill() -> tuple[LightScene, Projector]:
    scene = LightScene.draw(3, size_px=SMALL, terrain=(HILL,))
    return scene, calibrate(scene)


def test_rings_lie_where_they_should_within_a_millimetre(hill: tuple[LightScene, Projector]) -> None:
    errors, stated = draw_rings(*hill)

    assert np.sqrt(np.mean(np.sum(errors**2, axis=1))) < min(1.0, 4 * stated)


def test_light_falls_on_raised_ground_as_well_as_on_the_table(hill: tuple[LightScene, Projector]) -> None:
    scene, projector = hill
    top = np.array([(1200.0, 230.0, HILL.surface_mm), (1500.0, 430.0, HILL.surface_mm)])
    errors = scene.true_light_mm(projector.project(top), z_mm=HILL.surface_mm or 0.0) - top[:, :2]

    assert np.abs(errors).max() < 1.0
    assert np.all(projector.sigma_mm(top) < 1.5)


@dataclass(frozen=True)
class Mount:
    """How a projector hangs: which way from the table's middle, how far beside it and above, turned about its axis."""

    azimuth_rad: float
    beside_mm: float
    above_mm: float
    roll_rad: float
    throw: float  # of what just covers the table from there

    def projector(self) -> tuple[Camera, CameraPose]:
        middle = np.array([*SIX_BY_FOUR_MM, 0.0]) / 2
        beside = self.beside_mm * np.array([np.cos(self.azimuth_rad), np.sin(self.azimuth_rad)])
        at = middle + np.array([*beside, self.above_mm])
        ahead = (middle - at) / np.linalg.norm(middle - at)
        side = np.cross(ahead, np.eye(3)[np.argmin(np.abs(ahead))])
        side /= np.linalg.norm(side)
        right = np.cos(self.roll_rad) * side + np.sin(self.roll_rad) * np.cross(ahead, side)
        rotation = np.stack([right, np.cross(ahead, right), ahead])
        shine = lens(FULL_HD, throw=self.throw * float(np.linalg.norm(middle - at)) / 2200, dist=(0.02, -0.005))
        return shine, pose_from_rotation(rotation, -rotation @ at)

    def dots(self, view: View) -> tuple[SeenDots, Floats]:
        """What a camera without noise sees of the dots on the table, and where they are, (N, 3) mm."""
        shine, pose = self.projector()
        pixels = DotPattern(FULL_HD).dots_px
        places = projection.intersect_plane(pixels, camera=shine, pose=pose, z_mm=0.0)
        is_on = np.all((places > 0) & (places < SIX_BY_FOUR_MM), axis=1)
        points = np.column_stack([places[is_on], np.zeros(np.count_nonzero(is_on))])
        return SeenDots(view.project(points), pixels[is_on], radius_px=1e-3), points


MOUNTS = st.builds(
    Mount, st.floats(0, 6.28), st.floats(0, 1400), st.floats(1500, 3000), st.floats(0, 6.28), st.floats(0.8, 1.4)
)


@settings(max_examples=10)
@given(MOUNTS)
def test_however_a_projector_hangs_exact_dots_tell_exactly_where_its_light_falls(mount: Mount) -> None:
    """On its head, on its side, beside any edge or overhead."""
    view = LightScene.draw(1, size_px=SMALL).view
    dots, points = mount.dots(view)
    solved = solve_projector(dots, FULL_HD, view=view)
    shine, pose = mount.projector()
    lit = projection.intersect_plane(solved.project(points), camera=shine, pose=pose, z_mm=0.0)

    assert np.abs(lit - points[:, :2]).max() < 0.05


def test_a_picture_that_is_mirrored_is_said() -> None:
    view = LightScene.draw(1, size_px=SMALL).view
    dots, _ = Mount(0.5, 600.0, 2100.0, 0.0, 1.0).dots(view)
    mirrored = SeenDots(dots.camera_px, np.array([FULL_HD[0] - 1, 0]) + dots.projector_px * (-1, 1), 1e-3)
    with pytest.raises(BadInput, match="mirrored"):
        solve_projector(mirrored, FULL_HD, view=view)


def test_a_camera_that_exposes_each_picture_anew_reads_the_same_dots() -> None:
    scene, pattern = LightScene.draw(7, size_px=SMALL), DotPattern(FULL_HD)
    pictures = [scene.photograph(pattern_page(pattern, number))[:, :, 1] for number in range(pattern.pictures)]
    locked, anew = read_dots(pattern, pictures), read_dots(pattern, [_exposed_anew(picture) for picture in pictures])
    shared = {tuple(px): place for px, place in zip(locked.projector_px, locked.camera_px, strict=True)}
    off = [
        place - shared[tuple(px)]
        for px, place in zip(anew.projector_px, anew.camera_px, strict=True)
        if tuple(px) in shared
    ]

    assert len(off) > 0.95 * len(locked.camera_px) > 150
    assert np.sqrt(np.mean(np.square(off))) < 0.1


def _exposed_anew(picture: Image) -> Image:
    """Each picture as bright as any other on the whole, as a camera's own exposure makes it."""
    linear = (picture / 255.0) ** 2.2
    return np.asarray(np.clip(255 * (0.12 * linear / linear.mean()) ** (1 / 2.2), 0, 255), np.uint8)


def test_every_dot_has_a_code_of_its_own_that_one_wrong_bit_spoils() -> None:
    pattern = DotPattern(FULL_HD)
    shown = [set(pattern.shown(number).tolist()) for number in range(3, pattern.pictures)]
    codes = np.array([[dot in lit for lit in shown] for dot in range(len(pattern.dots_px))])
    apart = (codes[:, None] != codes[None]).sum(axis=2)

    assert apart[~np.eye(len(codes), dtype=bool)].min() == 2


def test_a_lens_cap_is_told_from_a_projector() -> None:
    pattern = DotPattern(FULL_HD)
    scene = LightScene.draw(4, size_px=(640, 360))
    dark = scene.photograph()[:, :, 0]
    dots = read_dots(pattern, [dark] * pattern.pictures)

    assert len(dots.camera_px) == 0
    with pytest.raises(BadInput, match="24 are needed"):
        solve_projector(dots, FULL_HD, view=scene.view)


def test_a_picture_that_is_missing_is_said() -> None:
    pattern = DotPattern(FULL_HD)

    with pytest.raises(BadInput, match="1 of 13"):
        read_dots(pattern, [pattern_page(pattern, 0)])
