"""Moving."""

from tests.referee.scenario import Scenario

SCENARIOS: tuple[Scenario, ...] = ()

# Rules that no scenario holds yet.
OPEN = frozenset({
    "move-budget", "move-infer", "wheel-distance", "wheel-double-move", "reform-legal", "swift-reform",
    "free-reform", "march", "one-inch-rule", "fits-between", "terrain-movement", "dangerous-terrain-models",
    "table-edge", "reinforcement-placement", "fly-move", "random-movement", "compulsory-stupidity", "skirmish-move",
    "character-join", "character-leave", "character-footprint",
})  # fmt: skip
