"""Penalty for a target in melee: only a spell from within that melee is spared."""

from models.queries import InMeleePenalty
from referee.editions.warmachine.melee import in_melee_penalty as shared_penalty
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult


def in_melee_penalty(table: ExactTable, query: InMeleePenalty) -> RuleResult:
    """Penalty for a target in melee: whether the target is in melee; only a spell from within that melee is spared.

    Source: Prime p. 46, p. 55.
    """
    if query.attack == "magic" or query.origin is not None:
        return shared_penalty.in_melee_penalty(table, query)
    return shared_penalty.in_melee_penalty(table, query.model_copy(update={"origin": table.centre(query.attacker)}))
