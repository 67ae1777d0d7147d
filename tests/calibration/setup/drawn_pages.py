"""Drawn pages: photographs of the set-up pages as they lie around a table, through a lens without distortion."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.camera_model import projection
from calibration.setup.joint_adjustment import place_points
from calibration.setup.pages import DEPTH_MM, WIDTH_MM, opencv_page
from models.camera import Camera, CameraPose
from tests.calibration.scene import pose_towards
from tests.calibration.setup.sweeps import pages_on, phone, walk_around

SMALL_TABLE_MM = (762.0, 558.8)
_DOTS = 4  # a millimetre
FINER = 3
_RIM_MM = 12
_TABLE_GRAY, _NOISE = 95, 1.0
_BASE_MM, _BEVEL_MM = 3.5, 0.8


Disc = tuple[float, float, float]
"""x, y and diameter of a round base, mm."""


@dataclass(frozen=True)
class Block:
    """A box of terrain: its middle and sides along x and y, its height, mm, and how bright its top is."""

    at_mm: tuple[float, float]
    sides_mm: tuple[float, float]
    height_mm: float
    gray: int

    def corners(self, z_mm: float) -> Floats:
        (x, y), (width, depth) = self.at_mm, self.sides_mm
        return np.array([(x + a * width / 2, y + b * depth / 2, z_mm) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


def draw_picture(
    pages: Floats,
    camera: Camera,
    pose: CameraPose,
    *,
    seed: int = 0,
    bases: Sequence[Disc] = (),
    blocks: Sequence[Block] = (),
) -> Image:
    """The four sheets as they lie (4, 5), on a plain table, and terrain and round bases on it."""
    width, height = camera.image_size
    fine = np.full((height * FINER, width * FINER), _TABLE_GRAY, np.uint8)
    for number, page in enumerate(pages):
        sheet = _draw_sheet(number)
        seen = projection.project(place_points(_sheet_corners(), page), camera=camera, pose=pose)
        high, wide = sheet.shape
        dots = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - np.float32(0.5)
        to_fine = cv2.getPerspectiveTransform(dots, ((seen + 0.5) * FINER - 0.5).astype(np.float32))
        cv2.warpPerspective(sheet, to_fine, fine.shape[::-1], dst=fine, borderMode=cv2.BORDER_TRANSPARENT)
    for block in sorted(blocks, key=lambda one: -_distance(one.at_mm, pose)):
        _draw_block(fine, block, camera, pose)
    for base in bases:
        draw_base(fine, base, camera, pose)
    small = cv2.resize(cv2.GaussianBlur(fine, (0, 0), 0.6 * FINER), (width, height), interpolation=cv2.INTER_AREA)
    rough = np.random.default_rng(seed).normal(0, _NOISE, small.shape)
    return np.clip(np.round(small + rough), 0, 255).astype(np.uint8)


def draw_sweep(*, pictures: int, seed: int = 0, blocks: Sequence[Block] = ()) -> list[Image]:
    """A walk around a small table with a phone of 1600 x 1200."""
    pages, camera = pages_on(SMALL_TABLE_MM, seed=seed), _small_phone()
    walk = walk_around(SMALL_TABLE_MM, pictures=pictures, seed=seed)
    return [draw_picture(pages, camera, pose, seed=k, blocks=blocks) for k, pose in enumerate(walk)]


def draw_game(bases: Sequence[Disc], *, seed: int = 0) -> Image:
    """The same table from above with bases on it, by the same phone."""
    width, depth = SMALL_TABLE_MM
    above = pose_towards([width / 2, depth / 2 - 80, 800.0], [width / 2, depth / 2, 0.0])
    return draw_picture(pages_on(SMALL_TABLE_MM, seed=seed), _small_phone(), above, bases=bases)


def _small_phone() -> Camera:
    return phone(focal=1000.0, size=(1600, 1200), dist=(0.0,) * 5)


def draw_base(fine: Image, base: Disc, camera: Camera, pose: CameraPose) -> None:
    """A black disc whose bevelled top is a little brighter."""
    x, y, diameter = base
    turns = np.linspace(0, 2 * np.pi, 180, endpoint=False)
    for height, radius, gray in ((0.0, diameter / 2, 18), (_BASE_MM, diameter / 2 - _BEVEL_MM, 150)):
        rim = np.stack([x + radius * np.cos(turns), y + radius * np.sin(turns), np.full(180, height)], axis=1)
        seen = (projection.project(rim, camera=camera, pose=pose) + 0.5) * FINER - 0.5
        cv2.fillPoly(fine, [np.rint(seen * 16).astype(np.int32)], [gray], lineType=cv2.LINE_AA, shift=4)


def _draw_block(fine: Image, block: Block, camera: Camera, pose: CameraPose) -> None:
    """Its far sides first, then the near ones, then the top; each side a little darker than the top."""
    foot, top = block.corners(0.0), block.corners(block.height_mm)
    sides = [(np.array([foot[k - 1], foot[k], top[k], top[k - 1]]), 25 + 8 * k) for k in range(4)]
    sides.sort(key=lambda side: -_distance(tuple(side[0].mean(axis=0)[:2]), pose))
    for outline, shade in [*sides, (top, 0)]:
        seen = (projection.project(outline, camera=camera, pose=pose) + 0.5) * FINER - 0.5
        cv2.fillPoly(fine, [np.rint(seen * 16).astype(np.int32)], [block.gray - shade], lineType=cv2.LINE_AA, shift=4)


def _distance(at_mm: tuple[float, ...], pose: CameraPose) -> float:
    return float(np.hypot(at_mm[0] - pose.centre_mm[0], at_mm[1] - pose.centre_mm[1]))


def _draw_sheet(number: int) -> Image:
    size = (round(WIDTH_MM * _DOTS), round(DEPTH_MM * _DOTS))
    ink = opencv_page(number).generateImage(size, marginSize=0)
    toned = np.where(ink > 127, 215, 25).astype(np.uint8)
    rim = _RIM_MM * _DOTS
    return cv2.copyMakeBorder(toned, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=[215])


def _sheet_corners() -> Floats:
    """As the sheet's dots run: upper left, upper right, lower right, lower left."""
    x, y = WIDTH_MM / 2 + _RIM_MM, DEPTH_MM / 2 + _RIM_MM
    return np.array([[-x, y, 0.0], [x, y, 0], [x, -y, 0], [-x, -y, 0]])
