"""Oval bases found by voting as rings are: colour steps across an ellipse of a known size, at every turn."""

import cv2
import numpy as np
from numpy.typing import NDArray

from models.base import Catalogue, OvalBase
from models.camera import Camera, CameraPose
from models.layout import Layout
from vision.candidates import Box, Candidate, Picture
from vision.ground import GroundMap
from vision.rectify import Window, straightened, window_maps
from vision.rings import votes_of
from vision.searching import HALF_RIM_MM, ground_there, windows

Map = NDArray[np.float32]

_PX_PER_MM = 0.5  # coarse: the rim of an oval is long, and there are many turns to try
_WIDTH_MM = 1.6  # of the band in which steps count
_TURNS = 18  # tried over half a turn: 5 degrees off at most
_LEAST_SCORE = 0.2  # 1 = a whole clean rim, 0 = chance


class OvalFinder:
    """Proposes oval bases of the catalogue's sizes on every surface of the layout."""

    def __init__(self, catalogue: Catalogue, layout: Layout) -> None:
        self._bases = tuple(base for base in catalogue.bases if isinstance(base, OvalBase))
        self._ground = GroundMap(layout)
        self._table: Box = (0.0, 0.0, *layout.table_mm)

    def find(
        self, image: Picture, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> tuple[Candidate, ...]:
        found: list[Candidate] = []
        for surface_mm, window in windows(self._ground, table=self._table, boxes=boxes, px_per_mm=_PX_PER_MM):
            maps = window_maps(window, camera=camera, pose=pose, z_mm=surface_mm + HALF_RIM_MM)
            votes = votes_of(straightened(image, maps))
            for base in self._bases:
                found += self._peaks(votes, base, window, surface_mm)
        return tuple(sorted(found, key=lambda candidate: -candidate.score))

    def _peaks(self, votes: tuple[Map, Map], base: OvalBase, window: Window, surface_mm: float) -> list[Candidate]:
        """Every local best over places and turns whose ground is at this height."""
        turns = np.arange(_TURNS) * (np.pi / _TURNS)
        scores = np.stack([_score(votes, base, float(turn)) for turn in turns])
        score = scores.max(axis=0)
        reach = 2 * round(0.15 * min(base.width_mm, base.depth_mm) * _PX_PER_MM) + 1
        best = cv2.dilate(score, np.ones((reach, reach), np.uint8))
        rows, columns = np.nonzero((score == best) & (score > _LEAST_SCORE))
        found = []
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            ((x_mm, y_mm),) = window.to_mm(np.array([[column, row]], np.float64)).tolist()
            ground = ground_there(self._ground, (x_mm, y_mm), surface_mm=surface_mm, table=self._table)
            if ground is not None:
                turn = float(turns[scores[:, row, column].argmax()])
                found.append(Candidate(base, (x_mm, y_mm), ground, float(score[row, column]), turn))
        return found


def _score(votes: tuple[Map, Map], base: OvalBase, turn_rad: float) -> Map:
    """How well the votes around each pixel agree with the rim of this oval, its depth along `turn_rad`."""
    a, b = base.depth_mm / 2 * _PX_PER_MM, base.width_mm / 2 * _PX_PER_MM
    reach = int(np.ceil(max(a, b) + 3 * _WIDTH_MM * _PX_PER_MM))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    cos, sin = np.cos(-turn_rad), np.sin(-turn_rad)  # rows run the other way than the table's y
    along, aside = x * cos + y * sin, y * cos - x * sin
    slope_a, slope_b = along / a**2, aside / b**2
    off = (np.hypot(along / a, aside / b) ** 2 - 1) / (2 * np.hypot(slope_a, slope_b) + 1e-6)
    rim = np.exp(-((off / (_WIDTH_MM * _PX_PER_MM)) ** 2) / 2)
    rim /= rim.sum()
    twice = 2 * (np.arctan2(slope_b, slope_a) - turn_rad)
    cosines, sines = votes
    score = cv2.filter2D(cosines, cv2.CV_32F, rim * np.cos(twice)) + cv2.filter2D(
        sines, cv2.CV_32F, rim * np.sin(twice)
    )
    return np.asarray(score, np.float32)
