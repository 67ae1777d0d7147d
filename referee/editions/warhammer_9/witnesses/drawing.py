"""Witness drawing: what decides a question on the table, drawn for every rule that draws nothing itself.

Each drawing looks at the result it belongs to and at the table, and never changes what was ruled.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import wraps
from typing import Any

from models import queries
from models.queries import BaseQuery
from referee.editions.warhammer_9.witnesses import moves, reach
from referee.editions.warhammer_9.witnesses.primitives import draw_area, draw_bases, draw_regiments, result_role
from referee.editions.warhammer_9.witnesses.reach import Picture
from referee.rules.edition import Rule
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult


def with_pictures(rules: Mapping[type[BaseQuery], Rule]) -> dict[type[BaseQuery], Rule]:
    """The same rules, each with the witness that decides."""
    return {
        cls: _with_picture(rule, cls) if cls in PICTURES or cls in ADDITIONAL_PICTURES else rule
        for cls, rule in rules.items()
    }


def _with_picture(rule: Rule, cls: type[BaseQuery]) -> Rule:
    @wraps(rule)
    def rule_with_picture(table: ExactTable, query: Any) -> RuleResult:
        result = rule(table, query)
        if table.margins_only or result.status in ("unknown", "refused"):
            return result
        pictures = tuple(ADDITIONAL_PICTURES[cls](table, query, result)) if cls in ADDITIONAL_PICTURES else ()
        if not result.witness and cls in PICTURES:
            pictures += tuple(PICTURES[cls](table, query, result))
        return replace(result, witness=(*result.witness, *pictures)) if pictures else result

    return rule_with_picture


PICTURES: dict[type[BaseQuery], Picture] = {
    queries.AttackModifiers: reach.draw_pair_and_arc("attacker", "target"),
    queries.Aura: reach.draw_aura,
    queries.BasesClear: lambda table, query, result: draw_bases(table, result.depends_on_place, result_role(result)),
    queries.Casualties: moves.draw_casualties,
    queries.Challenge: moves.draw_reach("a", "b"),
    queries.ChargeRedirect: reach.draw_redirect,
    queries.CombatBonuses: moves.draw_fights("a", "b"),
    queries.CombatContacts: moves.draw_combat_contacts,
    queries.Deployment: moves.draw_deployment,
    queries.ElevationBonus: moves.draw_hills,
    queries.FitsBetween: reach.draw_pair("a", "b"),
    queries.Flee: moves.draw_flight,
    queries.Frenzy: reach.draw_frenzy,
    queries.Garrison: moves.draw_reach("unit", "feature"),
    queries.Hazard: moves.draw_hazard,
    queries.ImpactAttacks: moves.draw_impact,
    queries.InArea: lambda table, query, result: draw_area(table, query.area, result_role(result)),
    queries.JoinUnit: moves.draw_reach("who", "unit"),
    queries.LookOutSir: reach.draw_protection,
    queries.March: moves.draw_march,
    queries.MayMove: lambda table, query, result: draw_regiments(table, (query.mover,), result_role(result)),
    queries.MayShoot: reach.draw_fights_of_shooter,
    queries.MoraleCheck: reach.draw_morale,
    queries.Move: moves.draw_end_poses("mover"),
    queries.ObjectiveControl: reach.draw_objective_control,
    queries.Pursuit: moves.draw_pursuit,
    queries.Rally: moves.draw_end_poses("who"),
    queries.RandomMove: moves.draw_random_move,
    queries.Reinforcements: moves.draw_reinforcements,
    queries.Score: moves.draw_scoring_units,
    queries.Shooters: reach.draw_shooters,
    queries.ShootingIntoCombat: reach.draw_shot_into_combat,
    queries.SpellTarget: reach.draw_pair_and_arc("caster", "target"),
    queries.StandAndShoot: reach.draw_pair("attacker", "target"),
    queries.Steadfast: moves.draw_fights("unit"),
    queries.UnitStrength: lambda table, query, result: draw_regiments(table, (query.unit,), "limit"),
    queries.WarMachineCombat: moves.draw_machine_combat,
    queries.WarMachinePivot: reach.draw_pivot,
}
"""For rules that draw nothing, or not always."""
ADDITIONAL_PICTURES: dict[type[BaseQuery], Picture] = {
    queries.Arc: reach.draw_arc,
    queries.Charge: moves.draw_obstruction,
    queries.Cover: reach.draw_cover,
    queries.Flee: moves.draw_threats,
    queries.InFrontArc: reach.draw_front_arc,
    queries.Move: moves.draw_obstruction,
    queries.OneInchRule: moves.draw_one_inch,
    queries.Pursuit: moves.draw_obstruction,
    queries.RandomMove: moves.draw_obstruction,
    queries.StoneThrower: reach.draw_stone_aim,
}
"""For rules that draw a part."""
