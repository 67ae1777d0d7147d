"""Terrain in a line of sight: any terrain blocks by its height, woods but for the eyeless."""

from models.terrain import Terrain
from referee.editions.warmachine.line_of_sight import terrain as shared
from referee.rules.exact_table import ExactTable

_FLAT = frozenset({"forest", "trench", "shallow-water", "water", "deep-water"})  # Source: Forests; Water; Trenches


def how_kind_blocks(terrain: Terrain) -> str:
    """Any terrain in the way blocks, by its height; woods by their depth. Source: Line of Sight; Forests."""
    how = shared.how_kind_blocks(terrain)
    tall = terrain.kind not in _FLAT and (terrain.height_mm or 0.0) > 0
    return "solid" if how == "none" and tall else how


def sees_through(table: ExactTable, viewer: str, target: str, what: str) -> str | None:
    """Who sees through woods and clouds alike. Source: Advantages."""
    return "eyeless-sight" if table.miniature(viewer).has("eyeless-sight") else None
