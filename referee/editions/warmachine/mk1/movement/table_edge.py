"""Table edge: who flees off the table is out of the game."""

from dataclasses import replace

from models.queries import TableEdge
from referee.editions.warmachine.mk1.parameters import because
from referee.editions.warmachine.movement import table_edge as shared_table_edge
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_OFF = because("Leaving the Playing Area, Prime p. 34", "A model that flees off the table is out of the game.")


def table_edge(table: ExactTable, query: TableEdge) -> RuleResult:
    """Table edge: what becomes of it at the table's edge. Source: Leaving the Playing Area, Prime p. 34."""
    result = shared_table_edge.table_edge(table, query)
    if query.cause != "flee" or result.value.get("result") == "stays":
        return result
    return replace(result, value={**result.value, "result": "removed"}, because=(_OFF, *result.because))
