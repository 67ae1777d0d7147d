"""Measuring policy: anybody may measure anything at any time."""

from models.queries import MayMeasure
from referee.editions.warhammer_9.parameters import because
from referee.rules.exact_table import ExactTable
from referee.rules.licence import measure_freely
from referee.rules.rule_result import RuleResult

_FREE = because("Measuring Distances", 9, "Anybody may measure anything at any time.")


def may_measure(table: ExactTable, query: MayMeasure) -> RuleResult:
    """Measuring policy: anything may be measured. Source: Measuring Distances, p. 9."""
    return measure_freely(table, _FREE)
