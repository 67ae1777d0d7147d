"""Templates and war machines."""

from tests.referee.scenario import Scenario

SCENARIOS: tuple[Scenario, ...] = ()

# Rules that no scenario holds yet.
OPEN = frozenset({
    "template-hits", "template-flame", "scatter-point", "stone-thrower", "cannon-line", "cannon-aim-legal",
    "bolt-thrower", "war-machine-pivot", "war-machine-combat", "war-machine-crew", "building-template",
})  # fmt: skip
