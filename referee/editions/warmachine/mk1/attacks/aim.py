"""Aim: who could move and stands still aims."""

from dataclasses import replace

from models.queries import Aim
from models.verdict import CAPPED_MM
from referee.editions.warmachine.mk1.parameters import because
from referee.editions.warmachine.mk1_and_mk2.attacks import aim as shared_aim
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_FIXED = because("Movement, Prime p. 34", "Who cannot move gives nothing up by standing still, and does not aim.")


def aim(table: ExactTable, query: Aim) -> RuleResult:
    """Aim: whether it aims: it could move, and changed neither place nor facing. Source: Aiming, Remix p. 45."""
    me, result = table.miniature(query.who), shared_aim.aim(table, query)
    fixed = "movement-barred" in me.status or (me.lock is not None and me.lock.partner in table.miniatures)
    if not fixed or result.status != "decided":
        return result
    return replace(
        result, margin_mm=-CAPPED_MM, slack_mm=None, conditions=(), value=result.value | {"bonus": 0}, because=(_FIXED,)
    )
