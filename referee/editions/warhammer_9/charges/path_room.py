"""Path room: how much room a charge leaves on its way, and how that changes with where everything stands.

Whether there is a way is a switch without a slope. Its margin is by how much all on the way may spread before the last
way is closed, or would have to shrink for the first. It is found by bisection where everything stands as told; with
errors it changes as the gaps beside that last way do: half of each where something stands on both hands.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

from models.state import TableState
from models.vocabulary import Point
from referee.editions.warhammer_9.charges.path_search import Arrival, ChargePath
from referee.editions.warhammer_9.units.regiment import all_regiments, members_of, regiment
from referee.geometry.distance import Gap, gap
from referee.geometry.shapes import RoundedShape, convex_hull
from referee.motion.block_pose import BlockPose
from referee.rules.exact_table import ExactTable
from referee.rules.memo import memoize

_SIGMAS = 4.5  # of everything on the way, beyond which no error closes or opens it
_HALVINGS = 3
_BESIDE_MM = 3.0  # what stands so much farther from the way than the nearest does not make it narrow
_TURN_RAD = math.radians(6.0)
_BEYOND_MM = 0.1
Shapes = dict[str, list[RoundedShape]]


@dataclass(frozen=True)
class PathRoom:
    """The room at rest, what it hangs on, and the arrival where an error has closed the way or opened one."""

    mm: float
    depends_on: tuple[str, ...]
    way: ChargePath
    sides_mm: tuple[float, ...]
    """The gaps beside that way at rest: one a hand."""
    things: tuple[str, ...]
    beyond: Arrival

    def mm_on(self, table: ExactTable, attacker: str, obstacles: Shapes) -> float:
        """The room with everything a little elsewhere."""
        gaps = _gaps_beside(table, attacker, self.way, {id_: obstacles.get(id_, []) for id_ in self.things})
        sides = [min(mm for mm in side) for side in gaps if side]
        if len(sides) != len(self.sides_mm):
            return self.mm
        changes = (now - was for now, was in zip(sides, self.sides_mm, strict=True))
        return self.mm + sum(changes) / len(sides)


def largest_sigma_mm(table: ExactTable) -> float:
    """The largest sigma of any place on the table."""
    return memoize(table.state, "widest place", lambda: _find_largest_sigma_mm(table.state))


def _find_largest_sigma_mm(state: TableState) -> float:
    places = (
        max(miniature.covariance()[k][k] for k in (0, 1)) ** 0.5
        for miniature in state.miniatures
        if not miniature.is_exact()
    )
    return max((*places, *(terrain.sigma_mm for terrain in state.terrain)), default=0.0)


def is_free(arrival: Arrival) -> bool:
    """Whether a charge gets there and touches nobody else."""
    return arrival.path is not None and not arrival.must_also_charge


def find_path_room(
    table: ExactTable, attacker: str, obstacles: Shapes, arrive: Callable[[float], Arrival]
) -> PathRoom | None:
    """The room at rest; None where no error within reach opens or closes the way.

    `arrive` finds the arrival with everything on the way spread by so much, or the charger narrower where it is less
    than nothing.
    """
    within_mm = _SIGMAS * largest_sigma_mm(table)
    resting = arrive(0.0)
    free_now = is_free(resting)
    far_mm = within_mm if free_now else -within_mm
    beyond = arrive(far_mm) if within_mm > 0 else resting
    if is_free(beyond) == free_now:
        return None
    same, other = (0.0, resting), (far_mm, beyond)
    for _ in range(_HALVINGS):
        middle = (same[0] + other[0]) / 2
        arrival = arrive(middle)
        if is_free(arrival) == free_now:
            same = (middle, arrival)
        else:
            other = (middle, arrival)
    widest = same[1] if free_now else other[1]
    assert widest.path is not None
    return _make_room(table, attacker, obstacles, (same[0], other[0]), widest.path, other[1], within_mm)


def _make_room(
    table: ExactTable,
    attacker: str,
    obstacles: Shapes,
    between: tuple[float, float],
    path: ChargePath,
    beyond: Arrival,
    within_mm: float,
) -> PathRoom:
    near = _things_beside(table, attacker, path, obstacles, within_mm)
    gaps = _gaps_beside(table, attacker, path, {id_: obstacles[id_] for id_ in near})
    sides = tuple(min(side) for side in gaps if side)
    mm = sum(sides) / len(sides) if sides else sum(between) / 2
    own = regiment(table, attacker)
    hull = _swept_hulls(BlockPose.of(own), path)[-1]
    ids = [*own.outermost[1][:1], *own.outermost[3][:1], *(m for id_ in near for m in _nearest_two(table, id_, hull))]
    mm = min(max(mm, min(between)), max(between))
    return PathRoom(mm, tuple(dict.fromkeys(ids)), path, sides, near, beyond)


def _things_beside(
    table: ExactTable, attacker: str, path: ChargePath, obstacles: Shapes, within_mm: float
) -> tuple[str, ...]:
    """What makes the way narrow: the nearest, and what stands hardly farther from it."""
    hulls = _swept_hulls(BlockPose.of(regiment(table, attacker)), path)
    far = {id_: min(gap(hull, shape).mm for hull in hulls for shape in shapes) for id_, shapes in obstacles.items()}
    least = min(far.values(), default=0.0)
    return tuple(id_ for id_, mm in far.items() if mm <= max(least, 0.0) + _BESIDE_MM + within_mm)


def _gaps_beside(
    table: ExactTable, attacker: str, path: ChargePath, obstacles: Shapes
) -> tuple[list[float], list[float]]:
    """How far everything is from a way, to the left and to the right of it."""
    hulls = _swept_hulls(BlockPose.of(regiment(table, attacker)), path)
    left, right = list[float](), list[float]()
    heading = path.contact_pose.facing_rad
    for shapes in obstacles.values():
        for shape in shapes:
            nearest = min((gap(hull, shape) for hull in hulls), key=lambda each: each.mm)
            (left if _is_left(path.contact_pose.front, heading, shape, nearest) else right).append(nearest.mm)
    return left, right


def _is_left(front: Point, heading_rad: float, shape: RoundedShape, gap: Gap) -> bool:
    """Whether a thing lies to the left of a way that leads there."""
    x, y = shape.centre if gap.mm <= 0 else gap.at_b
    return math.cos(heading_rad) * (y - front[1]) - math.sin(heading_rad) * (x - front[0]) > 0


def _swept_hulls(start: BlockPose, path: ChargePath) -> list[RoundedShape]:
    """All that a charger sweeps on that way from where it stands, the last straight piece at the end."""
    moved = replace(path, start=start)
    stands = [moved.wheel_start]
    parts = math.ceil(abs(path.turn_rad) / _TURN_RAD)
    hand = "left" if path.turn_rad > 0 else "right"
    stands += [moved.wheel_start.wheel(hand, abs(path.turn_rad) * k / parts) for k in range(1, parts + 1)]
    pairs = [(start, stands[0]), *pairwise(stands), (stands[-1], moved.contact_pose)]
    return [RoundedShape(convex_hull([*a.corners, *b.corners])) for a, b in pairs]


def _nearest_two(table: ExactTable, thing: str, to: RoundedShape) -> tuple[str, ...]:
    """A thing, or those two of a unit who stand nearest; of a table edge nothing."""
    if thing.startswith("edge:"):
        return ()
    if thing not in all_regiments(table):
        return (thing,)
    return tuple(sorted(members_of(table, thing), key=lambda m: gap(table.base(m), to).mm)[:2])
