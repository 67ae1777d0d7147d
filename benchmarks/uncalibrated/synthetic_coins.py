"""Photographs of coins that nobody took: drawn ray by ray, with exact truth, from a seed.

A phone a hand's breadth or two above: slant, a bent lens, coins of metal with a raised rim, a milled side and a
thickness of their own, a lamp whose shadow is soft, glare, a table of paper, wood or cloth, sharpening, noise, JPEG.
Nothing here comes from `vision/` or `calibration/`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image

_FINER = 2  # rays per pixel, each way
_SLICES = 6  # discs that make up the side
_LAMPS = 10  # points of the lamp
_APART_MM = 0.15
_METALS = ((88, 122, 190), (70, 140, 176), (60, 170, 205), (165, 168, 168), (140, 150, 152), (60, 90, 120))
_TABLES = ((225, 228, 230), (196, 205, 212), (40, 46, 70), (52, 60, 64), (70, 110, 60), (60, 84, 120), (30, 30, 34))


@dataclass(frozen=True)
class Coin:
    at_mm: tuple[float, float]
    diameter_mm: float
    thick_mm: float


@dataclass(frozen=True)
class Shot:
    """A drawn photograph, its coins, where the middle of each one's foot appears, (N, 2) px, and how wide, (N,) px."""

    image: Image
    coins: tuple[Coin, ...]
    at_px: Floats
    wide_px: Floats


@dataclass(frozen=True)
class Eye:
    """A camera above the origin. A ray's slope is its pixel's, times 1 + `bend` times the square of how far out."""

    size_px: tuple[int, int]
    focal_px: float
    bend: float
    table_from_camera: Floats
    centre_mm: Floats

    def cast(self, at_px: Floats, z_mm: float) -> Floats:
        """Where the rays of pixels (..., 2) meet a height, (..., 2) mm."""
        flat = (at_px - (np.array(self.size_px) - 1) / 2) / self.focal_px
        flat = flat * (1 + self.bend * (flat**2).sum(axis=-1, keepdims=True))
        rays = np.concatenate([flat, np.ones((*flat.shape[:-1], 1))], axis=-1) @ self.table_from_camera.T
        return np.asarray(self.centre_mm[:2] + (z_mm - self.centre_mm[2]) / rays[..., 2:] * rays[..., :2])

    def project(self, at_mm: Floats) -> Floats:
        """Where places of the table (N, 2) appear, (N, 2) px."""
        points = np.column_stack([at_mm, np.zeros(len(at_mm))]) - self.centre_mm
        x, y, z = (points @ self.table_from_camera).T
        flat = np.column_stack([x, y]) / z[:, None]
        bent = flat.copy()
        for _ in range(8):
            bent = flat / (1 + self.bend * (bent**2).sum(axis=1, keepdims=True))
        return np.asarray(bent * self.focal_px + (np.array(self.size_px) - 1) / 2)


def draw_coin_shot(
    seed: int, number: int, sizes_mm: Sequence[float], *, width_px: int = 2400, thick_mm: float = 2.0
) -> Shot:
    """The photograph of this number: coins of these sizes about so thick, each size about as likely as another."""
    dice = np.random.default_rng([seed, number])
    eye = _draw_eye(dice, width_px, float(np.mean(sizes_mm)))
    coins = _scatter_coins(dice, eye, sizes_mm, thick_mm)
    at_mm = np.array([coin.at_mm for coin in coins])
    light = dice.normal(0, 0.5, 2) * dice.choice([0.3, 1.0, 1.6]), dice.uniform(0.02, 0.25), dice.uniform(0.3, 0.8)
    image = _draw_table(dice, eye)
    _shade(image, eye, coins, *light)
    for coin in coins:
        _draw_coin(image, eye, coin, light[0], dice)
    return Shot(_develop(image, dice), coins, eye.project(at_mm), np.array([_wide_px(eye, coin) for coin in coins]))


def _wide_px(eye: Eye, coin: Coin) -> float:
    """Of a circle of the same area as its foot in the picture."""
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    ring = np.column_stack([np.cos(turn), np.sin(turn)]) * coin.diameter_mm / 2
    foot = eye.project(np.array(coin.at_mm) + ring)
    return 2 * float(np.sqrt(cv2.contourArea(foot.astype(np.float32)) / np.pi))


def _draw_eye(dice: np.random.Generator, width_px: int, size_mm: float) -> Eye:
    size_px = (width_px, width_px * 3 // 4) if dice.random() < 0.6 else (width_px * 3 // 4, width_px)
    away = size_mm * dice.uniform(8, 15)
    slant = np.radians(dice.choice([2.0, 5.0, 18.0]) * abs(dice.normal(0, 1))).clip(0, 0.55)
    turn, spin = dice.uniform(0, 2 * np.pi, 2)
    ahead = np.array([np.sin(slant) * np.cos(turn), np.sin(slant) * np.sin(turn), -np.cos(slant)])
    right = np.cross(ahead, [np.cos(spin), np.sin(spin), 0.0])
    right /= np.linalg.norm(right)
    turned = np.column_stack([right, np.cross(ahead, right), ahead])
    return Eye(size_px, width_px * dice.uniform(0.74, 0.86), dice.normal(0, 0.015), turned, -away * ahead)


def _scatter_coins(dice: np.random.Generator, eye: Eye, sizes_mm: Sequence[float], thick_mm: float) -> tuple[Coin, ...]:
    """Coins without overlap whose whole outline is in the picture; some kinds of money are commoner in a purse."""
    thick = {size: thick_mm * dice.uniform(0.82, 1.2) for size in sizes_mm}
    share = dice.dirichlet(np.full(len(sizes_mm), 0.8))
    coins: list[Coin] = []
    corners = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], np.float64) * eye.size_px
    box = eye.cast(corners, 0.0)
    most = int(dice.integers(8, 40))
    for _ in range(400):
        at, size = dice.uniform(box.min(axis=0), box.max(axis=0)), float(dice.choice(sizes_mm, p=share))
        if coins and dice.random() < 0.4:
            by = coins[int(dice.integers(len(coins)))]
            way = dice.uniform(0, 2 * np.pi)
            reach = (by.diameter_mm + size) / 2 + _APART_MM + abs(dice.normal(0, 0.5))
            at = np.array(by.at_mm) + reach * np.array([np.cos(way), np.sin(way)])
        free = all(np.hypot(*(at - o.at_mm)) > (size + o.diameter_mm) / 2 + _APART_MM for o in coins)
        rim = eye.project(at + 0.62 * size * np.array([[1, 0], [-1, 0], [0, 1], [0, -1.0]]))
        if free and (rim > 5).all() and (rim < np.array(eye.size_px) - 5).all() and len(coins) < most:
            coins.append(Coin((float(at[0]), float(at[1])), size, thick[size]))
    return tuple(coins)


def _draw_table(dice: np.random.Generator, eye: Eye) -> Floats32:
    """The bare table: its colour, its grain, a slow change of light over it, and sometimes glare."""
    width, height = eye.size_px
    colour = np.array(_TABLES[int(dice.integers(len(_TABLES)))], np.float32)
    bare = 0.008 if colour.mean() > 180 else 0.07
    grain, long = np.zeros((height, width), np.float32), int(dice.choice([1, 1, 12]))
    for fine in (2, 7, 25):
        noise = dice.normal(size=(height // (fine * long) + 2, width // fine + 2)).astype(np.float32)
        grain += cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    slope = dice.normal(0, 0.12, 2)
    light = 1 + slope[0] * x + slope[1] * y - dice.uniform(0, 0.2) * (x * x + y * y)
    image = colour * ((1 + bare * grain / grain.std()) * light)[..., None]
    if dice.random() < 0.25:
        at = dice.uniform(-1, 1, 2)
        image += (200 * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / 0.03))[..., None]
    return np.asarray(image, np.float32)


def _pixels_around(eye: Eye, coin: Coin, share: float) -> tuple[slice, slice, Floats]:
    """The rows and columns of the picture around a coin, and the middles of all parts of their pixels."""
    ring = np.array([[np.cos(a), np.sin(a)] for a in np.linspace(0, 2 * np.pi, 24)])
    box = eye.project(np.array(coin.at_mm) + share * coin.diameter_mm * ring)
    low = np.clip(np.floor(box.min(axis=0)), 0, eye.size_px).astype(int)
    high = np.clip(np.ceil(box.max(axis=0)), 0, eye.size_px).astype(int)
    across, down = (
        low[k] - 0.5 + (np.arange((high[k] - low[k]) * _FINER) + 0.5) / _FINER for k in (0, 1)
    )  # fmt: skip
    return slice(low[1], high[1]), slice(low[0], high[0]), np.stack(np.meshgrid(across, down), axis=-1)


def _shade(image: Floats32, eye: Eye, coins: Sequence[Coin], slope: Floats, wide: float, dark: float) -> None:
    """What of the lamp each coin hides from the table; `slope` is how far a shadow reaches per height."""
    ring = np.arange(_LAMPS) * 2.4
    lamps = slope + wide * np.sqrt((np.arange(_LAMPS) + 0.5) / _LAMPS)[:, None] * np.stack(
        [np.cos(ring), np.sin(ring)], axis=1
    )
    hidden = np.zeros(image.shape[:2], np.float32)
    for coin in coins:
        rows, columns, at_px = _pixels_around(eye, coin, 0.85)
        place = eye.cast(at_px[::_FINER, ::_FINER], 0.0) - coin.at_mm
        for lamp in lamps:
            way = lamp * coin.thick_mm
            along = np.clip((place @ way) / max(1e-9, float(way @ way)), 0, 1)
            near = np.hypot(*np.moveaxis(place - along[..., None] * way, -1, 0)) < coin.diameter_mm / 2
            hidden[rows, columns] = np.maximum(hidden[rows, columns], 0) + near / _LAMPS
        close = np.hypot(place[..., 0], place[..., 1]) - coin.diameter_mm / 2
        hidden[rows, columns] += 0.35 * np.exp(-np.maximum(close, 0) / (0.35 * coin.thick_mm))
    image *= (1 - dark * np.clip(hidden, 0, 1))[..., None]


def _draw_coin(image: Floats32, eye: Eye, coin: Coin, slope: Floats, dice: np.random.Generator) -> None:
    """The coin over what is there: the side's slices from the foot up, then the face."""
    rows, columns, at_px = _pixels_around(eye, coin, 0.7)
    behind = image[rows, columns]
    fine = cv2.resize(behind, None, fx=_FINER, fy=_FINER, interpolation=cv2.INTER_NEAREST)
    metal = np.array(_METALS[int(dice.integers(len(_METALS)))]) * dice.uniform(0.5, 1.05)
    lamp = -slope / (np.hypot(*slope) + 1e-9) * min(1.0, float(np.hypot(*slope)) * 1.5)
    radius, gloss = coin.diameter_mm / 2, dice.uniform(0.1, 0.6)
    teeth = int(dice.integers(60, 160))
    for height in np.linspace(0, coin.thick_mm, _SLICES):
        at = eye.cast(at_px, float(height)) - coin.at_mm
        inside = np.hypot(at[..., 0], at[..., 1]) <= radius
        turn = np.arctan2(at[inside][:, 1], at[inside][:, 0])
        bright = 0.5 + gloss * np.cos(turn - np.arctan2(lamp[1], lamp[0])) + 0.12 * np.sin(teeth * turn)
        fine[inside] = metal * np.clip(bright, 0.1, 1.5)[:, None]
    top = eye.cast(at_px, coin.thick_mm) - coin.at_mm
    inside = np.hypot(top[..., 0], top[..., 1]) <= radius
    fine[inside] = _face_colours(top[inside] / radius, metal, lamp, gloss, dice)
    behind[:] = cv2.resize(fine, behind.shape[1::-1], interpolation=cv2.INTER_AREA)


def _face_colours(at: Floats, metal: Floats, lamp: Floats, gloss: float, dice: np.random.Generator) -> Floats:
    """Colours at places of the face in radii, (N, 3): a bevel, a raised rim, a relief, two metals in some coins."""
    far, turn = np.hypot(at[:, 0], at[:, 1]), np.arctan2(at[:, 1], at[:, 0])
    towards = np.cos(turn - np.arctan2(lamp[1], lamp[0])) * np.hypot(*lamp)
    size = 260
    height = sum(
        cv2.resize(dice.normal(size=(size // k, size // k)), (size, size), interpolation=cv2.INTER_CUBIC) * k
        for k in (5, 13, 40)
    )
    relief = (np.gradient(height, axis=1) * lamp[0] + np.gradient(height, axis=0) * lamp[1]) / 4
    row, column = (((at[:, k] + 1) / 2 * (size - 1)).round().astype(int).clip(0, size - 1) for k in (1, 0))
    rim = 1 - dice.uniform(0.07, 0.13)
    bright = 1 + 0.5 * gloss * np.tanh(relief[row, column]) * (far < rim - 0.02)
    bright += gloss * towards * (np.exp(-(((far - rim) / 0.012) ** 2)) - 0.8 * np.exp(-(((far - 1) / 0.02) ** 2)))
    bright += dice.uniform(-0.2, 0.35) * (far > rim) - dice.uniform(0, 0.5) * np.exp(-(((far - rim) / 0.015) ** 2))
    bright += gloss * dice.uniform(-0.6, 0.9) * (at @ np.array([np.cos(dice.uniform(0, 6)), 0.4]))
    colour = np.repeat(metal[None], len(at), axis=0)
    if dice.random() < 0.35:
        colour[far < dice.uniform(0.6, 0.75)] = np.array(_METALS[int(dice.integers(len(_METALS)))]) * 0.8
    return np.asarray(colour * np.clip(bright, 0.15, 2.2)[:, None])


def _develop(image: Floats32, dice: np.random.Generator) -> Image:
    """What the phone makes of it: blur, sharpening, its tone, noise and JPEG."""
    soft = cv2.GaussianBlur(image, (0, 0), dice.uniform(0.6, 1.3))
    sharp = soft + dice.uniform(0.0, 0.8) * (soft - cv2.GaussianBlur(soft, (0, 0), 1.5))
    toned = 255 * (np.clip(sharp * dice.uniform(0.7, 1.1), 0, 255) / 255) ** dice.uniform(0.8, 1.15)
    rough = toned + dice.normal(0, dice.uniform(1.0, 4.0), toned.shape)
    _, coded = cv2.imencode(".jpg", np.clip(rough, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 88])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
