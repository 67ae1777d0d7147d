"""Measuring policy: anybody may measure anything at any time."""

from models.queries import MayMeasure
from referee.editions.warmachine.prime.parameters import because
from referee.rules.exact_table import ExactTable
from referee.rules.licence import measure_freely
from referee.rules.rule_result import RuleResult

_FREE = because("Measuring Distances", 12, "Any player may measure any distance at any time.")


def may_measure(table: ExactTable, query: MayMeasure) -> RuleResult:
    """Measuring policy: always: nothing is hidden in this edition. Source: Measuring Distances, p. 12."""
    return measure_freely(table, _FREE)
