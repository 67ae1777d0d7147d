"""Flee: which way and how far a unit flees, and who must test for it."""

import math
from dataclasses import replace

from pydantic import JsonValue

from models.queries import Flee
from models.terrain import Terrain
from models.verdict import Reason, Witness
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.movement import movement_dice, path_legs
from referee.editions.warhammer_9.movement.block_pose import BlockPose
from referee.editions.warhammer_9.movement.flight import (
    Flight,
    flight_heading_rad,
    flight_obstructions,
    resolve_flight,
    running_distance_mm,
    told_distance_mm,
)
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import closest_bases, who_is_nearer
from referee.editions.warhammer_9.units.engagement import engaged_with
from referee.editions.warhammer_9.units.regiment import (
    all_regiments,
    are_friends,
    garrisoned_building,
    leading_miniature,
    regiment,
)
from referee.editions.warhammer_9.units.unit_strength import total_strength
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape, convex_hull
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_names, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM, choose_least, is_more_than

_AWAY = because(
    "Move Fleeing Units", 21, "It turns about its centre to look straight away, and runs through everything."
)
_STOP = because(
    "Move Fleeing Units", 21, "It never stops on or within an inch of others, but an inch beyond the last of them."
)


def flee(table: ExactTable, query: Flee) -> RuleResult:
    """Flee: which way and how far a unit flees. Source: Flee, p. 18, 21; Direction of Flight, p. 53; Panic, p. 54."""
    own = regiment(table, query.mover)
    threats = _enemies_fled_from(table, query)
    if not threats:
        return RuleResult(status="unknown", needs=("threats",), because=(_AWAY,))
    heading = flight_heading_rad(table, query.mover, threats)
    strength = {one: total_strength(table, one) for one in threats}
    ties = [one for one in threats if strength[one] == max(strength.values())]
    value: dict[str, JsonValue] = {
        "heading_deg": math.degrees(heading) % 360.0,
        "threats": [*threats],
        "ties": [*ties] if len(ties) > 1 else [],
    }
    if query.cause == "charge":
        value["may_flee"] = _may_flee(table, query.mover)
    value["off_table"] = _chance_off_table(table, own.id, threats, movement_dice.running_dice(table, query.mover))
    witness, told, stop = tuple[Witness, ...](), "Its roll decides how far.", _STOP
    if query.dice.flee is not None:
        run = resolve_flight(
            table, query.mover, threats, told_distance_mm(table, query.mover, query.dice.flee, field="dice.flee")
        )
        legs = path_legs.turn_and_run_legs(BlockPose.of(own), run.end)
        value |= {
            "result": "removed" if run.is_off else "flees",
            "poses": path_legs.unit_poses(table, own, run.end),
            "paths": {query.mover: path_legs.label_legs("flee", legs)},
            "crossed": [*run.crossed],
            "panic": [*_friends_testing_panic(table, query.mover, run.crossed)],
            **_dangerous_tests(table, query.mover, run),
        }
        witness = path_legs.draw_legs(BlockPose.of(own), run.end, legs, query.mover)
        far = format_length(math.dist(own.centre, run.end.centre))
        told = f"It runs {far} through {format_names(table, run.crossed)}."
        stop = _explain_stop(table, run, told_distance_mm(table, query.mover, query.dice.flee, field="dice.flee"))
    return RuleResult(
        status="measured",
        value=value,
        witness=witness,
        because=(with_effect(table, _AWAY, told), stop),
        readings=("toward-from",),
        doubtful=("toward-from",),
    )


def _explain_stop(table: ExactTable, run: Flight, rolled_mm: float) -> Reason:
    """The rule, and by how much it runs on so as to stop clear of others."""
    more = math.dist(run.start.centre, run.end.centre) - rolled_mm
    return with_effect(table, _STOP, f"It runs {format_length(more)} farther.") if more > EXACT_MM else _STOP


def _may_flee(table: ExactTable, mover: str) -> bool:
    return not leading_miniature(table, mover).has("immunity-psychology") and garrisoned_building(table, mover) is None


def _enemies_fled_from(table: ExactTable, query: Flee) -> tuple[str, ...]:
    """Whom it flees from: told; those it lost to; else the closest enemy. Source: p. 50, 53, 54."""
    if query.threats:
        return query.threats
    if query.cause == "break" and (winners := engaged_with(table, query.mover)):
        return tuple(winners)
    foes = [one for one in all_regiments(table) if not are_friends(table, query.mover, one)]
    between = {one: closest_bases(table, query.mover, one) for one in foes}
    ranked = [(found.mm, one) for one, found in between.items()]
    if not ranked:
        return ()
    return (choose_least(ranked, "is nearer than", lambda a, b: who_is_nearer(between[a], between[b])),)


def _chance_off_table(table: ExactTable, mover: str, threats: tuple[str, ...], name: str) -> dict[str, JsonValue]:
    """The least roll that takes it off the table, and its chance. Source: Move Fleeing Units, p. 21."""
    for roll in sorted(movement_dice.roll_distribution(name)):
        if resolve_flight(table, mover, threats, running_distance_mm(table, mover, roll)).is_off:
            return {
                "needs": roll,
                "p": float(movement_dice.chance_at_least(name, roll)),
                "exact": str(movement_dice.chance_at_least(name, roll)),
            }
    return {"needs": None, "p": 0.0, "exact": "0"}


def _dangerous_tests(table: ExactTable, mover: str, run: Flight) -> dict[str, JsonValue]:
    """How many tests those make who flee through enemies or impassable ground: one each for each. Source: p. 21."""
    own, found = regiment(table, mover), dict[str, int]()
    risky = {id_ for id_ in run.crossed if _is_terrain(table, id_) or not are_friends(table, mover, id_)}
    for id_, place in zip(own.members, own.places, strict=True):
        wide, deep = own.base_mm
        x, y = own.to_local(place, own.front)
        ends = [
            replace(one, front=one.point_at(x + deep / 2, y), width_mm=wide, depth_mm=deep)
            for one in (run.start, run.end)
        ]
        swept = RoundedShape(convex_hull([p for end in ends for p in end.corners]))
        met = {
            thing
            for thing, shape in flight_obstructions(table, mover)
            if thing in risky and is_more_than(-gap(swept, shape).mm, 0.0, "flees through", (id_, thing))
        }
        found |= {id_: len(met)} if met else {}
    count = sum(found.values())
    return {"tests": count, "tested": dict[str, JsonValue](found), "expected": count / 6}


def _is_terrain(table: ExactTable, id_: str) -> bool:
    return isinstance(table.state.by_id[id_], Terrain)


def _friends_testing_panic(table: ExactTable, mover: str, crossed: tuple[str, ...]) -> list[str]:
    """Friends who test for panic. Source: Panic, p. 54."""
    if total_strength(table, mover) < parameters.FEW:
        return []
    units = [one for one in crossed if not isinstance(table.state.by_id[one], Terrain)]
    return [
        one for one in units if are_friends(table, mover, one) and "fleeing" not in leading_miniature(table, one).status
    ]
