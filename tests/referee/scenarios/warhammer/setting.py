"""Set-up, characters, buildings and objectives."""

from tests.referee.scenario import Scenario

SCENARIOS: tuple[Scenario, ...] = ()

# Rules that no scenario holds yet.
OPEN = frozenset({
    "deployment-legal", "scout-placement", "vanguard-move", "ambush-entry", "building-garrison", "building-exit",
    "building-assault", "hill-bonus", "objective-control", "victory-share", "push-spell",
})  # fmt: skip
