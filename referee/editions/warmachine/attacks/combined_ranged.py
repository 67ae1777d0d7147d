"""Combined ranged attack: who of a unit counts in a shot made together, and what they add."""

from models.queries import CombinedRanged, Cover, Stealth
from models.unit_conversion import inches
from referee.editions.warmachine.attacks.combined_attacks import (
    count_participants,
    describe_participants,
    membership_conditions,
)
from referee.editions.warmachine.attacks.may_shoot import check_shooter
from referee.editions.warmachine.attacks.stealth import stealth
from referee.editions.warmachine.melee.attack_eligibility import check_sight
from referee.editions.warmachine.melee.in_melee import melee_state
from referee.editions.warmachine.miniatures.base_state import is_huge
from referee.editions.warmachine.miniatures.distances import shot_mm
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.plain_condition import plain_condition
from referee.editions.warmachine.terrain.cover import cover
from referee.rules.candidates import evaluate_each, is_met
from referee.rules.conditions import Conditions, all_of_memoized, negate
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult

_RANGED = because(
    "Combined Ranged Attacks", 65, "Each trooper who could shoot at the target himself, in range and formation, adds 1."
)
_TARGET = because("Combined Ranged Attacks", 65, "The target must not be in melee, unless its base is huge.")


def combined_ranged(table: ExactTable, query: CombinedRanged) -> RuleResult:
    """Combined ranged attack: who counts in a combined shot; all else goes by the primary attacker.

    Source: Combined Ranged Attacks, p. 65.
    """

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_shooter(perturbed, query, id_)

    found = evaluate_each(table, dict.fromkeys((query.primary, *query.participants)), about)
    adds = [c.id for c in found if c.result is not None and is_met(c.result, "takes part against")]
    sheltered = cover(table, Cover(attacker=query.primary, target=query.target))
    return RuleResult(
        status="measured",
        value={
            **count_participants(found, adds),
            "auto_miss": _is_sure_miss(table, query),
            "cover_from": [query.primary] if is_met(sheltered, "has cover from") else [],
        },
        because=(with_effect(table, _RANGED, describe_participants(table, adds)),),
        members=found,
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
