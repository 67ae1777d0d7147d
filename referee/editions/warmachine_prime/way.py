"""The way between two miniatures: where it runs, and everything near it, sorted by what it does."""

import math
from dataclasses import dataclass, field

from models.terrain import Effect, Terrain
from models.words import Point
from referee.gaps import gap, nearest_on_segment
from referee.shapes import Area, Rounded
from referee.sight import Obstacle, Wood


@dataclass(frozen=True)
class Corridor:
    """The hull of two bases, widened to the larger of them."""

    a: Point
    b: Point
    half_mm: float

    @classmethod
    def between(cls, a: Rounded, b: Rounded) -> "Corridor":
        return cls(a.centre, b.centre, max(a.reach_mm, b.reach_mm))

    def meets(self, area: Area) -> bool:
        """Whether the area lies in the way."""
        return self.beyond_mm(area) <= 0

    def beyond_mm(self, area: Area) -> float:
        """How far the area at least stays from it; over zero when it lies nowhere in the way."""
        return min((self._beyond_mm(part) for part in area.parts), default=math.inf)

    def _beyond_mm(self, part: Rounded) -> float:
        centre = part.centre
        rough = math.dist(centre, nearest_on_segment(centre, self.a, self.b)) - part.reach_mm - self.half_mm
        if rough > 0:
            return rough
        for corner in part.points:  # one corner in the way is enough to know that the part is
            near = math.dist(corner, nearest_on_segment(corner, self.a, self.b)) - part.radius_mm - self.half_mm
            if near <= 0:
                return near
        return gap(part, Rounded((self.a, self.b), self.half_mm)).mm


@dataclass
class InTheWay:
    """Everything near the lane between two miniatures, sorted by what it does."""

    corridor: Corridor
    bases: list[tuple[float, str]] = field(default_factory=list)
    """Every other base with its least distance from the corridor, nearest first; not yet sorted by what it does."""
    grounds: list[tuple[float, Terrain | Effect]] = field(default_factory=list)
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
    past_models: bool = False
    """Whether the viewer ignores intervening models, as one with Flight does when it picks whom to charge."""
