"""Assault: the shot follows the move, whether the charge got there or not."""

from dataclasses import replace

from pydantic import JsonValue

from models.queries import Assault
from referee.editions.warmachine.charges import assault as shared_assault
from referee.editions.warmachine.mk1.parameters import because
from referee.rules.candidates import is_zero_or_more
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_SHOT = because("General Rules, Q/A on Assault", "The shot follows the move, whether the charge got there or not.")
_BEGAN = because("General Rules, Q/A on Assault", "Who began in melee with that model makes no shot at it.")


def assault(table: ExactTable, query: Assault) -> RuleResult:
    """Assault: whether the shot of an assault is made, and reaches.

    Source: General Rules, Q/A on Assault and Bayonet Charge.
    """
    began = shared_assault.check_began_free(table, query.attacker, _BEGAN, query.target)
    result = shared_assault.join_assault(table, query, began)
    order: list[JsonValue] = ["move", "terror", "ranged", "melee"]
    failed = began.status == "decided" and not is_zero_or_more(began)
    rule = _BEGAN if failed else _SHOT
    rest = tuple(r for r in result.because[1:] if r != rule)
    return replace(result, value={**result.value, "order": order}, because=(rule, *rest))
