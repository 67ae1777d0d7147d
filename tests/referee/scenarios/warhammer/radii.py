"""Radii: leadership, panic, protection, auras."""

from tests.referee.scenario import Scenario

SCENARIOS: tuple[Scenario, ...] = ()

# Rules that no scenario holds yet.
OPEN = frozenset({
    "leadership-radius", "battle-standard-radius", "panic-within", "panic-casualties", "panic-chance", "look-out-sir",
    "shots-at-character", "aura-terrain", "spell-distance-area",
})  # fmt: skip
