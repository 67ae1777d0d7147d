"""Melee group: whom a miss into a melee may hit."""

from models.queries import InMeleeGroup
from referee.editions.warmachine.melee import in_melee_group as shared
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult


def in_melee_group(table: ExactTable, query: InMeleeGroup) -> RuleResult:
    """Melee group: whom a miss into a melee may hit: not the target, nor where the attack comes from.

    Source: Prime p. 46, p. 55.
    """
    if isinstance(query.origin, str) and query.origin in table.miniatures:
        query = query.model_copy(update={"attacker": query.origin, "origin": None})
    return shared.in_melee_group(table, query)
