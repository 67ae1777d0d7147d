"""Entry into an area: by a change of its own place, from not within to within."""

from dataclasses import replace

from models.queries import EntersArea
from referee.editions.warmachine.mk1.parameters import because
from referee.editions.warmachine.movement import enters_area as shared
from referee.geometry.containment import reach_into
from referee.motion.travel_budget import place_shape
from referee.rules.candidates import is_met
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_more_than

_OWN = because(
    "Q/A: entering", "Only by changing its own place does a model enter, and not when an area moves over it."
)
_WITHIN = because("Q/A: entering", "Who stood within it before does not enter it.")


def enters_area(table: ExactTable, query: EntersArea) -> RuleResult:
    """Entry into an area: whether its own place changed from not within to within; what is put into play enters.

    Source: Q/A: entering.
    """
    result = shared.enters_area(table, query)
    if query.cause == "area-moved":
        return replace(result, because=(_OWN,))
    before = table.miniature(query.mover).before
    if query.cause not in ("placed", "replaced") or before is None or not is_met(result, "comes into"):
        return result
    outside = -reach_into(place_shape(table.base(query.mover), before.at_mm), table.area(query.area))
    own = RuleResult(margin_mm=outside, zero_is_met=False, depends_on_place=table.movers_of(query.area))
    on = tuple(dict.fromkeys((*result.depends_on_place, *own.depends_on_place)))
    joined = replace(result, conditions=(replace(result), own), joined_by="least", form=None, depends_on_place=on)
    stood_out = is_more_than(outside, 0.0, "stood outside of", (query.mover, *table.movers_of(query.area)))
    if outside >= result.decisive_mm:
        return joined
    value = result.value if stood_out else result.value | {"entries": []}
    return replace(joined, margin_mm=outside, zero_is_met=False, value=value, because=(_WITHIN, *result.because))
