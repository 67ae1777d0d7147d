"""Colours of plastic, paint and cloth, drawn at random."""

import cv2
import numpy as np

from vision.training.synthetic.solid import Colour

Random = np.random.Generator


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
    (45, 8, 110, 110),
    (38, 8, 120, 90),
    (14, 5, 110, 100),
    (18, 5, 90, 170),
    (15, 60, 15, 110),
    (110, 20, 15, 225),
    (15, 60, 20, 40),
    (100, 20, 90, 120),
    (8, 6, 140, 110),
)
