"""Terrain: water, and structures with their doors, their capacity and their collapse."""

import math
from dataclasses import replace
from itertools import pairwise

from models.queries import Entryway, StructureCapacity, StructureCollapse
from models.terrain import Opening, Terrain
from models.unit_conversion import MM_PER_INCH
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.editions.warmachine.mk1_and_mk2.terrain import ONLY_STRUCTURES, SECTION, is_structure
from referee.editions.warmachine.terrain.features import find_feature
from referee.geometry.containment import reach_into
from referee.rules.candidates import evaluate_each, in_play
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult, ask_for

# Source: Damaging and Destroying Structures. Points of damage for each inch, and ARM.
_POINTS_PER_INCH = {"wood": 5, "brick": 10, "stone": 10, "iron": 20, "steel": 20}
_ARMOUR = {"wood": 12, "brick": 16, "stone": 18, "iron": 20, "steel": 22}

_DOOR = because("Entryways", "Players agree beforehand which doors there are, and for which bases.")
_INSIDE = because("Entryways", "Nobody enters what has no inside one can reach.")
_POINTS = because(SECTION, "So many points for each inch of perimeter, or length of a wall.")
_HALF = because(SECTION, "What stands or falls as a whole takes half of that.")
_LONG = frozenset({"wall", "fence", "hedge", "obstacle", "linear-obstacle"})  # Source: measured by length
_BURIED = because(SECTION, "Whoever is inside is hit by ARM times the levels, and falls.")
_RUIN = because(SECTION, "A ruin as large is left: rough ground, cover by any part inside.")


def entryway(table: ExactTable, query: Entryway) -> RuleResult:
    """Entryway: whether it may go in: a door agreed on for its base, and wide enough; just as wide is.

    Source: Entryways.
    """
    feature = find_feature(table, query.feature)
    if feature is None:
        return RuleResult(status="refused", because=(_DOOR,), advice=f"{query.feature} is no terrain.")
    doors = feature.openings if query.opening is None else feature.openings[query.opening : query.opening + 1]
    touches = (query.mover, feature.id)
    if not doors:
        return RuleResult(
            margin_mm=-CAPPED_MM, value={"clauses": []}, because=(_DOOR, _INSIDE), depends_on_place=touches
        )
    wide = 2 * table.base(query.mover).reach_mm
    door = max(doors, key=lambda candidate: (_is_agreed(candidate, wide), math.dist(candidate.at_mm, candidate.to_mm)))
    fits = RuleResult(margin_mm=math.dist(door.at_mm, door.to_mm) - wide, because=(_DOOR,), depends_on_place=touches)
    agreed = RuleResult(
        margin_mm=CAPPED_MM if _is_agreed(door, wide) else -CAPPED_MM, because=(_DOOR,), depends_on_place=touches
    )
    clauses: Clauses = (("agreed", agreed), ("width", fits))
    result = all_of(clauses)
    segment = Witness(type="segment", role="limit", points_mm=(door.at_mm, door.to_mm), of=(feature.id,))
    return replace(result, lengths_mm={"opening": math.dist(door.at_mm, door.to_mm)}, witness=(segment,))


def _is_agreed(door: Opening, wide_mm: float) -> bool:
    """Whether the players let bases of this size through; with no sizes told, all that fit."""
    return not door.bases_mm or any(abs(size - wide_mm) < 1e-6 for size in door.bases_mm)


def structure_capacity(table: ExactTable, query: StructureCapacity) -> RuleResult:
    """Structure capacity: how many points of damage it takes. Source: Damaging and Destroying Structures."""
    feature = find_feature(table, query.feature)
    if feature is None:
        return RuleResult(status="refused", because=(ONLY_STRUCTURES,), advice=f"{query.feature} is no terrain.")
    per_inch = _POINTS_PER_INCH.get(feature.material or "")
    if per_inch is None:
        return ask_for(f"material of {feature.id}", because=(_POINTS,))
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


def structure_collapse(table: ExactTable, query: StructureCollapse) -> RuleResult:
    """Structure collapse: whom the collapse buries: any part of the base inside.

    Source: Damaging and Destroying Structures.
    """
    feature = find_feature(table, query.feature)
    if feature is None or not is_structure(feature):
        return RuleResult(status="refused", because=(ONLY_STRUCTURES,), advice=f"{query.feature} is no structure.")

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        depth = reach_into(perturbed.base(id_), perturbed.area(query.feature))
        return RuleResult(margin_mm=depth, zero_is_met=False, because=(_BURIED,), depends_on_place=(id_, query.feature))

    ids = sorted(in_play(table), key=lambda id_: -about(table, id_).decisive_mm)
    levels = feature.floors or 1
    armour = _ARMOUR.get(feature.material or "")
    ruin = feature.model_dump(
        mode="json", include={"polygon_mm", "centre_mm", "diameter_mm", "line_mm", "thickness_mm"}
    )
    return RuleResult(
        status="measured",
        value={
            "power": None if armour is None else armour * levels,
            "levels": levels,
            "ruin": {
                "id": feature.id,
                "kind": "ruin",
                **{key: value for key, value in ruin.items() if value is not None},
            },
        },
        because=(_BURIED, _RUIN),
        needs=() if armour is not None else (f"material of {feature.id}",),
        members=evaluate_each(table, tuple(ids), about),
    )
