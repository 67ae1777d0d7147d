"""Cameras over a tile: overhead ones and phones, lamps, and what lens and processing make of the light."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image, Reals
from vision.training.scenes.rasterizer import Triangles, rasterize

Random = np.random.Generator
HALF_RIM_MM = 2.0  # the height at which pictures are straightened
_MOST_PX_PER_MM = 2.4  # finer cameras are drawn so fine and no finer
_MAP_PX_PER_MM = 1.2


@dataclass(frozen=True)
class TileCamera:
    """A pinhole: `matrix` (3, 4) takes table mm to pixels; the third row is the depth in mm."""

    matrix: Floats
    eye_mm: Floats
    size_px: tuple[int, int]
    px_per_mm: float
    elevation_rad: float

    def to_px(self, points_mm: Reals) -> Floats:
        """(N, 3) mm to (N, 2) px."""
        seen = points_mm @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def depth_mm(self, points_mm: Reals) -> Floats:
        return np.asarray(points_mm @ self.matrix[2, :3] + self.matrix[2, 3])

    def scaled(self, factor: float) -> "TileCamera":
        """The same with pixels `factor` times as fine."""
        scale = np.array([[factor, 0, (factor - 1) / 2], [0, factor, (factor - 1) / 2], [0, 0, 1]])
        width, height = (round(side * factor) for side in self.size_px)
        return TileCamera(
            scale @ self.matrix, self.eye_mm, (width, height), self.px_per_mm * factor, self.elevation_rad
        )


def any_camera(random: Random, side_mm: float) -> TileCamera:
    """Two in five hang over the table, the others look as phones do, at 30 to 80 degrees."""
    if random.random() < 0.4:
        eye = np.array([*random.uniform(-800, 800, 2), random.uniform(1000, 2300)])
        fine = float(np.exp(random.uniform(np.log(0.7), np.log(4))))
    else:
        high, turn, away = np.radians(random.uniform(30, 80)), random.uniform(0, 2 * np.pi), random.uniform(600, 2200)
        eye = away * np.array([np.cos(high) * np.cos(turn), np.cos(high) * np.sin(turn), np.sin(high)])
        fine = float(np.exp(random.uniform(np.log(1.0), np.log(6))))
    return camera_at(eye, min(fine, _MOST_PX_PER_MM), random.normal(0, 0.15), side_mm)


def camera_at(eye_mm: Floats, px_per_mm: float, roll_rad: float, side_mm: float) -> TileCamera:
    """A camera that looks at the tile's middle and holds the tile and a little more."""
    forward = -eye_mm / np.linalg.norm(eye_mm)
    right = np.cross(forward, (0.0, 0.0, 1.0) if np.hypot(*forward[:2]) > 1e-3 else (0.0, 1.0, 0.0))
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    cos, sin = np.cos(roll_rad), np.sin(roll_rad)
    axes = np.stack([cos * right + sin * down, -sin * right + cos * down, forward])
    focal = px_per_mm * np.linalg.norm(eye_mm)
    matrix = np.diag([focal, focal, 1.0]) @ np.column_stack([axes, -axes @ eye_mm])
    half = side_mm / 2 + 5
    corners = np.array([[x, y, HALF_RIM_MM] for x in (-half, half) for y in (-half, half)])
    seen = corners @ matrix[:, :3].T + matrix[:, 3]
    seen = seen[:, :2] / seen[:, 2:]
    low = np.floor(seen.min(axis=0))
    width, height = (np.ceil(seen.max(axis=0)) - low + 1).astype(int).tolist()
    matrix = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ matrix
    return TileCamera(matrix, eye_mm, (width, height), px_per_mm, float(np.arcsin(-forward[2])))


@dataclass(frozen=True)
class Lighting:
    """Lamps as the rasteriser reads them, their shadow maps and the light from everywhere."""

    lamps: Floats32
    maps: Floats32
    ambient: Floats32


def any_lighting(random: Random, triangles: Triangles, reach_mm: float) -> Lighting:
    """A sky that darkens hollows, and lamps: one hard, several soft, warm and cold mixed."""
    hard = random.random()
    sky = random.uniform(0.2, 0.9)
    rows, maps, offset = [], [], 0
    cast = np.exp(random.normal(0, 0.06, 3))
    count = int(random.choice([1, 1, 2, 3]))
    shares = random.dirichlet(np.ones(count)) * (1 - 0.75 * sky)
    makes = [(_sky_place(random), sky * 0.65, True, random.uniform(9, 20))]
    makes += [
        (_lamp_place(random), share, False, random.uniform(0.6, 3) if hard < 0.5 else random.uniform(3, 12))
        for share in shares
    ]
    for place, share, is_sky, soft in makes:
        matrix, size = _parallel(place, reach_mm)
        view = rasterize(triangles, matrix, size, is_parallel=True)
        warm = np.exp(random.normal(0, 0.09 if not is_sky else 0.04)) ** np.array([1, 0, -1])
        rows.append([*place, *(share * cast * warm / 0.8), soft, float(is_sky), *matrix.ravel(), *size, offset, 0])
        maps.append(view.depth.ravel())
        offset += view.depth.size
    ambient = sky * 0.35 * cast + 0.02
    return Lighting(np.array(rows, np.float32), np.concatenate(maps), ambient.astype(np.float32))


def _sky_place(random: Random) -> Floats:
    return np.array([*random.normal(0, 250, 2), 2500.0])


def _lamp_place(random: Random) -> Floats:
    turn, high, away = random.uniform(0, 2 * np.pi), random.uniform(0.45, 1.45), random.uniform(700, 3000)
    return away * np.array([np.cos(high) * np.cos(turn), np.cos(high) * np.sin(turn), np.sin(high)])


def _parallel(place: Floats, reach_mm: float) -> tuple[Floats32, tuple[int, int]]:
    """The matrix and size of a shadow map: seen from the lamp as if it were far away."""
    ahead = -place / np.linalg.norm(place)
    right = np.cross(ahead, (0.0, 0.0, 1.0) if np.hypot(*ahead[:2]) > 1e-3 else (0.0, 1.0, 0.0))
    right /= np.linalg.norm(right)
    axes = np.stack([right, np.cross(ahead, right), ahead])
    side = int(2 * reach_mm * _MAP_PX_PER_MM)
    matrix = np.column_stack([axes * np.array([[_MAP_PX_PER_MM], [_MAP_PX_PER_MM], [1.0]]), [side / 2, side / 2, 0.0]])
    return matrix.astype(np.float32), (side, side)


def develop_picture(light: Floats32, random: Random, px_per_mm: float) -> Image:
    """Exposure, lens blur, noise, tone curve, sharpening and JPEG: a camera's picture of linear light."""
    spread = random.uniform(0.35, 0.8) * max(1.0, px_per_mm / 1.6)
    if random.random() < 0.25:
        spread = random.uniform(0.6, 1.3) * max(1.0, px_per_mm)  # 1080p stretched, or out of focus
    soft = np.asarray(cv2.GaussianBlur(light, (0, 0), spread), np.float32)
    exposed = soft * np.asarray(_exposure(soft, random), np.float32)
    exposed += _falloff(random, exposed.shape[:2])
    exposed = _noisy(np.maximum(exposed, 0), random)
    tone = _apply_tone_curve(exposed, random)
    if random.random() < 0.55:
        wide = random.uniform(0.7, 2.2)
        tone += np.float32(random.uniform(0.15, 1.3)) * (tone - cv2.GaussianBlur(tone, (0, 0), wide))
    if random.random() < 0.12:
        local = cv2.GaussianBlur(tone, (0, 0), 12 * px_per_mm)
        tone += np.float32(random.uniform(-0.2, 0.4)) * (tone - local)
    picture = np.clip(tone * 255 + random.uniform(0, 8), 0, 255).astype(np.uint8)
    quality = int(random.uniform(40, 70)) if random.random() < 0.3 else int(random.uniform(70, 98))
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _exposure(light: Floats32, random: Random) -> Floats:
    """So that the middle comes out at a usual level, its colour balanced about as a camera would."""
    middle = light.reshape(-1, 3)[::17].mean(axis=0) + 1e-4
    level = random.uniform(0.07, 0.33)
    balance = (middle.mean() / middle) ** random.uniform(0, 0.5) * np.exp(random.normal(0, 0.05, 3))
    fixed = level / middle.mean() if random.random() < 0.6 else random.uniform(0.7, 1.4)
    return np.asarray(np.clip(fixed, 0.3, 4.0) * balance)


def _falloff(random: Random, shape: tuple[int, int]) -> Floats32:
    """Stray light and a lamp's glare, as a slow slope over the picture."""
    if random.random() > 0.25:
        return np.zeros((1, 1, 1), np.float32)
    rows, columns = np.mgrid[0 : shape[0] : 8, 0 : shape[1] : 8].astype(np.float32)
    y, x = random.uniform(-0.2, 1.2, 2) * shape
    spread = random.uniform(0.15, 0.9) * max(shape)
    spot = random.uniform(0.02, 0.3) * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * spread**2))
    return np.asarray(cv2.resize(spot.astype(np.float32), shape[::-1]), np.float32)[..., None]


def _noisy(light: Floats32, random: Random) -> Floats32:
    """Shot and read noise; smeared a little where a camera takes noise away."""
    level = np.float32(random.uniform(0.002, 0.03) * random.random())
    count, start = light.size, int(random.integers(1 << 20))
    noise = np.take(_noise(), np.arange(start, start + count), mode="wrap").reshape(light.shape)
    if random.random() < 0.4:
        noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * np.float32(1.6)
    return np.asarray(light + noise * level * np.sqrt(light + 0.01), np.float32)


@cache
def _noise() -> Floats32:
    """A long stretch of white noise, begun anywhere for each picture."""
    return np.random.default_rng(0).standard_normal((1 << 21) + 7919, np.float32)


def _apply_tone_curve(light: Floats32, random: Random) -> Floats32:
    """Gamma, and a shoulder or an S-curve."""
    tone = np.asarray(cv2.pow(np.maximum(light, 0), random.uniform(0.4, 0.58)), np.float32)
    tone = tone / (1 + np.float32(random.uniform(0, 0.4)) * np.maximum(tone - 0.55, 0))
    curve = np.float32(random.uniform(-0.15, 0.6))
    bounded = np.clip(tone, 0, 1)
    tone = tone + curve * (bounded * bounded * (3 - 2 * bounded) - bounded)
    if random.random() < 0.35:
        mean = tone.mean(axis=2, keepdims=True)
        tone = mean + (tone - mean) * np.float32(random.uniform(0.3, 1.5))
    return np.asarray(tone, np.float32)
