"""Steadfast: whether a unit that lost holds without the penalty of its defeat."""

from pydantic import JsonValue

from models.queries import Steadfast
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.combat.ranks_and_disruption import disruptors, full_rank, is_in_river
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.engagement import engaged_with
from referee.editions.warhammer_9.units.majority_inside import inside_doubts, is_mostly_inside
from referee.editions.warhammer_9.units.regiment import is_skirmishing, members_of, regiment
from referee.editions.warhammer_9.units.unit_strength import total_strength
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult

_STEADY = because("Steadfast", 48, "Stronger than the enemy, ten or more, with a whole rank, and not disrupted.")


def steadfast(table: ExactTable, query: Steadfast) -> RuleResult:
    """Steadfast: whether a unit keeps its Leadership after a defeat.

    Source: Steadfast, p. 48; Forests, p. 93; River, p. 93.
    """
    foes = engaged_with(table, query.unit)
    own = regiment(table, query.unit)
    with_it = {one for foe in foes for one in engaged_with(table, foe)} | {query.unit}
    friends = [one for one in with_it if one == query.unit or not disruptors(table, one)]
    mine, theirs = (sum(total_strength(table, one) for one in units) for units in (friends, foes))
    stubborn = sum(table.miniature(m).has("stubborn") for m in own.members) > len(own.members) / 2
    clauses = {
        "engaged": bool(foes),
        "stronger": mine > theirs,
        "ten": mine >= parameters.STEADY,
        "whole-rank": own.rank_sizes[0] >= full_rank(table, query.unit),
        "not-disrupted": not disruptors(table, query.unit),
        "not-skirmishing": not is_skirmishing(table, query.unit),
        "not-in-forest": not _mostly_in_forest(table, query.unit),
        "not-in-river": not is_in_river(table, query.unit),
    }
    holds = all(clauses.values()) or (stubborn and clauses["engaged"])
    strengths: dict[str, JsonValue] = {one: total_strength(table, one) for one in (query.unit, *foes)}
    failed = [name for name, held in clauses.items() if not held]
    return RuleResult(
        margin_mm=CAPPED_MM if holds else -CAPPED_MM,
        value={
            "clauses": [{"clause": name, "answer": "yes" if held else "no"} for name, held in clauses.items()],
            "strengths": strengths,
            "stubborn": stubborn,
        },
        because=(with_effect(table, _STEADY, "All of it holds." if holds else f"Not so: {', '.join(failed)}."),),
        readings=("majority-inside",),
        outcome_house_rules=inside_doubts(table, query.unit, {"forest"}),
    )


def _mostly_in_forest(table: ExactTable, id_: str) -> bool:
    woods = [t.id for t in table.state.terrain if t.kind == "forest"]
    inside = sum(any(is_mostly_inside(table, m, wood) for wood in woods) for m in members_of(table, id_))
    return inside > len(members_of(table, id_)) / 2
