"""Aim: who gives up its movement aims."""

from dataclasses import replace

from models.queries import Aim
from models.verdict import CAPPED_MM
from referee.editions.warmachine.attacks import aim as shared
from referee.editions.warmachine.attacks.aim import melee_clauses
from referee.editions.warmachine.melee.attack_eligibility import actions_of, forfeited_parts, may_attack
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.rules.candidates import is_met
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_AIM = because("Ranged Attack Roll Modifiers", "Who forfeits its movement gains 2 on its ranged attack rolls.")


def aim(table: ExactTable, query: Aim) -> RuleResult:
    """Aim: whether it aims: it has forfeited its movement, or neither moved nor turned.

    Source: Ranged Attack Roll Modifiers.
    """
    if "movement" not in forfeited_parts(table, query.who) or actions_of(table, query.who):
        return shared.aim(table, query)
    given_up = RuleResult(margin_mm=CAPPED_MM, because=(_AIM,), depends_on_place=(query.who,))
    clauses = (("still", given_up), ("able", may_attack(table, query.who)), *melee_clauses(table, query.who))
    result = all_of(clauses)
    value = {**result.value, "shift_mm": 0.0, "turn_deg": 0.0, "bonus": 2 * is_met(result, "aims")}
    return replace(result, value=value, because=(_AIM, *(r for r in result.because if r != _AIM)))
