"""Terrain class: what a piece of terrain counts as, and what kind of ground it is."""

from pydantic import JsonValue

from models.queries import TerrainClass
from models.terrain import Terrain
from models.unit_conversion import inches
from referee.editions.warmachine.parameters import SHALLOW_WATER, because
from referee.editions.warmachine.terms import terms_of
from referee.editions.warmachine.terrain.features import (
    OBSTACLES,
    OBSTRUCTIONS,
    find_feature,
    granted_behind,
    granted_inside,
)
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

TALL_MM = inches(1)  # Source: Obstacles, p. 80; Obstructions, p. 81

_TALL = because("Variably Sized Terrain Features", 81, "Up to 1 in tall it is an obstacle, taller an obstruction.")
FEATURES = because("Standard Terrain Features", 78, "Each kind of feature says how it is crossed and what it grants.")
WATERS = SHALLOW_WATER | {"acid-bath"}  # Source: Hazards, p. 81: an acid bath is shallow water too
_ROUGH_KINDS = frozenset({"rough", "forest", "rubble", "ruin"}) | WATERS


def terrain_class(table: ExactTable, query: TerrainClass) -> RuleResult:
    """Terrain class: what a piece counts as by its kind and height. Source: Standard Terrain Features, p. 78-81."""
    feature = find_feature(table, query.feature)
    if feature is None:
        return RuleResult(status="refused", because=(FEATURES,), advice=f"{query.feature} is no terrain.")
    counts = counts_as(table, feature)
    if counts is None:
        return RuleResult(status="unknown", needs=(f"height_mm of {feature.id}",), because=(_TALL,))
    limits: dict[str, JsonValue] = {} if feature.height_mm is None else {"one_inch": feature.height_mm - TALL_MM}
    return RuleResult(
        status="measured",
        value={
            "counts_as": counts,
            "ground": ground_of(feature, counts),
            "grants": granted_behind(feature) if counts in OBSTACLES | OBSTRUCTIONS else granted_inside(feature),
            "limits_mm": limits,
        },
        because=(FEATURES, _TALL) if feature.kind in OBSTACLES | OBSTRUCTIONS else (FEATURES,),
        readings=("one-inch-tall",) if feature.height_mm == TALL_MM else (),
    )


def counts_as(table: ExactTable, feature: Terrain) -> str | None:
    """What the book that is asked takes it for. Source: Variably Sized Terrain Features, p. 81."""
    return terms_of(table).counts_as(table, feature)


def counts_by_height(table: ExactTable, feature: Terrain) -> str | None:
    """Obstacle or obstruction by height, else its own kind; None when its height is not told. Source: p. 81."""
    if feature.kind not in OBSTACLES | {"obstruction"}:
        return feature.kind
    if feature.height_mm is None:
        return feature.kind if feature.kind in ("obstacle", "linear-obstacle", "obstruction") else None
    at_limit = table.reading("one-inch-tall") == "obstruction"
    tall = feature.height_mm > TALL_MM + 1e-9 or (abs(feature.height_mm - TALL_MM) <= 1e-9 and at_limit)
    return "obstruction" if tall else "obstacle"


def ground_of(feature: Terrain, counts: str | None = None) -> str:
    """What moving there costs. Source: Rough Terrain, p. 78; Obstructions, p. 81."""
    if feature.ground is not None:
        return feature.ground
    kind = counts or feature.kind
    if kind in OBSTRUCTIONS | {"impassable"}:
        return "impassable"
    return "deep-water" if kind == "deep-water" else "rough" if kind in _ROUGH_KINDS else "open"


def dry_value() -> dict[str, JsonValue]:
    """What a verdict on water tells of who is in none."""
    return {"kind": None, "barred": [], "def_base": None, "concealed": False}
