"""Reasons why a line of sight looks past a base or through terrain, by the word for why."""

from models.verdict import Reason
from referee.editions.warmachine.line_of_sight import reasons as shared
from referee.editions.warmachine.mk1_and_mk2.parameters import because

_LEVEL = because(
    "How Elevation Affects LOS",
    "From ground an inch higher a base is looked past, unless it is a larger one within 1 in of the target.",
)
_CAVALRY = because(
    "Cavalry", "For melee and charges cavalry ignores smaller bases in the way.", "It does not count."
)  # fmt: skip
_EYELESS = because("Advantages", "Eyeless Sight takes no notice of clouds and forests.")
LOOKED_PAST: dict[str, Reason] = {
    **shared.LOOKED_PAST, "lower": _LEVEL, "cavalry": _CAVALRY, "eyeless-sight": _EYELESS,
}  # fmt: skip
