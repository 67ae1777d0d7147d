"""Movement: paths and what climbing costs on them, obstacles, falls, regrouping, standing up, limits of a flight."""

import math
from dataclasses import replace
from itertools import pairwise

from models.queries import Climb, CrossObstacle, Fall, Move, RegroupMove, StandUp
from models.terrain import Terrain
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.base_state import surface_mm
from referee.editions.warmachine.mk1_and_mk2.melee import check_unlocked
from referee.editions.warmachine.mk1_and_mk2.parameters import CLIMB_MM, CLIMBED_MM, GROUND_MM, because
from referee.editions.warmachine.mk1_and_mk2.terrain import is_climbed, is_deep
from referee.editions.warmachine.movement import cross_obstacle as shared_cross_obstacle
from referee.editions.warmachine.movement import fall as shared_fall
from referee.editions.warmachine.movement import move as shared_move
from referee.editions.warmachine.movement import toward_away
from referee.editions.warmachine.movement.least_disturbance import check_end
from referee.editions.warmachine.movement.move import check_stand_up
from referee.editions.warmachine.movement.path import passability_of_advance, passes_all, path_of, speed_mm
from referee.editions.warmachine.terrain.features import find_feature
from referee.geometry.circle_intersection import bearing
from referee.geometry.containment import depth_of_base, reach_into
from referee.geometry.distance import gap, inside_mm
from referee.geometry.shapes import RoundedShape
from referee.motion.sweep import stretch_within
from referee.motion.travel_budget import (
    TravelResult,
    cost_mm,
    length_mm,
    place_after,
    place_shape,
    slow_stretches,
    straight_path,
    swept_gap,
)
from referee.rules.candidates import is_met, is_zero_or_more
from referee.rules.conditions import Clauses
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult, Value, ask_for
from referee.rules.switches import is_at_least, is_more_than

_ON_MM = 1.0  # so far over a piece it stands on it; less is a measuring error
CLIMB = because("Moving over Obstacles", "At contact it spends 2 in of movement, of which it must have as much left.")
ON_TOP = because("Moving over Obstacles", "Climbing sets the front of its base 1 in beyond the near side.")
_NO_RUN = because("Deep Water", "Nobody begins a run in deep water.")
_LIGHT = because("Light Cavalry", "Right after its activation it advances up to 5 in.")
_RIDE = because("Ride-by Attack", "A full advance, halted once for the combat action: both parts count together.")
_NO_RIDE = because("Light Cavalry", "Light cavalry makes neither ride-by nor impact attacks.")
_CAVALRY = because("Ride-by Attack", "Only cavalry makes ride-by attacks.")
_BARRED: dict[str, tuple[str, ...]] = {"movement": ("slam",), "action": ("run", "charge")}  # Source: Knockdown
_GROUND = because("Being Slammed", "With less than 1 in of ground under its base it falls off raised ground.")
_FALL = because("Falling", "Who is moved off a surface to another at least 1 full inch lower falls.")
CAPPED = because("Fleeing", "It runs up to twice its speed.")


def contact_mm(table: ExactTable, mover: str, path: tuple[Point, Point], feature: str) -> float | None:
    """After how much travel the base touches a piece; None when it never does, or stands on it."""
    base, length = table.base(mover), math.dist(*path)
    parts, on = table.area(feature).parts, (mover, *table.movers_of(feature))
    if length == 0 or any(is_more_than(-gap(base, part).mm, _ON_MM, "stands on", on) for part in parts):
        return None
    met_mm = -min(swept_gap(base, path, part) for part in parts)
    if not is_more_than(met_mm, 0.0, "runs into", on, is_noted=True):
        return None
    direction = ((path[1][0] - path[0][0]) / length, (path[1][1] - path[0][1]) / length)
    spans = [stretch_within(place_shape(base, path[0]), direction, part) for part in parts]
    met = [max(0.0, s[0]) for s in spans if s is not None and s[1] > 0 and s[0] <= length and s[1] - s[0] > 1e-6]
    return min(met, default=None)


def move_extras(table: ExactTable, query: Move, walked: TravelResult, allowance: float | None) -> tuple[Clauses, Value]:
    """What climbing costs a move, and who may make moves of special kinds.

    Source: Moving over Obstacles; Deep Water; Light Cavalry; Ride-by Attack.
    """
    me = table.miniature(query.mover)
    clauses: list[tuple[str, RuleResult]] = [("lock", check_unlocked(table, me.id))] if me.lock is not None else []
    if query.manner == "run" and is_deep(table.with_end(query.mover, walked.path[0]), query.mover):
        clauses.append(("water", RuleResult(margin_mm=-CAPPED_MM, because=(_NO_RUN,), depends_on_place=(me.id,))))
    for manner, ability, reason in (("light-cavalry", "light-cavalry", _LIGHT), ("ride-by", "cavalry", _CAVALRY)):
        if query.manner == manner:
            holds = me.has(ability) or (manner == "ride-by" and me.has("ride-by"))
            if manner == "ride-by" and me.has("light-cavalry"):
                holds, reason = False, _NO_RIDE
            clauses.append(("kind", RuleResult(margin_mm=CAPPED_MM if holds else -CAPPED_MM, because=(reason,))))
    climbs = _list_climbs(table, query, walked)
    if climbs and allowance is not None:
        clauses.append(("climb", _check_climbs_paid(query, walked, allowance, climbs)))
    if not climbs:
        return tuple(clauses), {}
    return tuple(clauses), {"climbed": [*climbs], "spent_mm": walked.spent_mm + _more_mm(climbs)}


def _more_mm(climbs: dict[str, float]) -> float:
    """What climbing costs beyond the way it leads on. Source: Moving over Obstacles."""
    return len(climbs) * (CLIMB_MM - CLIMBED_MM)


def _list_climbs(table: ExactTable, query: Move, walked: TravelResult) -> dict[str, float]:
    """The pieces it gets on top of, each with the travel at contact; flying over things is no climbing."""
    if query.manner in ("fly", "incorporeal") or passes_all(table, query.mover):
        return {}
    contacts: dict[str, float] = {}
    climbable = [t.id for t in table.state.terrain if is_climbed(table, t)]
    before = 0.0
    for a, b in zip(walked.path, walked.path[1:], strict=False):
        at_start = table.with_end(query.mover, a)
        for id_ in climbable:
            contact = contact_mm(at_start, query.mover, (a, b), id_)
            if contact is None or id_ in contacts:
                continue
            if is_more_than(math.dist(a, b), contact, "comes up to", (query.mover, id_)):
                contacts[id_] = before + contact
        before += math.dist(a, b)
    went = walked.travelled_mm
    return {id_: at for id_, at in contacts.items() if is_more_than(went, at, "gets as far as", (query.mover, id_))}


def _check_climbs_paid(query: Move, walked: TravelResult, allowance: float, climbs: dict[str, float]) -> RuleResult:
    """Whether the allowance pays for every climb when it comes to it, and for the whole way."""
    left = [allowance - walked.needed_mm - _more_mm(climbs)]
    for k, after in enumerate(sorted(climbs.values())):
        left.append(allowance - cost_mm(after, walked.ground) - k * (CLIMB_MM - CLIMBED_MM) - CLIMB_MM)
    return RuleResult(margin_mm=min(left), because=(CLIMB, ON_TOP), depends_on_place=(query.mover, *climbs))


def move(table: ExactTable, query: Move) -> RuleResult:
    """Move: whether a path may be gone, and what comes of it.

    Source: Movement; Moving over Obstacles; Ride-by Attack.
    """
    if query.manner != "ride-by":
        return shared_move.move(table, query)
    if _full_advance_in(table, query) is None:
        return ask_for(f"profile.spd_in of {query.mover}", because=(_RIDE,), on=(query.mover,))
    result = shared_move.move(
        table, query.model_copy(update={"manner": "ride-by", "allowance_in": _full_advance_in(table, query)})
    )
    return replace(result, because=(_RIDE, *result.because))


def _full_advance_in(table: ExactTable, query: Move) -> float | None:
    speed = speed_mm(table, query.mover)
    return query.allowance_in if query.allowance_in is not None or speed is None else speed / inches(1)


def cross_obstacle(table: ExactTable, query: CrossObstacle) -> RuleResult:
    """Obstacle crossing: whether its movement takes the base wholly past; what is climbed is not crossed.

    Source: Linear Obstacles.
    """
    feature = find_feature(table, query.feature)
    if feature is not None and is_climbed(table, feature):
        advice = f"{feature.id} is thick enough to be climbed: ask whether it can be."
        return RuleResult(status="refused", because=(CLIMB,), advice=advice)
    return shared_cross_obstacle.cross_obstacle(table, query)


def climb(table: ExactTable, query: Climb) -> RuleResult:
    """Climb: whether it gets on top: with 2 in of movement left at contact, exactly 2 in being enough.

    Source: Moving over Obstacles.
    """
    feature = find_feature(table, query.feature)
    if feature is None or not is_climbed(table, feature):
        return RuleResult(status="refused", because=(CLIMB,), advice=f"{query.feature} is nothing one climbs.")
    allowance = speed_mm(table, query.mover) if query.distance_in is None else inches(query.distance_in)
    if allowance is None:
        return ask_for(f"profile.spd_in of {query.mover}", because=(CLIMB,), on=(query.mover,))
    path = straight_path(table.centre(query.mover), _heading_of(table, query), 2 * CAPPED_MM)
    contact = contact_mm(table, query.mover, path, query.feature)
    turning = () if query.heading_deg is not None or query.to is not None else (query.mover,)
    if contact is None:
        return RuleResult(
            margin_mm=-CAPPED_MM,
            because=(CLIMB,),
            depends_on_place=(query.mover, query.feature),
            depends_on_facing=turning,
        )
    slow = slow_stretches(table.base(query.mover), path, passability_of_advance(table, query.mover).slow)
    left = allowance - cost_mm(contact, slow) - CLIMB_MM
    base = table.base(query.mover)
    on_top, top = (place_after(path, contact + CLIMBED_MM + max(0.0, more)) for more in (0.0, left))
    overhang = max(0.0, -depth_of_base(place_shape(base, on_top), (table.area(query.feature),)))
    room = check_end(table.with_end(query.mover, top), query.mover, query.feature)
    gets_up = is_zero_or_more(room) and is_at_least(left, 0.0, "climbs on top of", (query.mover, query.feature))
    return RuleResult(
        margin_mm=left if is_zero_or_more(room) else min(left, room.decisive_mm),
        value={
            "poses": {query.mover: {"at_mm": list(top if gets_up else base.centre)}},  # who does not get up stays
            "contact_mm": contact,
            "overhang_mm": overhang,
            "left_mm": max(0.0, left),
        },
        lengths_mm={"contact": contact},
        witness=(
            Witness(type="segment", role="path", points_mm=(path[0], top), of=(query.mover,)),
            Witness(type="circle", role="hit", centre_mm=top, radius_mm=base.reach_mm, of=(query.mover,)),
        ),
        because=(CLIMB, ON_TOP, *room.because),
        depends_on_place=tuple(dict.fromkeys((query.mover, query.feature, *(stretch.id for stretch in slow)))),
        depends_on_facing=turning,
    )


def _heading_of(table: ExactTable, query: Climb) -> float:
    if query.heading_deg is not None:
        return math.radians(query.heading_deg)
    if query.to is not None:
        return bearing(table.centre(query.mover), query.to.at_mm)
    return table.facing_rad(query.mover)


def regroup_move(table: ExactTable, query: RegroupMove) -> RuleResult:
    """Regrouping: whether a trooper out of formation went back as it must: advancing, or running straight at its
    commander.

    Source: Out of Formation; Activating Units, which leaves the run out.
    """
    result = toward_away.regroup_move(table, query)
    if table.reading("regroup-run") == "yes" or result.status != "decided":
        return replace(result, readings=("regroup-run",), doubtful=("regroup-run",))
    ways = result.value.get("ways")
    assert isinstance(ways, dict)
    return replace(
        result, margin_mm=float(str(ways["advance"])), slack_mm=None, conditions=(), readings=("regroup-run",)
    )


def stand_up(table: ExactTable, query: StandUp) -> RuleResult:
    """Standing up: whether it may rise now. Source: Knockdown."""
    return check_stand_up(table, query, _BARRED)


def is_off(table: ExactTable, mover: str, feature: Terrain, centre: Point) -> bool:
    """Whether less than an inch of ground is left under the base. Source: Being Pushed; Being Slammed; Being Thrown."""
    ground_mm = _ground_mm(table, mover, feature, centre)
    return not is_at_least(ground_mm, GROUND_MM, "has 1 in of ground under it on", (mover, feature.id))


def _ground_mm(table: ExactTable, mover: str, feature: Terrain, centre: Point) -> float:
    """How much of the base has ground under it: its greatest depth square to the edge, unless read otherwise."""
    base, area = place_shape(table.base(mover), centre), table.area(feature.id)
    if table.reading("ground-depth") != "area" or not area.outline:
        return reach_into(base, area)
    holds = is_at_least(inside_mm(centre, area.outline), 0.0, "has its centre on", (mover, feature.id))
    return GROUND_MM if holds else 0.0


def has_falls(table: ExactTable, raised: Terrain) -> bool:
    """Whether one falls off it: hills slope, unless their edge is declared sheer. Source: Hills; Falling."""
    how = table.reading("hill-falls")
    if raised.kind != "hill":
        return raised.sheer is not False
    return how == "always" or (how == "sheer-only" and bool(raised.sheer))


def fall(table: ExactTable, query: Fall) -> RuleResult:
    """Fall: whether it falls: off by less than an inch of ground, and at least an inch down. Source: Falling."""
    result = shared_fall.fall(table, query)
    if query.drop_in is not None or result.status != "decided":
        return result
    path = path_of(table, query.mover, query.path_mm)
    stood = None if path is None else _find_stood_on(table, query, path[0])
    if path is None or stood is None or not has_falls(table, stood):
        return replace(result, readings=("hill-falls",), doubtful=("hill-falls",) if stood is not None else ())
    short = RuleResult(
        margin_mm=GROUND_MM - _ground_mm(table, query.mover, stood, path[-1]),
        zero_is_met=False,
        because=(_GROUND,),
        depends_on_place=(query.mover, stood.id),
    )
    if not is_met(short, "has less than 1 in of ground under it on"):
        value = {**result.value, "ground_mm": GROUND_MM - short.decisive_mm}
        return replace(short, value=value, readings=("ground-depth", "hill-falls"), doubtful=("ground-depth",))
    least = result if result.decisive_mm < short.decisive_mm else short
    return replace(
        result,
        margin_mm=least.decisive_mm,
        zero_is_met=least.zero_is_met,
        because=(_FALL, _GROUND, *result.because[1:]),
        readings=("ground-depth", "hill-falls"),
        doubtful=("ground-depth",),
        depends_on_place=(*result.depends_on_place, stood.id),
        conditions=(result, short),
        joined_by="least",
        form=None,
    )


def _find_stood_on(table: ExactTable, query: Fall, start: Point) -> Terrain | None:
    """The highest raised piece under it when the move began."""
    base = place_shape(table.base(query.mover), start)
    raised = [t for t in table.state.terrain if surface_mm(t) > 0 and query.feature in (None, t.id)]
    under = [t for t in raised if _stood_on(table, query.mover, base, t.id)]
    return max(under, key=surface_mm, default=None)


def _stood_on(table: ExactTable, mover: str, base: RoundedShape, feature: str) -> bool:
    depth_mm = reach_into(base, table.area(feature))
    return is_more_than(depth_mm, 0.0, "began its move on", (mover, *table.movers_of(feature)))


def run_mm(table: ExactTable, mover: str) -> float | None:
    """A run, or a full advance where it cannot run. Source: Fleeing; Deep Water."""
    speed = speed_mm(table, mover)
    return None if speed is None else speed if is_deep(table, mover) else 2 * speed


def check_allowance(table: ExactTable, mover: str, path: tuple[Point, ...], allowance: float | None) -> RuleResult:
    if allowance is None:
        return ask_for(f"profile.spd_in of {mover}", because=(CAPPED,), on=(mover,))
    ground = slow_stretches(table.base(mover), path, passability_of_advance(table, mover).slow)
    return RuleResult(
        margin_mm=allowance - cost_mm(length_mm(path), ground), because=(CAPPED,), depends_on_place=(mover,)
    )


def slack_mm(table: ExactTable, path: tuple[Point, ...], foes: tuple[str, ...]) -> tuple[float, float | None]:
    """How much farther off each leg began than where it would come nearer to an enemy, and where it first does."""
    if table.reading("flee-toward") == "whole-path":
        gained = [math.dist(path[-1], table.centre(f)) - math.dist(path[0], table.centre(f)) for f in foes]
        return min(gained, default=CAPPED_MM), None
    slack, first, before = CAPPED_MM, None, 0.0
    for a, b in pairwise(path):
        leg = math.dist(a, b)
        for foe in foes if leg > 0 else ():
            x, y = table.centre(foe)
            nearest = ((x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1])) / leg
            slack = min(slack, -nearest)
            first = before if nearest > 1e-9 and first is None else first
        before += leg
    return slack, first
