"""Measuring policy of the open edition: anybody may measure anything at any time."""

from models.queries import MayMeasure
from referee.editions.open.parameters import because
from referee.rules.exact_table import ExactTable
from referee.rules.licence import measure_freely
from referee.rules.rule_result import RuleResult

_FREE = because("when one may measure", "Any player may measure any distance at any time.")


def may_measure(table: ExactTable, query: MayMeasure) -> RuleResult:
    """Measuring policy: always."""
    return measure_freely(table, _FREE)
