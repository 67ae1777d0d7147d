"""Frames of a drawn game: the mat and its markers, what rests, what moves, shadows, light, noise."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.tracking.games import hand as hands
from benchmarks.tracking.games import miniature as pieces
from benchmarks.tracking.games.camera import Eye
from benchmarks.tracking.games.script import Game
from calibration.arrays import Floats, Floats32, Image
from models.layout import Fiducials, Layout, Marker
from vision.capture.sources import Frame
from vision.training.synthetic.solid import Slice

_Standing = tuple[pieces.Piece, tuple[float, float], float, float]  # where, facing and how high

_AROUND_MM = 260.0
_PX_PER_MM = 1.8
_FINE = 4
_LAMP = np.array([0.42, -0.27])  # how far a shadow falls aside for each mm of height
_MARKER_MM = 80.0
_NOISE = 2.2


def layout(game: Game) -> Layout:
    """The table and the four markers around it."""
    markers = tuple(Marker(id=k, corners_mm=_corners(*at)) for k, at in enumerate(_places(game)))
    return Layout(
        table_mm=game.table_mm, fiducials=Fiducials(dictionary="APRILTAG_36h11", marker_mm=_MARKER_MM, markers=markers)
    )


def frames(game: Game) -> Iterator[Frame]:
    """Every frame of the game; the same each time."""
    painter = Painter(game)
    for index in range(int(game.lasts_s * game.fps)):
        yield Frame(index, index / game.fps, painter.frame(index / game.fps, index))


def _places(game: Game) -> tuple[tuple[float, float], ...]:
    near, far, right = -18 - _MARKER_MM, game.table_mm[1] + 18, game.table_mm[0] - 10 - _MARKER_MM
    return (10.0, near), (right, near), (right, far), (10.0, far)


def _corners(x: float, y: float) -> tuple[tuple[float, float, float], ...]:
    side = _MARKER_MM
    return (x, y + side, 0.0), (x + side, y + side, 0.0), (x + side, y, 0.0), (x, y, 0.0)


@dataclass(frozen=True)
class _Canvas:
    """The plane on which everything is painted; row 0 is the far side."""

    width_mm: float
    depth_mm: float

    @property
    def size(self) -> tuple[int, int]:
        return tuple(round((side + 2 * _AROUND_MM) * _PX_PER_MM) for side in (self.depth_mm, self.width_mm))  # type: ignore[return-value]

    def px(self, at_mm: Floats) -> Floats:
        x = (at_mm[..., 0] + _AROUND_MM) * _PX_PER_MM - 0.5
        y = (self.depth_mm + _AROUND_MM - at_mm[..., 1]) * _PX_PER_MM - 0.5
        return np.stack([x, y], axis=-1)


class Painter:
    """Paints any moment of one game."""

    def __init__(self, game: Game) -> None:
        self._game, self._canvas = game, _Canvas(*game.table_mm)
        self._random = np.random.default_rng([game.seed, 1])
        self._mat = _mat(game, self._canvas)
        self._rest: tuple[object, Image] | None = None
        self._maps: dict[Eye, tuple[NDArray[np.int16], NDArray[np.uint16]]] = {}
        width, height = game.eye.size_px
        self._noise = self._random.normal(0, _NOISE, (height + 64, width + 64, 3)).round().astype(np.int16)

    def frame(self, t_s: float, index: int) -> Image:
        eye = self._game.eye_at(t_s)
        canvas, moving = self._draw_resting(t_s, eye)
        hands_now = self._hands(t_s)
        if moving or hands_now:
            canvas = canvas.copy()
            _paint(canvas, [*moving, *sorted(hands_now, key=lambda one: one.z_mm)], eye, self._canvas)
        if eye not in self._maps:
            x, y = np.moveaxis(self._canvas.px(eye.ground_of_pixels()).astype(np.float32), 2, 0)
            self._maps[eye] = cv2.convertMaps(x, y, cv2.CV_16SC2)
        seen = np.asarray(cv2.remap(canvas, *self._maps[eye], cv2.INTER_LINEAR), np.uint8)
        return self._develop(seen, t_s, index, eye)

    def _draw_resting(self, t_s: float, eye: Eye) -> tuple[Image, list[Slice]]:
        """The table with what stands still on it, painted anew only when that changes; and the slices of the rest."""
        still: list[_Standing] = []
        moving: list[_Standing] = []
        for one in self._game.pieces:
            x, y, facing, lift, there = self._game.where[one.id].at(t_s).tolist()
            if there < 1:
                continue
            key = (one, (round(x, 3), round(y, 3)), round(facing, 3), round(lift, 3))
            (moving if self._moves(one.id, t_s) else still).append(key)
        standing = (eye, tuple(still))
        if self._rest is None or self._rest[0] != standing:
            canvas = self._mat.copy()
            _paint(canvas, [one for args in still for one in pieces.slices(*args)], eye, self._canvas)
            self._rest = standing, canvas
        return self._rest[1], [one for args in moving for one in pieces.slices(*args)]

    def _moves(self, id_: str, t_s: float) -> bool:
        track = self._game.where[id_]
        return any(
            a <= t_s <= b and u != v
            for a, b, u, v in zip(track.times, track.times[1:], track.values, track.values[1:], strict=False)
        )

    def _hands(self, t_s: float) -> list[Slice]:
        found: list[Slice] = []
        for hand, track, from_s, to_s, flat in self._game.hands:
            if from_s < t_s < to_s:
                x, y, up = track.at(t_s)
                found += hands.slices(hand, np.array([x, y]), up_mm=float(up), flat=flat)
        return found

    def _develop(self, seen: Image, t_s: float, index: int, eye: Eye) -> Image:
        *gains, slope = self._game.light.at(t_s).tolist()
        flicker = 1 + self._game.flicker * np.sin(2 * np.pi * 0.37 * index)
        width = eye.size_px[0]
        across = (1 + slope * (np.arange(width) / width - 0.5)).astype(np.float32)[None, :, None]
        light = across * np.array(gains, np.float32) * np.float32(flicker) * self._shade(t_s, width)
        dx, dy = self._random.integers(0, 64, 2)
        noise = self._noise[dy : dy + seen.shape[0], dx : dx + seen.shape[1]]
        return np.asarray(np.clip(seen * light + noise, 0, 255), np.uint8)

    def _shade(self, t_s: float, width: int) -> Floats32 | float:
        """Somebody leans before the window: a soft dark band across the picture."""
        if not self._game.shade.times:
            return 1.0
        x_mm, wide_mm, depth = self._game.shade.at(t_s).tolist()
        at_mm = (np.arange(width) / width - 0.5) * (self._game.table_mm[0] * 1.25) + self._game.table_mm[0] / 2
        edge = 1 / (1 + np.exp(-(wide_mm / 2 - np.abs(at_mm - x_mm)) / 22.0))
        return np.asarray(1 - depth * edge, np.float32)[None, :, None]


def _paint(canvas: Image, slices: Iterable[Slice], eye: Eye, frame: _Canvas) -> None:
    """Shadows on the ground first, then the slices from the lowest up."""
    kept = list(slices)
    _cast_shadow(canvas, kept, eye, frame)
    for one in kept:
        corners = np.round(frame.px(eye.cast(one.outline_mm, one.z_mm)) * 2**_FINE).astype(np.int32)
        cv2.fillPoly(canvas, [corners], one.colour, lineType=cv2.LINE_AA, shift=_FINE)


def _cast_shadow(canvas: Image, slices: list[Slice], eye: Eye, frame: _Canvas) -> None:
    outlines = [np.round(frame.px(eye.cast(one.outline_mm + _LAMP * one.z_mm, 0.0))).astype(np.int32) for one in slices]
    if not outlines:
        return
    corners = np.concatenate(outlines)
    x0, y0 = np.clip(corners.min(axis=0) - 30, 0, canvas.shape[1::-1]).tolist()
    x1, y1 = np.clip(corners.max(axis=0) + 30, 0, canvas.shape[1::-1]).tolist()
    if x1 <= x0 or y1 <= y0:
        return
    dark = np.zeros((y1 - y0, x1 - x0), np.uint8)
    for outline in outlines:
        cv2.fillPoly(dark, [outline - (x0, y0)], 105)
    soft = cv2.blur(dark, (11, 11)).astype(np.float32)
    part = canvas[y0:y1, x0:x1]
    part[:] = (part * (1 - soft / 255)[..., None]).astype(np.uint8)


def _mat(game: Game, frame: _Canvas) -> Image:
    """A printed mat of several grains, a few flat pieces of terrain, white surrounds with the markers."""
    random = np.random.default_rng([game.seed, 2])
    rows, columns = frame.size
    ground = np.array(random.uniform((50, 80, 80), (110, 130, 130)))
    image = np.tile(ground.astype(np.float32), (rows, columns, 1))
    for grain in (2, 5, 17, 60, 180):
        small = random.normal(0, 1, (rows // grain + 2, columns // grain + 2)).astype(np.float32)
        noise = cv2.resize(small, (columns, rows), interpolation=cv2.INTER_CUBIC)
        image += noise[..., None] * (random.uniform(0.3, 1.0, 3) * (6 if grain > 2 else 4)).astype(np.float32)
    outside = np.ones((rows, columns), bool)
    (x0, y1), (x1, y0) = frame.px(np.array([[0.0, 0.0], [frame.width_mm, frame.depth_mm]])).astype(int).tolist()
    outside[y0:y1, x0:x1] = False
    wood = np.array([70.0, 100.0, 135.0]) + 8 * np.sin(np.arange(rows) / 9.0)[:, None, None]
    image[outside] = np.broadcast_to(wood, image.shape)[outside] + random.normal(0, 5, (int(outside.sum()), 1))
    for x, y, wide, deep in (
        (900.0, 130.0, 95.0, 65.0),
        (250.0, 560.0, 60.0, 90.0),
    ):  # white cards: they clip in bright light
        left, top = frame.px(np.array([x, y + deep])).astype(int).tolist()
        image[top : top + round(deep * _PX_PER_MM), left : left + round(wide * _PX_PER_MM)] = (236, 238, 240)
    for k, (x, y) in enumerate(_places(game)):
        _marker(image, k, x, y, frame)
    return np.clip(image, 0, 255).astype(np.uint8)


def _marker(image: Floats32, id_: int, x_mm: float, y_mm: float, frame: _Canvas) -> None:
    """A printed marker on its white margin, flat on the ground."""
    cells = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11), id_, 8)
    (left, top), (right, _) = frame.px(np.array([[x_mm, y_mm + _MARKER_MM], [x_mm + _MARKER_MM, y_mm]]))
    for grow, picture in ((10 * _PX_PER_MM, np.full((8, 8), 255, np.uint8)), (0.0, cells)):
        side = right - left + 2 * grow
        size = (image.shape[1], image.shape[0])
        fine = cv2.resize(picture, None, fx=32, fy=32, interpolation=cv2.INTER_NEAREST).astype(np.float32)
        scale = side / fine.shape[0]
        warp = np.array([[scale, 0, left - grow + scale / 2], [0, scale, top - grow + scale / 2]])
        drawn = cv2.warpAffine(fine, warp, size, flags=cv2.INTER_AREA)
        there = cv2.warpAffine(np.ones_like(fine), warp, size) > 0.5
        image[there] = (20 + drawn[there] * 205 / 255)[:, None]
