"""Flight, pursuit and panic."""

from tests.referee.scenario import Scenario

SCENARIOS: tuple[Scenario, ...] = ()

# Rules that no scenario holds yet.
OPEN = frozenset({
    "flee-move", "flee-dangerous-tests", "flee-off-table", "flee-direction-break", "flee-direction-panic",
    "pursuit-probability", "pursuit-move", "overrun-move", "pursuit-off-table", "restrain-reform", "rally-reform",
})  # fmt: skip
