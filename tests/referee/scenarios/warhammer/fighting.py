"""Close combat."""

from tests.referee.scenario import Scenario

SCENARIOS: tuple[Scenario, ...] = ()

# Rules that no scenario holds yet.
OPEN = frozenset({
    "combat-contacts", "supporting-attacks", "rank-bonus", "combat-bonuses", "disruption", "steadfast",
    "combat-reform", "nudge-contact", "impact-and-stomp", "challenge-move",
})  # fmt: skip
