"""Move: a path that may be gone, and what climbing costs on it."""

import math
from dataclasses import replace

from pydantic import JsonValue

from models.queries import Move
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.editions.warmachine.mk1_and_mk2.melee.lock import check_unlocked
from referee.editions.warmachine.mk1_and_mk2.parameters import CLIMB_MM, CLIMBED_MM, because
from referee.editions.warmachine.mk1_and_mk2.terrain.deep_water import is_deep
from referee.editions.warmachine.mk1_and_mk2.terrain.terrain_class import is_climbed
from referee.editions.warmachine.movement import move as shared
from referee.editions.warmachine.movement.movement_costs import passes_all
from referee.editions.warmachine.movement.path import speed_mm
from referee.geometry.distance import gap
from referee.motion.sweep import stretch_within
from referee.motion.travel_budget import TravelResult, cost_mm, place_shape, swept_gap
from referee.rules.conditions import Clauses
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_more_than

_ON_MM = 1.0  # so far over a piece it stands on it; less is a measuring error

CLIMB = because("Moving over Obstacles", "At contact it spends 2 in of movement, of which it must have as much left.")
ON_TOP = because("Moving over Obstacles", "Climbing sets the front of its base 1 in beyond the near side.")
_NO_RUN = because("Deep Water", "Nobody begins a run in deep water.")
_LIGHT = because("Light Cavalry", "Right after its activation it advances up to 5 in.")
_RIDE = because("Ride-by Attack", "A full advance, halted once for the combat action: both parts count together.")
_CAVALRY = because("Ride-by Attack", "Only cavalry makes ride-by attacks.")


def contact_mm(table: ExactTable, mover: str, path: tuple[Point, Point], feature: str) -> float | None:
    """After how much travel the base touches a piece; None when it never does, or stands on it."""
    base, length = table.base(mover), math.dist(*path)
    parts, on = table.area(feature).parts, (mover, *table.movers_of(feature))
    if length == 0 or any(is_more_than(-gap(base, part).mm, _ON_MM, "stands on", on) for part in parts):
        return None
    met_mm = -min(swept_gap(base, path, part) for part in parts)
    if not is_more_than(met_mm, 0.0, "runs into", on):
        return None
    way = ((path[1][0] - path[0][0]) / length, (path[1][1] - path[0][1]) / length)
    spans = [stretch_within(place_shape(base, path[0]), way, part) for part in parts]
    met = [max(0.0, s[0]) for s in spans if s is not None and s[1] > 0 and s[0] <= length and s[1] - s[0] > 1e-6]
    return min(met, default=None)


def move_extras(
    table: ExactTable, query: Move, walked: TravelResult, allowance: float | None
) -> tuple[Clauses, dict[str, JsonValue]]:
    """What climbing costs a move, and who may make moves of special kinds.

    Source: Moving over Obstacles; Deep Water; Light Cavalry; Ride-by Attack.
    """
    me = table.miniature(query.mover)
    clauses: list[tuple[str, RuleResult]] = [("lock", check_unlocked(table, me.id))] if me.lock is not None else []
    if query.manner == "run" and is_deep(_table_at_start(table, query.mover, walked), query.mover):
        clauses.append(("water", RuleResult(margin_mm=-CAPPED_MM, because=(_NO_RUN,), depends_on_place=(me.id,))))
    for manner, ability, reason in (("light-cavalry", "light-cavalry", _LIGHT), ("ride-by", "cavalry", _CAVALRY)):
        if query.manner == manner:
            holds = me.has(ability) or (manner == "ride-by" and me.has("ride-by"))
            clauses.append(("kind", RuleResult(margin_mm=CAPPED_MM if holds else -CAPPED_MM, because=(reason,))))
    climbs = _list_climbs(table, query, walked)
    if climbs and allowance is not None:
        clauses.append(("climb", _check_climbs_paid(table, query, walked, allowance, climbs)))
    if not climbs:
        return tuple(clauses), {}
    return tuple(clauses), {"climbed": [*climbs], "spent_mm": walked.spent_mm + _more_mm(climbs)}


def _table_at_start(table: ExactTable, mover: str, walked: TravelResult) -> ExactTable:
    return table.with_end(mover, walked.path[0])


def _more_mm(climbs: dict[str, float]) -> float:
    """What climbing costs beyond the way it leads on. Source: Moving over Obstacles."""
    return len(climbs) * (CLIMB_MM - CLIMBED_MM)


def _list_climbs(table: ExactTable, query: Move, walked: TravelResult) -> dict[str, float]:
    """The pieces it gets on top of, each with the travel at contact; flying over things is no climbing."""
    if query.manner in ("fly", "incorporeal") or passes_all(table, query.mover):
        return {}
    found: dict[str, float] = {}
    climbable = [t.id for t in table.state.terrain if is_climbed(table, t)]
    before = 0.0
    for a, b in zip(walked.path, walked.path[1:], strict=False):
        there = table.with_end(query.mover, a)
        for id_ in climbable:
            contact = contact_mm(there, query.mover, (a, b), id_)
            if contact is None or id_ in found:
                continue
            if is_more_than(math.dist(a, b), contact, "comes up to", (query.mover, id_)):
                found[id_] = before + contact
        before += math.dist(a, b)
    went = walked.travelled_mm
    return {id_: at for id_, at in found.items() if is_more_than(went, at, "gets as far as", (query.mover, id_))}


def _check_climbs_paid(
    table: ExactTable, query: Move, walked: TravelResult, allowance: float, climbs: dict[str, float]
) -> RuleResult:
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
        return shared.move(table, query)
    if _full_advance_in(table, query) is None:
        need = f"profile.spd_in of {query.mover}"
        return RuleResult(status="unknown", needs=(need,), because=(_RIDE,), depends_on_place=(query.mover,))
    result = shared.move(
        table, query.model_copy(update={"manner": "ride-by", "allowance_in": _full_advance_in(table, query)})
    )
    return replace(result, because=(_RIDE, *result.because))


def _full_advance_in(table: ExactTable, query: Move) -> float | None:
    speed = speed_mm(table, query.mover)
    return query.allowance_in if query.allowance_in is not None or speed is None else speed / inches(1)
