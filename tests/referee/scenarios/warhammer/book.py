"""All scenarios of Warhammer, by the parts of its rules."""

from itertools import chain

from tests.referee.scenarios.warhammer import (
    charges,
    combat,
    distances_and_formation,
    flight,
    leadership_and_auras,
    line_of_sight,
    movement,
    setup,
    shooting,
    war_machines,
)

PARTS = (
    distances_and_formation,
    line_of_sight,
    movement,
    charges,
    flight,
    shooting,
    war_machines,
    combat,
    setup,
    leadership_and_auras,
)
SCENARIOS = tuple(chain.from_iterable(part.SCENARIOS for part in PARTS))
