"""Oval bases found by voting as rings are: colour steps across an ellipse of a known size, at every turn."""

from collections.abc import Iterator

import numpy as np

from models.base import Catalogue, OvalBase
from models.layout import Layout
from vision.candidates import Candidate
from vision.rectify import Window
from vision.searching import Standing
from vision.voting import Map, Votes, VotingFinder, rim_of

_WIDTH_MM = 1.6  # of the band in which steps count
_TURNS = 18  # tried over half a turn: 5 degrees off at most
_LEAST_SCORE = 0.2  # 1 = a whole clean rim, 0 = chance
_APART = 0.15  # of its shorter side: candidates of one size that are nearer are one


class OvalFinder(VotingFinder):
    """Proposes oval bases of the catalogue's sizes on every surface of the layout."""

    px_per_mm = 0.5  # coarse: the rim of an oval is long, and there are many turns to try

    def __init__(self, catalogue: Catalogue, layout: Layout) -> None:
        super().__init__(layout)
        self._bases = tuple(base for base in catalogue.bases if isinstance(base, OvalBase))
        sides_mm = (side for base in self._bases for side in (base.width_mm, base.depth_mm))
        self.reach_mm = max(sides_mm, default=0.0) / 2 + 3 * _WIDTH_MM

    def _peaks(self, votes: Votes, window: Window, standing: Standing) -> Iterator[Candidate]:
        """Every local best over places and turns."""
        turns = np.arange(_TURNS) * (np.pi / _TURNS)
        for base in self._bases:
            scores = np.stack([_score(votes, base, float(turn), window.px_per_mm) for turn in turns])
            score = scores.max(axis=0)
            apart_mm = _APART * min(base.width_mm, base.depth_mm)
            for row, column, at_mm, ground in self._best(
                score, window, standing, least=_LEAST_SCORE, apart_mm=apart_mm
            ):
                turn = float(turns[scores[:, row, column].argmax()])
                yield Candidate(base, at_mm, ground, float(score[row, column]), turn)


def _score(votes: Votes, base: OvalBase, turn_rad: float, px_per_mm: float) -> Map:
    """How well the votes around each pixel agree with the rim of this oval, its depth along `turn_rad`."""
    a, b, width_px = base.depth_mm / 2 * px_per_mm, base.width_mm / 2 * px_per_mm, _WIDTH_MM * px_per_mm
    reach = int(np.ceil(max(a, b) + 3 * width_px))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    cos, sin = np.cos(-turn_rad), np.sin(-turn_rad)  # rows run the other way than the table's y
    along, aside = x * cos + y * sin, y * cos - x * sin
    slope_a, slope_b = along / a**2, aside / b**2
    off = (np.hypot(along / a, aside / b) ** 2 - 1) / (2 * np.hypot(slope_a, slope_b) + 1e-6)
    rim = np.exp(-((off / width_px) ** 2) / 2)
    return votes.agreement(rim_of(rim, np.arctan2(slope_b, slope_a) - turn_rad, shape=votes.cosines.shape))
