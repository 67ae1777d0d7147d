"""Free line of a blow: any base in between stops it."""

import math

from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine.mk1.parameters import because
from referee.editions.warmachine.terrain.features import OBSTRUCTIONS
from referee.editions.warmachine.terrain.terrain_class import counts_as
from referee.geometry.shapes import Area, RoundedShape, convex_hull
from referee.line_of_sight import End, Obstacle, widest_lane
from referee.margins.front_arc import direction, dot
from referee.rules.candidates import in_play
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_names, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_LINE = because("Q/A: melee attacks", "A line of the blow must be free of every other base, whatever its size.")
_SIDES = 24
_DUST_MM = 1e-6


def free_line(table: ExactTable, attacker: str, target: str, reach_mm: float) -> RuleResult:
    """Whether some line from its base through its front arc gets at what is in reach, free of every other base.

    The margin is how far all that is in the way could grow. Source: Q/A: melee attacks.
    """
    base = table.base(attacker)
    start, stop = _ends_of(table, attacker, _clip_to_reach(table.base(target), base.centre, base.reach_mm + reach_mm))
    lever = math.dist(base.centre, table.base(target).centre)
    ahead, on = stop.depth_mm(), (attacker, target)
    if not is_at_least(ahead, 0.0, "has ahead of it", on, turning=(attacker,), lever_mm=lever):
        return RuleResult(
            margin_mm=ahead,
            because=(_LINE,),
            depends_on_place=(attacker, target),
            depends_on_facing=(attacker,),
        )
    lane = widest_lane(start, stop, tuple(_obstacles_between(table, attacker, target)))
    free = min(lane.margin_mm, CAPPED_MM)
    role = "clear" if free > 0 else "blocked"
    line = Witness.model_validate(
        {"type": "segment", "role": role, "points_mm": (lane.start, lane.stop), "of": (attacker, target)}
    )
    held = tuple(lane.held_by)
    return RuleResult(
        margin_mm=free,
        zero_is_met=table.reading("los-touch") == "clear",
        witness=(line,),
        blockers=held if free <= 0 else (),
        because=(with_effect(table, _LINE, _describe_line(table, held, free)),),
        readings=("los-touch", "melee-line-start"),
        depends_on_place=tuple(dict.fromkeys((attacker, target, *held))),
        depends_on_facing=(attacker,),
    )


def _describe_line(table: ExactTable, held: tuple[str, ...], free_mm: float) -> str:
    if free_mm >= CAPPED_MM:
        return "Nothing is in the way."
    who = format_names(table, list(held))
    return (
        f"Past {who} it is clear by {format_length(free_mm)}."
        if free_mm > 0
        else f"In its way: {who}, by {format_length(-free_mm)}."
    )


def _ends_of(table: ExactTable, attacker: str, part: RoundedShape) -> tuple[End, End]:
    """Where the line may start and end: both ahead of the arc line."""
    base = table.base(attacker)
    if table.miniature(attacker).front_arc_deg == 360:
        return End(base), End(part)
    way = direction(table.facing_rad(attacker))
    line = dot(base.centre, way)
    start = End(base) if table.reading("melee-line-start") == "anywhere" else End(base, way, line)
    return start, End(part, way, line)


def _clip_to_reach(base: RoundedShape, centre: Point, reach_mm: float) -> RoundedShape:
    """What of a base lies within reach: a lens, in its corners; all of it where none does, so that reach decides."""
    (x, y), r = base.centre, base.reach_mm
    apart = math.dist((x, y), centre)
    if apart <= reach_mm - r or apart > reach_mm + r + _DUST_MM or not base.is_disc():
        return base
    toward = math.atan2(y - centre[1], x - centre[0])
    mine = math.acos(_cosine_at_centre(apart, reach_mm, r))
    theirs = math.acos(_cosine_at_centre(apart, r, reach_mm))
    rim = [_point_on_circle(centre, reach_mm, toward + mine * k / _SIDES) for k in range(-_SIDES, _SIDES + 1)]
    back = [_point_on_circle((x, y), r, toward + math.pi + theirs * k / _SIDES) for k in range(-_SIDES, _SIDES + 1)]
    lens = convex_hull([*rim, *back])
    return RoundedShape(lens) if len(lens) > 2 else RoundedShape((_point_on_circle((x, y), r, toward + math.pi),), 0.0)


def _cosine_at_centre(apart: float, one: float, other: float) -> float:
    """Of the angle at the middle of one circle to where it meets the other."""
    return max(-1.0, min(1.0, (apart * apart + one * one - other * other) / (2 * apart * one)))


def _point_on_circle(centre: Point, radius: float, angle: float) -> Point:
    return (centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle))


def _obstacles_between(table: ExactTable, attacker: str, target: str) -> list[Obstacle]:
    """Every base but those knocked down, and every obstruction."""
    bases = (id_ for id_ in in_play(table, attacker, target) if "knocked-down" not in table.miniature(id_).status)
    found = [Obstacle(id_, Area((table.base(id_),))) for id_ in bases]
    walls = (t for t in table.state.terrain if counts_as(table, t) in OBSTRUCTIONS)
    return found + [Obstacle(t.id, table.area(t.id)) for t in walls]
