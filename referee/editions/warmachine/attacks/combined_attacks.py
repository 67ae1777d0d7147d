"""Combined attacks: who adds to one blow or to one shot."""

import math

from pydantic import JsonValue

from models.pose import Pose
from models.queries import CombinedMelee, CombinedRanged, Cover, Stealth
from models.unit_conversion import inches
from referee.editions.warmachine.attacks.shooting import check_shooter
from referee.editions.warmachine.attacks.targets import stealth
from referee.editions.warmachine.melee.attack_eligibility import (
    actions_of,
    check_blow_line,
    check_formation,
    check_sight,
    may_attack,
)
from referee.editions.warmachine.melee.in_melee import melee_state
from referee.editions.warmachine.melee.melee_range import check_reach, weapon_reaches
from referee.editions.warmachine.miniatures.base_state import is_huge
from referee.editions.warmachine.miniatures.distances import shot_mm
from referee.editions.warmachine.parameters import CHARGE_ATTACK_MM, because
from referee.editions.warmachine.plain_condition import plain_condition
from referee.editions.warmachine.terrain.cover import cover
from referee.rules.candidates import evaluate_each, is_met
from referee.rules.conditions import Conditions, all_of_memoized, negate
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_names, with_effect
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.switches import is_at_least

_ADVANTAGE = because("Advantages", 17, "Combined attacks take the advantage of that name.")
_UNIT = because("Combined Ranged Attacks", 65, "They all belong to one unit.")
_MELEE = because(
    "Combined Melee Attacks", 65, "Each trooper who could strike the target himself, in reach and formation, adds 1."
)
_RANGED = because(
    "Combined Ranged Attacks", 65, "Each trooper who could shoot at the target himself, in range and formation, adds 1."
)
_TARGET = because("Combined Ranged Attacks", 65, "The target must not be in melee, unless its base is huge.")


def describe_participants(table: ExactTable, adds: list[str]) -> str:
    return f"Able to take part: {format_names(table, adds)}."


def count_participants(candidates: tuple[Candidate, ...], adds: list[str]) -> dict[str, JsonValue]:
    """Two or more make it a combined attack, the primary attacker among them."""
    together = len(adds) if len(adds) > 1 and candidates and candidates[0].id in adds else 0
    by_id: dict[str, JsonValue] = {
        c.id: {"part": "adds" if c.id in adds else "may-not", "why": None if c.id in adds else _first_failure(c)}
        for c in candidates
    }
    return {"by_id": by_id, "bonus": together, "bonus_to": "attack"}


def _first_failure(candidate: Candidate) -> str:
    """The first condition that does not hold."""
    if candidate.result is None:
        return "not known"
    clauses = candidate.result.value.get("clauses")
    assert isinstance(clauses, list)
    return next((str(c["clause"]) for c in clauses if isinstance(c, dict) and c["answer"] != "yes"), "not known")


def membership_conditions(table: ExactTable, primary: str, id_: str, ability: str) -> Conditions:
    me, unit = table.miniature(id_), table.miniature(primary).unit
    has, same = me.has(ability), me.unit == unit  # without units told, those who strike together are one
    return (
        ("advantage", lambda _: plain_condition(id_, has, _ADVANTAGE)),
        ("unit", lambda _: plain_condition(id_, same, _UNIT)),
        ("formation", lambda at: check_formation(at, id_)),
    )


def combined_melee(table: ExactTable, query: CombinedMelee) -> RuleResult:
    """Combined melee attack: who counts in a combined blow. Source: Combined Melee Attacks, p. 65."""

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_striker(perturbed, query, id_)

    candidates = evaluate_each(table, dict.fromkeys((query.primary, *query.participants)), about)
    adds = [c.id for c in candidates if c.result is not None and is_met(c.result, "takes part against")]
    charge = bool(adds) and all(_is_charge_attack(table, id_, query.target) for id_ in adds)
    return RuleResult(
        status="measured",
        value={**count_participants(candidates, adds), "charge_attack": charge},
        because=(with_effect(table, _MELEE, describe_participants(table, adds)),),
        members=candidates,
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


def combined_ranged(table: ExactTable, query: CombinedRanged) -> RuleResult:
    """Combined ranged attack: who counts in a combined shot; all else goes by the primary attacker.

    Source: Combined Ranged Attacks, p. 65.
    """

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_shooter(perturbed, query, id_)

    candidates = evaluate_each(table, dict.fromkeys((query.primary, *query.participants)), about)
    adds = [c.id for c in candidates if c.result is not None and is_met(c.result, "takes part against")]
    sheltered = cover(table, Cover(attacker=query.primary, target=query.target))
    return RuleResult(
        status="measured",
        value={
            **count_participants(candidates, adds),
            "auto_miss": _is_sure_miss(table, query),
            "cover_from": [query.primary] if is_met(sheltered, "has cover from") else [],
        },
        because=(with_effect(table, _RANGED, describe_participants(table, adds)),),
        members=candidates,
    )


def _check_shooter(table: ExactTable, query: CombinedRanged, id_: str) -> RuleResult:
    target = query.target
    hidden = Stealth(attacker=id_, target=target)
    conditions: Conditions = (
        *membership_conditions(table, query.primary, id_, "combined-ranged-attack"),
        ("may-shoot", lambda at: check_shooter(at, id_, target, query.weapon)),
        ("range", lambda at: check_range(at, query, id_)),
        ("stealth", lambda at: negate(stealth(at, hidden))),
        ("target-free", lambda at: _check_target(at, target)),
        ("sight", lambda at: check_sight(at, id_, target)),
    )
    return all_of_memoized(table, (query, id_), conditions)


def _check_target(table: ExactTable, target: str) -> RuleResult:
    """Whether the target may be shot at together: not in melee, or huge."""
    if is_huge(table.miniature(target)):
        return plain_condition(target, True, _TARGET)
    return negate(melee_state(table, target))


def check_range(table: ExactTable, query: CombinedRanged, id_: str) -> RuleResult:
    """Whether the target is in range of this one's weapon. Source: Combined Ranged Attacks, p. 65."""
    limit = query.range_in
    if limit is None:
        guns = [g.rng_in for g in table.miniature(id_).profile.ranged if query.weapon in (None, g.name)]
        lengths = [g if isinstance(g, float | int) else g[1] for g in guns if g is not None]
        limit = max(lengths, default=None)
    if limit is None:
        return RuleResult(status="unknown", needs=(f"profile.ranged of {id_}",), depends_on_place=(id_,))
    apart, rise = shot_mm(table, id_, query.target)
    key = ("range-elevation",) if rise else ()
    return RuleResult(
        margin_mm=inches(limit) - apart,
        because=(_RANGED,),
        readings=key,
        doubtful=key,
        depends_on_place=(id_, query.target),
    )


def _is_sure_miss(table: ExactTable, query: CombinedRanged) -> bool:
    """Whether the primary attacker's shot would miss by itself."""
    hidden = is_met(
        stealth(table, Stealth(attacker=query.primary, target=query.target)), "is too far for a Stealth target from"
    )
    reach = check_range(table, query, query.primary)
    return hidden or (reach.status == "decided" and not is_met(reach, "has in range"))
