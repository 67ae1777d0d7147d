"""Pictures as a camera that was moved a little would take them, and as hands and lamps change them."""

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration.rendered_scenes import Scene
from calibration.arrays import Floats, Image
from calibration.camera_model import projection
from calibration.pose.pose_fit import perturb_pose
from calibration.pose.pose_tracking import pose_shift_mm
from calibration.view import View
from models.camera import CameraPose

SKIN = (120, 150, 200)
NOISE_GREY = 2.0
_GRID_PX = 16
_SPREAD = np.array([1e-4, 1e-4, 1e-4, 0.1, 0.1, 0.05])  # turning by a tenth of a mrad, shifting by a tenth of a mm


def draw_pose_change(scene: Scene, size_mm: float, random: np.random.Generator) -> Floats:
    """A change of the six parameters of the pose that moves the table's worst corner by so much."""
    unit = random.normal(0, 1, 6) * _SPREAD
    if size_mm == 0:
        return np.zeros(6)
    for _ in range(20):
        view = View(scene.camera, scene.pose, scene.layout)
        unit *= size_mm / pose_shift_mm(view, perturb_pose(scene.pose, unit))
    return np.asarray(unit)


def warp_to_pose(scene: Scene, pose: CameraPose) -> Image:
    """The picture from another place: exact for what lies on the plane of the table."""
    height, width = scene.image.shape[:2]
    x, y = (np.linspace(0, side - 1, side // _GRID_PX) for side in (width, height))
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    on_table = projection.intersect_plane(places, camera=scene.camera, pose=pose, z_mm=0)
    source_px = projection.project(
        np.column_stack([on_table, np.zeros(len(places))]), camera=scene.camera, pose=scene.pose
    )
    coarse = np.nan_to_num(source_px, nan=-1e4).reshape(len(y), len(x), 2).astype(np.float32)
    across, down = (np.linspace(0, len(side) - 1, n).astype(np.float32) for side, n in ((x, width), (y, height)))
    maps = cv2.remap(coarse, *np.meshgrid(across, down), cv2.INTER_LINEAR)
    seen = cv2.remap(scene.image, maps[..., 0], maps[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def add_noise(image: Image, random: np.random.Generator) -> Image:
    """With noise of its own."""
    rough: NDArray[np.int16] = np.empty(image.shape, np.int16)
    cv2.setRNGSeed(int(random.integers(2**31)))
    cv2.randn(rough, np.zeros(3), np.full(3, NOISE_GREY))
    return np.asarray(np.clip(image + rough, 0, 255), np.uint8)


def cover_fiducials(image: Image, scene: Scene, ids: tuple[int, ...], *, share: float = 1.0) -> Image:
    """With hands, and their soft shadows, over these fiducials: over all of them, or over this share from below."""
    out = image.astype(np.float32)
    for marker in scene.layout.fiducials.markers:
        if marker.id in ids:
            corners = projection.project(marker.corners_mm, camera=scene.camera, pose=scene.pose)
            low, high = corners.min(axis=0) - 8, corners.max(axis=0) + 8
            low[1] = high[1] - share * (high[1] - low[1])
            shade = np.zeros(image.shape[:2], np.float32)
            cv2.rectangle(shade, tuple(map(int, low)), tuple(map(int, high)), 1.0, -1)
            soft = cv2.GaussianBlur(shade, (0, 0), 0.15 * float(np.ptp(corners[:, 0])))
            out *= 1 - 0.4 * soft[..., None]
            out[shade > 0] = SKIN
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def dim(image: Image) -> Image:
    """With the lamp at seven tenths."""
    return np.asarray(np.clip(0.7 * image.astype(np.float32), 0, 255), np.uint8)


def light_from_aside(image: Image) -> Image:
    """With the light falling off from left to right and from top to bottom."""
    height, width = image.shape[:2]
    ramp = np.linspace(1.15, 0.75, width)[None, :] * np.linspace(1.1, 0.85, height)[:, None]
    return np.asarray(np.clip(image * ramp[..., None].astype(np.float32), 0, 255), np.uint8)
