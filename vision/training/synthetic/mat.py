"""What covers the table: printed cloth, flock, planks, cobbles, felt, in any brightness.

Colours of plastic, paint and cloth, drawn at random.
"""

import cv2
import numpy as np

from calibration.arrays import Floats32
from vision.training.synthetic.solid import Colour

Random = np.random.Generator


def any_mat(random: Random, *, side_px: int, px_per_mm: float) -> Floats32:
    """The mat's colours, (side, side, 3) float32 BGR from 0 to 255."""
    ground = earthy(random) if random.random() < 0.8 else any_colour(random)
    contrast = random.choice([3.0, 12.0, 25.0, 45.0]) * random.random()
    image = np.full((side_px, side_px, 3), ground, np.float32)
    for _ in range(random.integers(1, 5)):
        grain_mm = float(np.exp(random.uniform(np.log(0.6), np.log(80))))
        tint = np.array(near(ground, random, 60), np.float32) - ground
        tint *= contrast / max(1.0, float(np.abs(tint).max()))
        image += noise(random, side_px, grain_mm * px_per_mm)[..., None] * tint
    if random.random() < 0.35:
        _draw_joints(image, random, px_per_mm)
    if random.random() < 0.25:
        _print_lines(image, random, px_per_mm)
    return np.clip(image, 0, 255)


def noise(random: Random, side_px: int, grain_px: float) -> Floats32:
    """Smooth noise of about unit spread whose lumps are this large."""
    cells = max(3, min(side_px, round(side_px / grain_px)))
    coarse = random.normal(0, 1, (cells, cells)).astype(np.float32)
    kind = cv2.INTER_CUBIC if random.random() < 0.8 else cv2.INTER_NEAREST
    return np.asarray(cv2.resize(coarse, (side_px, side_px), interpolation=kind), np.float32)


def _draw_joints(image: Floats32, random: Random, px_per_mm: float) -> None:
    """Joints of planks or tiles, or a grid."""
    side, turn = image.shape[0], random.uniform(0, np.pi)
    colour = near(tuple(image[0, 0].tolist()), random, 70)
    pitch, width = random.uniform(12, 110) * px_per_mm, max(1, round(random.uniform(0.3, 2.0) * px_per_mm))
    for angle in (turn, turn + np.pi / 2)[: random.integers(1, 3)]:
        away, along = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        for k in range(-int(side / pitch) - 1, int(side / pitch) + 2):
            middle = np.array([side / 2, side / 2]) + away * k * pitch
            start, end = middle - along * side, middle + along * side
            cv2.line(image, tuple(map(int, start)), tuple(map(int, end)), colour, width)


def _print_lines(image: Floats32, random: Random, px_per_mm: float) -> None:
    """Lines, circles and squares printed on the mat: zones, marks, ornaments."""
    side = image.shape[0]
    for _ in range(random.integers(1, 5)):
        x, y = (int(v) for v in random.uniform(0, side, 2))
        radius = int(random.uniform(8, 160) * px_per_mm)
        colour, width = any_colour(random), max(1, int(random.uniform(0.5, 3) * px_per_mm))
        if random.random() < 0.5:
            cv2.circle(image, (x, y), radius, colour, width)
        else:
            cv2.rectangle(image, (x, y), (x + radius, y + int(radius * random.uniform(0.3, 2))), colour, width)


def any_colour(random: Random, *, least_value: float = 20, most_value: float = 245) -> Colour:
    """Any hue, from grey to vivid."""
    hue, saturation = random.uniform(0, 180), 255 * random.beta(1.2, 1.6)
    return _bgr(hue, saturation, random.uniform(least_value, most_value))


def earthy(random: Random) -> Colour:
    """Soil, grass, sand, stone, snow or ash: what tables and basings are made of."""
    hue, hue_spread, saturation, value = _EARTHS[random.integers(len(_EARTHS))]
    return _bgr(
        (hue + random.normal(0, hue_spread)) % 180,
        np.clip(saturation + random.normal(0, 25), 0, 255),
        np.clip(value + random.normal(0, 30), 12, 250),
    )


def near(colour: Colour, random: Random, spread: float) -> Colour:
    """A shade of this colour."""
    light = random.normal(1, spread / 128)
    b, g, r = np.clip(np.array(colour) * light + random.normal(0, spread / 3, 3), 0, 255).tolist()
    return b, g, r


def grey(random: Random, low: float, high: float) -> Colour:
    return near((random.uniform(low, high),) * 3, random, 6)


def _bgr(hue: float, saturation: float, value: float) -> Colour:
    hsv = np.array([[[hue % 180, saturation, value]]]).round().clip(0, 255).astype(np.uint8)
    b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].tolist()
    return float(b), float(g), float(r)


# hue, its spread, saturation, value
_EARTHS = (
    (45, 8, 110, 110), (38, 8, 120, 90), (14, 5, 110, 100), (18, 5, 90, 170), (15, 60, 15, 110), (110, 20, 15, 225),
    (15, 60, 20, 40), (100, 20, 90, 120), (8, 6, 140, 110),
)  # fmt: skip
