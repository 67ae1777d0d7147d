"""Stand and shoot: whether the charged unit may shoot at its charger, and at what odds."""

import math

from pydantic import JsonValue

from models.queries import StandAndShoot
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9.charges.charge import explain_deciding_clause
from referee.editions.warhammer_9.charges.charge_odds import charge_odds
from referee.editions.warhammer_9.line_of_sight.body_visibility import sight_blocker_doubts, sight_blockers
from referee.editions.warhammer_9.line_of_sight.los import sight_clearance
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.shooting.attack_modifiers import to_hit_roll
from referee.editions.warhammer_9.shooting.may_shoot import armed_members, weapon_of
from referee.editions.warhammer_9.shooting.shooters import garrison_at_windows
from referee.editions.warhammer_9.units.engagement import engaged_with
from referee.editions.warhammer_9.units.regiment import (
    garrisoned_building,
    kind_of,
    leading_miniature,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.units.unit_strength import this_turn_of
from referee.rules.conditions import list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_margin_met

_REACT = because("Stand & Shoot", 17, "Armed, not fighting, and the charger farther away than its Movement.")


def stand_and_shoot(table: ExactTable, query: StandAndShoot) -> RuleResult:
    """Stand and shoot: whether the charged unit may shoot first.

    Source: Stand & Shoot, p. 17; Slow and Quick to Fire, p. 63, 65.
    """
    weapon = weapon_of(table, query.target, query.weapon)
    deeds = this_turn_of(table, query.attacker)
    is_flying = query.manner == "fly" or "fly" in deeds.moved
    flies = is_flying and table.reading("stand-shoot-move") == "charge-move"
    odds = charge_odds(table, query.attacker, query.target, flying=flies)
    rules = () if weapon is None else weapon.rules
    clauses: dict[str, float] = {
        "armed": CAPPED_MM if weapon is not None else -CAPPED_MM,
        "not-engaged": -CAPPED_MM if engaged_with(table, query.target) else CAPPED_MM,
        "not-slow": -CAPPED_MM if "slow-to-fire" in rules else CAPPED_MM,
        "may-react": -CAPPED_MM if _may_only_hold(table, query) else CAPPED_MM,
        "not-yet": -CAPPED_MM if this_turn_of(table, query.target).shot else CAPPED_MM,
    }
    if odds is not None:
        clauses["far-enough"] = CAPPED_MM if "quick-to-fire" in rules else max(0.0, odds.between.mm) - odds.speed_mm
    margin_mm = min(clauses.values())
    if odds is None and is_margin_met(margin_mm):
        return RuleResult(status="unknown", needs=(f"profile.spd_in of {query.attacker}",), because=(_REACT,))
    return RuleResult(
        margin_mm=margin_mm,
        zero_is_met=False,
        value={} if table.margins_only else _shooting_value(table, query, clauses),
        because=(with_effect(table, _REACT, explain_deciding_clause(clauses)),),
        readings=("stand-shoot-move",),
        doubtful=("stand-shoot-move",) if is_flying else (),
        outcome_house_rules=() if table.margins_only else sight_blocker_doubts(table, query.target, query.attacker),
        depends_on_place=() if odds is None else odds.between.depends_on,
    )


def _may_only_hold(table: ExactTable, query: StandAndShoot) -> bool:
    """Whether it may not react by shooting. Source: Random Movement, p. 64; p. 57, 66, 86."""
    first = leading_miniature(table, query.target)
    calm = kind_of(first) != "war-machine" and not first.has("construct")
    return (
        not calm
        or not {"fleeing", "stupid"}.isdisjoint(first.status)
        or leading_miniature(table, query.attacker).has("random-movement")
    )


def _shooting_value(table: ExactTable, query: StandAndShoot, clauses: dict[str, float]) -> dict[str, JsonValue]:
    """Who shoots at the charger; out of range counts as just in range. Source: Stand & Shoot, p. 17."""
    weapon = weapon_of(table, query.target, query.weapon)
    able = []
    if weapon is not None and min(clauses.values()) > 0:
        own, things = regiment(table, query.target), sight_blockers(table, query.target, query.attacker)
        indoors = garrisoned_building(table, query.target) is not None
        armed = (garrison_at_windows if indoors else armed_members)(table, query.target, query.weapon)
        for id_, (rank, _) in zip(own.members, own.cells, strict=True):
            eyes = id_ if rank == 0 or indoors else own.in_front_of(id_) if rank == 1 else None
            if eyes is not None and id_ in armed and sight_clearance(table, eyes, query.attacker, things)[0] > 0:
                able.append(id_)
    value: dict[str, JsonValue] = {
        "count": len(able),
        "panic_at": math.ceil(len(members_of(table, query.attacker)) / 4),
        "clauses": list_margins(clauses, zero_is_met=False),
    }
    odds = to_hit_roll(table, query.target, query.attacker, weapon, reacting=True)
    if odds is None:
        return value
    modifiers: list[JsonValue] = [
        {"name": name, "bonus": bonus, "bonus_to": "to-hit", "why": why} for name, bonus, why in odds.modifiers
    ]
    return value | {"modifiers": modifiers, "needs": odds.needs, "expected_hits": float(odds.chance * len(able))}
