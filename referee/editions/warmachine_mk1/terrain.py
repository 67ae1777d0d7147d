"""What a piece counts as here: a thin one of exactly an inch is still crossed whole."""

from models.terrain import Terrain
from referee.editions.hordes_mk2 import terrain as of_mk2
from referee.editions.hordes_mk2.parameters import HEIGHT_MM, THIN_MM
from referee.situation import Situation

_DUST_MM = 1e-6


def counts_as(table: Situation, feature: Terrain) -> str | None:
    """What it counts as by its size: up to 1 in tall and less thick it is linear. Source: Obstacles, Prime p. 60."""
    found = of_mk2.counts_as(table, feature)
    if found != "obstruction" or feature.height_mm is None or abs(feature.height_mm - HEIGHT_MM) > _DUST_MM:
        return found
    thin = feature.kind == "linear-obstacle" or of_mk2.thickness_mm(feature) < THIN_MM - _DUST_MM
    return "linear-obstacle" if thin else found
