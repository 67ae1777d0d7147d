"""Shooting into combat: at an enemy that friends fight, from near a side that nobody fights."""

import math

from pydantic import JsonValue

from models.queries import ShootingIntoCombat
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.arcs import quadrant
from referee.editions.warhammer_9.engaged import engaged_with, free_sides, side_gap_mm
from referee.editions.warhammer_9.formations import total_strength
from referee.editions.warhammer_9.measuring import apart
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import Regiment, are_friends, members_of, regiment
from referee.editions.warhammer_9.shooting import barred, weapon_of
from referee.editions.warhammer_9.showing import hiding_doubts, what_hides
from referee.editions.warhammer_9.sight import lookers, sees
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length

_MELEE = because("Shooting", 35, "Into a combat only from within 4 in of a side nobody fights, at strength 5 or more.")
_READ = ("unengaged-side", "fire-past-friend")


def shooting_into_combat(table: Situation, query: ShootingIntoCombat) -> Ruling:
    """Whether a unit may shoot at an enemy that fights. Source: Shooting, p. 35."""
    own, foes = regiment(table, query.target), engaged_with(table, query.target)
    gap_mm, side = _nearest_side(table, query.attacker, own)
    reach = parameters.INTO_COMBAT_MM - max(0.0, gap_mm) if math.isfinite(gap_mm) else -CAPPED_MM
    weapon = weapon_of(table, query.attacker, query.weapon)
    sight, eyes = _sight(table, query, foes)
    barred_ = [why for why in barred(table, query.attacker, weapon) if why != "engaged"]
    mm = {
        "engaged": _sure(bool(foes)),
        "near-a-free-side": reach,
        "strength": _sure(total_strength(table, query.target) >= parameters.FEW),
        "no-template": _sure(weapon is None or weapon.template is None),
        "may-shoot": _sure(not barred_ and not engaged_with(table, query.attacker)),
        "sight": sight,
    }
    failed = [name for name, margin in mm.items() if margin < 0]
    friends = [one for one in foes if are_friends(table, query.attacker, one)]
    return Ruling(
        margin_mm=_margin(reach, sight, failed),
        value={
            "side": side,
            "ones_hit": [*friends],
            "clauses": [_told(name, margin) for name, margin in mm.items()],
        },
        because=(applied(table, _MELEE, _near_side(gap_mm, side)),),
        readings=_READ,
        retold=() if table.lean else (*_READ, *hiding_doubts(table, query.attacker, query.target)),
        touches=tuple(dict.fromkeys((*apart(table, query.attacker, query.target).touches, *eyes))),
        faces=eyes[:1],
    )


def _sure(holds: bool) -> float:
    return CAPPED_MM if holds else -CAPPED_MM


def _margin(reach: float, sight: float, failed: list[str]) -> float:
    """4 in less the distance, as long as all else holds; a sight that fails by a little is told by how much."""
    others = set(failed) - {"near-a-free-side", "sight"}
    return -CAPPED_MM if others else min(reach, sight) if "sight" in failed else reach


def _told(name: str, margin: float) -> JsonValue:
    return {"clause": name, "answer": "yes" if margin >= 0 else "no", "margin_mm": margin}


def _nearest_side(table: Situation, attacker: str, own: Regiment) -> tuple[float, str]:
    """The nearest side that nobody fights, of those in whose quadrant the shooters stand. Source: Shooting, p. 35."""
    near = sorted((side_gap_mm(table, attacker, own, side), side) for side in free_sides(table, own.id))
    if table.reading("unengaged-side") == "in-arc-and-near":
        where = {quadrant(own, regiment(table, m).centre)[0] for m in members_of(table, attacker)}
        near = [found for found in near if found[1] in where]
    return near[0] if near else (math.inf, "none")


def _sight(table: Situation, query: ShootingIntoCombat, foes: list[str]) -> tuple[float, tuple[str, ...]]:
    """How well the best of the shooters sees the target; past the friends who fight it where the table agreed so."""
    key = ("sees best", query.attacker, query.target)
    best = table.settled(key, lambda still: _best_sight(still, query, foes, lookers(still, query.attacker)))
    return best if not table.nudges else _best_sight(table, query, foes, best[1][:1])


def _best_sight(
    table: Situation, query: ShootingIntoCombat, foes: list[str], eyes: tuple[str, ...]
) -> tuple[float, tuple[str, ...]]:
    things = what_hides(table, query.attacker, query.target)
    if table.reading("fire-past-friend") == "free":
        things = tuple(one for one in things if one.id not in foes)
    return max((sees(table, one, query.target, things) for one in eyes), key=lambda found: found[0])


def _near_side(gap_mm: float, side: str) -> str:
    return f"It is {length(max(0.0, gap_mm))} from the {side}." if math.isfinite(gap_mm) else "No side is free."
