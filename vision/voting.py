"""What the classical finders share: colour steps vote, on every surface of the layout, for where a rim may lie.

A step votes by its direction, not its sign, since rims are painted light and dark; a step that points across a rim
counts for it and one that points along it counts against.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.camera import Camera, CameraPose
from models.layout import Layout
from models.words import Point
from vision import compiled
from vision.candidates import Box, Candidate, Ground, Picture
from vision.ground import GroundMap
from vision.rectify import Window, straightened, window_maps
from vision.searching import HALF_RIM_MM, LEVEL_MM, Standing, windows
from vision.tone import perceived

Map = NDArray[np.float32]

_HALF_VOTE = 6.0  # grey levels per pixel at which a step has half a vote


class VotingFinder(ABC):
    """Proposes the bases of one shape on every surface of the layout, likeliest first."""

    px_per_mm: float
    reach_mm: float  # of the largest rim, from its middle

    def __init__(self, layout: Layout) -> None:
        self._ground = GroundMap(layout)
        self._table: Box = (0.0, 0.0, *layout.table_mm)

    def find(
        self, image: Picture, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> tuple[Candidate, ...]:
        found: list[Candidate] = []
        for surface_mm, window in windows(
            self._ground, table=self._table, boxes=boxes, px_per_mm=self.px_per_mm, level_mm=LEVEL_MM
        ):
            maps = window_maps(window, camera=camera, pose=pose, z_mm=surface_mm + HALF_RIM_MM)
            standing = Standing(self._ground, self._table, surface_mm, pose.centre_mm, LEVEL_MM)
            votes = votes_of(straightened(image, maps), reach_px=math.ceil(self.reach_mm * self.px_per_mm))
            found += self._peaks(votes, window, standing)
        return tuple(sorted(found, key=lambda candidate: -candidate.score))

    @abstractmethod
    def _peaks(self, votes: "Votes", window: Window, standing: Standing) -> Iterator[Candidate]:
        """Where the votes of a window meet."""

    def _best(
        self, score: Map, window: Window, standing: Standing, *, least: float, apart_mm: float
    ) -> Iterator[tuple[int, int, Point, Ground]]:
        """Row, column, place and ground of every local best of a score, on ground of this height."""
        reach = 2 * round(apart_mm * self.px_per_mm) + 1
        best = cv2.dilate(score, np.ones((reach, reach), np.uint8))
        rows, columns = np.nonzero((score == best) & (score > least))
        places = window.to_mm(np.column_stack([columns, rows]).astype(np.float64))
        for row, column, (x_mm, y_mm) in zip(rows.tolist(), columns.tolist(), places.tolist(), strict=True):
            stands = standing.at((x_mm, y_mm))
            if stands is not None:
                yield row, column, *stands


@dataclass(frozen=True)
class Votes:
    """The votes of a picture as spectra, to be held against rims that reach at most `reach_px` from their middle."""

    shape: tuple[int, int]
    reach_px: int
    cosines: Map
    sines: Map

    def agreement(self, rim: "Rim") -> Map:
        """How well the votes around each pixel agree with this rim, 1 at best."""
        across = cv2.mulSpectrums(self.cosines, rim.cosines, 0, conjB=True)
        both = across + cv2.mulSpectrums(self.sines, rim.sines, 0, conjB=True)
        whole = cv2.idft(both, flags=cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT)
        first, (rows, columns) = self.reach_px - rim.reach_px, self.shape
        return np.ascontiguousarray(whole[first : first + rows, first : first + columns], np.float32)


@dataclass(frozen=True)
class Rim:
    """A rim as spectra, to be held against votes whose own are of the same shape."""

    reach_px: int
    cosines: Map
    sines: Map


def rim_of(weights: Map, turn_rad: Map, *, shape: tuple[int, ...]) -> Rim:
    """The rim of these weights, an odd square of them, whose steps point so; `shape` of its spectra."""
    whole = weights / weights.sum()
    cosines, sines = (_alone(whole * way(2 * turn_rad), shape) for way in (np.cos, np.sin))
    return Rim(len(weights) // 2, cosines, sines)


def _alone(weights: Map, shape: tuple[int, ...]) -> Map:
    """The spectrum of this shape with nothing but these weights in it."""
    alone = np.zeros(shape, np.float32)
    alone[: weights.shape[0], : weights.shape[1]] = weights
    return np.asarray(cv2.dft(alone, nonzeroRows=len(weights)), np.float32)


def votes_of(picture: Picture, *, reach_px: int) -> Votes:
    """Strength of each pixel's colour step times cosine and sine of twice its direction."""
    cosines, sines = (_spectrum(part, reach_px) for part in steps_of(picture, blur_px=1.0, half_vote=_HALF_VOTE))
    return Votes((picture.shape[0], picture.shape[1]), reach_px, cosines, sines)


def steps_of(picture: Picture, *, blur_px: float, half_vote: float) -> tuple[Map, Map]:
    """(H, W) each: cosine and sine of twice the direction of each pixel's colour step, whichever colours it is between;
    their length, 0 to 1, is a half for a step as strong as `half_vote`, grey levels per pixel."""
    smooth = cv2.GaussianBlur(perceived(picture), (0, 0), blur_px)
    across, down = (
        np.asarray(cv2.Sobel(smooth, cv2.CV_32F, *way, scale=1 / 8), np.float32) for way in ((1, 0), (0, 1))
    )
    return (_votes if compiled.KERNEL is None else compiled.votes)(across, down, half_vote)


def _votes(across: Map, down: Map, half_vote: float) -> tuple[Map, Map]:
    """(H, W) each, of steps (H, W, 3)."""
    xx, yy, xy = (_summed(a, b) for a, b in ((across, across), (down, down), (across, down)))
    length = np.sqrt((xx - yy) ** 2 + 4 * xy * xy)
    strength = np.sqrt(np.maximum((xx + yy + length) / 2, 0))
    vote = strength / (strength + half_vote) / (length + 1e-6)
    return np.asarray(vote * (xx - yy), np.float32), np.asarray(vote * 2 * xy, np.float32)


def _spectrum(votes: Map, reach_px: int) -> Map:
    """Of the votes, mirrored beyond their ends."""
    rows, columns = (cv2.getOptimalDFTSize(side + 2 * reach_px) for side in votes.shape)
    below, right = rows - votes.shape[0] - reach_px, columns - votes.shape[1] - reach_px
    wide = cv2.copyMakeBorder(votes, reach_px, below, reach_px, right, cv2.BORDER_REFLECT_101)
    return np.asarray(cv2.dft(wide), np.float32)


def _summed(a: NDArray[np.float32], b: NDArray[np.float32]) -> Map:
    """(H, W) of (H, W, 3): the products of all channels together."""
    return np.asarray(sum(a[..., channel] * b[..., channel] for channel in range(3)), np.float32)
