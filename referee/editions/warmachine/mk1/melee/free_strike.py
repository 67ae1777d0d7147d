"""Free strike: who may strike as a model goes, and how often."""

from dataclasses import replace

from pydantic import JsonValue

from models.queries import FreeStrike
from referee.editions.warmachine.melee import free_strike as shared_free_strike
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult


def free_strike(table: ExactTable, query: FreeStrike) -> RuleResult:
    """Free strike: whether somebody may strike as it goes, and how often. Source: Free Strikes, Prime p. 40."""
    result = shared_free_strike.free_strike(table, query)
    if table.perturbations and table.margins_only:
        return result
    told = result if table.perturbations else shared_free_strike.free_strike(table.unperturbed, query)
    left = told.value.get("by_id")
    exits = {id_: told for id_, told in left.items() if isinstance(told, dict)} if isinstance(left, dict) else {}
    again = any(told["times"] != 1 for told in exits.values())
    once = table.reading("free-strike-again") == "once"
    strikes = {id_: 1 if once else told["times"] for id_, told in exits.items()}
    by_id: dict[str, JsonValue] = {id_: told | {"strikes": strikes[id_]} for id_, told in exits.items()}
    key = ("free-strike-again",)
    return replace(
        result,
        value={**result.value, "by_id": by_id},
        readings=(*result.readings, *key),
        doubtful=(*result.doubtful, *(key if again else ())),
        outcomes=(*result.outcomes, *sorted(strikes.items())) if again else result.outcomes,
    )
