"""Structure capacity: how many points of damage a structure takes."""

import math
from itertools import pairwise

from models.queries import StructureCapacity
from models.terrain import Terrain
from models.unit_conversion import MM_PER_INCH
from referee.editions.warmachine.hordes_mk2.parameters import POINTS_PER_INCH, because
from referee.editions.warmachine.mk1_and_mk2.terrain.structures import ONLY_STRUCTURES, SECTION
from referee.editions.warmachine.terrain.features import find_feature
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_POINTS = because(SECTION, "So many points for each inch of perimeter, or length of a wall.")
_HALF = because(SECTION, "What stands or falls as a whole takes half of that.")
_LONG = frozenset({"wall", "fence", "hedge", "obstacle", "linear-obstacle"})  # Source: measured by length


def structure_capacity(table: ExactTable, query: StructureCapacity) -> RuleResult:
    """Structure capacity: how many points of damage it takes. Source: Damaging and Destroying Structures."""
    feature = find_feature(table, query.feature)
    if feature is None:
        return RuleResult(status="refused", because=(ONLY_STRUCTURES,), advice=f"{query.feature} is no terrain.")
    per_inch = POINTS_PER_INCH.get(feature.material or "")
    if per_inch is None:
        return RuleResult(status="unknown", needs=(f"material of {feature.id}",), because=(_POINTS,))
    length = _length_mm(table, feature)
    points = length / MM_PER_INCH * per_inch / (2 if feature.complex else 1)
    return RuleResult(
        status="measured",
        value={"points": math.ceil(points - 1e-6), "length_mm": length, "per_inch": per_inch},
        lengths_mm={"length": length},
        because=(_POINTS, _HALF) if feature.complex else (_POINTS,),
        depends_on_place=(feature.id,),
    )


def _length_mm(table: ExactTable, feature: Terrain) -> float:
    """The perimeter; of a wall its length."""
    if feature.line_mm is not None:
        return sum(math.dist(a, b) for a, b in pairwise(feature.line_mm))
    if feature.diameter_mm is not None:
        return math.pi * feature.diameter_mm
    outline = table.area(feature.id).outline
    sides = [math.dist(a, b) for a, b in zip(outline, (*outline[1:], outline[0]), strict=True)]
    return max(sides) if feature.kind in _LONG else sum(sides)
