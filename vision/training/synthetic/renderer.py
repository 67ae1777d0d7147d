"""Slices painted in the order of their height as a camera casts them on the plane of the rims, then lit."""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32
from vision.training.synthetic.solid import Slice

Random = np.random.Generator

RIM_MM = 2.0  # the plane on which the finder straightens pictures: half the height of a rim
_FINE = 4  # bits of a pixel's fraction
_REACHES_MM = (1.0, 2.0, 3.2, 4.6, 6.4, 8.6, 11.4, 15, 19.6, 25.4, 33, 43, 56, 73)


@dataclass(frozen=True)
class Eye:
    """Where the camera is, in the frame of the drawn piece of table, mm."""

    x_mm: float
    y_mm: float
    z_mm: float

    def cast(self, points_mm: Floats, z_mm: float) -> Floats:
        """Where points at this height appear on the plane of the rims, (N, 2) mm."""
        centre = np.array([self.x_mm, self.y_mm])
        return np.asarray(centre + (points_mm - centre) * self.growth(z_mm))

    def growth(self, z_mm: float) -> float:
        return (self.z_mm - RIM_MM) / (self.z_mm - z_mm)


@dataclass(frozen=True)
class Frame:
    """The drawn square and a margin around it, in pixels of the canvas; row 0 is the far side."""

    side_mm: float
    margin_mm: float
    px_per_mm: float

    @property
    def side_px(self) -> int:
        return round((self.side_mm + 2 * self.margin_mm) * self.px_per_mm)

    def to_px(self, points_mm: Floats) -> Floats:
        x = (points_mm[:, 0] + self.margin_mm) * self.px_per_mm - 0.5
        y = (self.side_mm + self.margin_mm - points_mm[:, 1]) * self.px_per_mm - 0.5
        return np.column_stack([x, y])


def paint_slices(mat: Floats32, slices: Iterable[Slice], *, eye: Eye, frame: Frame) -> tuple[Floats32, Floats32]:
    """Colours (N, N, 3) and heights (N, N) mm of what the camera sees."""
    layers = np.dstack([mat, np.zeros(mat.shape[:2], np.float32)])
    for piece in sorted(slices, key=lambda piece: piece.z_mm):
        outline = frame.to_px(eye.cast(piece.outline_mm, piece.z_mm))
        corners = np.round(outline * 2**_FINE).astype(np.int32)
        cv2.fillPoly(layers, [corners], (*piece.colour, piece.z_mm), lineType=cv2.LINE_8, shift=_FINE)
    return np.ascontiguousarray(layers[..., :3]), np.ascontiguousarray(layers[..., 3])


def light_scene(colours: Floats32, heights: Floats32, *, eye: Eye, frame: Frame, random: Random) -> Floats32:
    """The colours under random lamps: slopes brighter toward a lamp, and its shadows."""
    smooth = cv2.GaussianBlur(heights, (0, 0), 0.8 * frame.px_per_mm)
    east = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=frame.px_per_mm / 8)
    north = -cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=frame.px_per_mm / 8)
    steep = 1 / np.sqrt(1 + east**2 + north**2)
    ambient = random.uniform(0.15, 0.7)
    light = np.full(heights.shape, ambient, np.float32)
    lamps = random.integers(1, 4)
    for share in random.dirichlet(np.ones(lamps)) * (1 - ambient):
        azimuth, height = random.uniform(0, 2 * np.pi), random.uniform(0.45, 1.4)
        lamp = np.array([np.cos(azimuth) * np.cos(height), np.sin(azimuth) * np.cos(height), np.sin(height)])
        facing = np.maximum(0, (lamp[2] - east * lamp[0] - north * lamp[1]) * steep) / lamp[2]
        light += share * np.minimum(facing, 1.8) * _light_map(heights, lamp, eye=eye, frame=frame, random=random)
    grain = 1 + _grain(random, frame)
    shine = _glare(random, frame) if random.random() < 0.3 else 0.0
    return np.asarray(colours * (light * grain)[..., None] + shine, np.float32)


def _light_map(heights: Floats32, lamp: Floats, *, eye: Eye, frame: Frame, random: Random) -> Floats32:
    """How far the lamp reaches each pixel, 0 in shadow to 1."""
    half = cv2.resize(heights, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    scale = frame.px_per_mm / 2
    middle = np.array([frame.side_mm / 2, frame.side_mm / 2])
    # what is higher also moves outward in the picture, so the way to the lamp is bent by that much
    step = lamp[:2] + lamp[2] * (middle - (eye.x_mm, eye.y_mm)) / eye.z_mm
    dark = np.zeros_like(half)
    for reach_mm in _REACHES_MM:
        shift = np.array([[1, 0, reach_mm * step[0] * scale], [0, 1, -reach_mm * step[1] * scale]], np.float32)
        shifted = cv2.warpAffine(half, shift, half.shape[::-1], flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        np.maximum(dark, np.clip((shifted - half - reach_mm * lamp[2]) / 1.0, 0, 1), out=dark)
    soft = cv2.GaussianBlur(dark, (0, 0), random.uniform(0.4, 4.0) * scale)
    return np.asarray(1 - cv2.resize(soft, heights.shape[::-1]), np.float32)


def _grain(random: Random, frame: Frame) -> Floats32:
    """Fine unevenness of paint, sand and cloth, relative to the colour."""
    side = frame.side_px
    coarse = round(side / random.uniform(1.0, 4.0))
    specks = random.uniform(0, 0.14) * random.random() * random.standard_normal((coarse, coarse), np.float32)
    return np.asarray(cv2.resize(specks, (side, side), interpolation=cv2.INTER_LINEAR), np.float32)


def _glare(random: Random, frame: Frame) -> Floats32:
    """A lamp's soft reflection on the mat."""
    side = frame.side_px
    rows, columns = np.mgrid[0:side:8, 0:side:8].astype(np.float32)
    x, y = random.uniform(0, side, 2)
    spread = random.uniform(20, 150) * frame.px_per_mm
    spot = random.uniform(10, 130) * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * spread**2))
    return np.asarray(cv2.resize(spot.astype(np.float32), (side, side)), np.float32)[..., None]
