"""Alignment: the places where a charger stands square to a side of its target, and how many of both touch there."""

import math
from dataclasses import dataclass, replace
from itertools import pairwise

from models.vocabulary import Point
from referee.editions.warhammer_9.units.engagement import edge_of
from referee.editions.warhammer_9.units.regiment import Regiment
from referee.geometry.shapes import RoundedShape
from referee.motion.block_pose import BlockPose
from referee.motion.sweep import stretch_within
from referee.rules.exact_table import ExactTable

_TOUCH_MM = 0.01


@dataclass(frozen=True)
class Alignment:
    """Aligned places along a side of the target; `middle_mm` of one is where the front's middle lies, from `start`.

    Source: Aligning to the Enemy, p. 19.
    """

    start: Point
    end: Point
    own: BlockPose
    files: int
    step_mm: float
    """How far apart the target's miniatures stand along this side."""
    slack_mm: float = _TOUCH_MM
    """Negative where touching with the corner alone does not count."""
    is_own_alone: bool = False
    stands_mm: tuple[float, float] | None = None
    """From where to where the target stands along this side; None where it takes the whole of it."""

    @classmethod
    def of(cls, table: ExactTable, own: Regiment, foe: Regiment, side: str) -> "Alignment":
        (start, end), (wide, deep) = edge_of(foe, side).points, foe.base_mm
        count = foe.files if side in ("front", "rear") else foe.ranks
        long = math.dist(start, end)
        return cls(
            start,
            end,
            BlockPose.of(own),
            own.files,
            long / count if count > 1 else (wide if side in ("front", "rear") else deep),
        ).with_readings_of(table)

    def with_readings_of(self, table: ExactTable) -> "Alignment":
        """The same side by the readings of this table."""
        counts, alone = table.reading("corner-contact") == "counts", table.reading("most-contact") == "own-side"
        return replace(self, slack_mm=_TOUCH_MM if counts else -_TOUCH_MM, is_own_alone=alone)

    def is_equivalent_at(self, other: "Alignment", middle_mm: float) -> bool:
        """Whether this and the other way to count lead to the same places, in the same order, and to one number."""
        return (
            self.contact_counts(middle_mm) == other.contact_counts(middle_mm)
            and self.candidate_places() == other.candidate_places()
        )

    @property
    def length_mm(self) -> float:
        return math.dist(self.start, self.end)

    @property
    def direction(self) -> Point:
        return ((self.end[0] - self.start[0]) / self.length_mm, (self.end[1] - self.start[1]) / self.length_mm)

    def pose_at(self, middle_mm: float) -> BlockPose:
        """The charger flush with the side: the target lies to the left of start to end."""
        (x, y), (ex, ey) = self.start, self.direction
        return replace(self.own, front=(x + ex * middle_mm, y + ey * middle_mm), facing_rad=math.atan2(ex, -ey))

    def contact_counts(self, middle_mm: float) -> tuple[int, int]:
        """How many files of the charger and how many miniatures of that side touch. Source: Who Can Strike, p. 42."""
        left, right = middle_mm - self.own.width_mm / 2, middle_mm + self.own.width_mm / 2
        first, last = self.stands_mm or (0.0, self.length_mm)
        mine = self._count_overlapping(left, self.own.width_mm / self.files, self.files, first, last)
        return mine, self._count_overlapping(first, self.step_mm, self._target_count, left, right)

    @property
    def _target_count(self) -> int:
        """How many miniatures of the target stand along the side."""
        first, last = self.stands_mm or (0.0, self.length_mm)
        return max(1, round((last - first) / self.step_mm))

    def target_marks(self) -> list[float]:
        """Where along the side a miniature of the target begins or ends."""
        first = self.stands_mm[0] if self.stands_mm else 0.0
        return [first + k * self.step_mm for k in range(self._target_count + 1)]

    def _count_overlapping(self, start: float, wide: float, count: int, low: float, high: float) -> int:
        """How many of so many spans of this width, from a start on, reach into another."""
        last = min(count - 1, math.floor((high + self.slack_mm - start) / wide))
        return max(0, last + 1 - max(0, math.ceil((low - self.slack_mm - start) / wide) - 1))

    def contact_score(self, middle_mm: float) -> int:
        """What is to be as great as possible. Source: Move Chargers, p. 19."""
        mine, theirs = self.contact_counts(middle_mm)
        return mine if self.is_own_alone else mine + theirs

    @property
    def most_contacts(self) -> int:
        """The most that can be in contact anywhere along the side."""
        return max(map(self.contact_score, self.candidate_places()))

    @property
    def straight_on_mm(self) -> float:
        """Where its front's middle lies along the side now."""
        (x, y), (ex, ey) = self.start, self.direction
        return (self.own.front[0] - x) * ex + (self.own.front[1] - y) * ey

    def candidate_places(self) -> list[float]:
        """Places worth trying: where miniatures of both begin to touch, between those, and straight on."""
        half, wide = self.own.width_mm / 2, self.own.width_mm / self.files
        marks = [edge + half - j * wide for edge in self.target_marks() for j in range(self.files + 1)]
        marks = sorted(
            {round(mark, 6) for mark in (*marks, self.straight_on_mm) if -half < mark < self.length_mm + half}
        )
        between = [(a + b) / 2 for a, b in pairwise(marks)]
        return sorted((*marks, *between), key=lambda mark: (-self.contact_score(mark), abs(mark - self.straight_on_mm)))

    def blocked_spans(self, closed: list[RoundedShape]) -> list[tuple[float, float]]:
        """The stretches of places where it would overlap one of these."""
        shape = self.pose_at(0.0).shape
        spans = (stretch_within(shape, self.direction, span) for span in closed)
        return [span for span in spans if span is not None and span[1] - span[0] > _TOUCH_MM]
