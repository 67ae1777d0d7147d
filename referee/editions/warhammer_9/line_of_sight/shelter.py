"""Shelter: the cover of a unit from each of several shooters, and from most of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from models.verdict import CAPPED_MM
from referee.rules.switches import EXACT_MM, is_margin_met

BONUS = {"none": 0, "soft": -1, "hard": -2}


@dataclass(frozen=True)
class Shelter:
    """Cover from one shooter: how many are obscured, and by how much.

    `excess_mm` is by how much of a base's width more than half is hidden of the one that makes the majority, by
    whatever it is; `hard_excess_mm` the same by hard cover alone.
    """

    excess_mm: float
    hard_excess_mm: float
    obscured: int
    obscured_by: tuple[tuple[str, int], ...]
    """What obscures, and how many of them."""
    depends_on: tuple[str, ...]
    doubtful: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """Hard, soft or none. Source: Cover, p. 36."""
        return self.shifted_kind(0.0)

    def shifted_kind(self, by_mm: float) -> str:
        """What the cover were with so much more of a base hidden."""
        hard, soft = (is_margin_met(mm + by_mm, zero_is_met=False) for mm in (self.hard_excess_mm, self.excess_mm))
        return "hard" if hard else "soft" if soft else "none"


def group_by_cover(shelters: Mapping[str, Shelter], over_mm: float = 0.0) -> dict[str, list[str]]:
    """The shooters by the cover the target has from them. Source: Cover, p. 36: they are resolved apart."""
    groups: dict[str, list[str]] = {}
    for id_, shelter in shelters.items():
        groups.setdefault(shelter.shifted_kind(over_mm), []).append(id_)
    return groups


def majority_cover(groups: dict[str, list[str]]) -> str:
    """The cover from most of the shooters; of two as frequent the better one. Source: Cover, p. 36."""
    return max(groups, key=lambda group: (len(groups[group]), -BONUS[group]))


def majority_margin_mm(shelters: Mapping[str, Shelter]) -> tuple[float, str]:
    """By how much more or less of a base would have to be hidden for most shooters to say other, and whose base tells.

    Positive where most of them have it in cover.
    """
    is_covered = majority_cover(group_by_cover(shelters)) != "none"
    ways = [(mm, id_) for id_, shelter in shelters.items() for mm in (shelter.excess_mm, shelter.hard_excess_mm)]
    ways.sort(key=lambda change: abs(change[0]))
    for mm, cover_kind in ways:
        is_over = mm > EXACT_MM or (is_covered and mm >= -EXACT_MM)
        over = (-2 * EXACT_MM if is_over else 2 * EXACT_MM) - mm
        if (majority_cover(group_by_cover(shelters, over)) != "none") != is_covered:
            return (abs(mm) if is_covered else -abs(mm)), cover_kind
    return (CAPPED_MM if is_covered else -CAPPED_MM), ways[0][1]


def distance_to_turning_mm(shelter: Shelter, decisive: Shelter) -> float:
    """How far a shooter is from turning before the one who decides does."""
    limit = min(abs(decisive.excess_mm), abs(decisive.hard_excess_mm))
    return max(0.0, min(abs(shelter.excess_mm), abs(shelter.hard_excess_mm)) - limit)
