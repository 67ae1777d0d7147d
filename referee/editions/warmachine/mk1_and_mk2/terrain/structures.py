"""Structures: what counts as one."""

from models.terrain import Terrain
from referee.editions.warmachine.mk1_and_mk2.parameters import because

SECTION = "Damaging and Destroying Structures"
ONLY_STRUCTURES = because(SECTION, "Only structures can be attacked.")
KINDS = frozenset({"structure", "building"})  # Source: Structures


def is_structure(terrain: Terrain) -> bool:
    """Whether it can be damaged: by its kind, or because its material is told. Source: Structures."""
    return terrain.kind in KINDS or terrain.material is not None
