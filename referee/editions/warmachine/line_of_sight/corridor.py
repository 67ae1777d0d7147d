"""Corridor between two miniatures: where it runs, and everything near it, sorted by what it does."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from models.terrain import Effect, Terrain
from models.vocabulary import Point
from referee.arrays import Floats
from referee.geometry.broad_phase import BoundingDiscs, Discs
from referee.geometry.distance import nearest_on_segment
from referee.geometry.shapes import Area, RoundedShape, turn
from referee.line_of_sight import Obstacle, Wood


@dataclass(frozen=True)
class Corridor:
    """The hull of two bases, widened to the larger of them."""

    a: Point
    b: Point
    half_mm: float

    @classmethod
    def between(cls, a: RoundedShape, b: RoundedShape) -> "Corridor":
        return cls(a.centre, b.centre, max(a.reach_mm, b.reach_mm))

    def meets(self, area: Area) -> bool:
        """Whether the area lies in the way."""
        return self.beyond_mm(area) <= 0

    def beyond_mm(self, area: Area) -> float:
        """How far the area at least stays from it; over zero when it lies nowhere in the way."""
        return min((self._beyond_mm(part) for part in area.parts), default=math.inf)

    def all_beyond_mm(self, areas: Iterable[Area], discs: Discs) -> list[float]:
        """The same for many areas; `discs` hold their parts, in order."""
        rough = iter((discs.beyond_mm(self.a, self.b) - self.half_mm).tolist())
        parts = ([far if far > 0 else self._near_mm(p) for p, far in zip(a.parts, rough, strict=False)] for a in areas)
        return [min(beyond, default=math.inf) for beyond in parts]

    def _beyond_mm(self, part: RoundedShape) -> float:
        centre = part.centre
        rough = math.dist(centre, nearest_on_segment(centre, self.a, self.b)) - part.reach_mm - self.half_mm
        return rough if rough > 0 else self._near_mm(part)

    def _near_mm(self, part: RoundedShape) -> float:
        """The same for a part whose surrounding disc lies in the way."""
        rim, least = part.radius_mm + self.half_mm, math.inf
        for corner in part.points:  # one corner in the way is enough to know that the part is
            least = min(least, math.dist(corner, nearest_on_segment(corner, self.a, self.b)))
            if least <= rim:
                return least - rim
        if self._crosses(part):
            return -rim
        for side in part.edges():
            for end in (self.a, self.b):
                least = min(least, math.dist(end, nearest_on_segment(end, *side)))
        return least - rim

    def _crosses(self, part: RoundedShape) -> bool:
        """Whether the middle line runs through a polygon: something of it is left, cut off at every side."""
        first, last = 0.0, 1.0
        for p, q in part.edges():
            at_a, at_b = turn(p, q, self.a), turn(p, q, self.b)
            if at_a < 0 and at_b < 0:
                return False
            if at_a < 0 or at_b < 0:
                cut = at_a / (at_a - at_b)
                first, last = (max(first, cut), last) if at_a < 0 else (first, min(last, cut))
        return len(part.points) > 2 and first <= last


@dataclass
class InTheWay:
    """Everything near the lane between two miniatures, sorted by what it does."""

    corridor: Corridor
    crowd: BoundingDiscs
    crowd_beyond_mm: Floats
    """How far each base of the crowd at least stays from the corridor."""
    grounds: list[tuple[float, Terrain | Effect]]
    """The same for all terrain and effects, as the state lists them."""
    obstacles: list[Obstacle] = field(default_factory=list)
    woods: list[Wood] = field(default_factory=list)
    solids: list[tuple[Area, float]] = field(default_factory=list)
    solid_ids: set[str] = field(default_factory=set)
    ignored: dict[str, str] = field(default_factory=dict)
    needs: list[str] = field(default_factory=list)
    by_level: set[str] = field(default_factory=set)
    reach_mm: float = -math.inf
    """What stands up to this far from the corridor has been looked at."""
    doubtful: set[str] = field(default_factory=set)
    purpose: str | None = None
    """What the line is wanted for."""
    past_models: bool = False
    """Whether the viewer ignores intervening models, as one with Flight does when it picks whom to charge."""

    def bases_up_to(self, up_to_mm: float) -> list[tuple[float, str]]:
        """The bases not yet looked at that stand up to this far from the corridor, nearest first."""
        beyond = self.crowd_beyond_mm
        rows = np.flatnonzero((beyond > self.reach_mm) & (beyond <= up_to_mm))
        rows = rows[beyond[rows].argsort(kind="stable")]
        return [(float(beyond[k]), self.crowd.ids[k]) for k in rows]
