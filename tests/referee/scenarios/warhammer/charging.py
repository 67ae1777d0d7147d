"""Charging."""

from tests.referee.scenario import Scenario

SCENARIOS: tuple[Scenario, ...] = ()

# Rules that no scenario holds yet.
OPEN = frozenset({
    "charge-declarable", "charge-distance", "charge-success-probability", "charge-after-flight", "charge-path",
    "charge-side", "charge-align", "who-aligns", "max-models-in-contact", "multi-charge",
    "multi-chargers-one-target", "charge-defended-obstacle", "charge-failed-move", "charge-redirect",
    "stand-and-shoot", "flee-reaction", "charge-fleeing", "charge-impassable-squeeze", "flyer-charge",
    "frenzy-must-charge",
})  # fmt: skip
