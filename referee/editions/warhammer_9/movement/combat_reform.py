"""Combat reform: a unit that fights takes another formation, and nobody who was in contact leaves it."""

import math
from dataclasses import replace

from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.editions.warhammer_9.movement.block_pose import BlockPose
from referee.editions.warhammer_9.movement.place_assignment import Assignment, assign_places
from referee.editions.warhammer_9.movement.spacing import spaced_obstacles
from referee.editions.warhammer_9.parameters import SPACING_MM, because
from referee.editions.warhammer_9.units.casualties import command_group_order
from referee.editions.warhammer_9.units.engagement import SIDES, contact_mm, engaged_with, fought_side
from referee.editions.warhammer_9.units.quadrants import quadrant
from referee.editions.warhammer_9.units.regiment import Regiment, members_of, regiment
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_at_least

COMBAT_REFORM = because(
    "Combat Reform", 49, "As a reform in the midst of a fight; who is in contact stays so, on the same side."
)


def close_up(table: ExactTable, own: Regiment, there: BlockPose) -> BlockPose:
    """The block moved straight on until its edge lies where the fought edge of the unit lies now.

    The book names wider fronts as a use of it, and about the same centre each of them would leave the enemy: so by
    the usual reading the unit closes up again. Source: Combat Reform, p. 49; Reform, p. 16.
    """
    ahead = _fought_direction(table, own)
    if ahead is None or table.reading("combat-reform-centre") == "kept":
        return there
    short_mm = _reach_mm(own.corners, ahead) - _reach_mm(there.corners, ahead)
    return replace(there, front=(there.front[0] + short_mm * ahead[0], there.front[1] + short_mm * ahead[1]))


def combat_clauses(
    table: ExactTable, own: Regiment, there: BlockPose, places: list[Point], engaged: list[str]
) -> dict[str, float]:
    """What a reform needs in the midst of a fight: nobody leaves contact, or comes to another side of an enemy.

    Source: Combat Reform, p. 49.
    """
    near = [(id_, gap(there.shape, shape).mm) for id_, shape in spaced_obstacles(table, own.id)]
    apart = min((mm for id_, mm in near if id_ not in engaged), default=CAPPED_MM)
    clear = min((mm for id_, mm in near if id_ in engaged), default=-CAPPED_MM)
    foes = [regiment(table, id_) for id_ in engaged]
    who = own.outline_ids
    same = all(quadrant(foe, own.centre, who)[0] == quadrant(foe, there.centre, who)[0] for foe in foes)
    conditions = {
        "one-facing": len({fought_side(own, foe) for foe in foes}) <= 1,
        "same-side": same,
        "keeps-contact": _is_contact_kept(table, own, there, places, engaged),
    }
    return {
        "one-inch": apart - SPACING_MM,
        "clear": contact_mm(table) + clear if clear < 0 else CAPPED_MM,
        "about-centre": contact_mm(table) - _off_centre_mm(table, own, there),
        **{name: CAPPED_MM if is_so else -CAPPED_MM for name, is_so in conditions.items()},
    }


def assign_in_contact(
    table: ExactTable, own: Regiment, there: BlockPose, places: list[Point], files: int
) -> Assignment:
    """Who goes where, as kindly as can be: whoever touches an enemy comes to a place that does.

    Where there are too few such places the clause of contact says so, and they go as in any reform.
    """
    led = sorted(command_group_order(table, own))[:files]
    touching, close = _in_contact(table, own), _places_in_contact(table, own, there, places)
    held = touching if len(touching) <= len(close) else ()
    return assign_places(own.places, places, own.members, led, files, held=held, held_places=close)


def _fought_direction(table: ExactTable, own: Regiment) -> Point | None:
    """Where the enemy is that it fights, straight from one of its edges; none where it fights on two."""
    sides = {fought_side(own, regiment(table, foe)) for foe in engaged_with(table, own.id)}
    if len(sides) != 1:
        return None
    heading = own.facing_rad + SIDES.index(sides.pop()) * math.pi / 2
    return (math.cos(heading), math.sin(heading))


def _reach_mm(corners: tuple[Point, ...], ahead: Point) -> float:
    return max(x * ahead[0] + y * ahead[1] for x, y in corners)


def _off_centre_mm(table: ExactTable, own: Regiment, there: BlockPose) -> float:
    """How far its centre moves, but for what the reading in force lets it."""
    dx, dy = (b - a for a, b in zip(own.centre, there.centre, strict=True))
    reading, ahead = table.reading("combat-reform-centre"), _fought_direction(table, own)
    if reading == "any-place":
        return 0.0
    if reading == "kept" or ahead is None:
        return math.hypot(dx, dy)
    return abs(dx * ahead[1] - dy * ahead[0])


def _is_contact_kept(
    table: ExactTable, own: Regiment, there: BlockPose, places: list[Point], engaged: list[str]
) -> bool:
    """Whether every enemy that was touched still is, and as many of its own can touch one."""
    close, bases = contact_mm(table), _bases_at(own, there, places)
    were = [m for foe in engaged for m in members_of(table, foe) if _touches_any(table, m, own.members)]
    touched = all(
        any(is_at_least(close, gap(table.base(m), base).mm, "touches it then", (m, *own.rank(0))) for base in bases)
        for m in were
    )
    return touched and len(_in_contact(table, own)) <= len(_places_in_contact(table, own, there, places))


def _in_contact(table: ExactTable, own: Regiment) -> tuple[str, ...]:
    """Who of the unit touches an enemy now."""
    foes = [m for foe in engaged_with(table, own.id) for m in members_of(table, foe)]
    return tuple(m for m in own.members if _touches_any(table, m, foes))


def _touches_any(table: ExactTable, one: str, others: tuple[str, ...] | list[str]) -> bool:
    close, base = contact_mm(table), table.base(one)
    return any(is_at_least(close, gap(base, table.base(o)).mm, "touches", (one, o)) for o in others)


def _places_in_contact(table: ExactTable, own: Regiment, there: BlockPose, places: list[Point]) -> tuple[int, ...]:
    """Which places of the block touch an enemy."""
    close = contact_mm(table)
    foes = [m for foe in engaged_with(table, own.id) for m in members_of(table, foe)]
    front = own.rank(0)

    def touches(k: int, base: RoundedShape, foe: str) -> bool:
        return is_at_least(close, gap(base, table.base(foe)).mm, f"touches from place {k}", (foe, *front))

    bases = enumerate(_bases_at(own, there, places))
    return tuple(k for k, base in bases if any(touches(k, base, foe) for foe in foes))


def _bases_at(own: Regiment, there: BlockPose, places: list[Point]) -> list[RoundedShape]:
    wide, deep = own.base_mm
    stands = [replace(there, front=place, width_mm=wide, depth_mm=deep).translate(deep / 2) for place in places]
    return [one.shape for one in stands]
