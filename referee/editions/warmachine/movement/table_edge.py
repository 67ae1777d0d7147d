"""Table edge: where a move that would leave the table stops."""

import math

from models.queries import TableEdge
from models.unit_conversion import inches
from models.verdict import Witness
from referee.editions.warmachine.movement.path import Path, path_of
from referee.editions.warmachine.parameters import because
from referee.geometry.shapes import RoundedShape
from referee.motion.travel_budget import Stop, first_edge_crossed, length_mm, place_after, place_shape
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_EDGE = because("Beyond the Play Area", 35, "What would leave the table stops at its edge, which is no obstacle.")
_STAY = because("Normal Movement & Advancing", 30, "Nobody advances off the table.")


def far_side_mm(table: ExactTable, distance_in: float | None) -> float:
    """The length told, else right across the table."""
    size = table.state.table
    return math.hypot(size.width_mm, size.depth_mm) if distance_in is None else inches(distance_in)


def table_edge(table: ExactTable, query: TableEdge) -> RuleResult:
    """Table edge: what becomes of a move at the table's edge. Source: Beyond the Play Area, p. 35."""
    path = path_of(
        table,
        query.mover,
        query.path_mm,
        heading_deg=query.heading_deg,
        distance_mm=far_side_mm(table, query.distance_in),
    )
    if path is None:
        return RuleResult(status="unknown", needs=("path_mm",), because=(_EDGE,), depends_on_place=(query.mover,))
    room = to_edge_mm(table, query.mover, path)
    leaves = not is_at_least(depth_on_table_mm(table, query.mover, path), 0.0, "stays on the table", (query.mover,))
    result = ("not-allowed" if query.cause == "move" else "stops") if leaves else "stays"
    end = place_after(path, min(room, length_mm(path)))
    return RuleResult(
        status="measured",
        value={"result": result, "to_edge_mm": room, "poses": {query.mover: {"at_mm": list(end)}}},
        lengths_mm={"to_edge": room},
        witness=(Witness(type="segment", role="path", points_mm=(path[0], end), of=(query.mover,)),),
        because=(_STAY if query.cause == "move" else _EDGE,),
        readings=("edge-stop",) if leaves else (),
        depends_on_place=(query.mover,),
    )


def depth_on_table_mm(table: ExactTable, mover: str, path: Path) -> float:
    """How far all that has to stay on the table stays inside its edges on the whole path; negative by how far not."""
    size, base = table.state.table, _stopped_part(table, mover)
    placed = [place_shape(base, point) for point in path]
    return min(
        min(x, y, size.width_mm - x, size.depth_mm - y) - base.radius_mm for there in placed for x, y in there.points
    )


def to_edge_mm(table: ExactTable, mover: str, path: Path) -> float:
    """After how much travel the base reaches the table's edge; the path's length when it does not.

    Source: Beyond the Play Area, p. 35.
    """
    over = edge_met(table, mover, path)
    return length_mm(path) if over is None else over.after_mm


def edge_met(table: ExactTable, mover: str, path: Path) -> Stop | None:
    """The edge at which what would leave the table stops, and after how much travel. Source: p. 35."""
    size = table.state.table
    return first_edge_crossed(_stopped_part(table, mover), path, (size.width_mm, size.depth_mm))


def _stopped_part(table: ExactTable, mover: str) -> RoundedShape:
    """What of a base the edge stops."""
    base = table.base(mover)
    return RoundedShape((base.centre,)) if table.reading("edge-stop") == "centre" else base
