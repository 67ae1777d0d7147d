"""Frenzy: whom a frenzied unit must charge."""

from models.queries import Frenzy
from referee.editions.warhammer_9.charges.charge_candidates import charge_candidate
from referee.editions.warhammer_9.charges.charge_odds import ChargeOdds, charge_odds
from referee.editions.warhammer_9.leadership.inspiring_presence import command_doubts, leadership_of, led_chance
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import all_regiments, are_friends
from referee.rules.candidates import is_met
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_names, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_FRENZY = because("Frenzy", 60, "Who can charge must, unless a Leadership test holds it back.")


def frenzy(table: ExactTable, query: Frenzy) -> RuleResult:
    """Frenzy: which enemy a frenzied unit must charge. Source: Frenzy, p. 60."""
    foes = [one for one in all_regiments(table) if not are_friends(table, query.who, one)]
    members = tuple(charge_candidate(table, query.who, one) for one in foes)
    able = [one.id for one in members if one.result is not None and is_met(one.result, "may be charged by")]
    odds = {one: found for one in able if (found := charge_odds(table, query.who, one)) is not None}
    far = {one: found.distance_mm for one, found in odds.items()}
    ranked = sorted(far, key=lambda one: far[one])
    ties = [one for one in ranked if _is_as_near(odds[one], odds[ranked[0]])]
    target = ranked[0] if ranked and query.may_charge else None
    led = None if target is None else leadership_of(table, query.who)
    return RuleResult(
        status="measured",
        value={
            "target": target,
            "mode": "charge" if target is not None else "none",
            "chance": None if led is None else led_chance(led),
            "ties": [*ties] if len(ties) > 1 else [],
            "order": [*ranked],
        },
        members=members,
        because=(with_effect(table, _FRENZY, f"It could charge {format_names(table, ranked)}."),),
        readings=("unit-in-range", "garrison-edge"),
        outcome_house_rules=command_doubts(table, query.who),
    )


def _is_as_near(one: ChargeOdds, nearest: ChargeOdds) -> bool:
    """Whether an enemy is no farther off than the nearest."""
    on = tuple(dict.fromkeys((*one.depends_on, *nearest.depends_on)))
    return one is nearest or is_at_least(nearest.distance_mm, one.distance_mm, "is as near as", on)
