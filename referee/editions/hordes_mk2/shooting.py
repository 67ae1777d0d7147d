"""Aiming here: who gives up its movement aims."""

from dataclasses import replace

from models.queries import Aim
from models.verdict import CAPPED_MM
from referee.candidates import is_met
from referee.clauses import all_of
from referee.editions.hordes_mk2.parameters import because
from referee.editions.warmachine_prime import shooting
from referee.editions.warmachine_prime.able import able, deeds, forfeited
from referee.editions.warmachine_prime.shooting import not_in_melee
from referee.ruling import Ruling
from referee.situation import Situation

_AIM = because("Ranged Attack Roll Modifiers", "Who forfeits its movement gains 2 on its ranged attack rolls.")


def aim(table: Situation, query: Aim) -> Ruling:
    """Whether it aims: it has forfeited its movement, or neither moved nor turned.

    Source: Ranged Attack Roll Modifiers.
    """
    if "movement" not in forfeited(table, query.who) or deeds(table, query.who):
        return shooting.aim(table, query)
    given_up = Ruling(margin_mm=CAPPED_MM, because=(_AIM,), touches=(query.who,))
    clauses = (("still", given_up), ("able", able(table, query.who)), *not_in_melee(table, query.who))
    ruling = all_of(clauses)
    value = {**ruling.value, "shift_mm": 0.0, "turn_deg": 0.0, "bonus": 2 * is_met(ruling)}
    return replace(ruling, value=value, because=(_AIM, *(r for r in ruling.because if r != _AIM)))
