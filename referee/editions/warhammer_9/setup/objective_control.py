"""Objective control: who holds the tower, and what a side scores for the enemy's losses."""

from pydantic import JsonValue

from models.queries import ObjectiveControl, Score
from models.terrain import Objective
from models.unit import Unit
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import closest_bases, place_doubts
from referee.editions.warhammer_9.units.regiment import (
    all_regiments,
    garrisoned_building,
    leading_miniature,
    members_left,
    side_of,
)
from referee.editions.warhammer_9.units.unit_strength import total_strength
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.switches import is_at_least

_HOLD = because("The Watchtower", 111, "Who is inside, else the closest unit of strength 5 or more not fleeing.")
_POINTS = because("Victory Points", 107, "Gone counts whole, fleeing or halved half, both three quarters.")


def objective_control(table: ExactTable, query: ObjectiveControl) -> RuleResult:
    """Objective control: who holds it. Source: The Watchtower, p. 111."""
    objective = table.state.by_id[query.objective]
    place = objective.terrain if isinstance(objective, Objective) and objective.terrain is not None else query.objective
    held = [id_ for id_ in all_regiments(table) if garrisoned_building(table, id_) == place]
    able = [id_ for id_ in all_regiments(table) if _is_able_to_hold(table, id_)]
    ranked = sorted((max(0.0, closest_bases(table, id_, place).mm), id_) for id_ in able)
    winner = held[0] if held else ranked[0][1] if ranked else None
    ties = [id_ for mm, id_ in ranked if is_at_least(ranked[0][0], mm, "is as near as", (id_, ranked[0][1]))]
    tie = not held and len({side_of(table, id_) for id_ in ties}) > 1
    value: dict[str, JsonValue] = {
        "controller": "none" if winner is None or tie else side_of(table, winner),
        "by": winner,
        "ties": [*ties] if tie else [],
        "contested_by": [],
        "by_id": {id_: {"why": "nearest" if id_ == winner else "farther", "distance_mm": mm} for mm, id_ in ranked},
    }
    return RuleResult(
        status="measured",
        value=value,
        members=tuple(_control_candidate(table, id_, place, ranked) for _, id_ in ranked),
        because=(with_effect(table, _HOLD, "Nobody holds it." if winner is None else f"{winner} does."),),
        readings=("garrison-edge",),
        doubtful=place_doubts(table, *able),
    )


def _is_able_to_hold(table: ExactTable, id_: str) -> bool:
    return "fleeing" not in leading_miniature(table, id_).status and total_strength(table, id_) >= parameters.FEW


def _control_candidate(table: ExactTable, id_: str, place: str, ranked: list[tuple[float, str]]) -> Candidate:
    """How much nearer it is than the nearest other."""
    others = [holder for _, holder in ranked if holder != id_]

    def rule(asked: ExactTable) -> RuleResult:
        mine = closest_bases(asked, id_, place)
        rest = [closest_bases(asked, id_, place) for id_ in others[:3]]
        least = min(rest, key=lambda id_: id_.mm, default=None)
        mm = CAPPED_MM if least is None else max(0.0, least.mm) - max(0.0, mine.mm)
        return RuleResult(
            margin_mm=mm,
            depends_on_place=tuple(dict.fromkeys((*mine.depends_on, *(least.depends_on if least else ())))),
        )

    return Candidate(id_, rule(table), rule)


def score(table: ExactTable, query: Score) -> RuleResult:
    """Victory points: what a side scores now for the enemy's losses. Source: Victory Points, p. 107."""
    sides = [side.id for side in table.state.sides]
    scorer = query.scorer or next((table.state.turn.active for _ in [0] if table.state.turn), None) or sides[0]
    parts: list[JsonValue] = []
    total = 0.0
    for unit in table.state.units:
        side = unit.side or (side_of(table, unit.id) if members_left(table, unit.id) else None)
        if unit.worth and side != scorer:
            share = _lost_share(table, unit)
            total += share * unit.worth
            parts.append({"objective": unit.id, "points": share * unit.worth, "share": share})
    return RuleResult(
        status="measured",
        value={"points": total, "parts": parts, "total": total, "scorer": scorer},
        because=(with_effect(table, _POINTS, f"{scorer} scores {total:g}."),),
    )


def _lost_share(table: ExactTable, unit: Unit) -> float:
    """Source: Victory Points, p. 107."""
    if not members_left(table, unit.id):
        return 1.0
    began, left = unit.started.battle if unit.started else None, total_strength(table, unit.id)
    was = 0.0 if began is None else began.strength or (began.models or 0) * left / len(members_left(table, unit.id))
    halved = bool(was) and left <= was / 2
    fled = "fleeing" in leading_miniature(table, unit.id).status
    return 0.75 if halved and fled else 0.5 if halved or fled else 0.0
