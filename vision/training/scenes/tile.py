"""Training tiles: a straightened picture and exactly what is true of it, from a seed and a number."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image, Ints32, Mask
from vision.detection.network.channels import KINDS, MAP_STRIDE
from vision.training.scenes.assets import Assets
from vision.training.scenes.base_mesh import HAND, MAT, Standing
from vision.training.scenes.camera import HALF_RIM_MM, TileCamera, any_camera, any_lighting, develop_picture
from vision.training.scenes.mesh import join_meshes
from vision.training.scenes.rasterizer import View, rasterize, shade
from vision.training.scenes.scene import any_scene

Random = np.random.Generator
TILE_PX = 320
PX_PER_MM = 1.0
COLUMNS = (
    "kind", "size_class", "x", "y", "long", "short", "axis", "facing", "marking", "mark_seen", "mark_x", "mark_y",
    "ranked", "seen",
)  # fmt: skip
_LEAST_SEEN = 0.12  # of its rim: bases hidden more are not asked for, and cost nothing if told


@dataclass(frozen=True)
class Tile:
    """Picture (320, 320, 3); labels (N, 14) as COLUMNS, px and rad clockwise from +x of the picture; maps 0 to 255."""

    picture: Image
    labels: Floats32
    maps: Image
    mat_kind: str
    camera: TileCamera


def tile(seed: int, number: int, assets: Assets) -> Tile:
    """The tile of this number under this seed; the same every time."""
    random = np.random.default_rng([seed, number])
    side_mm = TILE_PX / PX_PER_MM
    scene = any_scene(random, assets, side_mm)
    triangles, owners = join_meshes(scene.meshes)
    camera = any_camera(random, side_mm)
    fine = camera.scaled(float(np.clip(2.1 / camera.px_per_mm, 1.0, 2.5)))
    view = rasterize(triangles, fine.matrix.astype(np.float32), fine.size_px)
    _leave_beyond(view, fine)
    lighting = any_lighting(random, triangles, side_mm / 2 + 90)
    light = shade(
        view, triangles, scene.book.surfaces(), eye_mm=fine.eye_mm.astype(np.float32), lamps=lighting.lamps,
        shadow_maps=lighting.maps, ambient=lighting.ambient,
    )  # fmt: skip
    coarse = np.asarray(cv2.resize(np.minimum(light, 4.0), camera.size_px, interpolation=cv2.INTER_AREA), np.float32)
    picture = straighten_tile(develop_picture(coarse, random, camera.px_per_mm), camera, random)
    rim_maps, labels = _labels(scene.bases, view, fine)
    return Tile(picture, labels, np.dstack([rim_maps, _masks(view, owners, fine)]), scene.mat_kind, camera)


def _leave_beyond(view: View, camera: TileCamera) -> None:
    """What is drawn beyond the tile is not looked at again: no light is worked out for it."""
    half = TILE_PX / PX_PER_MM / 2 + 6
    corners = np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]])
    inside = np.zeros(view.faces.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(camera.to_px(corners)).astype(np.int32), 1)
    view.faces[inside == 0] = -1


def _camera_from_straight(camera: TileCamera) -> Floats:
    """The homography from the straightened tile's pixels to the camera's, for the plane of half a rim."""
    half = (TILE_PX - 1) / 2
    table = np.array([[1 / PX_PER_MM, 0, -half / PX_PER_MM], [0, -1 / PX_PER_MM, half / PX_PER_MM], [0, 0, 1]])
    plane = np.column_stack([camera.matrix[:, :2], camera.matrix[:, 2] * HALF_RIM_MM + camera.matrix[:, 3]])
    return np.asarray(plane @ table)


def straighten_tile(picture: Image, camera: TileCamera, random: Random) -> Image:
    """The tile as the product straightens it: finer pictures are made coarser first, more or less."""
    matrix = _camera_from_straight(camera)
    coarser = camera.px_per_mm * np.sqrt(np.sin(camera.elevation_rad)) / PX_PER_MM / random.uniform(1.0, 1.7)
    if coarser > 1.15 and random.random() < 0.9:
        size = tuple(max(8, round(side / coarser)) for side in picture.shape[1::-1])
        by = np.array(size) / picture.shape[1::-1]
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        matrix = np.array([[by[0], 0, (by[0] - 1) / 2], [0, by[1], (by[1] - 1) / 2], [0, 0, 1]]) @ matrix
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(picture, matrix, (TILE_PX, TILE_PX), flags=flags), np.uint8)


def _labels(bases: list[Standing], view: View, camera: TileCamera) -> tuple[Image, Floats32]:
    """Maps of the rims that are seen, (160, 160, 2), and a row of COLUMNS for each base whose centre is inside."""
    back = np.asarray(np.linalg.inv(_camera_from_straight(camera)), np.float64)
    rims = np.zeros((2, TILE_PX // MAP_STRIDE, TILE_PX // MAP_STRIDE), np.uint8)
    rows = []
    for base in bases:
        shares = []
        for layer, points in enumerate((base.rim.bottom, base.rim.top)):
            seen = _is_seen(_outside(points, base.at_mm), view, camera)
            shares.append(seen)
            _draw(rims[layer], _straight(points, camera, back), seen if layer == 0 else seen & ~shares[0])
        row = _row(base, float(np.mean(shares[0] | shares[1])), view, camera, back)
        if 0 <= row[2] < TILE_PX and 0 <= row[3] < TILE_PX:
            rows.append(row)
    return np.moveaxis(rims, 0, 2), np.array(rows, np.float32).reshape(-1, len(COLUMNS))


def rim_share_in_sight(base: Standing, view: View, camera: TileCamera) -> float:
    """The share of a base's rim that nothing hides."""
    seen = [_is_seen(_outside(points, base.at_mm), view, camera) for points in (base.rim.bottom, base.rim.top)]
    return float(np.mean(seen[0] | seen[1]))


def _outside(points: Floats32, at_mm: tuple[float, float]) -> Floats:
    """The points a little farther out, so that the base's own edge does not hide them."""
    away = points[:, :2] - np.asarray(at_mm)
    made = points.astype(float)
    made[:, :2] += away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-6) * 0.5
    return made


def _is_seen(points: Floats, view: View, camera: TileCamera, *, slack_mm: float = 0.8) -> Mask:
    """Whether nothing nearer hides each point; none outside of the picture is seen."""
    at, depth = np.round(camera.to_px(points)).astype(int), camera.depth_mm(points)
    height, width = view.depth.shape
    inside = (at[:, 0] >= 0) & (at[:, 1] >= 0) & (at[:, 0] < width) & (at[:, 1] < height)
    nearest = view.depth[np.clip(at[:, 1], 0, height - 1), np.clip(at[:, 0], 0, width - 1)]
    return np.asarray(inside & (1 / np.maximum(nearest, 1e-9) > depth - slack_mm))


def _straight(points: Floats32, camera: TileCamera, back: Floats) -> Floats:
    """(N, 3) table mm to pixels of the straightened tile, by way of the camera."""
    seen = np.column_stack([camera.to_px(points), np.ones(len(points))]) @ back.T
    return np.asarray(seen[:, :2] / seen[:, 2:])


def _draw(layer: Image, points: Floats, seen: Mask) -> None:
    """Stretches of an outline between points that are seen."""
    at = np.round(((points + 0.5) / MAP_STRIDE - 0.5) * 16).astype(np.int32)
    for k in np.flatnonzero(seen & np.roll(seen, -1)):
        a, b = at[k], at[(k + 1) % len(at)]
        cv2.line(layer, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), 255, 1, cv2.LINE_AA, 4)


def _row(base: Standing, share: float, view: View, camera: TileCamera, back: Floats) -> list[float]:
    centre = np.array([[*base.at_mm, base.ground_mm + HALF_RIM_MM]])
    ((x, y),) = _straight(centre, camera, back)
    grown = (camera.eye_mm[2] - HALF_RIM_MM) / (camera.eye_mm[2] - base.ground_mm - HALF_RIM_MM) * PX_PER_MM
    long, short = max(base.shape.width_mm, base.shape.depth_mm), min(base.shape.width_mm, base.shape.depth_mm)
    axis = base.turn_rad + (0.0 if base.shape.depth_mm >= base.shape.width_mm else np.pi / 2)
    marks = base.rim.marks
    seen = _is_seen(_outside(marks, base.at_mm), view, camera, slack_mm=1.2) if len(marks) else np.zeros(0, bool)
    place = _straight(marks[np.flatnonzero(seen)[:1]], camera, back)[0] if seen.any() else np.array([x, y])
    is_level = abs(base.ground_mm) < 3.0
    return [
        KINDS.index(base.shape.kind), base.shape.size_class if is_level else -1, x, y, long * grown, short * grown,
        -axis, -base.turn_rad, base.marking, float(seen.any()), *place, float(base.is_ranked), share,
    ]  # fmt: skip


def _masks(view: View, owners: Ints32, camera: TileCamera) -> Image:
    """Where a hand or an arm is seen, and where the mat is, (160, 160, 2)."""
    owner = np.where(view.faces >= 0, owners[view.faces], -1)
    pair = np.dstack([(owner == HAND) * np.uint8(255), (owner == MAT) * np.uint8(255), np.zeros(owner.shape, np.uint8)])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    side = TILE_PX // MAP_STRIDE
    coarse = np.array([[MAP_STRIDE, 0, (MAP_STRIDE - 1) / 2], [0, MAP_STRIDE, (MAP_STRIDE - 1) / 2], [0, 0, 1]])
    matrix = _camera_from_straight(camera) @ coarse
    return np.asarray(cv2.warpPerspective(pair, matrix, (side, side), flags=flags), np.uint8)[..., :2]
