"""What the classical finders share: colour steps vote, on every surface of the layout, for where a rim may lie.

A step votes by its direction, not its sign, since rims are painted light and dark; a step that points across a rim
counts for it and one that points along it counts against.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from models.camera import Camera, CameraPose
from models.layout import Layout
from models.words import Point
from vision.candidates import Box, Candidate, Ground, Picture
from vision.ground import GroundMap
from vision.rectify import Window, straightened, window_maps
from vision.searching import HALF_RIM_MM, ground_there, windows
from vision.tone import perceived

Map = NDArray[np.float32]
Votes = tuple[Map, Map]

_HALF_VOTE = 6.0  # grey levels per pixel at which a step has half a vote


class VotingFinder(ABC):
    """Proposes the bases of one shape on every surface of the layout, likeliest first."""

    px_per_mm: float

    def __init__(self, layout: Layout) -> None:
        self._ground = GroundMap(layout)
        self._table: Box = (0.0, 0.0, *layout.table_mm)

    def find(
        self, image: Picture, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> tuple[Candidate, ...]:
        found: list[Candidate] = []
        for surface_mm, window in windows(self._ground, table=self._table, boxes=boxes, px_per_mm=self.px_per_mm):
            maps = window_maps(window, camera=camera, pose=pose, z_mm=surface_mm + HALF_RIM_MM)
            found += self._peaks(votes_of(straightened(image, maps)), window, surface_mm)
        return tuple(sorted(found, key=lambda candidate: -candidate.score))

    @abstractmethod
    def _peaks(self, votes: Votes, window: Window, surface_mm: float) -> Iterator[Candidate]:
        """Where the votes of a window meet."""

    def _best(
        self, score: Map, window: Window, surface_mm: float, *, least: float, apart_mm: float
    ) -> Iterator[tuple[int, int, Point, Ground]]:
        """Row, column, place and ground of every local best of a score, on ground of this height."""
        reach = 2 * round(apart_mm * self.px_per_mm) + 1
        best = cv2.dilate(score, np.ones((reach, reach), np.uint8))
        rows, columns = np.nonzero((score == best) & (score > least))
        places = window.to_mm(np.column_stack([columns, rows]).astype(np.float64))
        for row, column, (x_mm, y_mm) in zip(rows.tolist(), columns.tolist(), places.tolist(), strict=True):
            ground = ground_there(self._ground, (x_mm, y_mm), surface_mm=surface_mm, table=self._table)
            if ground is not None:
                yield row, column, (x_mm, y_mm), ground


def votes_of(picture: Picture) -> Votes:
    """Strength of each pixel's colour step times cosine and sine of twice its direction."""
    smooth = cv2.GaussianBlur(perceived(picture), (0, 0), 1.0)
    across, down = (
        np.asarray(cv2.Sobel(smooth, cv2.CV_32F, *way, scale=1 / 8), np.float32) for way in ((1, 0), (0, 1))
    )
    xx, yy, xy = (_summed(a, b) for a, b in ((across, across), (down, down), (across, down)))
    length = np.sqrt((xx - yy) ** 2 + 4 * xy * xy)
    strength = np.sqrt(np.maximum((xx + yy + length) / 2, 0))
    vote = strength / (strength + _HALF_VOTE) / (length + 1e-6)
    return np.asarray(vote * (xx - yy), np.float32), np.asarray(vote * 2 * xy, np.float32)


def _summed(a: NDArray[np.float32], b: NDArray[np.float32]) -> Map:
    """(H, W) of (H, W, 3): the products of all channels together."""
    return np.asarray(sum(a[..., channel] * b[..., channel] for channel in range(3)), np.float32)


def agreement(votes: Votes, rim: Map, turn_rad: Map) -> Map:
    """How well the votes around each pixel agree with a rim of these weights whose steps point so, 1 at best."""
    weights = rim / rim.sum()
    cosines, sines = votes
    across = cv2.filter2D(cosines, cv2.CV_32F, weights * np.cos(2 * turn_rad))
    aside = cv2.filter2D(sines, cv2.CV_32F, weights * np.sin(2 * turn_rad))
    return np.asarray(across + aside, np.float32)
