"""All scenarios of Warhammer, by the parts of its rules."""

from itertools import chain

from tests.referee.scenarios.warhammer import (
    charging,
    fighting,
    fleeing,
    machines,
    measuring,
    moving,
    radii,
    setting,
    shooting,
    sight,
)

PARTS = (measuring, sight, moving, charging, fleeing, shooting, machines, fighting, setting, radii)
SCENARIOS = tuple(chain.from_iterable(part.SCENARIOS for part in PARTS))
