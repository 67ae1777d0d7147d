"""Shooting, cover and magic."""

from tests.referee.scenario import Scenario

SCENARIOS: tuple[Scenario, ...] = ()

# Rules that no scenario holds yet.
OPEN = frozenset({
    "shooters-eligible", "fire-two-ranks", "volley-fire", "skirmisher-fire", "cover-unit", "cover-obstacle",
    "shooting-modifiers", "shooting-into-combat", "shooting-forbidden", "spell-target", "vortex-placement",
    "line-spell", "building-shooting",
})  # fmt: skip
