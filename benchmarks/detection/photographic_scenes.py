"""Whole pictures of drawn tables with photographic mats, and what is true of them: scenes of the training generator."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Image
from models.base import OvalBase, RectBase, RoundBase
from models.camera import Camera, CameraPose
from models.layout import Fiducials, Layout, Marker
from models.vocabulary import Point
from vision.training.scenes.assets import Assets
from vision.training.scenes.base_mesh import Standing
from vision.training.scenes.camera import TileCamera, any_camera, any_lighting, develop_picture
from vision.training.scenes.footprint import Footprint
from vision.training.scenes.mesh import join_meshes
from vision.training.scenes.rasterizer import View, rasterize, shade
from vision.training.scenes.scene import any_scene
from vision.training.scenes.tile import rim_share_in_sight

_OVERHEAD_RAD = np.radians(60)
_LEAST_SEEN = 0.3  # of its rim: who is hidden more is neither asked for nor held against
_FINEST = 2.1  # px/mm that shading is drawn at, at least
_NO_MARKERS = Fiducials(  # the pose is known: nobody looks for it
    dictionary="DICT_4X4_50",
    marker_mm=40,
    markers=(Marker(id=0, corners_mm=((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0))),),
)


@dataclass(frozen=True)
class DrawnBase:
    """What is true of one base. `is_asked`: enough of it is in sight, and its size is on sale."""

    base: RoundBase | OvalBase | RectBase
    at_mm: Point
    is_asked: bool
    turn_rad: float = 0.0
    rim_share: float = 1.0  # of its rim, in sight
    ground_mm: float = 0.0  # of the tray under it


@dataclass(frozen=True)
class DrawnTable:
    """A picture, how it was taken, and all bases on the table."""

    picture: Image
    camera: Camera
    pose: CameraPose
    layout: Layout
    bases: tuple[DrawnBase, ...]
    mat_kind: str
    is_overhead: bool


def drawn_tables(seed: int, count: int, assets: Assets, *, side_mm: float) -> Iterator[DrawnTable]:
    """Tables of this side, the same every time."""
    for number in range(count):
        yield drawn_table(seed, number, assets, side_mm=side_mm)


def drawn_table(seed: int, number: int, assets: Assets, *, side_mm: float, again: int = 0) -> DrawnTable:
    """`again`: another photograph of the same table, by another camera in other light."""
    random = np.random.default_rng([seed, number])
    scene = any_scene(random, assets, side_mm)
    if again:
        random = np.random.default_rng([seed, number, again])
    triangles, _ = join_meshes(scene.meshes)
    camera = any_camera(random, side_mm)
    fine = camera.scaled(float(np.clip(_FINEST / camera.px_per_mm, 1.0, 2.5)))
    view = rasterize(triangles, fine.matrix.astype(np.float32), fine.size_px)
    lighting = any_lighting(random, triangles, side_mm / 2 + 90)
    light = shade(
        view, triangles, scene.book.surfaces(), eye_mm=fine.eye_mm.astype(np.float32), lamps=lighting.lamps,
        shadow_maps=lighting.maps, ambient=lighting.ambient,
    )  # fmt: skip
    coarse = np.asarray(cv2.resize(np.minimum(light, 4.0), camera.size_px, interpolation=cv2.INTER_AREA), np.float32)
    lens, pose = _as_taken(camera, side_mm)
    return DrawnTable(
        develop_picture(coarse, random, camera.px_per_mm), lens, pose,
        Layout(table_mm=(side_mm, side_mm), fiducials=_NO_MARKERS),
        tuple(_drawn_base(one, view, fine, side_mm) for one in scene.bases), scene.mat_kind,
        camera.elevation_rad > _OVERHEAD_RAD,
    )  # fmt: skip


def _drawn_base(one: Standing, view: View, camera: TileCamera, side_mm: float) -> DrawnBase:
    at = (one.at_mm[0] + side_mm / 2, one.at_mm[1] + side_mm / 2)
    reach = one.shape.reach_mm
    is_whole = all(reach <= value <= side_mm - reach for value in at)
    share = rim_share_in_sight(one, view, camera)
    is_asked = is_whole and share >= _LEAST_SEEN and one.shape.size_class >= 0
    return DrawnBase(base_of(one.shape), at, is_asked, one.turn_rad, share, one.ground_mm)


def base_of(shape: Footprint) -> RoundBase | OvalBase | RectBase:
    if shape.kind == "round":
        return RoundBase(diameter_mm=shape.width_mm)
    made = OvalBase if shape.kind == "oval" else RectBase
    return made(width_mm=shape.width_mm, depth_mm=shape.depth_mm)


def _as_taken(camera: TileCamera, side_mm: float) -> tuple[Camera, CameraPose]:
    """The pinhole as a camera file and a pose; the table's corner is the origin."""
    K, rotation, *_ = cv2.decomposeProjectionMatrix(camera.matrix)
    K = K / K[2, 2]
    eye = camera.eye_mm + np.array([side_mm / 2, side_mm / 2, 0])
    none = tuple((0.0,) * 9 for _ in range(9))
    lens = Camera(
        image_size=camera.size_px, K=tuple(map(tuple, K.tolist())), dist=(0.0,) * 5, covariance=none, rms_px=0.0
    )
    pose = CameraPose(
        rotation=tuple(map(tuple, rotation.tolist())), translation_mm=tuple((-rotation @ eye).tolist()),
        covariance=tuple((0.0,) * 6 for _ in range(6)), rms_px=0.0, rms_mm=0.0, markers=(), centre_mm=tuple(eye),
    )  # fmt: skip
    return lens, pose
