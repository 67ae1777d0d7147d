"""Lines of sight."""

from tests.referee.scenario import Scenario

SCENARIOS: tuple[Scenario, ...] = ()

# Rules that no scenario holds yet.
OPEN = frozenset({
    "los-model", "los-unit", "los-forest", "los-hill", "los-towering", "los-swarm", "los-obstacle-lean",
    "los-building", "los-ethereal",
})  # fmt: skip
