"""Picturing: what on the table decides a question, drawn for every rule that draws nothing itself.

Each drawing looks at the ruling it belongs to and at the table, and never changes what was ruled.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import wraps
from typing import Any

from models import queries
from models.queries import Asked
from referee.edition import Rule
from referee.editions.warhammer_9 import drawn_moves, drawn_reach
from referee.editions.warhammer_9.drawn_reach import Picture
from referee.editions.warhammer_9.strokes import (
    area_of,
    bases_of,
    bodies_of,
    met,
)
from referee.ruling import Ruling
from referee.situation import Situation


def pictured(rules: Mapping[type[Asked], Rule]) -> dict[type[Asked], Rule]:
    """The same rules, each drawing what decides."""
    return {cls: _drawing(rule, cls) if cls in PICTURES or cls in MORE else rule for cls, rule in rules.items()}


def _drawing(rule: Rule, cls: type[Asked]) -> Rule:
    @wraps(rule)
    def drawn(table: Situation, query: Any) -> Ruling:
        ruling = rule(table, query)
        if table.lean or ruling.status in ("unknown", "refused"):
            return ruling
        found = tuple(MORE[cls](table, query, ruling)) if cls in MORE else ()
        if not ruling.witness and cls in PICTURES:
            found += tuple(PICTURES[cls](table, query, ruling))
        return replace(ruling, witness=(*ruling.witness, *found)) if found else ruling

    return drawn


PICTURES: dict[type[Asked], Picture] = {
    queries.AttackModifiers: drawn_reach.arc_too("attacker", "target"),
    queries.Aura: drawn_reach.aura,
    queries.BasesClear: lambda table, query, ruling: bases_of(table, ruling.touches, met(ruling)),
    queries.Casualties: drawn_moves.casualties,
    queries.Challenge: drawn_moves.reached("a", "b"),
    queries.ChargeRedirect: drawn_reach.redirected,
    queries.CombatBonuses: drawn_moves.fighting("a", "b"),
    queries.CombatContacts: drawn_moves.touching,
    queries.Deployment: drawn_moves.deployed,
    queries.ElevationBonus: drawn_moves.hill,
    queries.FitsBetween: drawn_reach.pair("a", "b"),
    queries.Flee: drawn_moves.flight,
    queries.Frenzy: drawn_reach.target_of,
    queries.Garrison: drawn_moves.reached("unit", "feature"),
    queries.Hazard: drawn_moves.hazard,
    queries.ImpactAttacks: drawn_moves.struck,
    queries.InArea: lambda table, query, ruling: area_of(table, query.area, met(ruling)),
    queries.JoinUnit: drawn_moves.reached("who", "unit"),
    queries.LookOutSir: drawn_reach.protected,
    queries.March: drawn_moves.marching,
    queries.MayShoot: drawn_reach.reasons,
    queries.MoraleCheck: drawn_reach.morale,
    queries.Move: drawn_moves.posed("mover"),
    queries.ObjectiveControl: drawn_reach.holders_of,
    queries.Pursuit: drawn_moves.chase,
    queries.Rally: drawn_moves.posed("who"),
    queries.RandomMove: drawn_moves.ahead,
    queries.Reinforcements: drawn_moves.coming_on,
    queries.Score: drawn_moves.points,
    queries.Shooters: drawn_reach.shooters,
    queries.ShootingIntoCombat: drawn_reach.into_combat,
    queries.SpellTarget: drawn_reach.arc_too("caster", "target"),
    queries.StandAndShoot: drawn_reach.pair("attacker", "target"),
    queries.Steadfast: drawn_moves.fighting("unit"),
    queries.UnitStrength: lambda table, query, ruling: bodies_of(table, (query.unit,), "limit"),
    queries.WarMachineCombat: drawn_moves.at_machine,
    queries.WarMachinePivot: drawn_reach.pivoted,
}
"""For rules that draw nothing, or not always."""
MORE: dict[type[Asked], Picture] = {
    queries.Arc: drawn_reach.from_viewer,
    queries.Charge: drawn_moves.stopped,
    queries.Cover: drawn_reach.covered,
    queries.Flee: drawn_moves.from_whom,
    queries.InFrontArc: drawn_reach.in_front,
    queries.Move: drawn_moves.stopped,
    queries.OneInchRule: drawn_moves.kept_off,
    queries.Pursuit: drawn_moves.stopped,
    queries.RandomMove: drawn_moves.stopped,
    queries.StoneThrower: drawn_reach.aimed,
}
"""For rules that draw a part."""
