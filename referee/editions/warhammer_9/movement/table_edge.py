"""Table edge: what becomes of a unit that reaches it."""

import math

from models.queries import TableEdge
from models.unit_conversion import inches, radians
from referee.editions.warhammer_9.movement import path_legs
from referee.editions.warhammer_9.movement.block_pose import BlockPose
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import regiment
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_more_than

_EDGE = because("Moving of the Board", 23, "Only who flees or pursues leaves: the first for good, the other returns.")


def table_edge(table: ExactTable, query: TableEdge) -> RuleResult:
    """Table edge: what becomes of a unit that reaches it.

    Source: Moving of the Board, p. 23; Move Fleeing Units, p. 21; Pursuit, p. 51.
    """
    own_regiment = regiment(table, query.mover)
    own = BlockPose.of(own_regiment)
    heading = math.degrees(own.facing_rad) if query.heading_deg is None else query.heading_deg
    by_mm = inches(query.distance_in or 0.0)
    turn = radians(heading) - own.facing_rad
    there = own.translate(by_mm * math.cos(turn), by_mm * math.sin(turn))
    size = table.state.table
    left = min(min(x, y, size.width_mm - x, size.depth_mm - y) for x, y in there.corners)
    stays = is_more_than(left, 0.0, "stays short of the table edge", own_regiment.outline_ids)
    result = "stays" if stays else {"flee": "removed", "pursuit": "returns"}.get(query.cause, "not-allowed")
    way, poses = path_legs.straight_leg(own, there), path_legs.unit_poses(table, own_regiment, there)
    return RuleResult(
        status="measured",
        value={"result": result, "to_edge_mm": left, "poses": poses, "paths": {query.mover: way}},
        lengths_mm={"to edge": left},
        witness=path_legs.draw_legs(own, there, way, query.mover),
        because=(with_effect(table, _EDGE, f"{format_length(abs(left))} {'to the edge' if stays else 'beyond it'}."),),
        depends_on_place=own_regiment.rank(0),
    )
