"""War machine aim: what a machine may be aimed at, what its line must keep clear of, and how it may pivot."""

import math

from models.queries import WarMachinePivot
from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.line_of_sight.los import point_sight_clearance
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.shooting.may_shoot import weapon_of, why_may_not_shoot
from referee.editions.warhammer_9.units.distances import closest_parts, weapon_range_mm
from referee.editions.warhammer_9.units.engagement import engaged_with
from referee.editions.warhammer_9.units.regiment import (
    are_friends,
    garrisoned_building,
    leading_miniature,
    members_of,
    regiment,
)
from referee.geometry.shapes import RoundedShape
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.switches import is_margin_met

Slacks = dict[str, float]
_PIVOT = because("War Machines", 86, "It turns by up to 45 degrees either way and may still fire.")


def muzzle(table: ExactTable, id_: str) -> Point:
    """Firing point of a machine: as given, else the middle of its front. Source: War Machines, p. 86."""
    stated = leading_miniature(table, id_).firing_point_mm
    return regiment(table, id_).front if stated is None else stated


def aim_slacks(table: ExactTable, machine: str, at: Point, *, sight: bool = True) -> tuple[Slacks, tuple[str, ...]]:
    """Margins of an aim, and what its sight depends on.

    In range, ahead of it after the pivot it may make, and seen. Source: War Machines, p. 86-87; Cannons, p. 88.
    """
    start, slacks = muzzle(table, machine), Slacks()
    limit, away = weapon_range_mm(table, machine, None), math.dist(start, at)
    if why_may_not_shoot(table, machine, weapon_of(table, machine, None)):
        slacks["may-shoot"] = -CAPPED_MM
    if limit is not None:
        slacks["range"] = limit[1] - away
        if limit[0] > 0:
            slacks["least-range"] = away - limit[0]
    turn = turn_to_rad(table, machine, at)
    slacks["ahead"] = (math.radians(parameters.PIVOT_DEG) - turn) * away
    if not sight:
        return slacks, ()
    slacks["sight"], touches = point_sight_clearance(table, machine, start, at)
    return slacks, touches


def aim_margin_mm(slacks: Slacks, *named: str) -> float:
    """The worst failed margin; else the least of those named."""
    failed = [mm for mm in slacks.values() if not is_margin_met(mm)]
    return min(failed or [slacks[name] for name in named if name in slacks], default=CAPPED_MM)


def failed_clauses(slacks: Slacks) -> tuple[str, ...]:
    """The clauses with a negative margin."""
    return tuple(name for name, mm in slacks.items() if not is_margin_met(mm))


def turn_to_rad(table: ExactTable, machine: str, at: Point) -> float:
    """How far a machine turns to aim at a point."""
    start = muzzle(table, machine)
    heading = math.atan2(at[1] - start[1], at[0] - start[0])
    return abs(math.remainder(heading - regiment(table, machine).facing_rad, math.tau))


def clearance_from_unit_mm(table: ExactTable, machine: str, unit: str, line: RoundedShape) -> float | None:
    """Clearance of a line from a unit that may not be hit; None where it may."""
    if unit == machine or garrisoned_building(table, unit) is not None:
        return None
    if not are_friends(table, machine, unit) and not engaged_with(table, unit):
        return None
    return closest_parts([("", line)], [(m, table.base(m)) for m in members_of(table, unit)]).mm


def point_beyond(start: Point, at: Point, mm: float) -> Point:
    """The point so far beyond another, seen from a start."""
    away = math.dist(start, at) or 1.0
    return (at[0] + (at[0] - start[0]) * mm / away, at[1] + (at[1] - start[1]) * mm / away)


def certain_hit(table: ExactTable, id_: str) -> Candidate:
    """A candidate that is hit for sure."""

    def rule(_: ExactTable) -> RuleResult:
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(id_,))

    return Candidate(id_, rule(table), rule)


def war_machine_pivot(table: ExactTable, query: WarMachinePivot) -> RuleResult:
    """War machine pivot: whether the machine may still fire after the turn. Source: War Machines, p. 86."""
    own = regiment(table, query.who)
    if query.heading_deg is not None:
        heading = math.radians(query.heading_deg)
    elif query.target is not None:
        to = regiment(table, query.target).centre
        heading = math.atan2(to[1] - own.centre[1], to[0] - own.centre[0])
    else:
        return RuleResult(status="unknown", needs=("heading_deg",), because=(_PIVOT,))
    turn = abs(math.degrees(math.remainder(heading - own.facing_rad, math.tau)))
    return RuleResult(
        margin_mm=parameters.PIVOT_DEG - turn,
        in_degrees=True,
        value={"turn_deg": turn},
        because=(with_effect(table, _PIVOT, f"It turns by {turn:.1f} degrees."),),
        depends_on_place=members_of(table, query.who)[:1],
        depends_on_facing=members_of(table, query.who)[:1],
    )
