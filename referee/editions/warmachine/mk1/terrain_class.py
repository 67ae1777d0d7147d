"""Terrain class: a thin piece of exactly an inch is still crossed whole."""

from models.terrain import Terrain
from referee.editions.warmachine.mk1_and_mk2.parameters import HEIGHT_MM, THIN_MM
from referee.editions.warmachine.mk1_and_mk2.terrain import terrain_class
from referee.rules.exact_table import ExactTable

_DUST_MM = 1e-6


def counts_as(table: ExactTable, feature: Terrain) -> str | None:
    """What it counts as by its size: up to 1 in tall and less thick it is linear. Source: Obstacles, Prime p. 60."""
    found = terrain_class.counts_as(table, feature)
    if found != "obstruction" or feature.height_mm is None or abs(feature.height_mm - HEIGHT_MM) > _DUST_MM:
        return found
    thin = feature.kind == "linear-obstacle" or terrain_class.thickness_mm(feature) < THIN_MM - _DUST_MM
    return "linear-obstacle" if thin else found
