"""Measuring policy: whether a question may be asked now, and what both players are told."""

from models.queries import MayMeasure
from models.verdict import CAPPED_MM
from referee.editions.warmachine.mk1_and_mk2.measuring_licences import licence
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_OPEN = because("Measuring Distances", "It may be measured now, no farther than what it is made for, for both to see.")
_SHUT = because("Measuring Distances", "No rule grants this measurement now.")


def may_measure(table: ExactTable, query: MayMeasure) -> RuleResult:
    """Measuring policy: whether that question may be asked now, under which licence, and what both players are told.

    Source: as above.
    """
    inner = query.query if query.query.asked_by else query.query.model_copy(update={"asked_by": query.asked_by})
    found = licence(table, inner)
    both = [side.id for side in table.state.sides] or ["red", "blue"]
    if found is None:
        free = {"licence": "free", "disclosed": "figures", "cap_mm": None}
        return RuleResult(margin_mm=CAPPED_MM, value={**free, "tell": [*both]}, because=(_OPEN,))
    value = {"licence": found.name, "disclosed": found.disclosed, "cap_mm": found.cap_mm}
    return RuleResult(
        margin_mm=CAPPED_MM if found.is_open else -CAPPED_MM,
        value={**value, "tell": [*both]} if found.is_open else {"licence": found.name, "tell": [*both]},
        because=(_OPEN if found.is_open else _SHUT,),
        unlock=found.unlock,
        advice=found.advice,
    )
