"""Power attack: what the roll of each suffers."""

from dataclasses import replace

from models.queries import PowerAttack
from referee.editions.warmachine.mk1.charges.slam import EQUAL, WEIGHT, roll_penalty
from referee.editions.warmachine.mk1.parameters import because
from referee.editions.warmachine.mk1_and_mk2.charges import power_attack as shared
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_THROWN = because("Throw, Prime p. 43", "The roll suffers 2.")
_BUTT = because("Head-butt, Prime p. 41", "The roll suffers 2, and 4 against a larger base.")
_MINUS = {"head-butt": _BUTT, "slam": WEIGHT, "throw": _THROWN, "double-hand-throw": _THROWN}


def power_attack(table: ExactTable, query: PowerAttack) -> RuleResult:
    """Power attack: whether it may make that power attack. Source: Power Attacks, Prime p. 41; Head-butt, p. 41."""
    result = shared.power_attack(table, query)
    if query.attack not in _MINUS:
        return result
    bonus = roll_penalty(table, query.attacker, query.target) if query.attack in ("head-butt", "slam") else EQUAL
    return replace(result, value={**result.value, "bonus": bonus}, because=(*result.because, _MINUS[query.attack]))
