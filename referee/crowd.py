"""Many bases, or parts of terrain, as numbers: what stands near a line is found for all of them at once."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.base import OvalBase, RectBase, RoundBase
from models.state import TableState
from models.words import Point


@dataclass(frozen=True)
class Discs:
    """Many discs as numbers: where, and how far each reaches from its centre."""

    at: NDArray[np.complex128]
    reach_mm: NDArray[np.float64]

    def beyond_mm(self, a: Point, b: Point) -> NDArray[np.float64]:
        """How far each at least stays from the segment between two points."""
        p, way = complex(*a), complex(*b) - complex(*a)
        away = self.at - p
        share = np.clip(np.real(away * way.conjugate()) / (abs(way) ** 2 or 1.0), 0.0, 1.0)
        return np.abs(away - share * way) - self.reach_mm


@dataclass(frozen=True)
class Crowd(Discs):
    """All bases as discs that hold them: who, and each one's row."""

    ids: tuple[str, ...]
    place: Mapping[str, int]

    def moved(self, centres_mm: Mapping[str, Point]) -> "Crowd":
        """The same crowd with these bases elsewhere."""
        at = self.at.copy()
        for id_, (x, y) in centres_mm.items():
            at[self.place[id_]] = complex(x, y)
        return Crowd(at, self.reach_mm, self.ids, self.place)


def crowd_of(state: TableState) -> Crowd:
    """All bases of a table where they stand."""
    minis = state.miniatures
    reach = [_base_reach_mm(m.base) for m in minis]
    at = np.array([complex(*m.at_mm) for m in minis], dtype=np.complex128)
    places = {m.id: k for k, m in enumerate(minis)}
    return Crowd(at, np.array(reach, dtype=np.float64), tuple(places), places)


def _base_reach_mm(base: RoundBase | RectBase | OvalBase) -> float:
    return base.radius_mm if isinstance(base, RoundBase) else math.hypot(base.width_mm, base.depth_mm) / 2
