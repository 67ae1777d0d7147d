"""Blockers of a line of sight: which bases close it, and in words why others do not."""

from pydantic import JsonValue

from models.miniature import Miniature
from models.queries import Los
from models.verdict import CAPPED_MM, Reason
from referee.editions.warmachine import parameters
from referee.editions.warmachine.line_of_sight.corridor import Corridor, InTheWay
from referee.editions.warmachine.line_of_sight.terrain import add_terrain_and_effects, sum_woods
from referee.editions.warmachine.miniatures.base_state import (
    has_stealth,
    is_incorporeal,
    is_wholly_in,
    level,
    size_mm,
    stands_inside,
)
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.area_crossing import least_run
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area
from referee.line_of_sight import Lane, Obstacle
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import describe_arc_depth, format_length, format_names, with_effect
from referee.rules.rule_result import Value
from referee.rules.switches import is_at_least, is_more_than

EYELESS = "eyeless-stealth"
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


def find_in_the_way(
    table: ExactTable,
    viewer: str,
    target: str,
    ignoring: tuple[str, ...],
    *,
    past_models: bool = False,
    purpose: str | None = None,
) -> InTheWay:
    """What counts as blocker for a line between these two; `past_models` looks past every base.

    Source: Line of Sight & Targeting, p. 36-39.
    """
    corridor = Corridor.between(table.base(viewer), table.base(target))
    bases = table.bounding_discs.beyond_mm(corridor.a, corridor.b) - corridor.half_mm
    away = corridor.all_beyond_mm((area for _, area in table.ground_areas), table.ground_discs)
    grounds = [(far, thing) for far, (thing, _) in zip(away, table.ground_areas, strict=True)]
    blockers = InTheWay(corridor, table.bounding_discs, bases, grounds, past_models=past_models, purpose=purpose)
    sort_blockers(table, viewer, target, ignoring, blockers, up_to_mm=0.0)
    sum_woods(table, viewer, target, blockers)
    return blockers


def sort_blockers(
    table: ExactTable, viewer: str, target: str, ignoring: tuple[str, ...], blockers: InTheWay, *, up_to_mm: float
) -> bool:
    """Sort what stands up to this far from the corridor by what it does; whether a blocker was added."""
    before = len(blockers.obstacles) + len(blockers.woods)
    for beyond, ground in blockers.grounds:
        if blockers.reach_mm < beyond <= up_to_mm:
            add_terrain_and_effects(table, viewer, target, ground, ignoring, blockers, near=beyond <= 0)
    for beyond, id_ in blockers.bases_up_to(up_to_mm):
        if id_ not in (viewer, target):
            _add_base(table, viewer, target, table.miniature(id_), ignoring, blockers, near=beyond <= 0)
    blockers.reach_mm = max(blockers.reach_mm, up_to_mm)
    return len(blockers.obstacles) + len(blockers.woods) > before


def _add_base(
    table: ExactTable,
    viewer: str,
    target: str,
    miniature: Miniature,
    ignoring: tuple[str, ...],
    blockers: InTheWay,
    *,
    near: bool,
) -> None:
    terms = terms_of(table)
    asked = miniature.id in ignoring
    why = "asked" if asked else terms.why_ignored(table, viewer, target, miniature, blockers.purpose)
    if why is None and blockers.past_models:
        why = "flight"
    if why is None:
        blockers.obstacles.append(Obstacle(miniature.id, Area((table.base(miniature.id),))))
    elif near:
        blockers.ignored[miniature.id] = why
    if near and has_stealth(miniature) and table.miniature(viewer).has("eyeless-sight"):
        blockers.doubtful |= {EYELESS}
    if near and why in (None, "lower"):
        blockers.by_level |= {miniature.id} if why == "lower" else set()
        blockers.doubtful |= terms.level_doubts(table, viewer, target, miniature.id)


def why_ignored(
    table: ExactTable, viewer: str, target: str, blocker: Miniature, purpose: str | None = None
) -> str | None:
    """Why a base does not close the line, or None when it does. Source: Line of Sight & Targeting, p. 36."""
    if why := why_never(table, viewer, target, blocker):
        return why
    if blocker.has("amphibious") and _stands_in_kind(table, blocker.id, parameters.SHALLOW_WATER):
        return "amphibious"
    return "lower" if _is_looked_past(table, viewer, target, blocker.id) else None


def why_never(table: ExactTable, viewer: str, target: str, blocker: Miniature) -> str | None:
    """Why a base closes no line, at whatever height. Source: Line of Sight & Targeting, p. 36."""
    if "removed" in blocker.status:
        return "removed"
    if "knocked-down" in blocker.status:  # Source: Knockdown, p. 61
        return "knocked-down"
    if is_incorporeal(blocker):  # Source: Advantages, p. 17
        return "incorporeal"
    if size_mm(blocker) < size_mm(table.miniature(target)):
        return "smaller"
    if _is_stealthy(table, viewer, blocker):
        return "stealth"
    in_trench = _stands_in_kind(table, blocker.id, {"trench"}) and not _stands_in_kind(table, target, {"trench"})
    return "trench" if in_trench else None


def _is_stealthy(table: ExactTable, viewer: str, blocker: Miniature) -> bool:
    """Source: Advantages, p. 17: beyond 5 in; exactly 5 in is near; Eyeless Sight ignores Stealth."""
    if not has_stealth(blocker):
        return False
    if table.miniature(viewer).has("eyeless-sight") and table.reading(EYELESS) == "intervenes":
        return False
    apart_mm = area_gap(table.area(viewer), table.area(blocker.id)).mm
    return is_more_than(apart_mm, parameters.STEALTH_MM, "stands beyond 5 in of", (blocker.id, viewer))


def _stands_in_kind(table: ExactTable, id_: str, kinds: frozenset[str] | set[str]) -> bool:
    places = tuple(t.id for t in table.state.terrain if t.kind in kinds)
    return bool(places) and table.memoize_for(f"in {sorted(kinds)}", id_, lambda: _is_wholly_in(table, id_, places))


def _is_wholly_in(table: ExactTable, id_: str, places: tuple[str, ...]) -> bool:
    if table.reading("trench-joined") == "one-must-hold-it":
        return any(is_wholly_in(table, id_, (place,)) for place in places)
    near = tuple(p for p in places if stands_inside(table, id_, p))
    return bool(near) and is_wholly_in(table, id_, near)


def _is_looked_past(table: ExactTable, viewer: str, target: str, blocker: str) -> bool:
    """Whether elevation lets the line pass over this base. Source: Elevation & Line of Sight, p. 78."""
    if not table.state.terrain and all(m.elevation_mm is None for m in table.state.miniatures):
        return False
    mine, theirs, its = (level(table, id_) for id_ in (viewer, target, blocker))
    if mine == theirs:
        return table.reading("equal-height") == "ignored" and its < mine
    if mine < theirs:
        return its < theirs
    low = its < mine if table.reading("lower-than-whom") == "viewer" else its <= theirs
    return low and not _is_near(table, viewer, target, blocker)


def _is_near(table: ExactTable, viewer: str, target: str, blocker: str) -> bool:
    """Whether it stands within an inch of the target; exactly an inch is. Source: Elevation & Line of Sight, p. 78."""
    apart_mm = area_gap(table.area(blocker), table.area(target)).mm
    near = is_at_least(parameters.NEAR_TARGET_MM, apart_mm, "stands within 1 in of", (blocker, target))
    if not near or table.reading("near-target") == "anywhere":  # no line between them is shorter than the gap
        return near
    run = least_run(table.base(viewer), table.base(target), table.area(blocker))
    on = (blocker, target, viewer)
    return run is not None and is_at_least(
        parameters.NEAR_TARGET_MM, run.mm, "stands within 1 in along the line of", on
    )


def level_doubts(table: ExactTable, viewer: str, target: str, blocker: str) -> set[str]:
    """The readings under which elevation might treat this base otherwise."""
    if not table.state.terrain and all(m.elevation_mm is None for m in table.state.miniatures):
        return set()
    mine, theirs, its = (level(table, id_) for id_ in (viewer, target, blocker))
    if its >= mine or mine < theirs:
        return set()
    if mine == theirs:
        return {"equal-height"}
    near = area_gap(table.area(blocker), table.area(target)).mm <= parameters.NEAR_TARGET_MM + 1e-9
    return {"near-target"} if near else {"lower-than-whom"} if its > theirs else set()


def explain_sight(
    table: ExactTable, query: Los, depth_mm: float, blockers: InTheWay, lane: Lane, value: Value
) -> tuple[Reason, ...]:
    """The rule of the line, the rule that decided, and why what seems to be in the way is not."""
    reasons: tuple[Reason, ...]
    if value["decided_by"] == "arc":
        reasons = (with_effect(table, LINE, describe_arc_depth(table, query.viewer, query.target, depth_mm)),)
    elif not lane.held_by or lane.margin_mm >= CAPPED_MM:
        reasons = (with_effect(table, LINE, "Nothing stands in its way."),)
    else:
        reasons = (LINE, _decisive(table, blockers, lane, value))
    low = () if blockers.solid_ids.intersection(lane.held_by) else _explain_over(table, value)
    return tuple(dict.fromkeys((*reasons, *low, *_explain_looked_past(table, blockers))))


def _explain_over(table: ExactTable, value: Value) -> tuple[Reason, ...]:
    """Why terrain that is in the way does not close the line: a line passes over it."""
    spare = value.get("wall_mm")
    if not isinstance(spare, float) or spare < 0:
        return ()
    return (with_effect(table, VOLUME, f"The highest line passes every top with {format_length(spare)} to spare."),)


def _length(value: JsonValue) -> str:
    return format_length(float(value)) if isinstance(value, float | int) else "nothing"


def _decisive(table: ExactTable, blockers: InTheWay, lane: Lane, value: Value) -> Reason:
    """The rule about what holds the best line, and how near it comes."""
    held = lane.held_by
    names = format_names(table, list(held))
    if any(wood.id in held for wood in blockers.woods):
        return with_effect(table, _FOREST, f"The best line runs through {_length(value.get('forest_mm'))} of {names}.")
    if blockers.solid_ids.intersection(held):
        return with_effect(table, VOLUME, _explain_solid(names, lane, value))
    rule = _BASES if all(id_ in table.miniatures for id_ in held) else _CLOUD
    return with_effect(table, rule, _explain_lane(names, lane.margin_mm))


def _explain_solid(names: str, lane: Lane, value: Value) -> str:
    spare = value.get("wall_mm")
    if not isinstance(spare, float):
        return _explain_lane(names, lane.margin_mm)
    if lane.margin_mm > 0:
        aside, above = format_length(lane.margin_mm), format_length(spare)
        return f"A line passes {names} by {aside}, or over the top with {above} to spare."
    if abs(spare) < _DUST_MM:
        return f"The highest line just touches the top of {names}."
    return f"The top of {names} is {format_length(-spare)} above the highest line."


def _explain_lane(names: str, margin_mm: float) -> str:
    if margin_mm > _DUST_MM:
        return f"The clearest line passes {names} by {format_length(margin_mm)}."
    if margin_mm >= -_DUST_MM:
        return f"The best line just touches {names}."
    return f"Every line is closed by {names}; the best one lacks {format_length(-margin_mm)}."


def _explain_looked_past(table: ExactTable, blockers: InTheWay) -> tuple[Reason, ...]:
    """The rules by which things in the way do not count, each with whom it lets one look past."""
    looked_past = terms_of(table).looked_past_reasons
    by_rule: dict[str, list[str]] = {}
    for id_, why in blockers.ignored.items():
        if why in looked_past:
            by_rule.setdefault(why, []).append(id_)
    shown = list(by_rule.items())[:_MOST]
    return tuple(
        with_effect(table, looked_past[why], f"{format_names(table, ids)}: looked past.") for why, ids in shown
    )
