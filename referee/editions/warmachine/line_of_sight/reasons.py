"""Reasons of a line of sight: why it is clear or closed, as a judge would say it."""

from pydantic import JsonValue

from models.queries import Los
from models.verdict import CAPPED_MM, Reason
from referee.editions.warmachine.line_of_sight.corridor import InTheWay
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.line_of_sight import Lane
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import describe_arc_depth, format_length, format_names, with_effect

LINE = because(
    "Line of Sight & Targeting", 39, "One straight line between the volumes is enough, to a part in the front arc."
)
VOLUME = because("Determining Model Volume", 37, "Terrain closes the line where it is at or below the terrain's top.")
INERT = because("Inert Warjacks", 59, "An inert warjack has no facing.", "Nothing is in its front arc.")
_BASES = because(
    "Line of Sight & Targeting", 36, "A base at least as large as the target's closes every line across it."
)
_FOREST = because("Forests", 79, "Up to 3 in of forest when an end of the line is inside, none when both are outside.")
_CLOUD = because("Cloud Effects", 60, "One sees into and out of a cloud, but not through it.")
_LEVEL = because(
    "Elevation & Line of Sight", 78, "Lower bases are looked past, but those within 1 in of a lower target."
)
_HUGE = because("Forests", 79, "Clouds and forests hide no huge base.")
_DUST_MM = 1e-6
_MOST = 2  # so many things that are looked past are told; the rest stand in the verdict's list

LOOKED_PAST: dict[str, Reason] = {
    "removed": because("Line of Sight & Targeting", 36, "It has left play.", "It does not count."),
    "knocked-down": because("Knockdown", 61, "A knocked down model never intervenes.", "It does not count."),
    "incorporeal": because("Advantages", 17, "An incorporeal model never intervenes.", "It does not count."),
    "smaller": because("Line of Sight & Targeting", 36, "Its base is smaller than the target's.", "It does not count."),
    "stealth": because("Advantages", 17, "Beyond 5 in a Stealth model does not intervene.", "It does not count."),
    "amphibious": because("Advantages", 17, "Wholly in shallow water it is looked past.", "It does not count."),
    "trench": because("Trenches", 80, "Models wholly in trenches are looked past.", "It does not count."),
    "lower": _LEVEL,
    "raised": because("Line of Sight & Targeting", 39, "A line that runs underneath terrain does not pass through it."),
    "flight": because("Advantages", 17, "With Flight one ignores intervening models when declaring a charge."),
    "eyeless-sight": because("Advantages", 17, "Eyeless Sight takes no notice of clouds."),
    "viewer-inside": _CLOUD,
    "target-inside": _CLOUD,
    "huge-target": _HUGE,
}


def explain_sight(
    table: ExactTable, query: Los, depth_mm: float, way: InTheWay, lane: Lane, value: dict[str, JsonValue]
) -> tuple[Reason, ...]:
    """The rule of the line, the rule that decided, and why what seems to be in the way is not."""
    told: tuple[Reason, ...]
    if value["decided_by"] == "arc":
        told = (with_effect(table, LINE, describe_arc_depth(table, query.viewer, query.target, depth_mm)),)
    elif not lane.held_by or lane.margin_mm >= CAPPED_MM:
        told = (with_effect(table, LINE, "Nothing stands in its way."),)
    else:
        told = (LINE, _decisive(table, way, lane, value))
    low = () if way.solid_ids.intersection(lane.held_by) else _explain_over(table, value)
    return tuple(dict.fromkeys((*told, *low, *_explain_looked_past(table, way))))


def _explain_over(table: ExactTable, value: dict[str, JsonValue]) -> tuple[Reason, ...]:
    """Why terrain that is in the way does not close the line: a line passes over it."""
    spare = value.get("wall_mm")
    if not isinstance(spare, float) or spare < 0:
        return ()
    return (with_effect(table, VOLUME, f"The highest line passes every top with {format_length(spare)} to spare."),)


def _length(value: JsonValue) -> str:
    return format_length(float(value)) if isinstance(value, float | int) else "nothing"


def _decisive(table: ExactTable, way: InTheWay, lane: Lane, value: dict[str, JsonValue]) -> Reason:
    """The rule about what holds the best line, and how near it comes."""
    held = lane.held_by
    who = format_names(table, list(held))
    if any(wood.id in held for wood in way.woods):
        return with_effect(table, _FOREST, f"The best line runs through {_length(value.get('forest_mm'))} of {who}.")
    if way.solid_ids.intersection(held):
        return with_effect(table, VOLUME, _explain_solid(who, lane, value))
    rule = _BASES if all(id_ in table.miniatures for id_ in held) else _CLOUD
    return with_effect(table, rule, _explain_lane(who, lane.margin_mm))


def _explain_solid(who: str, lane: Lane, value: dict[str, JsonValue]) -> str:
    spare = value.get("wall_mm")
    if not isinstance(spare, float):
        return _explain_lane(who, lane.margin_mm)
    if lane.margin_mm > 0:
        beside, above = format_length(lane.margin_mm), format_length(spare)
        return f"A line passes {who} by {beside}, or over the top with {above} to spare."
    if abs(spare) < _DUST_MM:
        return f"The highest line just touches the top of {who}."
    return f"The top of {who} is {format_length(-spare)} above the highest line."


def _explain_lane(who: str, margin_mm: float) -> str:
    if margin_mm > _DUST_MM:
        return f"The clearest line passes {who} by {format_length(margin_mm)}."
    if margin_mm >= -_DUST_MM:
        return f"The best line just touches {who}."
    return f"Every line is closed by {who}; the best one lacks {format_length(-margin_mm)}."


def _explain_looked_past(table: ExactTable, way: InTheWay) -> tuple[Reason, ...]:
    """The rules by which things in the way do not count, each with whom it lets one look past."""
    looked_past = terms_of(table).looked_past_reasons
    by_rule: dict[str, list[str]] = {}
    for id_, why in way.ignored.items():
        if why in looked_past:
            by_rule.setdefault(why, []).append(id_)
    told = list(by_rule.items())[:_MOST]
    return tuple(with_effect(table, looked_past[why], f"{format_names(table, ids)}: looked past.") for why, ids in told)
