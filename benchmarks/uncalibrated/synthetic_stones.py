"""Photographs of stones on a ruled board that nobody took: small discs of low contrast among squares and crossings.

A board of wood with its lines, stones of slate and shell that are rounded and shine, shadows, a slanted view, blur,
noise and JPEG, in pictures so small that a stone is 20 to 60 px wide. Exact truth, from a seed. Nothing here comes from
`vision/` or `calibration/`.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image

STONE_MM = 22.2
_CELL_MM = (22.4, 24.5)
_FINER = 3
_WOODS = ((120, 190, 225), (80, 150, 200), (150, 205, 225), (60, 110, 160), (110, 120, 125))


@dataclass(frozen=True)
class Board:
    """The photograph, where the middles of the stones' feet appear, (N, 2) px, and how wide about a stone is there."""

    image: Image
    at_px: Floats
    wide_px: float


def draw_board_shot(seed: int, number: int) -> Board:
    """The photograph of this number under this seed."""
    dice = np.random.default_rng([seed, number])
    cells, cell_mm = int(dice.choice([9, 13, 19])), float(dice.uniform(*_CELL_MM))
    stones = _place_stones(dice, cells, cell_mm)
    side_mm = (cells + 0.6) * cell_mm
    wide_px = float(np.clip(dice.uniform(20, 60), 22 * 300 / side_mm, 22 * 1300 / side_mm))
    scale = wide_px / STONE_MM * _FINER
    flat = _draw_board(dice, cells, cell_mm, side_mm, scale)
    lamp = dice.normal(0, 0.6, 2)
    _shade(flat, stones, lamp, scale)
    for x, y, is_black in stones:
        _draw_stone(flat, (x * scale, y * scale), STONE_MM / 2 * scale, is_black=bool(is_black), lamp=lamp, dice=dice)
    image, to_px = _view_from_aside(dice, flat)
    at = cv2.perspectiveTransform((stones[:, None, :2] * scale - 0.5), to_px)[:, 0]
    return Board(_develop(dice, image), (at + 0.5) / _FINER - 0.5, wide_px)


def _place_stones(dice: np.random.Generator, cells: int, cell_mm: float) -> Floats:
    """Stones on crossings, not quite in their middle: (N, 3) mm and whether it is black."""
    every = np.array([(x, y) for x in range(cells) for y in range(cells)], np.float64)
    chosen = every[dice.random(len(every)) < dice.uniform(0.05, 0.6)]
    if not len(chosen):
        chosen = every[:1]
    loose = (cell_mm - STONE_MM) * 0.45
    at = (chosen + 0.8) * cell_mm + dice.uniform(-loose, loose, chosen.shape)
    return np.column_stack([at, dice.random(len(at)) < 0.5])


def _draw_board(dice: np.random.Generator, cells: int, cell_mm: float, side_mm: float, scale: float) -> Floats32:
    side = round(side_mm * scale)
    grain = sum(
        cv2.resize(dice.normal(size=(side // fine + 2, side // (20 * fine) + 2)), (side, side)) for fine in (4, 15, 60)
    )
    x, y = np.meshgrid(np.linspace(-1, 1, side), np.linspace(-1, 1, side))
    slope = dice.normal(0, 0.15, 2)
    light = 1 + slope[0] * x + slope[1] * y
    wood = np.array(_WOODS[int(dice.integers(len(_WOODS)))], np.float64) * dice.uniform(0.7, 1.1)
    board = (wood * ((1 + dice.uniform(0.005, 0.03) * grain) * light)[..., None]).astype(np.float32)
    ink, thick = dice.uniform(0.15, 0.6), max(1, round(dice.uniform(0.4, 1.1) * scale))
    for k in range(cells):
        a, b = round(0.8 * cell_mm * scale), round((cells - 0.2) * cell_mm * scale)
        c = round((k + 0.8) * cell_mm * scale)
        for rows, columns in ((slice(a, b), slice(c, c + thick)), (slice(c, c + thick), slice(a, b))):
            board[rows, columns] *= ink
    return np.asarray(board, np.float32)


def _shade(board: Floats32, stones: Floats, lamp: Floats, scale: float) -> None:
    dark = np.zeros(board.shape[:2], np.float32)
    for x, y, _ in stones:
        spot = (np.array([x, y]) + lamp * 3.0) * scale
        cv2.circle(dark, (round(spot[0]), round(spot[1])), round(STONE_MM / 2 * scale), 1.0, -1)
    board *= 1 - 0.45 * cv2.GaussianBlur(dark, (0, 0), 1.2 * scale)[..., None]


def _draw_stone(
    board: Floats32, at: tuple[float, float], radius: float, *, is_black: bool, lamp: Floats,
    dice: np.random.Generator,
) -> None:  # fmt: skip
    """A flat dome: brighter towards the lamp, darker to its edge, with a shine."""
    x0, y0 = (max(0, int(v - radius - 2)) for v in at)
    patch = board[y0 : int(at[1] + radius + 3), x0 : int(at[0] + radius + 3)]
    y, x = np.mgrid[y0 : y0 + patch.shape[0], x0 : x0 + patch.shape[1]]
    u, v = (x + 0.5 - at[0]) / radius, (y + 0.5 - at[1]) / radius
    far = np.hypot(u, v)
    inside = far <= 1
    tone = dice.uniform(25, 60) if is_black else dice.uniform(175, 235)
    dome = np.sqrt(np.clip(1 - 0.8 * far**2, 0, 1))
    bright = (0.62 + 0.38 * dome) * (1 - 0.18 * (u * lamp[0] + v * lamp[1]))
    shine = dice.uniform(20, 130) * np.exp(-((u + 0.4 * lamp[0]) ** 2 + (v + 0.4 * lamp[1]) ** 2) / 0.05)
    patch[inside] = (tone * bright + shine)[inside][:, None] * np.array([0.98, 1.0, 1.0])


def _view_from_aside(dice: np.random.Generator, flat: Floats32) -> tuple[Floats32, Floats]:
    """From a little aside."""
    side = flat.shape[0]
    corners = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    tilt = dice.choice([0.01, 0.05])
    moved = corners + dice.uniform(-tilt, tilt, (4, 2)).astype(np.float32) * side
    to_px = cv2.getPerspectiveTransform(corners, moved)
    seen = cv2.warpPerspective(flat, to_px, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32), np.asarray(to_px, np.float64)


def _develop(dice: np.random.Generator, image: Floats32) -> Image:
    small = cv2.resize(image, None, fx=1 / _FINER, fy=1 / _FINER, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), dice.uniform(0.4, 1.1))
    rough = np.clip(soft * dice.uniform(0.75, 1.1), 0, 255) + dice.normal(0, dice.uniform(0.5, 4.0), soft.shape)
    quality = int(dice.integers(60, 93))
    _, coded = cv2.imencode(".jpg", np.clip(rough, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
