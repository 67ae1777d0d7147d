"""Melee: the free line of a blow, engagement, free strikes, sweeps, locks, and shots at a target in melee."""

import math
from dataclasses import replace
from typing import Literal

from models.queries import FreeStrike, InMeleeGroup, InMeleePenalty, Lock, Los, Sweep
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine.melee import free_strike as shared_free_strike
from referee.editions.warmachine.melee import in_melee
from referee.editions.warmachine.melee.melee_range import check_reach, weapon_reaches
from referee.editions.warmachine.miniatures.turn_ledger import HELPLESS
from referee.editions.warmachine.mk1_and_mk2 import melee
from referee.editions.warmachine.mk1_and_mk2.mk1.citations import because
from referee.editions.warmachine.terrain.features import OBSTRUCTIONS, counts_as
from referee.geometry.shapes import Area, RoundedShape, convex_hull
from referee.line_of_sight import End, Obstacle, widest_lane
from referee.margins.front_arc import direction, dot
from referee.rules.candidates import evaluate_each, in_play, is_met
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_names, with_effect
from referee.rules.rule_result import RuleResult, Value, ask_for
from referee.rules.switches import EXACT_MM, is_at_least, is_out_of_reach

_LINE = because(
    "Q/A: attack another model in melee", "A line of the blow must be free of every other base, whatever its size."
)
_SIDES = 24
_ALL = because("Q/A: Circular Strike", "It strikes everybody in reach, friend or foe, or is not made at all.")
_FAR_MM = 25.4  # this far out of reach no line decides
_RELEASED = because("Armlock/Headlock, Prime p. 43", "A lock ends when either is disabled or leaves play.")


def free_line(table: ExactTable, attacker: str, target: str, reach_mm: float) -> RuleResult:
    """Whether some line from its base through its front arc gets at what is in reach, free of every other base.

    The margin is how far all that is in the way could grow. Source: Q/A: attack another model in melee.
    """
    base = table.base(attacker)
    start, stop = _ends_of(table, attacker, _clip_to_reach(table.base(target), base.centre, base.reach_mm + reach_mm))
    lever = math.dist(base.centre, table.base(target).centre)
    ahead, on = stop.depth_mm(), (attacker, target)
    if not is_at_least(ahead, 0.0, "has ahead of it", on, turning=(attacker,), lever_mm=lever):
        return RuleResult(
            margin_mm=ahead, because=(_LINE,), depends_on_place=(attacker, target), depends_on_facing=(attacker,)
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
    names = format_names(table, list(held))
    return (
        f"Past {names} it is clear by {format_length(free_mm)}."
        if free_mm > 0
        else f"In its way: {names}, by {format_length(-free_mm)}."
    )


def _ends_of(table: ExactTable, attacker: str, part: RoundedShape) -> tuple[End, End]:
    """Where the line may start and end: both ahead of the arc line."""
    base = table.base(attacker)
    if table.miniature(attacker).front_arc_deg == 360:
        return End(base), End(part)
    ahead = direction(table.facing_rad(attacker))
    line = dot(base.centre, ahead)
    start = End(base) if table.reading("melee-line-start") == "anywhere" else End(base, ahead, line)
    return start, End(part, ahead, line)


def _clip_to_reach(base: RoundedShape, centre: Point, reach_mm: float) -> RoundedShape:
    """What of a base lies within reach: a lens, in its corners; all of it where none does, so that reach decides."""
    (x, y), r = base.centre, base.reach_mm
    apart = math.dist((x, y), centre)
    if apart <= reach_mm - r or apart > reach_mm + r + EXACT_MM or not base.is_disc():
        return base
    toward = math.atan2(y - centre[1], x - centre[0])
    mine = math.acos(_cosine_at_centre(apart, reach_mm, r))
    theirs = math.acos(_cosine_at_centre(apart, r, reach_mm))
    rim = [_point_on_circle(centre, reach_mm, toward + mine * k / _SIDES) for k in range(-_SIDES, _SIDES + 1)]
    back = [_point_on_circle((x, y), r, toward + math.pi + theirs * k / _SIDES) for k in range(-_SIDES, _SIDES + 1)]
    lens = convex_hull([*rim, *back])
    return RoundedShape(lens) if len(lens) > 2 else RoundedShape((_point_on_circle((x, y), r, toward + math.pi),), 0.0)


def _cosine_at_centre(apart: float, radius: float, other_radius: float) -> float:
    """Of the angle at the middle of one circle to where it meets the other."""
    return max(-1.0, min(1.0, (apart * apart + radius * radius - other_radius * other_radius) / (2 * apart * radius)))


def _point_on_circle(centre: Point, radius: float, angle: float) -> Point:
    return (centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle))


def _obstacles_between(table: ExactTable, attacker: str, target: str) -> list[Obstacle]:
    """Every base but those knocked down, and every obstruction."""
    bases = (id_ for id_ in in_play(table, attacker, target) if "knocked-down" not in table.miniature(id_).status)
    obstacles = [Obstacle(id_, Area((table.base(id_),))) for id_ in bases]
    walls = (t for t in table.state.terrain if counts_as(table, t) in OBSTRUCTIONS)
    return obstacles + [Obstacle(t.id, table.area(t.id)) for t in walls]


def check_engagement(table: ExactTable, attacker: str, target: str) -> RuleResult:
    """What engaging takes besides reach: that terrain does not shut the target off wholly. Source: Melee Range, p. 39.

    The book gives no definition: the house rule `engage-line` says what is read into it.
    """
    wanted = table.reading("engage-line")
    if wanted == "nothing":
        result = RuleResult(margin_mm=CAPPED_MM, depends_on_place=(attacker, target))
    else:
        purpose: Literal["melee"] | None = "melee" if wanted == "free-of-terrain" else None
        result = table.evaluate_query(Los(viewer=attacker, target=target, purpose=purpose))
    key = ("engage-line",)
    return replace(result, readings=(*result.readings, *key), doubtful=(*result.doubtful, *key))


def free_strike(table: ExactTable, query: FreeStrike) -> RuleResult:
    """Free strike: whether somebody may strike as it goes, and how often. Source: Free Strikes, Prime p. 40."""
    result = shared_free_strike.free_strike(table, query)
    if table.perturbations and table.margins_only:
        return result
    at_rest = result if table.perturbations else shared_free_strike.free_strike(table.unperturbed, query)
    left = at_rest.value.get("by_id")
    exits = {id_: leave for id_, leave in left.items() if isinstance(leave, dict)} if isinstance(left, dict) else {}
    again = any(leave["times"] != 1 for leave in exits.values())
    once = table.reading("free-strike-again") == "once"
    strikes = {id_: 1 if once else leave["times"] for id_, leave in exits.items()}
    by_id: Value = {id_: leave | {"strikes": strikes[id_]} for id_, leave in exits.items()}
    key = ("free-strike-again",)
    return replace(
        result,
        value={**result.value, "by_id": by_id},
        readings=(*result.readings, *key),
        doubtful=(*result.doubtful, *(key if again else ())),
        outcomes=(*result.outcomes, *sorted(strikes.items())) if again else result.outcomes,
    )


def sweep(table: ExactTable, query: Sweep) -> RuleResult:
    """Sweep: whom a blow at everybody in reach strikes, friends too. Source: Q/A: Circular Strike."""
    reaches = weapon_reaches(table.miniature(query.attacker), query.weapon)
    reach = inches(query.reach_in) if query.reach_in is not None else max(reaches.values(), default=None)
    if reach is None:
        return ask_for(f"profile.melee of {query.attacker}", because=(_ALL,))
    barred = next((why for word, why in HELPLESS.items() if word in table.miniature(query.attacker).status), None)

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        if barred is not None:
            return RuleResult(margin_mm=-CAPPED_MM, because=(barred,), depends_on_place=(query.attacker,))
        near = check_reach(perturbed, query.attacker, id_, {"sweep": reach})
        if is_out_of_reach(-near.decisive_mm, _FAR_MM):
            return all_of((("reach", near),))
        return all_of((("reach", near), ("free-line", free_line(perturbed, query.attacker, id_, reach))))

    members = evaluate_each(table, in_play(table, query.attacker), about)
    struck = [c.id for c in members if c.result is not None and is_met(c.result, "is struck by the sweep of")]
    return RuleResult(
        status="measured",
        because=(with_effect(table, _ALL, f"Struck: {format_names(table, struck)}."),),
        members=members,
    )


def lock(table: ExactTable, query: Lock) -> RuleResult:
    """Lock: whether the lock still holds; a disabled one ends it too. Source: Armlock/Headlock, Prime p. 43."""
    result = melee.lock(table, query)
    off = [f"{id_} disabled" for id_ in (query.attacker, query.target) if "disabled" in table.miniature(id_).status]
    broken = result.value.get("broken_by")
    if not off or not isinstance(broken, list):
        return result
    value: Value = {"may_move": True, "broken_by": [*broken, *off]}
    return replace(result, margin_mm=-CAPPED_MM, value=value, because=(_RELEASED,))


def in_melee_group(table: ExactTable, query: InMeleeGroup) -> RuleResult:
    """Melee group: whom a miss into a melee may hit: not the target, nor where the attack comes from.

    Source: Prime p. 46, p. 55.
    """
    if isinstance(query.origin, str) and query.origin in table.miniatures:
        query = query.model_copy(update={"attacker": query.origin, "origin": None})
    return in_melee.in_melee_group(table, query)


def in_melee_penalty(table: ExactTable, query: InMeleePenalty) -> RuleResult:
    """Penalty for a target in melee: whether the target is in melee; only a spell from within that melee is spared.

    Source: Prime p. 46, p. 55.
    """
    if query.attack == "magic" or query.origin is not None:
        return in_melee.in_melee_penalty(table, query)
    return in_melee.in_melee_penalty(table, query.model_copy(update={"origin": table.centre(query.attacker)}))
