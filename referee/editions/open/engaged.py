"""Engagement of the open edition: near enough, and in sight where the table wants it."""

from dataclasses import replace

from models.queries import Engaged, Los
from referee.editions.open.distances import check_within
from referee.editions.open.settings import explain_setting, length_mm, number_of
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_READINGS = ("open-engage-in", "open-engage-sight", "open-measure", "open-limit", "open-hair-mm")


def engage_in(table: ExactTable) -> float:
    """How near engages, in inches."""
    return number_of(table, "open-engage-in")


def engaged(table: ExactTable, query: Engaged) -> RuleResult:
    """Engagement: whether the target is as near as engages, and seen where that is wanted."""
    near = check_within(table, query.attacker, query.target, length_mm(table, "open-engage-in"))
    reason = (explain_setting(table, "open-engage-in"), *near.because)
    if table.reading("open-engage-sight") == "no":
        return replace(near, because=reason, readings=_READINGS)
    line = table.evaluate_query(Los(viewer=query.attacker, target=query.target))
    both = all_of((("near", near), ("sight", line)))
    return replace(both, because=(*reason, *line.because), witness=(*near.witness, *line.witness))
