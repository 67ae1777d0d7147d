"""All scenarios, by the group of questions they belong to."""

from itertools import chain

from tests.referee.scenarios import (
    charging,
    command,
    cover,
    distance,
    etiquette,
    melee,
    moving,
    scenario,
    setting,
    sight,
    template,
)

GROUPS = {
    "distance": distance, "sight": sight, "cover": cover, "melee": melee, "moving": moving, "charging": charging,
    "template": template, "command": command, "setting": setting, "scenario": scenario, "etiquette": etiquette,
}  # fmt: skip
SCENARIOS = tuple(chain.from_iterable(group.SCENARIOS for group in GROUPS.values()))
