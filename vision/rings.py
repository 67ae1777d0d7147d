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
from vision.candidates import Candidate, Picture
from vision.ground import GroundMap
from vision.rectify import Scale, straightened, table_maps

Map = NDArray[np.float32]

_MARGIN_MM = 30.0
_HALF_RIM_MM = 2.0  # the picture is straightened at about half the height of a rim
_RING_WIDTH_MM = 1.0
_HALF_VOTE = 6.0  # grey levels per pixel at which a step has half a vote
_LEAST_SCORE = 0.25  # 1 = a whole clean ring, 0 = chance
_LEAST_PX_PER_MM = 1.0


class RingFinder:
    """Proposes round bases of the catalogue's sizes on every surface of the layout."""

    def __init__(self, catalogue: Catalogue, layout: Layout) -> None:
        self._bases = tuple(base for base in catalogue.bases if isinstance(base, RoundBase))
        self._layout = layout
        self._ground = GroundMap(layout)

    def find(self, image: Picture, *, camera: Camera, pose: CameraPose) -> tuple[Candidate, ...]:
        px_per_mm = max(_LEAST_PX_PER_MM, resolution_px_per_mm(camera, pose))
        scale = Scale(px_per_mm, _MARGIN_MM, self._layout.table_mm)
        found: list[Candidate] = []
        for surface_mm in self._ground.surfaces_mm():
            maps = table_maps(scale, camera=camera, pose=pose, z_mm=surface_mm + _HALF_RIM_MM)
            votes = _votes(straightened(image, maps))
            for base in self._bases:
                found += self._peaks(_ring_score(votes, base.radius_mm * px_per_mm, px_per_mm), base, scale, surface_mm)
        return tuple(sorted(found, key=lambda candidate: -candidate.score))

    def _peaks(self, score: Map, base: RoundBase, scale: Scale, surface_mm: float) -> list[Candidate]:
        """Every local best of the score whose ground is at this height."""
        reach = 2 * round(0.15 * base.diameter_mm * scale.px_per_mm) + 1
        best = cv2.dilate(score, np.ones((reach, reach), np.uint8))
        found = []
        for y, x in np.argwhere((score == best) & (score > _LEAST_SCORE)):
            at_mm = scale.to_mm(float(x), float(y))
            ground = self._ground.under(at_mm)
            if abs(ground.surface_mm - surface_mm) <= 0.5:
                found.append(Candidate(base, at_mm, ground, float(score[y, x])))
        return found


def resolution_px_per_mm(camera: Camera, pose: CameraPose) -> float:
    """Pixels of the camera for a millimetre of table, under the camera."""
    return float(camera.K[0][0] / max(pose.centre_mm[2], 1.0))


def _votes(picture: Picture) -> tuple[Map, Map]:
    """Strength of each pixel's colour step times cosine and sine of twice its direction."""
    smooth = cv2.GaussianBlur(picture, (0, 0), 1.0).astype(np.float32)
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
