"""Circle detection: a generalised Hough transform for the known radii of round bases."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from models.base import Catalogue, RoundBase
from models.layout import Layout
from vision.candidates import Candidate
from vision.detection.hough_voting import HoughAccumulator, HoughFinder, RimTemplate, rim_template
from vision.rectification.rectify import Window
from vision.rectification.search_windows import GroundProjection

_RING_WIDTH_MM = 1.0
_LEAST_SCORE = 0.25  # 1 = a whole clean ring, 0 = chance
_KEPT = 8  # rings of a look, for the next one: 20 MB each for a whole table
_APART = 0.15  # of its diameter: candidates of one size that are nearer are one


class CircleFinder(HoughFinder):
    """Proposes round bases of the catalogue's sizes on every surface of the layout."""

    px_per_mm = 1.0  # enough to find; the fit goes back to the camera's own pixels

    def __init__(self, catalogue: Catalogue, layout: Layout) -> None:
        super().__init__(layout)
        self._bases = tuple(base for base in catalogue.bases if isinstance(base, RoundBase))
        self._log_prior = catalogue.log_prior
        self.reach_mm = max((base.radius_mm for base in self._bases), default=0.0) + 3 * _RING_WIDTH_MM

    def _find_peaks(self, votes: HoughAccumulator, window: Window, standing: GroundProjection) -> Iterator[Candidate]:
        for base in self._bases:
            ring = _ring_template(
                base.radius_mm * window.px_per_mm, _RING_WIDTH_MM * window.px_per_mm, votes.cosines.shape
            )
            score = votes.correlate(ring)
            apart_mm = _APART * base.diameter_mm
            for row, column, at_mm, ground in self._local_maxima(
                score, window, standing, least=_LEAST_SCORE, apart_mm=apart_mm
            ):
                yield Candidate(base, at_mm, ground, float(score[row, column]), log_prior=self._log_prior(base))


@lru_cache(maxsize=_KEPT)
def _ring_template(radius_px: float, width_px: float, shape: tuple[int, ...]) -> RimTemplate:
    """A ring of this radius whose steps point outward."""
    reach = int(np.ceil(radius_px + 3 * width_px))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    weights = np.exp(-(((np.hypot(x, y) - radius_px) / width_px) ** 2) / 2)
    return rim_template(weights, np.arctan2(y, x), shape=shape)
