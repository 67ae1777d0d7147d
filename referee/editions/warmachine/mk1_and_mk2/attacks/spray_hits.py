"""Spray: whom the template covers, and which structures."""

from dataclasses import replace

from pydantic import JsonValue

from models.queries import SprayHits
from models.terrain import Terrain
from referee.editions.warmachine.attacks import spray_hits as shared
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.editions.warmachine.mk1_and_mk2.terrain.structures import SECTION, is_structure
from referee.geometry.containment import covered_mm
from referee.geometry.shapes import Area, polygon_area
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_SPRAYED = because(SECTION, "A spray hits every structure it covers some of.")


def spray_hits(table: ExactTable, query: SprayHits) -> RuleResult:
    """Spray: whom the template covers, and which structures.

    Source: Spray Attacks; Damaging and Destroying Structures.
    """
    result = shared.spray_hits(table, query)
    if query.outline_mm is None or result.status != "decided":
        return result
    laid = polygon_area(shared.outline_of(result))
    hit: list[JsonValue] = [t.id for t in table.state.terrain if is_structure(t) and _is_covered(table, laid, t)]
    return replace(
        result,
        value={**result.value, "structures": hit},
        because=(*result.because[: 3 if hit else None], *((_SPRAYED,) if hit else ())),
    )


def _is_covered(table: ExactTable, laid: Area, terrain: Terrain) -> bool:
    covered = max(covered_mm(laid, part) for part in table.area(terrain.id).parts)
    return is_at_least(covered, 0.0, "is under the spray", table.movers_of(terrain.id))
