"""Line of sight: one straight line from the front of a base, within its quadrant, to the base of the target."""

import math
from collections.abc import Collection
from dataclasses import dataclass

from pydantic import JsonValue

from models.queries import Los
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.editions.warhammer_9.arcs import arc_lines, depth_ahead_mm
from referee.editions.warhammer_9.looking import (
    Body,
    Hidden,
    as_obstacles,
    before,
    between,
    bodies,
    eye,
    fires_all_round,
    is_below,
    seen_parts,
)
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    Regiment,
    all_regiments,
    garrisoned,
    is_skirmishing,
    members_of,
    regiment,
    regiment_of,
)
from referee.editions.warhammer_9.showing import body_doubts, looked_over
from referee.gaps import gap
from referee.ruling import Ruling
from referee.shapes import Rounded
from referee.sight import End, Lane, least_length_mm, widest_lane
from referee.situation import Situation
from referee.telling import applied, length, name_of, names

_LINE = because("Line of Sight", 12, "A clear line from the front of its base, inside its front, to the target's base.")
_BODY = because("Line of Sight", 12, "Who is hidden by something lower than itself is still seen, and is covered.")
_DUST_MM = 1e-6
GRAZED_MM = 2e-6  # a line that grazes is closed: it misses being open by so little
_CLOSE_MM = 5.0  # lines that much worse than the best may be the best once things are nudged
_MOST = 3
_RIVAL_MM = 40.0  # what leaves a line so much more room does not come to hold it


@dataclass(frozen=True)
class Line:
    """The best line of one miniature to one body of the target; `row` is the body's place in the target's list."""

    viewer: str
    row: int
    body: Body
    lane: Lane
    held_by: tuple[Hidden, ...]
    is_open_at_limit: bool
    """Whether exactly the depth of forest that one sees through closes it not."""
    holders: frozenset[tuple[str, int | None]]
    """What may come to hold it, once things are nudged."""
    depth_mm: float
    """How deep the body reaches into the quadrant it is looked at through."""

    @property
    def mm(self) -> float:
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
    def touches(self) -> tuple[str, ...]:
        holders = (m for one in self.held_by for m in (one.members or (one.id,)))
        return tuple(dict.fromkeys((self.viewer, *self.body.members, *holders)))


def line_of_sight(table: Situation, query: Los) -> Ruling:
    """Whether anybody of the unit sees anybody of the target. Source: Line of Sight, p. 12; Declare Charge, p. 17."""
    asked = ("los", query.viewer, query.target, query.ignoring, query.purpose)
    return table.recalled(asked, lambda nudged: _sight(nudged, query))


def _sight(table: Situation, query: Los) -> Ruling:
    things = between(table, query.viewer, query.target, query.ignoring)
    lines = lines_of(table, query.viewer, query.target, things, shot=query.purpose == "shot")
    if not lines:
        return _behind(table, query)
    best = max(lines, key=lambda line: line.mm)
    seen, best, lines = _class_of(table, query, things, lines, best)
    by = _decided_by(best)
    return Ruling(
        margin_mm=best.mm,
        zero_is_met=by == "forest" and table.reading("forest-exact") == "clear",
        value={} if table.lean else _value(table, query, seen, best, lines, things),
        witness=() if table.lean else _witness(table, query, best),
        blockers=() if best.is_clear else tuple(dict.fromkeys(one.id for one in best.held_by)),
        because=(applied(table, _LINE if seen != "body" else _BODY, _told(table, query, seen, best)),),
        readings=("forest-exact", "seen-body"),
        doubtful=("forest-exact",) if is_at_limit(best.mm) else (),
        retold=("seen-body",) if seen != "clear" else (),
        touches=best.touches,
        faces=(best.viewer,),
        advice=_UNSURE if seen == "unsure" else None,
    )


def is_at_limit(mm: float) -> bool:
    """Whether a line is neither open nor closed but for a house rule: through exactly as much forest as may be."""
    return abs(mm) <= GRAZED_MM


_UNSURE = "Heights are not told: where a body shows over what hides its base, it is seen. If unsure, roll 4+ (p. 12)."


def lines_of(
    table: Situation, viewer: str, target: str, things: tuple[Hidden, ...], *, shot: bool = False
) -> list[Line]:
    """The best line of every miniature that may look, to every body of the target.

    On a nudged table only those that came near the best at rest are looked at again.
    """
    wanted = _remembered(table, viewer, target, things, shot) if table.lean else None
    if wanted is None:
        return _lines_at_rest(table, viewer, target, things, shot=shot)
    found = []
    for one, rows in wanted.items():
        holders = frozenset().union(*rows.values())
        near = tuple(thing for thing in things if (thing.id, thing.rank) in holders)
        found += sight_lines(table, one, target, near, shot=shot, rows=rows)
    return found


def _lines_at_rest(table: Situation, viewer: str, target: str, things: tuple[Hidden, ...], *, shot: bool) -> list[Line]:
    def find(on: Situation) -> list[Line]:
        return [line for one in lookers(on, viewer) for line in sight_lines(on, one, target, things, shot=shot)]

    if table.nudges:
        return find(table)
    return table.settled(("lines", viewer, target, tuple((one.id, one.rank) for one in things), shot), find)


Rows = dict[str, dict[int, frozenset[tuple[str, int | None]]]]
"""The lines that may be the best once things are nudged, by viewer and row, each with what may come to hold it."""


def _remembered(table: Situation, viewer: str, target: str, things: tuple[Hidden, ...], shot: bool) -> Rows | None:
    ids = frozenset(one.id for one in things)
    key = ("best lines", viewer, target, ids, shot)
    return table.settled(key, lambda still: _best_at_rest(still, viewer, target, ids, shot))


def _best_at_rest(table: Situation, viewer: str, target: str, ids: frozenset[str], shot: bool) -> Rows | None:
    things = tuple(one for one in between(table, viewer, target, ()) if one.id in ids)
    lines = lines_of(table, viewer, target, things, shot=shot)
    best = max((line.mm for line in lines), default=0.0)
    close = sorted((line for line in lines if line.mm >= best - _CLOSE_MM), key=lambda line: -line.mm)
    found: Rows = {}
    for line in close[:_MOST]:
        found.setdefault(line.viewer, {})[line.row] = line.holders
    return found or None


def lookers(table: Situation, unit: str) -> tuple[str, ...]:
    """Whose eyes count: the front rank's, of loose units everybody's. Source: p. 17, 35, 65."""
    if garrisoned(table, unit) is not None:
        return members_of(table, unit)[:1]
    return members_of(table, unit) if is_skirmishing(table, unit) else regiment(table, unit).rank(0)


def sight_lines(
    table: Situation,
    viewer: str,
    target: str,
    things: tuple[Hidden, ...],
    *,
    shot: bool = False,
    rows: Collection[int] | None = None,
) -> list[Line]:
    """The best line of one miniature to each body of the target that lies where it may look; of `rows` only."""
    start, own = eye(table, viewer, all_round=shot and fires_all_round(table.miniature(viewer)))
    parts = seen_parts(table, own, target, rows)
    return [_line(table, viewer, row, one, start, own, shape, things) for row, one, shape in parts]


def _line(
    table: Situation,
    viewer: str,
    row: int,
    one: Body,
    start: End,
    own: Regiment | None,
    stop: Rounded,
    things: tuple[Hidden, ...],
) -> Line:
    closed = tuple(
        t
        for t in things
        if not t.is_open(viewer, one.row) and not is_below(table, viewer, one.row, start.shape, stop, t)
    )
    obstacles, woods = as_obstacles(closed, start.shape, stop)
    lane = widest_lane(start, End(stop), obstacles, woods)
    near = [closed[int(k)] for k, slack in lane.slack_mm.items() if slack <= lane.margin_mm + _CLOSE_MM]
    held = [closed[int(k)] for k in lane.held_by]
    holds = tuple(dict.fromkeys((*held, *near))) if table.lean else tuple(held)
    rivals = (closed[int(k)] for k, slack in lane.slack_mm.items() if slack <= lane.margin_mm + _RIVAL_MM)
    holders = frozenset((rival.id, rival.rank) for rival in rivals)
    at_limit = bool(held) and all(one.is_wood for one in held) and table.reading("forest-exact") == "clear"
    depth = math.inf if own is None else depth_ahead_mm(own, one.shape)
    return Line(viewer, row, one, lane, holds, at_limit, holders, depth)


def sees(table: Situation, eyes: str, target: str, things: tuple[Hidden, ...]) -> tuple[float, tuple[str, ...]]:
    """How well one sees a target to shoot at: the depth in its quadrant where that is less than the clearance."""
    lines = sight_lines(table, eyes, target, things, shot=True)
    if not lines:
        own = regiment(table, eyes)
        return max((depth_ahead_mm(own, one.shape), (eyes, *one.members)) for one in bodies(table, target))
    best = max(lines, key=lambda line: line.mm)
    return (best.mm if best.is_clear else min(best.mm, -GRAZED_MM)), best.touches


def sees_point(table: Situation, machine: str, eye_at: Point, at: Point) -> tuple[float, tuple[str, ...]]:
    """How well a machine sees a point from its firing point: the clearance of the line.

    Low walls do not hide the ground behind them, nor a unit its own miniatures. Source: Shooting with War Machines,
    p. 87; Cannons, p. 88.
    """
    under, things = _before_point(table, machine, at)
    if under is not None:
        lower, _ = looked_over(table, machine, under, things)
        things = tuple(one for one in things if one not in lower)
    seen = () if under is None else members_of(table, under)[:1]
    who = members_of(table, machine)[0]
    start, stop = Rounded((eye_at,)), Rounded((at,))
    closed = tuple(
        one for one in things if not one.is_open(who, seen) and not is_below(table, who, seen, start, stop, one)
    )
    obstacles, woods = as_obstacles(closed, start, stop)
    lane = widest_lane(End(start), End(stop), obstacles, woods)
    holders = (m for k in lane.held_by for m in (closed[int(k)].members or (closed[int(k)].id,)))
    mm = min(lane.margin_mm, CAPPED_MM)
    return (mm if mm > _DUST_MM else min(mm, -GRAZED_MM)), tuple(dict.fromkeys((who, *holders)))


def _before_point(table: Situation, machine: str, at: Point) -> tuple[str | None, tuple[Hidden, ...]]:
    """The unit that stands at a point, and all that may hide the point from a machine."""
    under = _unit_at(table, at)
    return under, tuple(one for one in before(table, machine, at, under) if not one.is_low)


def point_doubts(table: Situation, machine: str, at: Point) -> tuple[str, ...]:
    """The house rules on which it hangs whether a machine sees a point."""
    under, things = _before_point(table, machine, at)
    return () if under is None else body_doubts(table, machine, under, things)


def _unit_at(table: Situation, at: Point) -> str | None:
    """The unit on whose bases a point lies."""
    dot = Rounded((at,))
    near = [u for u in all_regiments(table) if math.dist(regiment(table, u).centre, at) <= regiment(table, u).reach_mm]
    return next((u for u in near if any(gap(dot, b.shape).mm <= 0 for b in bodies(table, u))), None)


def _class_of(
    table: Situation, query: Los, things: tuple[Hidden, ...], lines: list[Line], best: Line
) -> tuple[str, Line, list[Line]]:
    """Clear; or only the base is hidden and the body shows; or hidden; or nobody told how tall they are."""
    if best.is_clear:
        return "clear", best, lines
    lower, unsure = looked_over(table, query.viewer, query.target, things)
    left = tuple(one for one in things if one not in lower)
    if len(left) < len(things):
        again = lines_of(table, query.viewer, query.target, left, shot=query.purpose == "shot")
        over = max(again, key=lambda line: line.mm)
        if over.is_clear:
            return "body", over, again
    return ("unsure" if any(one in unsure for one in best.held_by) else "hidden"), best, lines


def _value(
    table: Situation, query: Los, seen: str, best: Line, lines: list[Line], things: tuple[Hidden, ...]
) -> dict[str, JsonValue]:
    seers = list(dict.fromkeys(line.viewer for line in lines if line.is_clear))
    value: dict[str, JsonValue] = {"seen": seen, "seers": [*seers], "decided_by": _decided_by(best), "ignored": []}
    forest = _forest_mm(table, query, things)
    return value if forest is None else value | {"forest_mm": forest}


def _decided_by(best: Line) -> str:
    if best.depth_mm < best.lane.margin_mm and best.depth_mm < CAPPED_MM:
        return "arc"
    return "forest" if any(one.is_wood for one in best.held_by) else "lane"


def _forest_mm(table: Situation, query: Los, things: tuple[Hidden, ...]) -> float | None:
    """The least length of any line inside forest; None when no line comes near one."""
    found = []
    for viewer in lookers(table, query.viewer):
        start, own = eye(table, viewer)
        for _, _, shape in seen_parts(table, own, query.target):
            _, woods = as_obstacles(things, start.shape, shape)
            if woods:
                found.append(least_length_mm(End(start.shape), End(shape), woods[0]))
    return max(0.0, min(found)) if found else None


def _witness(table: Situation, query: Los, best: Line) -> tuple[Witness, ...]:
    role = "clear" if best.is_clear else "blocked"
    ids = (best.viewer, *best.body.members[:1])
    line = Witness.model_validate(
        {"type": "segment", "role": role, "points_mm": (best.lane.start, best.lane.stop), "of": ids}
    )
    arcs = () if garrisoned(table, query.viewer) else arc_lines(regiment(table, best.viewer))
    outlines = [
        Witness(type="polygon", role="blocker", points_mm=_outline(one), of=(one.id,))
        for one in best.held_by
        if role == "blocked" and len(_outline(one)) > 2
    ]
    return (line, *outlines, *arcs)


def _outline(one: Hidden) -> tuple[Point, ...]:
    return one.area.outline or one.area.parts[0].points


def _told(table: Situation, query: Los, seen: str, best: Line) -> str:
    who, whom = name_of(table, regiment_of(table, best.viewer)), name_of(table, query.target)
    blockers = names(table, list(dict.fromkeys(one.id for one in best.held_by)))
    words = {
        "clear": f"{name_of(table, best.viewer)} of {who} sees {whom}",
        "body": f"The base of {whom} is hidden, its body shows over what is lower",
        "hidden": f"Every line from {who} to {whom} is blocked by {blockers}",
        "unsure": f"The bases of {whom} are hidden by {blockers}; how tall they are is not told",
    }
    spare = "" if abs(best.mm) >= CAPPED_MM else f", by {length(abs(best.mm))}"
    return f"{words[seen]}{spare}."


def _behind(table: Situation, query: Los) -> Ruling:
    """Nothing of the target lies in anybody's front."""
    depths = {
        one: max(depth_ahead_mm(regiment(table, one), table.base(m)) for m in members_of(table, query.target))
        for one in lookers(table, query.viewer)
    }
    nearest = max(depths, key=lambda one: depths[one])
    target = min(
        members_of(table, query.target),
        key=lambda m: -depth_ahead_mm(regiment(table, nearest), table.base(m)),
    )
    return Ruling(
        margin_mm=min(depths[nearest], 0.0) if math.isfinite(depths[nearest]) else -CAPPED_MM,
        zero_is_met=False,
        value={"seen": "hidden", "seers": [], "decided_by": "arc", "ignored": []},
        witness=() if table.lean else arc_lines(regiment(table, nearest)),
        because=(applied(table, _LINE, f"{name_of(table, query.target)} lies in nobody's front."),),
        touches=(nearest, target),
        faces=(nearest,),
    )
