"""Charge targets: whom a frenzied unit must charge, and whom a charger whose target fled may charge instead."""

from pydantic import JsonValue

from models.queries import Charge, ChargeRedirect, Frenzy
from referee.editions.warhammer_9.charges.charge import charge
from referee.editions.warhammer_9.charges.charge_odds import ChargeOdds, charge_odds
from referee.editions.warhammer_9.leadership.inspiring_presence import (
    command_doubts,
    leadership_of,
    led_chance,
    manoeuvre_chance,
)
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import measured_parts
from referee.editions.warhammer_9.units.quadrants import depth_ahead_mm
from referee.editions.warhammer_9.units.regiment import all_regiments, are_friends, regiment
from referee.rules.candidates import is_met
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_names, with_effect
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.switches import is_at_least

_SURELY_MM = 25.0
_REDIRECT = because("Declare Charge", 17, "Its target gone, it may charge another after a Leadership test, once.")
_FRENZY = because("Frenzy", 60, "Who can charge must, unless a Leadership test holds it back.")


def charge_candidate(table: ExactTable, attacker: str, target: str) -> Candidate:
    """One enemy as the target of a charge; one that is surely too far is judged without a path search."""
    query = Charge(attacker=attacker, target=target, step="declare")

    def rule(asked: ExactTable) -> RuleResult:
        return charge(asked, query)

    near = _reach_margin(table, attacker, target)
    if (near.margin_mm or 0.0) < -_SURELY_MM:
        return Candidate(target, near, lambda asked: _reach_margin(asked, attacker, target))
    return Candidate(target, rule(table), rule)


def _reach_margin(table: ExactTable, attacker: str, target: str) -> RuleResult:
    """How far an enemy is within the longest charge and in front: who surely is not needs no way sought to."""
    odds, own = charge_odds(table, attacker, target), regiment(table, attacker)
    depth = max(depth_ahead_mm(own, part) for _, area in measured_parts(table, target) for part in area.parts)
    if odds is None:
        return RuleResult(margin_mm=depth, depends_on_place=own.rank(0)[:1])
    touches = odds.depends_on if odds.longest_mm - odds.distance_mm < depth else own.rank(0)[:1]
    return RuleResult(margin_mm=min(odds.longest_mm - odds.distance_mm, depth), depends_on_place=touches)


def charge_redirect(table: ExactTable, query: ChargeRedirect) -> RuleResult:
    """Charge redirection: which other enemies the unit may charge. Source: Declare Charge, p. 17."""
    foes = [id_ for id_ in all_regiments(table) if not are_friends(table, query.attacker, id_)]
    members = tuple(charge_candidate(table, query.attacker, id_) for id_ in foes)
    by_id: dict[str, JsonValue] = {}
    for member in members:
        if member.result is not None and "chance" in member.result.value:
            by_id[member.id] = {"chance": member.result.value["chance"]}
    return RuleResult(
        status="measured",
        value={"by_id": by_id, "chance": manoeuvre_chance(table, query.attacker)},
        members=members,
        because=(_REDIRECT,),
        readings=("unit-in-range", "garrison-edge"),
        outcome_house_rules=command_doubts(table, query.attacker),
    )


def frenzy(table: ExactTable, query: Frenzy) -> RuleResult:
    """Frenzy: which enemy a frenzied unit must charge. Source: Frenzy, p. 60."""
    foes = [id_ for id_ in all_regiments(table) if not are_friends(table, query.who, id_)]
    members = tuple(charge_candidate(table, query.who, id_) for id_ in foes)
    able = [member.id for member in members if member.result is not None and is_met(member.result, "may be charged by")]
    odds = {id_: chargeable for id_ in able if (chargeable := charge_odds(table, query.who, id_)) is not None}
    far = {id_: chargeable.distance_mm for id_, chargeable in odds.items()}
    ranked = sorted(far, key=lambda id_: far[id_])
    ties = [id_ for id_ in ranked if _is_as_near(odds[id_], odds[ranked[0]])]
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


def _is_as_near(odds: ChargeOdds, nearest: ChargeOdds) -> bool:
    """Whether an enemy is no farther off than the nearest."""
    on = tuple(dict.fromkeys((*odds.depends_on, *nearest.depends_on)))
    return odds is nearest or is_at_least(nearest.distance_mm, odds.distance_mm, "is as near as", on)
