"""Skirmish move: everybody goes a way of its own, round what stands there, to a place in the loose block."""

import math
from collections.abc import Sequence

from models.pose import Pose
from models.turn import UnitPose
from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.movement import path_legs
from referee.editions.warhammer_9.movement.place_assignment import assign_places, skirmish_places
from referee.editions.warhammer_9.movement.spacing import (
    edge_clearance,
    ids_near,
    nearest_to_parts,
    resting_obstacles,
    spaced_obstacles,
)
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import Regiment, regiment
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.motion.block_pose import BlockPose
from referee.motion.bottleneck_assignment import Assignment, assign_by_lengths
from referee.motion.shortest_path import is_barred, shortest_path_round
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM

_LOOSE = because("Skirmishers", 65, "Each of them goes its own way, at most its Movement.")
_HAIR_MM = 0.01  # who goes along the line of an inch does not break it


def skirmish_move(
    table: ExactTable, mover: str, to: Pose | UnitPose, allowance: float, broken: Sequence[str], *, flying: bool = False
) -> RuleResult:
    """Skirmish move: whether all can reach their places, an inch clear of everything; who goes where is the kindest.

    Flyers pass over what stands between. Source: Skirmishers, p. 65; 1" Apart, p. 15; Moving Flyers, p. 59.
    """
    own = regiment(table, mover)
    end_pose = BlockPose.of(own).place_at(to)
    files = to.files if isinstance(to, UnitPose) and to.files is not None else own.files
    places = skirmish_places(table, own, end_pose, files)
    assigned = assign_places(own.places, places, own.members) if flying else _assign_round_obstacles(table, own, places)
    bases = [_base_at(own, end_pose, place) for place in places]
    near, edge = nearest_to_parts(bases, resting_obstacles(table, mover)), edge_clearance(table, bases)
    clear = CAPPED_MM if near is None else near.mm - parameters.SPACING_MM
    longest = assigned.longest_mm if math.isfinite(assigned.longest_mm) else CAPPED_MM
    margin = -CAPPED_MM if broken else min(allowance - longest, clear, edge.mm)
    off = edge.thing if edge.mm < -EXACT_MM else None
    thing = off or (None if near is None or clear >= 0 else near.thing)
    what = (
        broken[0]
        if broken
        else "table-edge"
        if off
        else "one-inch"
        if thing
        else "allowance"
        if longest > allowance + EXACT_MM
        else None
    )
    return RuleResult(
        margin_mm=max(-CAPPED_MM, margin),
        zero_is_met=clear > EXACT_MM or table.reading("one-inch-exact") == "legal",
        value={
            "longest_mm": longest,
            "furthest": assigned.furthest,
            "spent_mm": longest,
            "left_mm": max(0.0, allowance - longest),
            "poses": path_legs.block_poses(own, end_pose, assigned.places),
            "paths": {mover: path_legs.reform_leg(longest)},
            "violation": None if what is None else {"what": what, "thing": thing},
        },
        lengths_mm={"longest": longest},
        because=(
            with_effect(
                table, _LOOSE, f"Somebody goes {format_length(longest)} of {format_length(allowance)} at least."
            ),
        ),
        readings=("one-inch-exact",),
        doubtful=("one-inch-exact",) if abs(clear) <= EXACT_MM else (),
        depends_on_place=tuple(
            dict.fromkeys((*own.members, *(() if near is None or clear > 50.0 else ids_near(table, near.thing))))
        ),
    )


def _base_at(own: Regiment, end_pose: BlockPose, place: Point) -> RoundedShape:
    """The base of the rank and file at that place."""
    wide, deep = own.base_mm
    front = (place[0] + deep / 2 * math.cos(end_pose.facing_rad), place[1] + deep / 2 * math.sin(end_pose.facing_rad))
    return BlockPose(front, end_pose.facing_rad, wide, deep).shape


def _assign_round_obstacles(table: ExactTable, own: Regiment, places: Sequence[Point]) -> Assignment:
    """The kindest assignment when nobody walks through anything.

    Ways round are looked for only where somebody would go straight through: no way is shorter than the straight one.
    """
    aside = min(own.base_mm) / 2 + parameters.SPACING_MM - _HAIR_MM
    things = [shape for _, shape in spaced_obstacles(table, own.id)]
    lengths = [[math.dist(a, b) for b in places] for a in own.places]
    known = set[tuple[int, int]]()
    while True:
        assigned = assign_by_lengths(lengths, places, own.members)
        pairs = [(own.members.index(id_), places.index(place)) for id_, place in assigned.places.items()]
        new = [pair for pair in pairs if pair not in known]
        if not new:
            return assigned
        for i, j in new:
            known.add((i, j))
            lengths[i][j] = _way_mm(own.places[i], places[j], things, aside)


def _way_mm(start: Point, end: Point, things: Sequence[RoundedShape], aside: float) -> float:
    """How far it is from one point to the other, so far aside of everything; what one stands nearer to is passed there.

    Infinite where there is no way.
    """
    ends = (RoundedShape((start,)), RoundedShape((end,)))
    barring = [
        thing.grow(max(0.0, min(aside, *(gap(point, thing).mm - _HAIR_MM for point in ends)))) for thing in things
    ]
    if not is_barred(start, end, barring):
        return math.dist(start, end)
    detour = shortest_path_round(ends[:1], ends[1:], barring)
    return math.inf if detour is None else detour.mm
