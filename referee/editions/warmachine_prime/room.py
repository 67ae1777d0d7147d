"""Room for a base: clear of others, of solid terrain, and on the table."""

from models.verdict import CAPPED_MM
from referee.candidates import in_play
from referee.editions.warmachine_prime.features import OBSTACLES, OBSTRUCTIONS
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.terrain import counts_as, ground_of
from referee.gaps import area_gap, gap
from referee.ruling import Ruling
from referee.shapes import Area
from referee.situation import Situation

ROOM = because("Placed", 36, "There has to be room for the base, off other bases, obstacles and obstructions.")
_NOWHERE = because("Placed", 36, "Nothing is placed in impassable terrain.")
_TABLE = because("Beyond the Play Area", 35, "Nothing is placed beyond the table's edge.")


def off_bases(table: Situation, mover: str) -> Ruling:
    """The clearance to the nearest other base; touching is allowed. Source: Placed, p. 36."""
    base = table.base(mover)
    apart = [(gap(base, table.base(id_)).mm, id_) for id_ in in_play(table, mover)]
    least, nearest = min(apart, default=(CAPPED_MM, mover))
    return Ruling(margin_mm=min(CAPPED_MM, least), because=(ROOM,), touches=(mover, nearest))


def solid_terrain(table: Situation) -> tuple[str, ...]:
    """Obstacles, obstructions and impassable ground, but what one may stand on. Source: Placed, p. 36."""
    found = []
    for piece in table.state.terrain:
        counts = counts_as(table, piece) or "obstruction"
        solid = counts in OBSTACLES | OBSTRUCTIONS or ground_of(piece, counts) == "impassable"
        if solid and piece.kind != "terraced-obstruction" and not piece.stand_on:
            found.append(piece.id)
    return tuple(found)


def off_terrain(table: Situation, mover: str) -> Ruling:
    """The clearance to obstacles, obstructions and impassable ground. Source: Placed, p. 36."""
    base = Area((table.base(mover),))
    apart = [(area_gap(base, table.area(id_)).mm, id_) for id_ in solid_terrain(table)]
    least, nearest = min(apart, default=(CAPPED_MM, mover))
    return Ruling(margin_mm=min(CAPPED_MM, least), because=(ROOM, _NOWHERE), touches=(mover, nearest))


def on_table(table: Situation, mover: str) -> Ruling:
    """How far inside the table's edges the base lies. Source: Beyond the Play Area, p. 35."""
    size, base = table.state.table, table.base(mover)
    inside = min(min(x, y, size.width_mm - x, size.depth_mm - y) for x, y in base.points) - base.radius_mm
    return Ruling(margin_mm=min(CAPPED_MM, inside), because=(_TABLE,), touches=(mover,))
