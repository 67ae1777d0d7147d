"""Engagement: which enemy regiments touch each other, and on which side."""

from referee.editions.warhammer_9.units.distances import closest_bases
from referee.editions.warhammer_9.units.obstacle_contact import (
    Contact,
    contact_between,
    farthest_over_obstacles_mm,
)
from referee.editions.warhammer_9.units.quadrants import quadrant
from referee.editions.warhammer_9.units.regiment import (
    Regiment,
    all_regiments,
    are_friends,
    garrisoned_building,
    members_of,
    regiment,
)
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_at_least, is_out_of_reach

SIDES = ("front", "left", "rear", "right")
_NEAR_MM = 10.0  # who is farther off comes to touch by no error


def engaged_with(table: ExactTable, id_: str) -> list[str]:
    """The enemy regiments that touch this one. Source: Combat, p. 44."""
    near = table.memoize_unperturbed(("near foes", id_), lambda still: _find_near_foes(still, id_))
    return [one for one in near if _is_touching(table, id_, one)]


def _find_near_foes(table: ExactTable, id_: str) -> tuple[str, ...]:
    """The enemies that touch it or may by a measuring error."""
    if garrisoned_building(table, id_) is not None:
        return ()
    own, near = regiment(table, id_), _NEAR_MM + farthest_over_obstacles_mm(table)
    foes = [one for one in all_regiments(table) if one != id_ and not are_friends(table, id_, one)]
    return tuple(
        one
        for one in foes
        if garrisoned_building(table, one) is None
        and not is_out_of_reach(least_gap_bound_mm(own, regiment(table, one)), near)
        and not is_out_of_reach(closest_bases(table, id_, one).mm, near)
    )


def _is_touching(table: ExactTable, a: str, b: str) -> bool:
    between = closest_bases(table, a, b)
    if is_at_least(contact_mm(table), between.mm, "touches", between.depends_on):
        return True
    over = _contact_over_obstacle(table, a, b)
    return over is not None and is_at_least(contact_mm(table), over.mm, "touches over an obstacle", over.depends_on)


def _contact_over_obstacle(table: ExactTable, a: str, b: str) -> Contact | None:
    """The nearest of their contacts over an obstacle; None where none lies between them."""
    if not farthest_over_obstacles_mm(table):
        return None
    found = (contact_between(table, one, other) for one in members_of(table, a) for other in members_of(table, b))
    return min((one for one in found if one.over is not None), key=lambda one: one.mm, default=None)


def contact_mm(table: ExactTable) -> float:
    """The gap up to which bases count as touching."""
    return table.state.contact_tolerance_mm


def least_gap_bound_mm(a: Regiment, b: Regiment) -> float:
    """A lower bound for the gap of two regiments."""
    (ax, ay), (bx, by) = a.centre, b.centre
    reach = (a.width_mm**2 + a.depth_mm**2) ** 0.5 / 2 + (b.width_mm**2 + b.depth_mm**2) ** 0.5 / 2
    return float(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 - reach)


def edge_of(own: Regiment, side: str) -> RoundedShape:
    """One edge of a regiment's rectangle."""
    fl, rl, rr, fr = own.corners
    return RoundedShape({"front": (fr, fl), "left": (fl, rl), "rear": (rl, rr), "right": (rr, fr)}[side])


def fought_side(own: Regiment, foe: Regiment) -> str:
    """The side on which an enemy fights: the one its middle lies beyond. Source: Flank and Rear Charges, p. 20."""
    side, _ = quadrant(own, foe.centre, foe.outline_ids)
    return side if side != "border" else "front"


def free_sides(table: ExactTable, id_: str) -> list[str]:
    """The sides of a regiment that no enemy fights."""
    own = regiment(table, id_)
    taken = {fought_side(own, regiment(table, foe)) for foe in engaged_with(table, id_)}
    return [side for side in SIDES if side not in taken]


def side_gap_mm(table: ExactTable, who: str, own: Regiment, side: str) -> float:
    """Distance of the nearest base of a unit from one side of a regiment."""
    edge = edge_of(own, side)
    return min(gap(table.base(m), edge).mm for m in members_of(table, who))
