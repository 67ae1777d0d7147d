"""Materials and textures of one scene, gathered while its bodies are made."""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from vision.training.scenes.rasterizer import Surfaces

Random = np.random.Generator
Colour = tuple[float, float, float]  # blue, green, red, 0 to 255 as a screen shows it


class SurfaceBook:
    """Hands out numbers for materials; `surfaces` is what the rasteriser reads."""

    def __init__(self) -> None:
        self._materials: list[tuple[float, ...]] = []
        self._textures: list[Image] = []

    def texture(self, picture: Image) -> int:
        self._textures.append(np.ascontiguousarray(picture, np.uint8))
        return len(self._textures) - 1

    def paint(
        self,
        colour: Sequence[float] = (255, 255, 255),
        *,
        texture: int = -1,
        gloss: float = 0.0,
        shininess: float = 24.0,
        is_flat: bool = True,
        grain: float = 0.0,
    ) -> int:
        """A material of this colour, which tints its texture where it has one."""
        blue, green, red = ((channel / 255) ** 2 for channel in colour)
        self._materials.append((texture, blue, green, red, gloss, shininess, float(is_flat), grain))
        return len(self._materials) - 1

    def surfaces(self) -> Surfaces:
        skins = self._textures
        offsets = np.concatenate([[0], np.cumsum([skin.size for skin in skins], dtype=np.int64)])[:-1]
        table = [(skin.shape[1], skin.shape[0], offset) for skin, offset in zip(skins, offsets, strict=True)]
        pool = np.concatenate([skin.ravel() for skin in skins]) if skins else np.zeros(3, np.uint8)
        return Surfaces(np.array(self._materials, np.float32), pool, np.array(table or [(1, 1, 0)], np.int32))


def any_colour(random: Random, *, least: float = 0.0) -> Colour:
    """Any hue, mostly muted."""
    hue, full = random.uniform(0, 180), 255 * random.beta(1.0, 2.0)
    value = random.uniform(max(20.0, least), 250)
    pixel = cv2.cvtColor(np.array([[[hue, full, value]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return float(pixel[0]), float(pixel[1]), float(pixel[2])


def grey(random: Random, low: float, high: float) -> Colour:
    value, cast = random.uniform(low, high), random.normal(0, 4, 3)
    return clip_colour(value + cast)


def earth(random: Random) -> Colour:
    shade = random.uniform(0.35, 1.5)
    return clip_colour(np.array([55, 80, 110]) * shade + random.normal(0, 14, 3))


def near(colour: Sequence[float], random: Random, spread: float) -> Colour:
    return clip_colour(np.asarray(colour) + random.normal(0, spread, 3))


def clip_colour(colour: Floats) -> Colour:
    blue, green, red = np.clip(colour, 3, 252).tolist()
    return blue, green, red


def photograph(grounds: Sequence[Image], random: Random, side_px: int, *, px_per_photo: float) -> Image:
    """A piece of some photograph at any turn, repeated in mirrors where it ends; recoloured a little or much."""
    photo = grounds[int(random.integers(len(grounds)))]
    scale, angle = px_per_photo / photo.shape[0], random.uniform(0, 360)
    if scale < 0.7:
        photo = np.asarray(cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        scale = 1.0
    middle = random.uniform(0, photo.shape[0], 2)
    turn = np.asarray(cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), angle, scale), np.float64)
    turn[:, 2] += side_px / 2 - middle
    made = cv2.warpAffine(photo, turn, (side_px, side_px), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return recolour_picture(np.asarray(made, np.uint8), random)


def recolour_picture(picture: Image, random: Random) -> Image:
    """Another brightness, contrast and hue, as another print of it would have."""
    mean = np.asarray(cv2.mean(picture)[:3])
    gain = np.eye(3) * random.uniform(0.5, 1.5)
    if random.random() < 0.25:
        grey_share = random.uniform(0.3, 1.0)
        gain = gain @ ((1 - grey_share) * np.eye(3) + grey_share / 3)
    if random.random() < 0.3:
        gain = np.diag(random.uniform(0.65, 1.35, 3)) @ gain
    level = random.uniform(25, 190) if random.random() < 0.4 else float(mean.mean())
    scale = level / max(float(mean.mean()), 1.0)
    moved = np.column_stack([gain * scale, (mean - gain @ mean) * scale])
    return np.asarray(cv2.transform(picture, moved.astype(np.float32)), np.uint8)
