"""Victory points: what a side scores for the enemy's losses."""

from pydantic import JsonValue

from models.queries import Score
from models.unit import Unit
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import leading_miniature, members_left, side_of
from referee.editions.warhammer_9.units.unit_strength import total_strength
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult

_POINTS = because("Victory Points", 107, "Gone counts whole, fleeing or halved half, both three quarters.")


def score(table: ExactTable, query: Score) -> RuleResult:
    """Victory points: what a side scores now for the enemy's losses. Source: Victory Points, p. 107."""
    sides = [side.id for side in table.state.sides]
    scorer = query.scorer or next((table.state.turn.active for _ in [0] if table.state.turn), None) or sides[0]
    parts: list[JsonValue] = []
    total = 0.0
    for unit in table.state.units:
        if unit.worth and not _is_own(table, unit, scorer):
            share = _lost_share(table, unit)
            total += share * unit.worth
            parts.append({"objective": unit.id, "points": share * unit.worth, "share": share})
    return RuleResult(
        status="measured",
        value={"points": total, "parts": parts, "total": total, "scorer": scorer},
        because=(with_effect(table, _POINTS, f"{scorer} scores {total:g}."),),
    )


def _is_own(table: ExactTable, unit: Unit, scorer: str) -> bool:
    return (unit.side or (side_of(table, unit.id) if members_left(table, unit.id) else None)) == scorer


def _lost_share(table: ExactTable, unit: Unit) -> float:
    """Source: Victory Points, p. 107."""
    if not members_left(table, unit.id):
        return 1.0
    began = unit.started.battle.strength if unit.started and unit.started.battle else None
    halved = bool(began) and total_strength(table, unit.id) <= (began or 0.0) / 2
    fled = "fleeing" in leading_miniature(table, unit.id).status
    return 0.75 if halved and fled else 0.5 if halved or fled else 0.0
