"""Edge contact: which table edge a unit that goes straight touches first, and after how far."""

import math
from dataclasses import dataclass

from models.vocabulary import Point
from referee.editions.warhammer_9.movement.block_pose import BlockPose
from referee.rules.exact_table import ExactTable

_NO_PROGRESS = 1e-9  # a heading along an edge never reaches it


@dataclass(frozen=True)
class EdgeContact:
    """Edge contact: the edge, and how far the unit goes until a corner touches it; 0 where one is there already."""

    edge: str
    after_mm: float


def find_edge_contact(table: ExactTable, start: BlockPose, way: Point) -> EdgeContact:
    """The edge that a unit touches first which goes straight on along a unit vector."""
    size = table.state.table
    left = {
        "edge:near": (-way[1], min(y for _, y in start.corners)),
        "edge:far": (way[1], size.depth_mm - max(y for _, y in start.corners)),
        "edge:left": (-way[0], min(x for x, _ in start.corners)),
        "edge:right": (way[0], size.width_mm - max(x for x, _ in start.corners)),
    }
    ways = {edge: max(0.0, mm / speed) for edge, (speed, mm) in left.items() if speed > _NO_PROGRESS}
    edge = min(ways, key=lambda one: (ways[one], one))
    return EdgeContact(edge, ways[edge])


def unit_vector(heading_rad: float) -> Point:
    """The direction of a heading."""
    return math.cos(heading_rad), math.sin(heading_rad)
