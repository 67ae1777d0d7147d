"""Measuring, formation and quadrants."""

from tests.referee.scenario import Scenario

SCENARIOS: tuple[Scenario, ...] = ()

# Rules that no scenario holds yet.
OPEN = frozenset({
    "unit-distance", "unit-within", "unit-legal-formation", "unit-ranks", "unit-strength", "unit-arc", "model-arc",
    "in-front-arc-unit", "large-target", "skirmish-formation",
})  # fmt: skip
