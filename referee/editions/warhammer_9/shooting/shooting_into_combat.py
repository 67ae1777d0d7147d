"""Shooting into combat: at an enemy that friends fight, from near a side that nobody fights."""

import math

from pydantic import JsonValue

from models.queries import ShootingIntoCombat
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.line_of_sight.body_visibility import sight_blocker_doubts, sight_blockers
from referee.editions.warhammer_9.line_of_sight.los import eligible_viewers, sight_clearance
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.shooting.may_shoot import weapon_of, why_may_not_shoot
from referee.editions.warhammer_9.units.distances import closest_bases
from referee.editions.warhammer_9.units.engagement import engaged_with, free_sides, side_gap_mm
from referee.editions.warhammer_9.units.quadrants import quadrant
from referee.editions.warhammer_9.units.regiment import Regiment, are_friends, members_of, regiment
from referee.editions.warhammer_9.units.unit_strength import total_strength
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_margin_met

_MELEE = because("Shooting", 35, "Into a combat only from within 4 in of a side nobody fights, at strength 5 or more.")
_READ = ("unengaged-side", "fire-past-friend")


def shooting_into_combat(table: ExactTable, query: ShootingIntoCombat) -> RuleResult:
    """Shooting into combat: whether a unit may shoot at an enemy that fights. Source: Shooting, p. 35."""
    own, foes = regiment(table, query.target), engaged_with(table, query.target)
    gap_mm, side = _nearest_side(table, query.attacker, own)
    reach = parameters.INTO_COMBAT_MM - max(0.0, gap_mm) if math.isfinite(gap_mm) else -CAPPED_MM
    weapon = weapon_of(table, query.attacker, query.weapon)
    sight, eyes = _recall_best_sight(table, query, foes)
    barred_ = [why for why in why_may_not_shoot(table, query.attacker, weapon) if why != "engaged"]
    mm = {
        "engaged": _certain_margin(bool(foes)),
        "near-a-free-side": reach,
        "strength": _certain_margin(total_strength(table, query.target) >= parameters.FEW),
        "no-template": _certain_margin(weapon is None or weapon.template is None),
        "may-shoot": _certain_margin(not barred_ and not engaged_with(table, query.attacker)),
        "sight": sight,
    }
    failed = [name for name, margin in mm.items() if not is_margin_met(margin)]
    friends = [one for one in foes if are_friends(table, query.attacker, one)]
    return RuleResult(
        margin_mm=_combine_margins(reach, sight, failed),
        value={
            "side": side,
            "ones_hit": [*friends],
            "clauses": [_clause_value(name, margin) for name, margin in mm.items()],
        },
        because=(with_effect(table, _MELEE, _explain_near_side(gap_mm, side)),),
        readings=_READ,
        outcome_house_rules=()
        if table.margins_only
        else (*_READ, *sight_blocker_doubts(table, query.attacker, query.target)),
        depends_on_place=tuple(dict.fromkeys((*closest_bases(table, query.attacker, query.target).depends_on, *eyes))),
        depends_on_facing=eyes[:1],
    )


def _certain_margin(holds: bool) -> float:
    return CAPPED_MM if holds else -CAPPED_MM


def _combine_margins(reach: float, sight: float, failed: list[str]) -> float:
    """4 in less the distance, as long as all else holds; a sight that fails by a little is told by how much."""
    others = set(failed) - {"near-a-free-side", "sight"}
    return -CAPPED_MM if others else min(reach, sight) if "sight" in failed else reach


def _clause_value(name: str, margin: float) -> JsonValue:
    return {"clause": name, "answer": "yes" if is_margin_met(margin) else "no", "margin_mm": margin}


def _nearest_side(table: ExactTable, attacker: str, own: Regiment) -> tuple[float, str]:
    """The nearest side that nobody fights, of those in whose quadrant the shooters stand. Source: Shooting, p. 35."""
    near = sorted((side_gap_mm(table, attacker, own, side), side) for side in free_sides(table, own.id))
    if table.reading("unengaged-side") == "in-arc-and-near":
        where = {quadrant(own, regiment(table, m).centre, (m,))[0] for m in members_of(table, attacker)}
        near = [found for found in near if found[1] in where]
    return near[0] if near else (math.inf, "none")


def _recall_best_sight(table: ExactTable, query: ShootingIntoCombat, foes: list[str]) -> tuple[float, tuple[str, ...]]:
    """How well the best of the shooters sees the target; past the friends who fight it where the table agreed so."""
    key = ("sees best", query.attacker, query.target)
    best = table.memoize_unperturbed(
        key, lambda still: _find_best_sight(still, query, foes, eligible_viewers(still, query.attacker))
    )
    return best if not table.perturbations else _find_best_sight(table, query, foes, best[1][:1])


def _find_best_sight(
    table: ExactTable, query: ShootingIntoCombat, foes: list[str], eyes: tuple[str, ...]
) -> tuple[float, tuple[str, ...]]:
    things = sight_blockers(table, query.attacker, query.target)
    if table.reading("fire-past-friend") == "free":
        things = tuple(one for one in things if one.id not in foes)
    return max((sight_clearance(table, one, query.target, things) for one in eyes), key=lambda found: found[0])


def _explain_near_side(gap_mm: float, side: str) -> str:
    return f"It is {format_length(max(0.0, gap_mm))} from the {side}." if math.isfinite(gap_mm) else "No side is free."
