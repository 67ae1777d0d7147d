"""The classical finder: colour steps that run along a ring of a known radius vote for its centre.

A step votes by its direction, not its sign, since rims are painted light and dark; a step that points along the ring's
radius counts for it and one that points along its tangent counts against.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from models.base import Catalogue, RoundBase
from models.camera import Camera, CameraPose
from models.layout import Layout
from vision.candidates import Box, Candidate, Picture
from vision.ground import GroundMap
from vision.rectify import Window, straightened, window_maps
from vision.searching import HALF_RIM_MM, ground_there, windows
from vision.tone import perceived

Map = NDArray[np.float32]

_RING_WIDTH_MM = 1.0
_HALF_VOTE = 6.0  # grey levels per pixel at which a step has half a vote
_LEAST_SCORE = 0.25  # 1 = a whole clean ring, 0 = chance
_PX_PER_MM = 1.0  # enough to find; the fit goes back to the camera's own pixels


class RingFinder:
    """Proposes round bases of the catalogue's sizes on every surface of the layout."""

    def __init__(self, catalogue: Catalogue, layout: Layout) -> None:
        self._bases = tuple(base for base in catalogue.bases if isinstance(base, RoundBase))
        self._ground = GroundMap(layout)
        self._table: Box = (0.0, 0.0, *layout.table_mm)

    def find(
        self, image: Picture, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> tuple[Candidate, ...]:
        found: list[Candidate] = []
        for surface_mm, window in windows(self._ground, table=self._table, boxes=boxes, px_per_mm=_PX_PER_MM):
            maps = window_maps(window, camera=camera, pose=pose, z_mm=surface_mm + HALF_RIM_MM)
            found += self._found(straightened(image, maps), window, surface_mm)
        return tuple(sorted(found, key=lambda candidate: -candidate.score))

    def _found(self, picture: Picture, window: Window, surface_mm: float) -> list[Candidate]:
        votes = votes_of(picture)
        scale = window.px_per_mm
        return [
            candidate
            for base in self._bases
            for candidate in self._peaks(_ring_score(votes, base.radius_mm * scale, scale), base, window, surface_mm)
        ]

    def _peaks(self, score: Map, base: RoundBase, window: Window, surface_mm: float) -> list[Candidate]:
        """Every local best of the score whose ground is at this height."""
        reach = 2 * round(0.15 * base.diameter_mm * window.px_per_mm) + 1
        best = cv2.dilate(score, np.ones((reach, reach), np.uint8))
        rows, columns = np.nonzero((score == best) & (score > _LEAST_SCORE))
        places = window.to_mm(np.column_stack([columns, rows]).astype(np.float64))
        found = []
        for (x_mm, y_mm), strength in zip(places.tolist(), score[rows, columns].tolist(), strict=True):
            ground = ground_there(self._ground, (x_mm, y_mm), surface_mm=surface_mm, table=self._table)
            if ground is not None:
                found.append(Candidate(base, (x_mm, y_mm), ground, strength))
        return found


def votes_of(picture: Picture) -> tuple[Map, Map]:
    """Strength of each pixel's colour step times cosine and sine of twice its direction."""
    smooth = cv2.GaussianBlur(perceived(picture), (0, 0), 1.0)
    across = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
    xx, yy, xy = ((a * b).sum(axis=2) for a, b in ((across, across), (down, down), (across, down)))
    length = np.hypot(xx - yy, 2 * xy)
    strength = np.sqrt(np.maximum((xx + yy + length) / 2, 0))
    vote = strength / (strength + _HALF_VOTE) / (length + 1e-6)
    return vote * (xx - yy), vote * 2 * xy


def _ring_score(votes: tuple[Map, Map], radius_px: float, px_per_mm: float) -> Map:
    """How well the votes around each pixel agree with a ring of this radius, 1 at best."""
    width_px = _RING_WIDTH_MM * px_per_mm
    reach = int(np.ceil(radius_px + 3 * width_px))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    ring = np.exp(-(((np.hypot(x, y) - radius_px) / width_px) ** 2) / 2)
    ring /= ring.sum()
    twice = 2 * np.arctan2(y, x)
    cosines, sines = votes
    score = cv2.filter2D(cosines, cv2.CV_32F, ring * np.cos(twice)) + cv2.filter2D(
        sines, cv2.CV_32F, ring * np.sin(twice)
    )
    return np.asarray(score, np.float32)
