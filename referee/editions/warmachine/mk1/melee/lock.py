"""Lock: one who is disabled ends it too."""

from dataclasses import replace

from pydantic import JsonValue

from models.queries import Lock
from models.verdict import CAPPED_MM
from referee.editions.warmachine.mk1.parameters import because
from referee.editions.warmachine.mk1_and_mk2.melee import lock as shared
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_RELEASED = because("Armlock/Headlock, Prime p. 43", "A lock ends when either is disabled or leaves play.")


def lock(table: ExactTable, query: Lock) -> RuleResult:
    """Lock: whether the lock still holds; a disabled one ends it too. Source: Armlock/Headlock, Prime p. 43."""
    result = shared.lock(table, query)
    off = [f"{id_} disabled" for id_ in (query.attacker, query.target) if "disabled" in table.miniature(id_).status]
    broken = result.value.get("broken_by")
    if not off or not isinstance(broken, list):
        return result
    told: dict[str, JsonValue] = {"may_move": True, "broken_by": [*broken, *off]}
    return replace(result, margin_mm=-CAPPED_MM, value=told, because=(_RELEASED,))
