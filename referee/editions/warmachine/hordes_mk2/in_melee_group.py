"""Melee group: who may be drawn after a miss in range, and nobody after one out of range."""

from pydantic import JsonValue

from models.queries import InMeleeGroup, Range
from referee.editions.warmachine.hordes_mk2.parameters import because
from referee.editions.warmachine.melee import in_melee_group as shared
from referee.rules.candidates import is_met
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_FAR = because("Targeting a Model in Melee", "A shot out of range misses altogether; nobody else is hit.")


def in_melee_group(table: ExactTable, query: InMeleeGroup) -> RuleResult:
    """Melee group: everybody who may be drawn after a miss in range; nobody after one out of the declared range.

    Source: Targeting a Model in Melee.
    """
    turn = table.state.turn
    told = None if turn is None or turn.declared is None else turn.declared
    if told is not None and told.range_in is not None and told.target == query.target:
        asked = Range(attacker=query.attacker, target=query.target, range_in=told.range_in, origin=query.origin)
        if not is_met(table.evaluate_query(asked), "is in range of"):
            nobody: dict[str, JsonValue] = {"links": [], "bands": {}, "by_id": {}}
            return RuleResult(
                status="measured", value=nobody, because=(_FAR,), depends_on_place=(query.attacker, query.target)
            )
    return shared.in_melee_group(table, query)
