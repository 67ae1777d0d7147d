"""Command range: one of a unit within it lends the command of its commander to all."""

from dataclasses import replace

from models.queries import CommandRange
from referee.editions.warmachine.command import command_range as shared_command_range
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.rules.conditions import any_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_CHECKS = because("Command Checks", "One of the unit within the command range lends its CMD to all of the unit.")


def command_range(table: ExactTable, query: CommandRange) -> RuleResult:
    """Command range: whether one is within the command range, for its whole unit where the check is the unit's.

    A lone fleer rallies for itself: of the others' reach it has nothing. Source: Command Checks; Rallying.
    """
    own = shared_command_range.command_range(table, query)
    unit = table.miniature(query.who).unit
    mates = [m.id for m in table.state.miniatures if unit is not None and m.unit == unit and "removed" not in m.status]
    flees_whole = all("fleeing" in table.miniature(id_).status for id_ in mates)
    is_of_unit = query.purpose == "test" or (query.purpose == "rally" and flees_whole)
    shared = is_of_unit and own.status == "decided" and len(mates) > 1
    if not shared or query.commander in mates:
        return own
    asked = [shared_command_range.command_range(table, query.model_copy(update={"who": id_})) for id_ in mates]
    best = any_of(tuple(asked))  # that hangs on everybody who might be the nearest
    return replace(best, value={**best.value, "whole_unit": True}, because=(_CHECKS, *best.because))
