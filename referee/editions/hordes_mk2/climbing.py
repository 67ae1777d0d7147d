"""Obstacles one gets on top of: what climbing costs, and where it leaves the base."""

import math
from dataclasses import replace

from pydantic import JsonValue

from models.queries import Climb, CrossObstacle, Move
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.areas import depth_of_base
from referee.clauses import Clauses
from referee.editions.hordes_mk2.locks import free
from referee.editions.hordes_mk2.parameters import CLIMB_MM, CLIMBED_MM, because
from referee.editions.hordes_mk2.terrain import is_climbed
from referee.editions.hordes_mk2.water import is_deep
from referee.editions.warmachine_prime import moves, passing
from referee.editions.warmachine_prime.going import advancing, passes_all
from referee.editions.warmachine_prime.paths import speed_mm
from referee.gaps import gap
from referee.motion import stretch_within
from referee.ruling import Ruling
from referee.situation import Situation
from referee.travel import Travelled, at, cost_mm, place_after, slow_stretches, straight

_CLIMB = because("Moving over Obstacles", "At contact it spends 2 in of movement, of which it must have as much left.")
_ON = because("Moving over Obstacles", "Climbing sets the front of its base 1 in beyond the near side.")
_NO_RUN = because("Deep Water", "Nobody begins a run in deep water.")
_LIGHT = because("Light Cavalry", "Right after its activation it advances up to 5 in.")
_RIDE = because("Ride-by Attack", "A full advance, halted once for the combat action: both parts count together.")
_CAVALRY = because("Ride-by Attack", "Only cavalry makes ride-by attacks.")


def climb(table: Situation, query: Climb) -> Ruling:
    """Whether it gets on top: with 2 in of movement left at contact, exactly 2 in being enough.

    Source: Moving over Obstacles.
    """
    feature = next((t for t in table.state.terrain if t.id == query.feature), None)
    if feature is None or not is_climbed(table, feature):
        return Ruling(status="refused", because=(_CLIMB,), advice=f"{query.feature} is nothing one climbs.")
    allowance = speed_mm(table, query.mover) if query.distance_in is None else inches(query.distance_in)
    if allowance is None:
        need = f"profile.spd_in of {query.mover}"
        return Ruling(status="unknown", needs=(need,), because=(_CLIMB,), touches=(query.mover,))
    path = straight(table.centre(query.mover), _heading(table, query), 2 * CAPPED_MM)
    contact = _contact(table, query.mover, path, query.feature)
    if contact is None:
        return Ruling(margin_mm=-CAPPED_MM, because=(_CLIMB,), touches=(query.mover, query.feature))
    slow = slow_stretches(table.base(query.mover), path, advancing(table, query.mover).slow)
    left = allowance - cost_mm(contact, slow) - CLIMB_MM
    base = table.base(query.mover)
    on_top, top = (place_after(path, contact + CLIMBED_MM + max(0.0, more)) for more in (0.0, left))
    overhang = max(0.0, -depth_of_base(at(base, on_top), (table.area(query.feature),)))
    return Ruling(
        margin_mm=left,
        value={
            "poses": {query.mover: {"at_mm": list(top)}},
            "contact_mm": contact,
            "overhang_mm": overhang,
            "left_mm": max(0.0, left),
        },
        lengths_mm={"contact": contact},
        witness=(
            Witness(type="segment", role="path", points_mm=(path[0], top), of=(query.mover,)),
            Witness(type="circle", role="hit", centre_mm=top, radius_mm=base.reach_mm, of=(query.mover,)),
        ),
        because=(_CLIMB, _ON),
        touches=(query.mover, query.feature),
    )


def _heading(table: Situation, query: Climb) -> float:
    if query.heading_deg is not None:
        return math.radians(query.heading_deg)
    if query.to is not None:
        (x, y), (tx, ty) = table.centre(query.mover), query.to.at_mm
        return math.atan2(ty - y, tx - x)
    return table.facing_rad(query.mover)


def _contact(table: Situation, mover: str, path: tuple[Point, Point], feature: str) -> float | None:
    """After how much travel the base touches a piece; None when it never does, or stands on it."""
    base, length = table.base(mover), math.dist(*path)
    if length == 0 or any(gap(base, part).mm < -1.0 for part in table.area(feature).parts):
        return None
    way = ((path[1][0] - path[0][0]) / length, (path[1][1] - path[0][1]) / length)
    spans = [stretch_within(at(base, path[0]), way, part) for part in table.area(feature).parts]
    met = [max(0.0, s[0]) for s in spans if s is not None and s[1] > 0 and s[0] <= length and s[1] - s[0] > 1e-6]
    return min(met, default=None)


def more_of_move(
    table: Situation, query: Move, walked: Travelled, allowance: float | None
) -> tuple[Clauses, dict[str, JsonValue]]:
    """What climbing costs a move, and who may make moves of special kinds.

    Source: Moving over Obstacles; Deep Water; Light Cavalry; Ride-by Attack.
    """
    me = table.miniature(query.mover)
    clauses: list[tuple[str, Ruling]] = [("lock", free(table, me.id))] if me.lock is not None else []
    if query.manner == "run" and is_deep(_at_start(table, query.mover, walked), query.mover):
        clauses.append(("water", Ruling(margin_mm=-CAPPED_MM, because=(_NO_RUN,), touches=(me.id,))))
    for manner, ability, reason in (("light-cavalry", "light-cavalry", _LIGHT), ("ride-by", "cavalry", _CAVALRY)):
        if query.manner == manner:
            holds = me.has(ability) or (manner == "ride-by" and me.has("ride-by"))
            clauses.append(("kind", Ruling(margin_mm=CAPPED_MM if holds else -CAPPED_MM, because=(reason,))))
    climbs = _climbs(table, query, walked)
    if climbs and allowance is not None:
        clauses.append(("climb", _paid(table, query, walked, allowance, climbs)))
    if not climbs:
        return tuple(clauses), {}
    return tuple(clauses), {"climbed": [*climbs], "spent_mm": walked.spent_mm + _more_mm(climbs)}


def _at_start(table: Situation, mover: str, walked: Travelled) -> Situation:
    return table.placed(mover, walked.path[0])


def _more_mm(climbs: dict[str, float]) -> float:
    """What climbing costs beyond the way it leads on. Source: Moving over Obstacles."""
    return len(climbs) * (CLIMB_MM - CLIMBED_MM)


def _climbs(table: Situation, query: Move, walked: Travelled) -> dict[str, float]:
    """The pieces it gets on top of, each with the travel at contact; flying over things is no climbing."""
    if query.manner in ("fly", "incorporeal") or passes_all(table, query.mover):
        return {}
    found: dict[str, float] = {}
    climbable = [t.id for t in table.state.terrain if is_climbed(table, t)]
    before = 0.0
    for a, b in zip(walked.path, walked.path[1:], strict=False):
        there = table.placed(query.mover, a)
        for id_ in climbable:
            contact = _contact(there, query.mover, (a, b), id_)
            if contact is not None and id_ not in found and contact < math.dist(a, b) - 1e-9:
                found[id_] = before + contact
        before += math.dist(a, b)
    return {id_: after for id_, after in found.items() if after < walked.travelled_mm - 1e-9}


def _paid(table: Situation, query: Move, walked: Travelled, allowance: float, climbs: dict[str, float]) -> Ruling:
    """Whether the allowance pays for every climb when it comes to it, and for the whole way."""
    left = [allowance - walked.needed_mm - _more_mm(climbs)]
    for k, after in enumerate(sorted(climbs.values())):
        left.append(allowance - cost_mm(after, walked.ground) - k * (CLIMB_MM - CLIMBED_MM) - CLIMB_MM)
    return Ruling(margin_mm=min(left), because=(_CLIMB, _ON), touches=(query.mover, *climbs))


def move(table: Situation, query: Move) -> Ruling:
    """Whether a path may be gone, and what comes of it. Source: Movement; Moving over Obstacles; Ride-by Attack."""
    if query.manner != "ride-by":
        return moves.move(table, query)
    if _full_in(table, query) is None:
        need = f"profile.spd_in of {query.mover}"
        return Ruling(status="unknown", needs=(need,), because=(_RIDE,), touches=(query.mover,))
    ruling = moves.move(table, query.model_copy(update={"manner": "ride-by", "allowance_in": _full_in(table, query)}))
    return replace(ruling, because=(_RIDE, *ruling.because))


def _full_in(table: Situation, query: Move) -> float | None:
    speed = speed_mm(table, query.mover)
    return query.allowance_in if query.allowance_in is not None or speed is None else speed / inches(1)


def cross_obstacle(table: Situation, query: CrossObstacle) -> Ruling:
    """Whether its movement takes the base wholly past; what is climbed is not crossed. Source: Linear Obstacles."""
    feature = next((t for t in table.state.terrain if t.id == query.feature), None)
    if feature is not None and is_climbed(table, feature):
        advice = f"{feature.id} is thick enough to be climbed: ask whether it can be."
        return Ruling(status="refused", because=(_CLIMB,), advice=advice)
    return passing.cross_obstacle(table, query)
