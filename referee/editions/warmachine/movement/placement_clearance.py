"""Clearance of a base: from others, from solid terrain, and from the table's edge."""

from models.verdict import CAPPED_MM
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terrain.features import OBSTACLES, OBSTRUCTIONS
from referee.editions.warmachine.terrain.terrain_class import counts_as, ground_of
from referee.geometry.distance import area_gap, gap
from referee.geometry.shapes import Area
from referee.rules.candidates import in_play
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

ROOM = because("Placed", 36, "There has to be room for the base, off other bases, obstacles and obstructions.")
_NOWHERE = because("Placed", 36, "Nothing is placed in impassable terrain.")
_TABLE = because("Beyond the Play Area", 35, "Nothing is placed beyond the table's edge.")


def clearance_of_bases(table: ExactTable, mover: str) -> RuleResult:
    """The clearance to the nearest other base; touching is allowed. Source: Placed, p. 36."""
    base = table.base(mover)
    apart = [(gap(base, table.base(id_)).mm, id_) for id_ in in_play(table, mover)]
    least, nearest = min(apart, default=(CAPPED_MM, mover))
    return RuleResult(margin_mm=min(CAPPED_MM, least), because=(ROOM,), depends_on_place=(mover, nearest))


def solid_terrain(table: ExactTable) -> tuple[str, ...]:
    """Obstacles, obstructions and impassable ground, but what one may stand on. Source: Placed, p. 36."""
    found = []
    for piece in table.state.terrain:
        counts = counts_as(table, piece) or "obstruction"
        solid = counts in OBSTACLES | OBSTRUCTIONS or ground_of(piece, counts) == "impassable"
        if solid and piece.kind != "terraced-obstruction" and not piece.stand_on:
            found.append(piece.id)
    return tuple(found)


def clearance_of_terrain(table: ExactTable, mover: str) -> RuleResult:
    """The clearance to obstacles, obstructions and impassable ground. Source: Placed, p. 36."""
    base = Area((table.base(mover),))
    apart = [(area_gap(base, table.area(id_)).mm, id_) for id_ in solid_terrain(table)]
    least, nearest = min(apart, default=(CAPPED_MM, mover))
    return RuleResult(margin_mm=min(CAPPED_MM, least), because=(ROOM, _NOWHERE), depends_on_place=(mover, nearest))


def clearance_of_edge(table: ExactTable, mover: str) -> RuleResult:
    """How far inside the table's edges the base lies. Source: Beyond the Play Area, p. 35."""
    size, base = table.state.table, table.base(mover)
    inside = min(min(x, y, size.width_mm - x, size.depth_mm - y) for x, y in base.points) - base.radius_mm
    return RuleResult(margin_mm=min(CAPPED_MM, inside), because=(_TABLE,), depends_on_place=(mover,))
