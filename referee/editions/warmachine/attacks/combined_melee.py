"""Combined melee attack: who of a unit counts in a blow struck together, and what they add."""

import math

from models.pose import Pose
from models.queries import CombinedMelee
from referee.editions.warmachine.attacks.combined_attacks import (
    count_participants,
    describe_participants,
    membership_conditions,
)
from referee.editions.warmachine.melee.attack_eligibility import actions_of, check_blow_line, may_attack
from referee.editions.warmachine.melee.melee_range import check_reach, weapon_reaches
from referee.editions.warmachine.parameters import CHARGE_ATTACK_MM, because
from referee.rules.candidates import evaluate_each, is_met
from referee.rules.conditions import Conditions, all_of_memoized
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_MELEE = because(
    "Combined Melee Attacks", 65, "Each trooper who could strike the target himself, in reach and formation, adds 1."
)


def combined_melee(table: ExactTable, query: CombinedMelee) -> RuleResult:
    """Combined melee attack: who counts in a combined blow. Source: Combined Melee Attacks, p. 65."""

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_striker(perturbed, query, id_)

    found = evaluate_each(table, dict.fromkeys((query.primary, *query.participants)), about)
    adds = [c.id for c in found if c.result is not None and is_met(c.result, "takes part against")]
    charge = bool(adds) and all(_is_charge_attack(table, id_, query.target) for id_ in adds)
    return RuleResult(
        status="measured",
        value={**count_participants(found, adds), "charge_attack": charge},
        because=(with_effect(table, _MELEE, describe_participants(table, adds)),),
        members=found,
    )


def _check_striker(table: ExactTable, query: CombinedMelee, id_: str) -> RuleResult:
    target = query.target
    reaches = weapon_reaches(table.miniature(id_))
    conditions: Conditions = (
        *membership_conditions(table, query.primary, id_, "combined-melee-attack"),
        ("able", lambda at: may_attack(at, id_)),
        ("reach", lambda at: check_reach(at, id_, target, reaches)),
        ("sight", lambda at: check_blow_line(at, id_, target, reach_mm=max(reaches.values(), default=0.0))),
    )
    return all_of_memoized(table, (query, id_), conditions)


def _is_charge_attack(table: ExactTable, id_: str, target: str) -> bool:
    """Whether its blow is a charge attack: it charged this target and came 3 in. Source: Charge, p. 31."""
    turn = table.miniature(id_).this_turn
    if "charge" not in actions_of(table, id_) or turn.charged != target:
        return False
    if turn.path_mm is not None:
        went = sum(math.dist(a, b) for a, b in zip(turn.path_mm, turn.path_mm[1:], strict=False))
    else:
        went = math.dist(turn.start.at_mm, table.centre(id_)) if isinstance(turn.start, Pose) else 0.0
    return is_at_least(went, CHARGE_ATTACK_MM, "has charged 3 in", (id_,))
