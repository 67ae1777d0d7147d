"""Film drawing: outlines, facings, names, trails and verdict cards over the camera's own picture.

What is drawn changes a few times a minute, so it is drawn once into a layer, of which only the pixels that are not
empty are laid over each frame. Colours are those of the overlay; each line has a dark rim, seen on every mat.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from api.games.film_timeline import Card, Shown, Trail
from api.live.table_schemas import DrawnMiniature
from calibration.arrays import Floats, Image
from calibration.camera_model.projection import project
from models.base import RectBase, RoundBase
from models.camera import Camera, CameraPose
from models.unit_conversion import MM_PER_INCH
from models.vocabulary import Point

Colour = tuple[int, int, int]
_Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

# BGR, as the overlay's style sheet has them.
_SIDES: tuple[Colour, ...] = ((255, 199, 108), (36, 178, 255), (255, 173, 185), (138, 224, 75))
_NOBODYS: Colour = (230, 230, 230)
_RIM: Colour = (16, 16, 16)
_PANEL: Colour = (19, 14, 11)
_INK: Colour = (249, 245, 242)
_FAINT: Colour = (206, 191, 180)
_TRAIL: Colour = (255, 255, 255)
_TONES: dict[str, Colour] = {"yes": (138, 224, 75), "no": (85, 106, 255), "too-close": (77, 211, 255)}
_ROLES: dict[str, Colour] = {
    "blocked": (85, 106, 255),
    "hit": (85, 106, 255),
    "blocker": (85, 106, 255),
    "arc": (255, 173, 185),
    "limit": (77, 211, 255),
}
_CLEAR: Colour = (138, 224, 75)
_RIM_MM = 4.0  # a base's upper rim, where its outline is seen
_ROUND_STEPS = 48
_PANEL_OPACITY = 0.93
_SPELT = str.maketrans({"″": '"', "−": "-", "×": "x", "’": "'"})  # the font that comes with Pillow has not these
_BOLD_FROM_PX = 36.0


@dataclass(frozen=True)
class Layer:
    """Pixels that lie over a frame: their places in it counted row by row, colours times opacity, and what is left."""

    places: NDArray[np.intp]
    colours: NDArray[np.float32]
    left: NDArray[np.float32]

    def lay_over(self, image: Image) -> None:
        """Lay it over this frame (H, W, 3), in place."""
        flat = image.reshape(-1, 3)
        flat[self.places] = (flat[self.places] * self.left + self.colours + 0.5).astype(np.uint8)


class FilmPainter:
    """Draws what is shown over frames of one camera; what is the same as before is drawn once."""

    def __init__(self, camera: Camera, *, sides: Sequence[str]) -> None:
        self._camera = camera
        self._sides = list(sides)
        self._shown: Shown | None = None
        self._layer: Layer | None = None

    def paint(self, image: Image, shown: Shown) -> None:
        """Draw over this frame, in place."""
        if shown != self._shown:
            self._shown, self._layer = shown, self._draw(shown)
        if self._layer is not None:
            self._layer.lay_over(image)

    def _draw(self, shown: Shown) -> Layer | None:
        if shown.table is None or shown.pose is None:
            return None
        width, height = self._camera.image_size
        canvas = _Canvas(width, height, self._camera, shown.pose)
        standing = [m for m in shown.table.miniatures if m.id not in shown.lifted]
        for trail in shown.trails:
            self._draw_trail(canvas, trail, shown)
        for m in standing:
            canvas.draw_line(_outline(m), self._colour(m.side), px=2.4, z_mm=_RIM_MM, closed=True)
            if m.facing_deg is not None:
                canvas.draw_line(_facing(m), self._colour(m.side), px=2.4, z_mm=_RIM_MM)
        for role, line in shown.card.lines if shown.card else ():
            canvas.draw_line(line, _ROLES.get(role, _CLEAR), px=3.4)
        for m in standing:
            below = (m.at_mm[0], m.at_mm[1] - _reach_mm(m) - 5.0)
            canvas.write(m.name, below, _INK, size=19.0)
        for trail in shown.trails:
            canvas.write(f"{trail.length_mm / MM_PER_INCH:.1f}″", _middle(trail.points_mm), _TRAIL, size=26.0)
        if shown.card:
            canvas.draw_card(shown.card)
        return canvas.layer()

    def _draw_trail(self, canvas: "_Canvas", trail: Trail, shown: Shown) -> None:
        side = next((m.side for m in shown.table.miniatures if m.id == trail.id), None) if shown.table else None
        canvas.draw_line(trail.points_mm, self._colour(side), px=5.0)
        canvas.draw_line(_arrow_head(trail.points_mm), self._colour(side), px=5.0)

    def _colour(self, side: str | None) -> Colour:
        return _SIDES[self._sides.index(side) % len(_SIDES)] if side in self._sides else _NOBODYS


class _Canvas:
    """Colours and opacity of a frame that is drawn upon; sizes are those of a frame of 1080 rows."""

    def __init__(self, width: int, height: int, camera: Camera, pose: CameraPose) -> None:
        self._camera, self._pose = camera, pose
        self._scale = height / 1080
        self._colours = np.zeros((height, width, 3), np.uint8)
        self._opacity = np.zeros((height, width), np.uint8)

    def draw_line(
        self, points_mm: Sequence[Point], colour: Colour, *, px: float, z_mm: float = 0.0, closed: bool = False
    ) -> None:
        """A line on the table, with a dark rim."""
        places = self._to_px(points_mm, z_mm)
        if len(places) < 2:
            return
        fixed = [np.round(places * 16).astype(np.int32)]
        inner, outer = max(1, round(px * self._scale)), max(3, round((px + 3.6) * self._scale))
        cv2.polylines(self._colours, fixed, closed, _RIM, outer + 2, cv2.LINE_8, 4)
        cv2.polylines(self._colours, fixed, closed, colour, inner, cv2.LINE_AA, 4)
        cv2.polylines(self._opacity, fixed, closed, 255, outer, cv2.LINE_AA, 4)

    def write(self, text: str, at_mm: Point, colour: Colour, *, size: float) -> None:
        """A word whose top stands at a place of the table."""
        places = self._to_px([at_mm], 0.0)
        if len(places):
            self._write_px(text, (float(places[0][0]), float(places[0][1])), colour, size=size, anchor="ma", rim=3.5)

    def draw_card(self, card: Card) -> None:
        """The verdict on a panel at the lower left."""
        s, (height, width) = self._scale, self._opacity.shape
        wide, high, edge = round(640 * s), round(196 * s), round(40 * s)
        left, top = edge, height - edge - high
        tone = _TONES.get(card.answer or "", _INK)
        self._colours[top : top + high, left : min(width, left + wide)] = _PANEL
        self._opacity[top : top + high, left : min(width, left + wide)] = round(255 * _PANEL_OPACITY)
        self._colours[top : top + high, left : left + round(9 * s)] = tone
        x, room = left + 30 * s, wide - 60 * s
        for text, down, size, colour in (
            (card.asked, 16.0, 25.0, _FAINT),
            (card.headline, 46.0, 52.0, tone),
            (f"A {card.names[0]}   B {card.names[1]}", 112.0, 24.0, _INK),
            (f"Ruling: {card.decision}", 148.0, 26.0, _INK),
        ):
            self._write_px(text, (x, top + down * s), colour, size=size, anchor="la", room_px=room)

    def layer(self) -> Layer:
        """All pixels that are not empty."""
        places = np.flatnonzero(self._opacity)
        opacity = np.asarray(self._opacity.reshape(-1)[places, None] / 255, np.float32)
        colours = np.asarray(self._colours.reshape(-1, 3)[places] * opacity, np.float32)
        return Layer(places, colours, np.asarray(1 - opacity, np.float32))

    def _write_px(
        self,
        text: str,
        at_px: tuple[float, float],
        colour: Colour,
        *,
        size: float,
        anchor: str,
        rim: float = 0.0,
        room_px: float = math.inf,
    ) -> None:
        text = text.translate(_SPELT)
        size_px = max(8.0, size * self._scale)
        font = ImageFont.load_default(size_px)
        if (wide := font.getlength(text)) > room_px:
            font = ImageFont.load_default(max(8.0, size_px * room_px / wide))
        rim_px = round(rim * self._scale)
        left, top, right, low = _text_box(text, font, anchor, rim_px)
        x, y = round(at_px[0]) + left, round(at_px[1]) + top
        mask, ink = (Pictures.new("L", (right - left, low - top)) for _ in range(2))
        ImageDraw.Draw(mask).text((-left, -top), text, 255, font, anchor=anchor, stroke_width=rim_px)
        bold_px = round(size_px / _BOLD_FROM_PX)
        ImageDraw.Draw(ink).text((-left, -top), text, 255, font, anchor=anchor, stroke_width=min(bold_px, rim_px or 1))
        self._stamp(x, y, np.asarray(mask), np.asarray(ink), colour)

    def _stamp(self, x: int, y: int, mask: NDArray[np.uint8], ink: NDArray[np.uint8], colour: Colour) -> None:
        """Lay a word on the canvas, its rim dark, as far as it lies in the picture."""
        height, width = self._opacity.shape
        x0, y0, x1, y1 = max(0, x), max(0, y), min(width, x + mask.shape[1]), min(height, y + mask.shape[0])
        if x0 >= x1 or y0 >= y1:
            return
        cut = np.s_[y0 - y : y1 - y, x0 - x : x1 - x]
        place = np.s_[y0:y1, x0:x1]
        inked = ink[cut][..., None] / 255
        rimmed = mask[cut][..., None] / 255
        ground = self._colours[place] * (1 - rimmed) + np.array(_RIM) * rimmed
        self._colours[place] = (ground * (1 - inked) + np.array(colour) * inked).astype(np.uint8)
        self._opacity[place] = np.maximum(self._opacity[place], mask[cut])

    def _to_px(self, points_mm: Sequence[Point], z_mm: float) -> Floats:
        if not points_mm:
            return np.zeros((0, 2))
        solid = np.array([(x, y, z_mm) for x, y in points_mm])
        places = project(solid, camera=self._camera, pose=self._pose)
        return np.asarray(places[np.isfinite(places).all(axis=1)].clip(-30_000, 30_000))


def _text_box(
    text: str, font: ImageFont.FreeTypeFont | ImageFont.ImageFont, anchor: str, rim_px: int
) -> tuple[int, int, int, int]:
    measure = ImageDraw.Draw(Pictures.new("L", (1, 1)))
    left, top, right, low = measure.textbbox((0, 0), text or " ", font, anchor=anchor, stroke_width=rim_px)
    return math.floor(left), math.floor(top), math.ceil(right) + 1, math.ceil(low) + 1


def _reach_mm(m: DrawnMiniature) -> float:
    return m.base.radius_mm if isinstance(m.base, RoundBase) else math.hypot(m.base.width_mm, m.base.depth_mm) / 2


def _outline(m: DrawnMiniature) -> list[Point]:
    """The base's outline in table millimetres, turned the way it faces."""
    if isinstance(m.base, RectBase):
        deep, wide = m.base.depth_mm / 2, m.base.width_mm / 2
        ahead = [(deep, wide), (deep, -wide), (-deep, -wide), (-deep, wide)]
    else:
        deep = m.base.radius_mm if isinstance(m.base, RoundBase) else m.base.depth_mm / 2
        wide = deep if isinstance(m.base, RoundBase) else m.base.width_mm / 2
        turns = [math.tau * k / _ROUND_STEPS for k in range(_ROUND_STEPS)]
        ahead = [(deep * math.cos(turn), wide * math.sin(turn)) for turn in turns]
    facing = math.radians(m.facing_deg or 0.0)
    cos, sin = math.cos(facing), math.sin(facing)
    return [(m.at_mm[0] + x * cos - y * sin, m.at_mm[1] + x * sin + y * cos) for x, y in ahead]


def _facing(m: DrawnMiniature) -> list[Point]:
    """From the rim outwards, the way it faces."""
    turn = math.radians(m.facing_deg or 0.0)
    ahead_mm = m.base.radius_mm if isinstance(m.base, RoundBase) else m.base.depth_mm / 2
    (x, y), cos, sin = m.at_mm, math.cos(turn), math.sin(turn)
    return [(x + reach * cos, y + reach * sin) for reach in (ahead_mm, ahead_mm + 12.0)]


def _middle(points: Sequence[Point]) -> Point:
    """The place half-way along a line."""
    lengths = [math.dist(a, b) for a, b in pairwise(points)]
    left = sum(lengths) / 2
    for (a, b), length in zip(pairwise(points), lengths, strict=True):
        if left <= length and length > 0:
            share = left / length
            return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))
        left -= length
    return points[-1]


def _arrow_head(points: Sequence[Point]) -> list[Point]:
    (x0, y0), (x1, y1) = points[-2], points[-1]
    turn = math.atan2(y1 - y0, x1 - x0)
    barbs = [(x1 - 16.0 * math.cos(turn + spread), y1 - 16.0 * math.sin(turn + spread)) for spread in (-0.5, 0.5)]
    return [barbs[0], (x1, y1), barbs[1]]
