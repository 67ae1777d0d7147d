"""Cameras over a rendered table, and their pictures."""

import math
import random as dice
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Euler, Matrix, Vector

VIEWS = ("overhead-4k", "overhead-1080p", "phone", "phone-3mp")
_PHONES = {"phone": ((4032, 3024), 3000.0), "phone-3mp": ((2016, 1512), 1500.0)}  # as a phone takes it, and sent on
_SENSOR_MM = 36.0


@dataclass(frozen=True)
class View:
    """A pinhole camera: picture size and focal length in px, and its place and axes in Blender's convention."""

    name: str
    size: tuple[int, int]
    focal_px: float
    blender: Any  # 4 x 4, table from camera; the camera looks along its -z

    def shows(self, x_mm: float, y_mm: float, z_mm: float, *, reach_mm: float) -> bool:
        """Whether all within this reach of the point is in the picture."""
        seen = self.blender.inverted() @ Vector((x_mm, y_mm, z_mm))
        reach = reach_mm * self.focal_px / -seen.z
        return all(
            abs(at * self.focal_px / -seen.z) + reach < (side - 1) / 2
            for at, side in zip(seen[:2], self.size, strict=True)
        )

    def truth(self) -> dict[str, Any]:
        rotation = np.diag([1.0, -1.0, -1.0]) @ np.array(self.blender.to_3x3()).T
        width, height = self.size
        return {
            "image_size": list(self.size),
            "K": [[self.focal_px, 0, (width - 1) / 2], [0, self.focal_px, (height - 1) / 2], [0, 0, 1]],
            "dist_k1k2p1p2k3": [0.0] * 5,
            "R_table_to_camera": rotation.tolist(),
            "t_mm": (-rotation @ np.array(self.blender.translation)).tolist(),
            "camera_centre_mm": list(self.blender.translation),
            "pixel_convention": "integer coordinates at pixel centres (OpenCV)",
        }


def any_view(name: str, width_mm: float, depth_mm: float, random: dice.Random) -> View:
    """A camera of this kind that has the whole table and its fiducials in sight."""
    middle = (width_mm / 2, depth_mm / 2)
    if name in _PHONES:
        size, focal = _PHONES[name]
        angle, slant, away = random.uniform(0, 6.28), random.uniform(0.45, 0.75), 1.25 * max(width_mm, depth_mm)
        flat = away * math.sin(slant)
        centre = Vector(
            (middle[0] + flat * math.cos(angle), middle[1] + flat * math.sin(angle), away * math.cos(slant))
        )
        aim = (Vector((*middle, 0.0)) - centre).to_track_quat("-Z", "Y")
        return View(name, size, focal, Matrix.LocRotScale(centre, aim, None))
    size = (3840, 2160) if name == "overhead-4k" else (1920, 1080)
    high = random.uniform(1400, 1600)
    focal = 0.94 * min(size[0] / (width_mm + 250), size[1] / (depth_mm + 250)) * high
    lean = Euler([random.gauss(0, 0.02) for _ in range(3)])
    # hung so that it looks at the middle of the table in spite of its lean
    off = (-high * math.tan(lean.y) + random.gauss(0, 8), high * math.tan(lean.x) + random.gauss(0, 8))
    centre = Vector((middle[0] - off[0], middle[1] - off[1], high))
    return View(name, size, focal, Matrix.LocRotScale(centre, lean, None))


def render_view(view: View, path: Path, random: dice.Random, *, samples: int) -> None:
    """Renders the scene, and does to it what a camera's own program does."""
    scene = bpy.context.scene
    _set_up(scene, view, samples)
    raw = path.with_suffix(".png")
    scene.render.filepath = str(raw)
    bpy.ops.render.render(write_still=True)
    picture = np.asarray(cv2.imread(str(raw)), np.float32)
    raw.unlink()
    noise = np.random.default_rng(random.getrandbits(32))
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), random.uniform(0.4, 0.9)), np.float64)
    soft += noise.normal(0, random.uniform(0.5, 3.0), soft.shape) + random.uniform(-6, 6)
    cv2.imwrite(str(path), np.clip(soft, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, random.randint(80, 95)])


def _set_up(scene: Any, view: View, samples: int) -> None:
    lens = bpy.data.cameras.new("camera")
    lens.sensor_fit, lens.sensor_width = "HORIZONTAL", _SENSOR_MM
    lens.lens = view.focal_px / view.size[0] * _SENSOR_MM
    lens.clip_start, lens.clip_end = 10, 20_000
    camera = bpy.data.objects.new("camera", lens)
    camera.matrix_world = view.blender
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.engine = "CYCLES"
    scene.cycles.samples = samples
    scene.cycles.use_denoising = False
    scene.cycles.max_bounces = 2
    scene.cycles.use_adaptive_sampling = True
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.resolution_x, scene.render.resolution_y = view.size
    scene.render.image_settings.file_format = "PNG"
    scene.view_settings.view_transform = "Standard"
