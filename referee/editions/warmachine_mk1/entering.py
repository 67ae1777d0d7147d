"""Entering here: by a change of one's own place, from not within an area to within it."""

from dataclasses import replace

from models.queries import EntersArea
from models.verdict import CAPPED_MM
from referee.areas import reach_into
from referee.candidates import is_met
from referee.editions.hordes_mk2 import EDITION as LATER
from referee.editions.warmachine_mk1.parameters import because
from referee.ruling import Ruling
from referee.situation import Situation
from referee.travel import at

_OWN = because(
    "Q/A: entering", "Only by changing its own place does a model enter, and not when an area moves over it."
)
_WITHIN = because("Q/A: entering", "Who stood within it before does not enter it.")


def enters_area(table: Situation, query: EntersArea) -> Ruling:
    """Whether its own place changed from not within to within; what is put into play enters. Source: Q/A: entering."""
    ruling = LATER.rules[EntersArea](table, query)
    if query.cause == "area-moved":
        return replace(ruling, margin_mm=-CAPPED_MM, value={"entries": []}, conditions=(), because=(_OWN,))
    before = table.miniature(query.mover).before
    if query.cause not in ("placed", "replaced") or before is None or not is_met(ruling):
        return ruling
    outside = -reach_into(at(table.base(query.mover), before.at_mm), table.area(query.area))
    if outside >= ruling.decisive_mm:
        return ruling
    value = ruling.value if outside > 0 else ruling.value | {"entries": []}
    return replace(ruling, margin_mm=outside, zero_is_met=False, value=value, because=(_WITHIN, *ruling.because))
