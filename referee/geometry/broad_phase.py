"""Broad phase: bases and parts of terrain as bounding discs, so that what stands near a line is found at once."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from models.base import OvalBase, RectBase, RoundBase
from models.state import TableState
from models.vocabulary import Point
from referee.arrays import Complexes, Floats


@dataclass(frozen=True)
class Discs:
    """Many discs as numbers: where, and how far each reaches from its centre."""

    at: Complexes
    reach_mm: Floats

    def beyond_mm(self, a: Point, b: Point) -> Floats:
        """How far each at least stays from the segment between two points."""
        p, along = complex(*a), complex(*b) - complex(*a)
        away = self.at - p
        share = np.clip(np.real(away * along.conjugate()) / (abs(along) ** 2 or 1.0), 0.0, 1.0)
        return np.abs(away - share * along) - self.reach_mm


@dataclass(frozen=True)
class BoundingDiscs(Discs):
    """All bases as discs that hold them: who, and each one's row."""

    ids: tuple[str, ...]
    place: Mapping[str, int]

    def with_centres(self, centres_mm: Mapping[str, Point]) -> "BoundingDiscs":
        """The same crowd with these bases elsewhere."""
        at = self.at.copy()
        for id_, (x, y) in centres_mm.items():
            at[self.place[id_]] = complex(x, y)
        return BoundingDiscs(at, self.reach_mm, self.ids, self.place)


def bounding_discs_of(state: TableState) -> BoundingDiscs:
    """All bases of a table where they stand."""
    minis = state.miniatures
    reach = [_base_reach_mm(m.base) for m in minis]
    at = np.array([complex(*m.at_mm) for m in minis], dtype=np.complex128)
    places = {m.id: k for k, m in enumerate(minis)}
    return BoundingDiscs(at, np.array(reach, dtype=np.float64), tuple(places), places)


def _base_reach_mm(base: RoundBase | RectBase | OvalBase) -> float:
    return base.radius_mm if isinstance(base, RoundBase) else math.hypot(base.width_mm, base.depth_mm) / 2
