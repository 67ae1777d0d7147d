"""All scenarios of WARMACHINE's first edition."""

from tests.referee.scenarios.first import melee, moving, sight, unchanged, units

SCENARIOS = (*unchanged.SCENARIOS, *sight.SCENARIOS, *melee.SCENARIOS, *moving.SCENARIOS, *units.SCENARIOS)
