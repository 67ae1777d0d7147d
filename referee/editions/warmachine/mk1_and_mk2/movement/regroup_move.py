"""Regrouping: the way back of a trooper out of formation, advancing or running."""

from dataclasses import replace

from models.queries import RegroupMove
from referee.editions.warmachine.movement import regroup_move as shared_regroup_move
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult


def regroup_move(table: ExactTable, query: RegroupMove) -> RuleResult:
    """Regrouping: whether a trooper out of formation went back as it must: advancing, or running straight at its
    commander.

    Source: Out of Formation; Activating Units, which leaves the run out.
    """
    result = shared_regroup_move.regroup_move(table, query)
    if table.reading("regroup-run") == "yes" or result.status != "decided":
        return replace(result, readings=("regroup-run",), doubtful=("regroup-run",))
    ways = result.value.get("ways")
    assert isinstance(ways, dict)
    return replace(
        result, margin_mm=float(str(ways["advance"])), slack_mm=None, conditions=(), readings=("regroup-run",)
    )
