"""Elevation bonus: who fights from higher ground."""

from models.queries import ElevationBonus
from referee.editions.warhammer_9.line_of_sight.high_ground import ground_heights_mm, high_ground_doubts
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import members_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult

_HIGH = because("Hills", 92, "One point to those of whom most began uphill of the enemy they fight.")


def elevation_bonus(table: ExactTable, query: ElevationBonus) -> RuleResult:
    """Elevation bonus: whether the attackers began uphill. Source: Hills, p. 92."""
    own, foe = ground_heights_mm(table, query.attacker, query.target)
    return RuleResult(
        margin_mm=own - foe,
        zero_is_met=False,
        value={
            "bonus": 1 if own > foe else 0,
            "bonus_to": "combat",
            "heights": {query.attacker: own, query.target: foe},
        },
        because=(with_effect(table, _HIGH, f"{format_length(own)} against {format_length(foe)}."),),
        readings=("high-ground",),
        doubtful=high_ground_doubts(table, query.attacker, query.target),
        depends_on_place=(members_of(table, query.attacker)[0], members_of(table, query.target)[0]),
    )
