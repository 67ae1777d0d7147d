"""Terrain class: obstruction by height, else by thickness one that is climbed or one that is crossed."""

import math

from pydantic import JsonValue

from models.queries import TerrainClass
from models.terrain import Terrain
from referee.editions.warmachine.miniatures.base_state import surface_mm
from referee.editions.warmachine.mk1_and_mk2.parameters import HEIGHT_MM, THIN_MM, because
from referee.editions.warmachine.terrain.features import (
    OBSTACLES,
    OBSTRUCTIONS,
    find_feature,
    granted_behind,
    granted_inside,
)
from referee.editions.warmachine.terrain.terrain_class import counts_as as what_it_counts_as
from referee.editions.warmachine.terrain.terrain_class import ground_of
from referee.geometry.outlines import outline_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_TALL = because("Obstacles", "An inch tall or more it is an obstruction; lower, an obstacle.")
_THICK = because("Linear Obstacles", "An obstacle less than an inch thick is crossed whole; a thicker one is climbed.")
_KIND = because("Terrain", "Each kind of feature says how it is crossed and what it grants.")
_SIZED = OBSTACLES | {"obstruction"}
_DUST_MM = 1e-9


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
    found = []
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        length = math.hypot(bx - ax, by - ay)
        if length > 0:
            across = [((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length for x, y in corners]
            found.append(max(across) - min(across))
    return found


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
