"""Scene of a line-of-sight question: two ends, what stands between them, and woods."""

import math
from dataclasses import dataclass

from models.vocabulary import Point
from referee.geometry.shapes import Area, RoundedShape


@dataclass(frozen=True)
class End:
    """A disc or convex polygon a line starts or stops on, cut to the closed side `normal . x >= offset` of a line."""

    shape: RoundedShape
    normal: Point | None = None
    offset_mm: float = 0.0

    def depth_mm(self) -> float:
        """How far the shape reaches past the cut; negative when nothing is left of it."""
        if self.normal is None:
            return math.inf
        return self.shape.support(self.normal) - self.offset_mm


@dataclass(frozen=True)
class Obstacle:
    """Something a line may not touch over the stretch `from_share` to `to_share` of its length.

    A solid lower than one end closes only the low stretch of the line; everything else closes all of it.
    """

    id: str
    area: Area
    from_share: float = 0.0
    to_share: float = 1.0

    @property
    def is_flat(self) -> bool:
        """Whether it closes lines over all of their length, at any height."""
        return self.from_share <= 0 and self.to_share >= 1


@dataclass(frozen=True)
class Wood:
    """An area a line may cross for `depth_mm`, if one of its ends is inside; else not at all, unless that is told."""

    id: str
    area: Area
    depth_mm: float
    end_inside: bool | None = None
    """Whether a line counts as having an end inside, when that goes by miniature and not by point.

    True also for woods that any line may cross for their depth, wherever its ends are.
    """
