"""Line of sight: one straight line from the front of a base, within its quadrant, to the base of the target."""

import math
from collections.abc import Collection
from dataclasses import dataclass
from operator import itemgetter

from pydantic import JsonValue

from models.queries import Los
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.cached_attribute import cached_attribute
from referee.editions.warhammer_9.line_of_sight.body_visibility import (
    UNSURE_ADVICE,
    seen_body_doubts,
    split_by_body_height,
)
from referee.editions.warhammer_9.line_of_sight.scene import (
    Body,
    Holder,
    Occluder,
    bystanders_of,
    fires_all_round,
    is_below_sight_line,
    kernel_obstacles,
    occluders_before_point,
    occluders_between,
    parts_in_view,
    solid_bodies,
    viewpoint,
)
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.quadrants import arc_lines, depth_ahead_mm
from referee.editions.warhammer_9.units.regiment import (
    Regiment,
    all_regiments,
    drawn_off_mm,
    garrisoned_building,
    is_skirmishing,
    members_of,
    regiment,
    regiment_of,
)
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.line_of_sight import End, Lane, lane_between, least_length_mm
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_names, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.search_effort import spend_effort

_LINE = because("Line of Sight", 12, "A clear line from the front of its base, inside its front, to the target's base.")
_BODY = because("Line of Sight", 12, "Who is hidden by something lower than itself is still seen, and is covered.")
_DUST_MM = 1e-6
GRAZED_MM = 2e-6  # a line that grazes is closed: it misses being open by so little
_LINE_EFFORT = 0.4  # of a line that is looked for
_CLOSE_MM = 5.0  # lines that much worse than the best may be the best once things are perturbed
_MOST = 3
_NEAR_FRONT_MM = 3.0  # who lies that much farther outside may come into a front first once things are perturbed
_MOST_NEAR = 6
_RIVAL_MM = 40.0  # what leaves a line so much more room does not come to hold it


@dataclass(frozen=True, eq=False)
class Sight:
    """One miniature that looks at one body of the target; `row` is the body's place in the target's list."""

    viewer: str
    row: int
    body: Body
    start: End
    own: Regiment | None
    stop: RoundedShape
    """What of the body lies in the quadrant it is looked at through."""
    closed: tuple[Occluder, ...]
    """What may block it."""

    @cached_attribute
    def bystanders(self) -> frozenset[Holder]:
        return bystanders_of(self.closed, self.start.shape, self.stop)

    @cached_attribute
    def depth_mm(self) -> float:
        """How deep the body reaches into the quadrant it is looked at through."""
        return math.inf if self.own is None else depth_ahead_mm(self.own, self.body.shape)

    @cached_attribute
    def plain_bounds(self) -> frozenset[Holder] | None:
        """What bounds its lane where only solid things do; None where a quadrant cuts the body, or a wood is there."""
        is_cut = self.own is not None and set(self.stop.points) != set(self.body.shape.points)
        return None if is_cut or any(t.is_wood for t in self.closed) else frozenset(t.key for t in self.closed)


@dataclass(frozen=True)
class Line:
    """Best line of a sight."""

    sight: Sight
    lane: Lane
    limited_by: tuple[Occluder, ...]
    is_open_at_limit: bool
    """Whether exactly the depth of forest that one sees through closes it not."""
    rivals: frozenset[Holder]
    """What may come to hold it, once things are perturbed."""

    @property
    def viewer(self) -> str:
        return self.sight.viewer

    @property
    def row(self) -> int:
        return self.sight.row

    @property
    def body(self) -> Body:
        return self.sight.body

    @property
    def depth_mm(self) -> float:
        return self.sight.depth_mm

    @property
    def margin_mm(self) -> float:
        return min(self.lane.margin_mm, self.depth_mm, CAPPED_MM)

    @property
    def clearance_mm(self) -> float:
        """How clear the line is, whatever quadrant it lies in. A line that grazes what stands there is blocked."""
        mm = min(self.lane.margin_mm, CAPPED_MM)
        is_open = mm > _DUST_MM or (self.is_open_at_limit and mm >= -_DUST_MM)
        return mm if is_open else min(mm, -GRAZED_MM)

    @property
    def is_clear(self) -> bool:
        """A line that grazes what stands there is blocked, and one along the edge of the quadrant is in none."""
        return self.clearance_mm > -GRAZED_MM and self.depth_mm > _DUST_MM

    @property
    def depends_on(self) -> tuple[str, ...]:
        holders = (m for occluder in self.limited_by for m in (occluder.members or (occluder.id,)))
        return tuple(dict.fromkeys((self.viewer, *self.body.members, *holders)))


def line_of_sight(table: ExactTable, query: Los) -> RuleResult:
    """Line of sight: whether anybody of the unit sees anybody of the target.

    Source: Line of Sight, p. 12; Declare Charge, p. 17.
    """
    asked = ("los", query.viewer, query.target, query.ignoring, query.purpose)
    return table.evaluate_memoized(asked, lambda perturbed: _evaluate_sight(perturbed, query))


def _evaluate_sight(table: ExactTable, query: Los) -> RuleResult:
    things = occluders_between(table, query.viewer, query.target, query.ignoring)
    lines = best_lines(table, query.viewer, query.target, things, shot=query.purpose == "shot")
    if not lines:
        return _result_outside_front(table, query)
    best = max(lines, key=lambda line: line.margin_mm)
    seen, best, lines = _classify_sight(table, query, things, lines, best)
    by = _deciding_limit(best)
    return RuleResult(
        margin_mm=best.margin_mm,
        zero_is_met=by == "forest" and table.reading("forest-exact") == "clear",
        value={} if table.margins_only else _value(table, query, seen, best, lines, things),
        witness=() if table.margins_only else _draw_line(table, query, best),
        blockers=() if best.is_clear else tuple(dict.fromkeys(occluder.id for occluder in best.limited_by)),
        because=(with_effect(table, _LINE if seen != "body" else _BODY, _explain_sight(table, query, seen, best)),),
        readings=("forest-exact", "seen-body"),
        doubtful=("forest-exact",) if is_at_forest_limit(best.margin_mm) else (),
        outcome_house_rules=("seen-body",) if seen != "clear" else (),
        depends_on_place=best.depends_on,
        depends_on_facing=(best.viewer,),
        advice=UNSURE_ADVICE if seen == "unsure" else None,
    )


def is_at_forest_limit(mm: float) -> bool:
    """Whether a line passes through exactly as much forest as it may, so that a house rule decides."""
    return abs(mm) <= GRAZED_MM


def best_lines(
    table: ExactTable, viewer: str, target: str, things: tuple[Occluder, ...], *, shot: bool = False
) -> list[Line]:
    """Best line of every eligible viewer to every body of the target.

    On a perturbed or drawn table only those that may be the best are looked at again.
    """
    if table.stated is not None and table.margins_only and table.stands_as_drawn:
        return _find_likely_lines(table, table.stated, viewer, target, things, shot=shot)
    wanted = _recall_best_rows(table, viewer, target, things, shot) if table.margins_only else None
    if wanted is None:
        return _find_lines(table, viewer, target, things, shot=shot)
    lines = []
    for id_, rows in wanted.items():
        holders = frozenset().union(*rows.values())
        near = tuple(thing for thing in things if thing.key in holders)
        lines += sight_lines(table, id_, target, near, shot=shot, rows=rows)
    return lines


def _find_likely_lines(
    table: ExactTable, stated: ExactTable, viewer: str, target: str, things: tuple[Occluder, ...], *, shot: bool
) -> list[Line]:
    """On a drawn table the best line and those that may be, looked for in the order of how wide they are as told.

    A lane that the same solid things bound grows by no more than twice what the farthest of these and of its ends has
    moved by: a line that goes with its ends comes no nearer to where a thing stood than by that.
    """
    same = frozenset(thing.key for thing in things)
    stated_lines = table.memoize_stated(
        ("told lines", viewer, target, same, shot), lambda still: _find_told(still, viewer, target, same, shot=shot)
    )
    may_grow_mm = 2 * max(drawn_off_mm(table, stated, id_) for id_ in (viewer, target, *(thing.id for thing in things)))
    sights = [s for id_ in eligible_viewers(table, viewer) for s in _look(table, id_, target, things, shot=shot)]
    pairs = [(sight, stated_lines.get((sight.viewer, sight.row))) for sight in sights]
    ranked = [(_widest_mm(sight, line, may_grow_mm), sight, line) for sight, line in pairs]
    lines: list[Line] = []
    best_mm = -math.inf
    for most_mm, sight, line in sorted(ranked, key=itemgetter(0), reverse=True):
        if most_mm >= best_mm:
            wanted_mm = best_mm if best_mm > 0 else -math.inf
            lines.append(_best_line(table, sight, stated=line, wider_than_mm=wanted_mm))
            best_mm = max(best_mm, lines[-1].margin_mm)
    return lines


def _widest_mm(sight: Sight, stated: Line | None, may_grow_mm: float) -> float:
    """What the margin of its line may be at most."""
    bounds = sight.plain_bounds
    if stated is None or bounds is None or bounds != stated.sight.plain_bounds:
        return sight.depth_mm
    return min(sight.depth_mm, stated.lane.margin_mm + may_grow_mm)


def _find_told(
    table: ExactTable, viewer: str, target: str, same: frozenset[Holder], *, shot: bool
) -> dict[tuple[str, int], Line]:
    things = tuple(t for t in occluders_between(table, viewer, target, ()) if t.key in same)
    return {(line.viewer, line.row): line for line in _find_lines(table, viewer, target, things, shot=shot)}


def _find_lines(table: ExactTable, viewer: str, target: str, things: tuple[Occluder, ...], *, shot: bool) -> list[Line]:
    def find(on: ExactTable) -> list[Line]:
        return [
            line
            for viewer_id in eligible_viewers(on, viewer)
            for line in sight_lines(on, viewer_id, target, things, shot=shot)
        ]

    if table.perturbations:
        return find(table)
    return table.memoize_unperturbed(("lines", viewer, target, tuple(thing.key for thing in things), shot), find)


Rows = dict[str, dict[int, frozenset[Holder]]]
"""The lines that may be the best once things are perturbed, by viewer and row, each with what may come to hold it."""


def _recall_best_rows(
    table: ExactTable, viewer: str, target: str, things: tuple[Occluder, ...], shot: bool
) -> Rows | None:
    ids = frozenset(thing.id for thing in things)
    key = ("best lines", viewer, target, ids, shot)
    return table.memoize_unperturbed(key, lambda still: _find_best_rows(still, viewer, target, ids, shot))


def _find_best_rows(table: ExactTable, viewer: str, target: str, ids: frozenset[str], shot: bool) -> Rows | None:
    things = tuple(occluder for occluder in occluders_between(table, viewer, target, ()) if occluder.id in ids)
    lines = best_lines(table, viewer, target, things, shot=shot)
    best = max((line.margin_mm for line in lines), default=0.0)
    close = sorted((line for line in lines if line.margin_mm >= best - _CLOSE_MM), key=lambda line: -line.margin_mm)
    rows: Rows = {}
    for line in close[:_MOST]:
        rows.setdefault(line.viewer, {})[line.row] = line.rivals
    return rows or None


def eligible_viewers(table: ExactTable, unit: str) -> tuple[str, ...]:
    """The miniatures whose eyes count: the front rank, of loose units everybody. Source: p. 17, 35, 65."""
    if garrisoned_building(table, unit) is not None:
        return members_of(table, unit)[:1]
    return members_of(table, unit) if is_skirmishing(table, unit) else regiment(table, unit).rank(0)


def sight_lines(
    table: ExactTable,
    viewer: str,
    target: str,
    things: tuple[Occluder, ...],
    *,
    shot: bool = False,
    rows: Collection[int] | None = None,
) -> list[Line]:
    """Best line of one miniature to each body of the target within its view; of `rows` only."""
    return [_best_line(table, sight) for sight in _look(table, viewer, target, things, shot=shot, rows=rows)]


def _look(
    table: ExactTable,
    viewer: str,
    target: str,
    things: tuple[Occluder, ...],
    *,
    shot: bool,
    rows: Collection[int] | None = None,
) -> list[Sight]:
    start, own = viewpoint(table, viewer, all_round=shot and fires_all_round(table.miniature(viewer)))

    def is_closed(thing: Occluder, body: Body, stop: RoundedShape) -> bool:
        is_open = thing.is_open(viewer, body.row)
        return not is_open and not is_below_sight_line(table, viewer, body.row, start.shape, stop, thing)

    return [
        Sight(viewer, row, body, start, own, stop, tuple(t for t in things if is_closed(t, body, stop)))
        for row, body, stop in parts_in_view(table, own, target, rows)
    ]


def _best_line(
    table: ExactTable, sight: Sight, *, stated: Line | None = None, wider_than_mm: float = -math.inf
) -> Line:
    """The best line, unless none is `wider_than_mm`; what stood far beside it as `stated` is left out."""
    closed = sight.closed
    spend_effort(_LINE_EFFORT)
    obstacles, woods = kernel_obstacles(closed, (sight if stated is None else stated.sight).bystanders)
    lane = lane_between(sight.start, End(sight.stop), obstacles, woods, wider_than_mm=wider_than_mm)
    near = [closed[int(k)] for k, slack in lane.slack_mm.items() if slack <= lane.margin_mm + _CLOSE_MM]
    held = [closed[int(k)] for k in lane.held_by]
    holds = tuple(dict.fromkeys((*held, *near))) if table.margins_only else tuple(held)
    rivals = (closed[int(k)] for k, slack in lane.slack_mm.items() if slack <= lane.margin_mm + _RIVAL_MM)
    holders = frozenset(rival.key for rival in rivals)
    at_limit = bool(held) and all(occluder.is_wood for occluder in held) and table.reading("forest-exact") == "clear"
    return Line(sight, lane, holds, at_limit, holders)


def sight_clearance(
    table: ExactTable, eyes: str, target: str, things: tuple[Occluder, ...]
) -> tuple[float, tuple[str, ...]]:
    """Sight margin of a shot: the clearance, or the depth in the quadrant where that is less."""
    lines = sight_lines(table, eyes, target, things, shot=True)
    if not lines:
        own = regiment(table, eyes)
        return max((depth_ahead_mm(own, body.shape), (eyes, *body.members)) for body in solid_bodies(table, target))
    best = max(lines, key=lambda line: line.margin_mm)
    return (best.margin_mm if best.is_clear else min(best.margin_mm, -GRAZED_MM)), best.depends_on


def point_sight_clearance(table: ExactTable, machine: str, eye_at: Point, at: Point) -> tuple[float, tuple[str, ...]]:
    """Sight margin from a machine's firing point to a point.

    Low walls do not hide the ground behind them, nor a unit its own miniatures. Source: Shooting with War Machines,
    p. 87; Cannons, p. 88.
    """
    under, things = _occluders_of_point(table, machine, at)
    if under is not None:
        lower, _ = split_by_body_height(table, machine, under, things)
        things = tuple(thing for thing in things if thing not in lower)
    seen = () if under is None else members_of(table, under)[:1]
    member = members_of(table, machine)[0]
    start, stop = RoundedShape((eye_at,)), RoundedShape((at,))
    closed = tuple(
        thing
        for thing in things
        if not thing.is_open(member, seen) and not is_below_sight_line(table, member, seen, start, stop, thing)
    )
    obstacles, woods = kernel_obstacles(closed, bystanders_of(closed, start, stop))
    lane = lane_between(End(start), End(stop), obstacles, woods)
    holders = (m for k in lane.held_by for m in (closed[int(k)].members or (closed[int(k)].id,)))
    mm = min(lane.margin_mm, CAPPED_MM)
    return (mm if mm > _DUST_MM else min(mm, -GRAZED_MM)), tuple(dict.fromkeys((member, *holders)))


def _occluders_of_point(table: ExactTable, machine: str, at: Point) -> tuple[str | None, tuple[Occluder, ...]]:
    """The unit that stands at a point, and all that may hide the point from a machine."""
    under = _unit_at(table, at)
    return under, tuple(
        occluder for occluder in occluders_before_point(table, machine, at, under) if not occluder.is_low
    )


def point_sight_doubts(table: ExactTable, machine: str, at: Point) -> tuple[str, ...]:
    """House rules on which it depends whether a machine sees a point."""
    under, things = _occluders_of_point(table, machine, at)
    return () if under is None else seen_body_doubts(table, machine, under, things)


def _unit_at(table: ExactTable, at: Point) -> str | None:
    """The unit on whose bases a point lies."""
    dot = RoundedShape((at,))
    near = [u for u in all_regiments(table) if math.dist(regiment(table, u).centre, at) <= regiment(table, u).reach_mm]
    return next((u for u in near if any(gap(dot, b.shape).mm <= 0 for b in solid_bodies(table, u))), None)


def _classify_sight(
    table: ExactTable, query: Los, things: tuple[Occluder, ...], lines: list[Line], best: Line
) -> tuple[str, Line, list[Line]]:
    """Clear; or only the base is hidden and the body shows; or hidden; or of unknown height."""
    if best.is_clear:
        return "clear", best, lines
    lower, unsure = split_by_body_height(table, query.viewer, query.target, things)
    left = tuple(thing for thing in things if thing not in lower)
    if len(left) < len(things):
        again = best_lines(table, query.viewer, query.target, left, shot=query.purpose == "shot")
        over = max(again, key=lambda line: line.margin_mm)
        if over.is_clear:
            return "body", over, again
    return ("unsure" if any(occluder in unsure for occluder in best.limited_by) else "hidden"), best, lines


def _value(
    table: ExactTable, query: Los, seen: str, best: Line, lines: list[Line], things: tuple[Occluder, ...]
) -> dict[str, JsonValue]:
    seers = list(dict.fromkeys(line.viewer for line in lines if line.is_clear))
    value: dict[str, JsonValue] = {"seen": seen, "seers": [*seers], "decided_by": _deciding_limit(best), "ignored": []}
    forest = _forest_mm(table, query, things)
    return value if forest is None else value | {"forest_mm": forest}


def _deciding_limit(best: Line) -> str:
    if best.depth_mm < best.lane.margin_mm and best.depth_mm < CAPPED_MM:
        return "arc"
    return "forest" if any(occluder.is_wood for occluder in best.limited_by) else "lane"


def _forest_mm(table: ExactTable, query: Los, things: tuple[Occluder, ...]) -> float | None:
    """The least length of any line inside forest; None when no line comes near one."""
    depths = []
    for viewer in eligible_viewers(table, query.viewer):
        start, own = viewpoint(table, viewer)
        for _, _, shape in parts_in_view(table, own, query.target):
            _, woods = kernel_obstacles(things, bystanders_of(things, start.shape, shape))
            if woods:
                depths.append(least_length_mm(End(start.shape), End(shape), woods[0]))
    return max(0.0, min(depths)) if depths else None


def _draw_line(table: ExactTable, query: Los, best: Line) -> tuple[Witness, ...]:
    role = "clear" if best.is_clear else "blocked"
    ids = (best.viewer, *best.body.members[:1])
    line = Witness.model_validate(
        {"type": "segment", "role": role, "points_mm": (best.lane.start, best.lane.stop), "of": ids}
    )
    arcs = () if garrisoned_building(table, query.viewer) else arc_lines(regiment(table, best.viewer))
    outlines = [
        Witness(type="polygon", role="blocker", points_mm=_outline_points(occluder), of=(occluder.id,))
        for occluder in best.limited_by
        if role == "blocked" and len(_outline_points(occluder)) > 2
    ]
    return (line, *outlines, *arcs)


def _outline_points(occluder: Occluder) -> tuple[Point, ...]:
    return occluder.area.outline or occluder.area.parts[0].points


def _explain_sight(table: ExactTable, query: Los, seen: str, best: Line) -> str:
    viewers, whom = name_of(table, regiment_of(table, best.viewer)), name_of(table, query.target)
    blockers = format_names(table, list(dict.fromkeys(occluder.id for occluder in best.limited_by)))
    texts = {
        "clear": f"{name_of(table, best.viewer)} of {viewers} sees {whom}",
        "body": f"The base of {whom} is hidden, its body shows over what is lower",
        "hidden": f"Every line from {viewers} to {whom} is blocked by {blockers}",
        "unsure": f"The bases of {whom} are hidden by {blockers}; how tall they are is not told",
    }
    spare = "" if abs(best.margin_mm) >= CAPPED_MM else f", by {format_length(abs(best.margin_mm))}"
    return f"{texts[seen]}{spare}."


def _result_outside_front(table: ExactTable, query: Los) -> RuleResult:
    """Nothing of the target lies in anybody's front."""
    depths = sorted(
        (
            (depth_ahead_mm(regiment(table, viewer_id), table.base(m)), viewer_id, m)
            for viewer_id in eligible_viewers(table, query.viewer)
            for m in members_of(table, query.target)
        ),
        reverse=True,
    )
    deepest_mm, nearest, _ = depths[0]
    near = [(unit, m) for mm, unit, m in depths[:_MOST_NEAR] if mm >= deepest_mm - _NEAR_FRONT_MM]
    return RuleResult(
        margin_mm=min(deepest_mm, 0.0) if math.isfinite(deepest_mm) else -CAPPED_MM,
        zero_is_met=False,
        value={"seen": "hidden", "seers": [], "decided_by": "arc", "ignored": []},
        witness=() if table.margins_only else arc_lines(regiment(table, nearest)),
        because=(with_effect(table, _LINE, f"{name_of(table, query.target)} lies in nobody's front."),),
        depends_on_place=tuple(dict.fromkeys(id_ for pair in near for id_ in pair)),
        depends_on_facing=tuple(dict.fromkeys(unit for unit, _ in near)),
    )
