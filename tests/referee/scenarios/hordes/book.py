"""All scenarios of HORDES Mk II."""

from tests.referee.scenarios.hordes import command, melee, moving, setting, sight, unchanged

SCENARIOS = (
    *unchanged.SCENARIOS, *sight.SCENARIOS, *melee.SCENARIOS, *moving.SCENARIOS, *setting.SCENARIOS, *command.SCENARIOS,
)  # fmt: skip
