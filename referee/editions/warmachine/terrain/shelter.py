"""Shelter: one thing that may grant cover or concealment, and how lines of sight cross it."""

from dataclasses import dataclass
from typing import Literal

from referee.geometry.area_crossing import Run
from referee.rules.rule_result import RuleResult

Grant = Literal["none", "concealment", "cover"]


@dataclass(frozen=True)
class Crossing:
    """How lines between two bases pass through a feature: how deep it reaches among them, and the shortest run."""

    depth_mm: float
    run: Run | None


@dataclass(frozen=True)
class Shelter:
    """One thing that may grant cover or concealment, and whether it does."""

    id: str
    grant: Grant
    result: RuleResult
    crossing: Crossing | None = None
    obscures: bool | None = None
    """Whether it obscures the target, where that does not go by the crossing."""
