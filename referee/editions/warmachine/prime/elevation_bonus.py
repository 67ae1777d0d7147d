"""Elevation bonus: a target on higher ground is harder to hit."""

from pydantic import JsonValue

from models.queries import ElevationBonus
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Reason
from referee.editions.warmachine.miniatures.base_state import elevates, elevation_mm, is_huge, level
from referee.editions.warmachine.prime.parameters import because
from referee.geometry.containment import depth_of_base
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult

_BONUS = because("Elevation Bonus", 78, "An elevated target gains 2 DEF against ranged and magic attacks from below.")
_HUGE = because("Elevation Bonus", 78, "Huge bases never gain it.")
_MELEE = because("Elevation Bonus", 78, "It counts against ranged and magic attacks only.")
_WHOLLY = because("Does the Terrain Grant Elevation?", 78, "Elevated is who stands completely within the feature.")


def elevation_bonus(table: ExactTable, query: ElevationBonus) -> RuleResult:
    """Elevation bonus: whether the target stands elevated above the attacker; equal levels earn nothing.

    Source: p. 78.
    """
    if is_huge(table.miniature(query.target)):
        return _refuse_bonus(query.target, _HUGE)
    if query.attack == "melee":
        return _refuse_bonus(query.target, _MELEE)
    heights = {id_: elevation_mm(table, id_) for id_ in (query.attacker, query.target)}
    above = _above_mm(table, query, heights)
    border = _nearest_rim_mm(table, query.target)
    earned = above > 1e-9
    margin = above if above != 0 else min(-abs(border), -1e-3) if border < 0 else -CAPPED_MM
    return RuleResult(
        margin_mm=margin,
        slack_mm=min(margin, border) if earned and border >= 0 else margin,
        zero_is_met=earned,  # then only the feature's rim can be at zero, and the rim is inside
        value={"bonus": 2 if earned else 0, "bonus_to": "defence", "heights": dict(heights)},
        because=(_BONUS, with_effect(table, _WHOLLY, _describe_height(table, query, above, border))),
        depends_on_place=(query.attacker, query.target, *(t.id for t in table.state.terrain if elevates(t))),
    )


def _above_mm(table: ExactTable, query: ElevationBonus, heights: dict[str, float]) -> float:
    """How much higher the target counts as standing: nothing on equal levels, else the height between them."""
    levels = level(table, query.target) - level(table, query.attacker)
    between = heights[query.target] - heights[query.attacker]
    return 0.0 if levels == 0 else between if between * levels > 0 else inches(levels)


def _describe_height(table: ExactTable, query: ElevationBonus, above_mm: float, border_mm: float) -> str:
    who, other = name_of(table, query.target), name_of(table, query.attacker)
    if above_mm > 0:
        return f"{who} stands {format_length(above_mm)} above {other}."
    if above_mm < 0:
        return f"{who} stands {format_length(-above_mm)} below {other}."
    if -CAPPED_MM < border_mm < 0:
        return f"{format_length(-border_mm)} of {who} are outside the feature, so it is not elevated."
    return f"{who} and {other} count as equally high."


def _refuse_bonus(target: str, reason: Reason) -> RuleResult:
    value: dict[str, JsonValue] = {"bonus": 0, "bonus_to": "defence"}
    return RuleResult(margin_mm=-CAPPED_MM, value=value, because=(_BONUS, reason), depends_on_place=(target,))


def _nearest_rim_mm(table: ExactTable, id_: str) -> float:
    """How deep the base lies wholly inside the best feature that elevates; the negative cap without one."""
    base = table.base(id_)
    depths = [depth_of_base(base, (table.area(t.id),)) for t in table.state.terrain if elevates(t)]
    return max(depths, default=CAPPED_MM if table.miniature(id_).elevation_mm else -CAPPED_MM)
