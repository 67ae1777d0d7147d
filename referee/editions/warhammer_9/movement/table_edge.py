"""Table edge: which one a straight move touches first, after how far, and what becomes of a unit that reaches it."""

import math
from dataclasses import dataclass

from models.queries import TableEdge
from models.unit_conversion import inches, radians
from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.movement import path_legs
from referee.editions.warhammer_9.movement.spacing import impassable_edges
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import regiment
from referee.motion.block_pose import BlockPose
from referee.motion.sweep import stretch_within
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_more_than

_EDGE = because("Moving of the Board", 23, "Only who flees or pursues leaves: the first for good, the other returns.")
_NO_PROGRESS = 1e-9  # a heading along an edge never reaches it


def table_edge(table: ExactTable, query: TableEdge) -> RuleResult:
    """Table edge: what becomes of a unit that reaches it.

    Source: Moving of the Board, p. 23; Move Fleeing Units, p. 21; Pursuit, p. 51.
    """
    own_regiment = regiment(table, query.mover)
    own = BlockPose.of(own_regiment)
    heading = math.degrees(own.facing_rad) if query.heading_deg is None else query.heading_deg
    by_mm = inches(query.distance_in or 0.0)
    turn = radians(heading) - own.facing_rad
    end = own.translate(by_mm * math.cos(turn), by_mm * math.sin(turn))
    size = table.state.table
    left = min(min(x, y, size.width_mm - x, size.depth_mm - y) for x, y in end.corners)
    stays = is_more_than(left, 0.0, "stays short of the table edge", own_regiment.outline_ids)
    result = "stays" if stays else {"flee": "removed", "pursuit": "returns"}.get(query.cause, "not-allowed")
    room = find_edge_contact(table, own, unit_vector(radians(heading))).after_mm
    cliff_mm = CAPPED_MM if query.cause == "flee" else _way_to_cliffs_mm(table, query.mover, own, radians(heading))
    if is_more_than(by_mm, cliff_mm, "comes within an inch of the cliffs", own_regiment.outline_ids):
        result, room = "stops" if query.cause == "pursuit" else "not-allowed", cliff_mm
    if result in ("not-allowed", "stops"):  # it goes up to the edge and no farther
        end = own.translate(room * math.cos(turn), room * math.sin(turn))
    leg, poses = path_legs.straight_leg(own, end), path_legs.unit_poses(table, own_regiment, end)
    return RuleResult(
        status="measured",
        value={"result": result, "to_edge_mm": left, "poses": poses, "paths": {query.mover: leg}},
        lengths_mm={"to edge": left},
        witness=path_legs.draw_legs(own, end, leg, query.mover),
        because=(with_effect(table, _EDGE, f"{format_length(abs(left))} {'to the edge' if stays else 'beyond it'}."),),
        depends_on_place=own_regiment.rank(0),
    )


def _way_to_cliffs_mm(table: ExactTable, mover: str, own: BlockPose, heading_rad: float) -> float:
    """How far it goes until an inch is left to the impassable edges of a pass. Source: Battle for the Pass, p. 109."""
    ahead = unit_vector(heading_rad)
    cliffs = impassable_edges(table, mover)
    spans = (stretch_within(own.shape, ahead, shape, parameters.SPACING_MM) for _, shape in cliffs)
    return min((max(0.0, span[0]) for span in spans if span is not None and span[1] > 0), default=CAPPED_MM)


@dataclass(frozen=True)
class EdgeContact:
    """Edge contact: the edge, and how far the unit goes until a corner touches it; 0 where one is there already."""

    edge: str
    after_mm: float


def find_edge_contact(table: ExactTable, start: BlockPose, heading: Point) -> EdgeContact:
    """The edge that a unit touches first which goes straight on along a unit vector."""
    size = table.state.table
    left = {
        "edge:near": (-heading[1], min(y for _, y in start.corners)),
        "edge:far": (heading[1], size.depth_mm - max(y for _, y in start.corners)),
        "edge:left": (-heading[0], min(x for x, _ in start.corners)),
        "edge:right": (heading[0], size.width_mm - max(x for x, _ in start.corners)),
    }
    ways = {edge: max(0.0, mm / speed) for edge, (speed, mm) in left.items() if speed > _NO_PROGRESS}
    edge = min(ways, key=lambda contact: (ways[contact], contact))
    return EdgeContact(edge, ways[edge])


def unit_vector(heading_rad: float) -> Point:
    """The direction of a heading."""
    return math.cos(heading_rad), math.sin(heading_rad)
