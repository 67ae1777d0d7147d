"""Terrain: what a piece counts as by its size, what is a structure, and deep water."""

import math

from pydantic import JsonValue

from models.queries import TerrainClass
from models.terrain import Terrain
from models.verdict import Reason
from referee.editions.warmachine.miniatures.base_state import surface_mm
from referee.editions.warmachine.mk1_and_mk2.parameters import HEIGHT_MM, THIN_MM, WATER_DEFENCE, because
from referee.editions.warmachine.terrain.features import (
    OBSTACLES,
    OBSTRUCTIONS,
    find_feature,
    granted_behind,
    granted_inside,
    ground_of,
)
from referee.editions.warmachine.terrain.features import counts_as as what_it_counts_as
from referee.geometry.containment import reach_into
from referee.geometry.outlines import outline_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_TALL = because("Obstacles", "An inch tall or more it is an obstruction; lower, an obstacle.")
_THICK = because("Linear Obstacles", "An obstacle less than an inch thick is crossed whole; a thicker one is climbed.")
_KIND = because("Terrain", "Each kind of feature says how it is crossed and what it grants.")
_SIZED = OBSTACLES | {"obstruction"}
_DUST_MM = 1e-9
SECTION = "Damaging and Destroying Structures"
ONLY_STRUCTURES = because(SECTION, "Only structures can be attacked.")
KINDS = frozenset({"structure", "building"})  # Source: Structures
_FIGHTS_NOBODY = because("Deep Water", "In deep water nobody attacks, engages, casts, or takes an action.")
_FLEES = because("Fleeing", "A fleeing model makes no attacks.")


def counts_as(table: ExactTable, feature: Terrain) -> str | None:
    """Obstruction, obstacle or linear obstacle by its size, else its own kind; None when that is not told.

    Source: Obstacles; Linear Obstacles; Obstructions; Variably Sized Terrain Features.
    """
    if feature.kind not in _SIZED:
        return feature.kind
    if feature.height_mm is None:
        return feature.kind if feature.kind in ("obstacle", "linear-obstacle", "obstruction") else None
    over = feature.height_mm - HEIGHT_MM
    if over > _DUST_MM or (abs(over) <= _DUST_MM and table.reading("one-inch-tall") == "obstruction"):
        return "obstruction"
    return "linear-obstacle" if _is_thin(table, feature) else "obstacle"


def _is_thin(table: ExactTable, feature: Terrain) -> bool:
    """Source: Linear Obstacles."""
    over = thickness_mm(feature) - THIN_MM
    exactly = abs(over) <= 1e-6 and table.reading("one-inch-thick") == "linear"
    return feature.kind == "linear-obstacle" or over < -1e-6 or exactly


def thickness_mm(feature: Terrain) -> float:
    """How thick a piece is: as told of a wall along a line, else the lesser side of the box about it."""
    if feature.thickness_mm is not None:
        return feature.thickness_mm
    if feature.diameter_mm is not None:
        return feature.diameter_mm
    corners = outline_of(feature).outline or tuple(p for part in outline_of(feature).parts for p in part.points)
    return min(_widths_of(corners), default=0.0)


def _widths_of(corners: tuple[tuple[float, float], ...]) -> list[float]:
    """How wide an outline is square to each of its sides."""
    widths = []
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        length = math.hypot(bx - ax, by - ay)
        if length > 0:
            across = [((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length for x, y in corners]
            widths.append(max(across) - min(across))
    return widths


def is_climbed(table: ExactTable, feature: Terrain) -> bool:
    """Whether one gets on top of it, at a price. Source: Moving over Obstacles."""
    counts = counts_as(table, feature)
    return counts == "obstacle" or (counts == "platform" and _is_low_platform(feature))


def _is_low_platform(feature: Terrain) -> bool:
    """A raised platform is climbed while it is no taller than an obstacle, and thick enough to stand on."""
    return (
        feature.height_mm is not None
        and feature.height_mm < HEIGHT_MM - _DUST_MM
        and thickness_mm(feature) >= (THIN_MM - 1e-6)
    )


def terrain_class(table: ExactTable, query: TerrainClass) -> RuleResult:
    """Terrain class: what a piece counts as by its kind and size. Source: Obstacles; Linear Obstacles; Obstructions."""
    feature = find_feature(table, query.feature)
    if feature is None:
        return RuleResult(status="refused", because=(_KIND,), advice=f"{query.feature} is no terrain.")
    counts = what_it_counts_as(table, feature)
    if counts is None:
        return RuleResult(status="unknown", needs=(f"height_mm of {feature.id}",), because=(_TALL,))
    sized = feature.kind in _SIZED
    limits: dict[str, JsonValue] = {}
    if feature.height_mm is not None:
        limits["one_inch"] = feature.height_mm - HEIGHT_MM
    if sized:
        limits["thickness"] = thickness_mm(feature) - THIN_MM
    solid = counts in OBSTACLES | OBSTRUCTIONS
    return RuleResult(
        status="measured",
        value={
            "counts_as": counts,
            "ground": ground_of(feature, counts),
            "grants": granted_behind(feature) if solid else granted_inside(feature),
            "stand_on": (solid and (counts == "obstacle" or bool(feature.stand_on))) or surface_mm(feature) > 0,
            "limits_mm": limits,
        },
        because=(_KIND, _TALL, _THICK) if sized else (_KIND,),
        readings=("one-inch-tall", "one-inch-thick") if sized else (),
        doubtful=_doubtful_rules(feature) if sized else (),
    )


def _doubtful_rules(feature: Terrain) -> tuple[str, ...]:
    tall = feature.height_mm is not None and abs(feature.height_mm - HEIGHT_MM) <= _DUST_MM
    thick = abs(thickness_mm(feature) - THIN_MM) <= 1e-6
    return (*(("one-inch-tall",) if tall else ()), *(("one-inch-thick",) if thick else ()))


def is_structure(terrain: Terrain) -> bool:
    """Whether it can be damaged: by its kind, or because its material is told. Source: Structures."""
    return terrain.kind in KINDS or terrain.material is not None


def list_deep_water(table: ExactTable) -> tuple[str, ...]:
    """All deep water on the table. Source: Deep Water."""
    return tuple(t.id for t in table.state.terrain if ground_of(t) == "deep-water")


def is_deep(table: ExactTable, id_: str) -> bool:
    """Whether any part of the base is in deep water; touching it is. Source: Deep Water."""
    return any(_is_in(table, id_, pool) for pool in list_deep_water(table))


def _is_in(table: ExactTable, id_: str, pool: str) -> bool:
    depth_mm = reach_into(table.base(id_), table.area(pool))
    return is_at_least(depth_mm, 0.0, "stands in", (id_, *table.movers_of(pool)))


def attack_bar(table: ExactTable, id_: str) -> tuple[str, Reason] | None:
    """What keeps one from attacking besides the words on its card. Source: Deep Water; Fleeing."""
    if "fleeing" in table.miniature(id_).status:
        return "fleeing", _FLEES
    return ("deep-water", _FIGHTS_NOBODY) if is_deep(table, id_) else None


def base_defence(table: ExactTable, id_: str) -> float | None:
    """The base DEF that water leaves; None where it leaves the printed one. Source: Deep Water."""
    return WATER_DEFENCE if is_deep(table, id_) else None
