"""Legal target: of a blow also how wide its line is."""

from dataclasses import replace

from models.queries import TargetLegal
from referee.editions.warmachine.mk1_and_mk2.attacks import target_legal as shared
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult


def target_legal(table: ExactTable, query: TargetLegal) -> RuleResult:
    """Legal target: whether that may be attacked; of a blow also how wide its line is.

    Source: Q/A: melee attacks; Prime p. 46.
    """
    result = shared.target_legal(table, query)
    clauses = result.value.get("clauses")
    if query.attack != "melee" or table.margins_only or not isinstance(clauses, list):
        return result
    lines = (c["margin_mm"] for c in clauses if isinstance(c, dict) and c["clause"] == "free-line")
    width = next((mm for mm in lines if isinstance(mm, float)), None)
    return replace(result, value=result.value | {"free_mm": None if width is None else max(0.0, 2 * width)})
