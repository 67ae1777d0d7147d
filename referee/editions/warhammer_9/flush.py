"""Flush: the places where a charger stands square to a side of its target, and how many of both touch there."""

import math
from dataclasses import dataclass, replace
from itertools import pairwise

from models.words import Point
from referee.editions.warhammer_9.engaged import edge_of
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.regiments import Regiment
from referee.motion import stretch_within
from referee.shapes import Rounded
from referee.situation import Situation

_TOUCH_MM = 0.01


@dataclass(frozen=True)
class Flush:
    """A side with the charger square before it; `middle_mm` of a place is where its front's middle lies, from `start`.

    Source: Aligning to the Enemy, p. 19.
    """

    start: Point
    end: Point
    own: Footing
    files: int
    step_mm: float
    """How far apart the target's miniatures stand along this side."""
    slack_mm: float = _TOUCH_MM
    """Negative where touching with the corner alone does not count."""
    is_own_alone: bool = False

    @classmethod
    def of(cls, table: Situation, own: Regiment, foe: Regiment, side: str) -> "Flush":
        (start, end), (wide, deep) = edge_of(foe, side).points, foe.base_mm
        count = foe.files if side in ("front", "rear") else foe.ranks
        long = math.dist(start, end)
        return cls(
            start,
            end,
            Footing.of(own),
            own.files,
            long / count if count > 1 else (wide if side in ("front", "rear") else deep),
        ).under(table)

    def under(self, table: Situation) -> "Flush":
        """The same side by the readings of this table."""
        counts, alone = table.reading("corner-contact") == "counts", table.reading("most-contact") == "own-side"
        return replace(self, slack_mm=_TOUCH_MM if counts else -_TOUCH_MM, is_own_alone=alone)

    def is_as_good_as(self, other: "Flush", middle_mm: float) -> bool:
        """Whether this and the other way to count lead to the same places, in the same order, and to one number."""
        return self.touching(middle_mm) == other.touching(middle_mm) and self.places() == other.places()

    @property
    def long_mm(self) -> float:
        return math.dist(self.start, self.end)

    @property
    def along(self) -> Point:
        return ((self.end[0] - self.start[0]) / self.long_mm, (self.end[1] - self.start[1]) / self.long_mm)

    def at(self, middle_mm: float) -> Footing:
        """The charger flush with the side: the target lies to the left of start to end."""
        (x, y), (ex, ey) = self.start, self.along
        return replace(self.own, front=(x + ex * middle_mm, y + ey * middle_mm), facing_rad=math.atan2(ex, -ey))

    def touching(self, middle_mm: float) -> tuple[int, int]:
        """How many files of the charger and how many miniatures of that side touch. Source: Who Can Strike, p. 42."""
        left, right = middle_mm - self.own.width_mm / 2, middle_mm + self.own.width_mm / 2
        wide = self.own.width_mm / self.files
        mine = self._within([(left + k * wide, left + (k + 1) * wide) for k in range(self.files)], 0.0, self.long_mm)
        rows = max(1, round(self.long_mm / self.step_mm))
        theirs = self._within([(k * self.step_mm, (k + 1) * self.step_mm) for k in range(rows)], left, right)
        return mine, theirs

    def _within(self, spans: list[tuple[float, float]], low: float, high: float) -> int:
        return sum(a <= high + self.slack_mm and b >= low - self.slack_mm for a, b in spans)

    def score(self, middle_mm: float) -> int:
        """What is to be as great as possible. Source: Move Chargers, p. 19."""
        mine, theirs = self.touching(middle_mm)
        return mine if self.is_own_alone else mine + theirs

    @property
    def most(self) -> int:
        """The most that can be in contact anywhere along the side."""
        return max(map(self.score, self.places()))

    @property
    def straight_on_mm(self) -> float:
        """Where its front's middle lies along the side now."""
        (x, y), (ex, ey) = self.start, self.along
        return (self.own.front[0] - x) * ex + (self.own.front[1] - y) * ey

    def places(self) -> list[float]:
        """Places worth trying: where miniatures of both begin to touch, between those, and straight on."""
        half, wide = self.own.width_mm / 2, self.own.width_mm / self.files
        rows = max(1, round(self.long_mm / self.step_mm))
        marks = [k * self.step_mm + half - j * wide for k in range(rows + 1) for j in range(self.files + 1)]
        marks = sorted({round(one, 6) for one in (*marks, self.straight_on_mm) if -half < one < self.long_mm + half})
        between = [(a + b) / 2 for a, b in pairwise(marks)]
        return sorted((*marks, *between), key=lambda one: (-self.score(one), abs(one - self.straight_on_mm)))

    def barred(self, closed: list[Rounded]) -> list[tuple[float, float]]:
        """The stretches of places where it would overlap one of these."""
        shape = self.at(0.0).shape
        spans = (stretch_within(shape, self.along, one) for one in closed)
        return [span for span in spans if span is not None and span[1] - span[0] > _TOUCH_MM]
