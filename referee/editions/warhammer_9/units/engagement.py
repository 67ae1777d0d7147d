"""Engagement: which enemy regiments touch each other, on which side, and over which obstacle."""

import math
from dataclasses import dataclass

from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.units.distances import closest_bases
from referee.editions.warhammer_9.units.quadrants import quadrant
from referee.editions.warhammer_9.units.regiment import (
    Regiment,
    all_regiments,
    are_friends,
    garrisoned_building,
    members_of,
    regiment,
    regiment_of,
)
from referee.editions.warhammer_9.units.unit_strength import has_charged, this_turn_of
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.motion.sweep import stretch_within
from referee.rules.exact_table import ExactTable
from referee.rules.memo import memoize
from referee.rules.switches import is_at_least, is_more_than, is_out_of_reach

SIDES = ("front", "left", "rear", "right")
_NEAR_MM = 10.0  # who is farther off comes to touch by no error


def engaged_with(table: ExactTable, id_: str) -> list[str]:
    """The enemy regiments that touch this one. Source: Combat, p. 44."""
    near = table.memoize_unperturbed(("near foes", id_), lambda still: _find_near_foes(still, id_))
    return [foe for foe in near if _is_touching(table, id_, foe)]


def _find_near_foes(table: ExactTable, id_: str) -> tuple[str, ...]:
    """The enemies that touch it or may by a measuring error."""
    if garrisoned_building(table, id_) is not None:
        return ()
    own, near = regiment(table, id_), _NEAR_MM + farthest_over_obstacles_mm(table)
    foes = [unit for unit in all_regiments(table) if unit != id_ and not are_friends(table, id_, unit)]
    return tuple(
        foe
        for foe in foes
        if garrisoned_building(table, foe) is None
        and not is_out_of_reach(least_gap_bound_mm(own, regiment(table, foe)), near)
        and not is_out_of_reach(closest_bases(table, id_, foe).mm, near)
    )


def _is_touching(table: ExactTable, a: str, b: str) -> bool:
    between = closest_bases(table, a, b)
    if is_at_least(contact_mm(table), between.mm, "touches", between.depends_on):
        return True
    over = _contact_over_obstacle(table, a, b)
    return over is not None and is_at_least(contact_mm(table), over.mm, "touches over an obstacle", over.depends_on)


@dataclass(frozen=True)
class Contact:
    """How far two bases are from touching, over an obstacle or not; and what that hangs on."""

    mm: float
    depends_on: tuple[str, ...]
    over: str | None = None
    """The obstacle between them."""
    shared_mm: float = 0.0
    """Over an obstacle: how much of their width lies face to face."""


def _contact_over_obstacle(table: ExactTable, a: str, b: str) -> Contact | None:
    """The nearest of their contacts over an obstacle; None where none lies between them."""
    if not farthest_over_obstacles_mm(table):
        return None
    contacts = (contact_between(table, id_, other) for id_ in members_of(table, a) for other in members_of(table, b))
    return min(
        (contact for contact in contacts if contact.over is not None), key=lambda contact: contact.mm, default=None
    )


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
    """The side on which an enemy fights: the edge that it touches; where it touches corners only, or none, the one its
    middle lies beyond. Source: Flank and Rear Charges, p. 20.
    """
    ids = tuple(dict.fromkeys((*foe.outline_ids, *own.outline_ids)))
    outline = RoundedShape(foe.corners)
    *_, (second, _), (most, side) = sorted((_shared_mm(edge_of(own, side), outline), side) for side in SIDES)
    if is_more_than(most - 2 * second, 0.0, f"lies along the {side} of", ids):
        return side
    side, _ = quadrant(own, foe.centre, foe.outline_ids)
    return side if side != "border" else "front"


def _shared_mm(edge: RoundedShape, outline: RoundedShape) -> float:
    """How much of an edge a rectangle lies along, as near as contact asks for."""
    (ax, ay), (bx, by) = edge.points
    long = math.dist((ax, ay), (bx, by)) or 1.0
    ahead = ((bx - ax) / long, (by - ay) / long)
    span = stretch_within(RoundedShape(((ax, ay),)), ahead, outline, parameters.CONTACT_MM)
    return 0.0 if span is None else max(0.0, min(long, span[1]) - max(0.0, span[0]))


def free_sides(table: ExactTable, id_: str) -> list[str]:
    """The sides of a regiment that no enemy fights."""
    own = regiment(table, id_)
    taken = {fought_side(own, regiment(table, foe)) for foe in engaged_with(table, id_)}
    return [side for side in SIDES if side not in taken]


def side_gap_mm(table: ExactTable, unit: str, own: Regiment, side: str) -> float:
    """Distance of the nearest base of a unit from one side of a regiment."""
    edge = edge_of(own, side)
    return min(gap(table.base(m), edge).mm for m in members_of(table, unit))


def contact_between(table: ExactTable, a: str, b: str) -> Contact:
    """The contact of two miniatures. Source: Obstacles and Combat, p. 95."""
    return contact_of_shape(table, a, table.base(a), b)


def contact_of_shape(table: ExactTable, a: str, shape: RoundedShape, b: str) -> Contact:
    """The contact of a part of one miniature with another. Source: Obstacles and Combat, p. 95."""
    base = table.base(b)
    contact = Contact(gap(shape, base).mm, (a, b))
    for id_ in _obstacles(table):
        if contact.mm > farthest_over_obstacles_mm(table) + 2 * table.state.contact_tolerance_mm:
            continue
        if not _may_fight_over(table, a, b, contact.mm):
            continue
        for part in table.area(id_).parts:
            mm, shared = _gap_over(shape, base, part)
            if mm < contact.mm:
                contact = Contact(mm, (a, b, *table.movers_of(id_)), id_, shared)
    return contact


def farthest_over_obstacles_mm(table: ExactTable) -> float:
    """How far apart two may stand that fight over an obstacle: as far as the thickest one; 0 without any."""
    return memoize(table.state, "thickest obstacle", lambda: _thickest_mm(table))


def _thickest_mm(table: ExactTable) -> float:
    parts = (part for id_ in _obstacles(table) for part in table.area(id_).parts)
    spans = (_span(part, _axes(part)[1]) for part in parts)
    return max((high - low for low, high in spans), default=0.0)


def _obstacles(table: ExactTable) -> list[str]:
    return [piece.id for piece in table.state.terrain if piece.kind in parameters.OBSTACLE_KINDS]


def _may_fight_over(table: ExactTable, a: str, b: str, mm: float) -> bool:
    """Whether they stand closer than enemies may who do not fight, or one has charged the other."""
    mine, theirs = regiment_of(table, a), regiment_of(table, b)
    if are_friends(table, mine, theirs):
        return False
    if _has_charged(table, mine, theirs) or _has_charged(table, theirs, mine):
        return True
    return is_more_than(parameters.SPACING_MM, mm, "stands within an inch of", (a, b))


def _has_charged(table: ExactTable, unit: str, other: str) -> bool:
    deeds = this_turn_of(table, unit)
    return has_charged(deeds) and deeds.charged in (None, other)


def _axes(part: RoundedShape) -> tuple[Point, Point]:
    """Along an obstacle, and across it."""
    (ax, ay), (bx, by) = max(part.edges(), key=lambda edge: math.dist(*edge), default=((0.0, 0.0), (1.0, 0.0)))
    long = math.dist((ax, ay), (bx, by)) or 1.0
    along = ((bx - ax) / long, (by - ay) / long)
    return along, (-along[1], along[0])


def _span(shape: RoundedShape, axis: Point) -> tuple[float, float]:
    reach = [x * axis[0] + y * axis[1] for x, y in shape.points]
    return min(reach) - shape.radius_mm, max(reach) + shape.radius_mm


def _gap_over(a: RoundedShape, b: RoundedShape, part: RoundedShape) -> tuple[float, float]:
    """How far both are from touching an obstacle from opposite sides, one before the other; and their shared width."""
    along, across = _axes(part)
    (mine, theirs, middle) = (shape.centre[0] * across[0] + shape.centre[1] * across[1] for shape in (a, b, part))
    if (mine - middle) * (theirs - middle) >= 0:
        return math.inf, 0.0
    (low, high), (other_low, other_high) = _span(a, along), _span(b, along)
    shared = min(high, other_high) - max(low, other_low)
    return max(gap(a, part).mm, gap(b, part).mm, -shared), max(0.0, shared)
