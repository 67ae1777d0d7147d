"""Control area: also whether all of a base is within it."""

from dataclasses import replace

from pydantic import JsonValue

from models.queries import ControlArea
from referee.editions.warmachine.command import control_area as shared_control_area
from referee.editions.warmachine.miniatures.distances import ids_that_matter
from referee.geometry.farthest import farthest
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least


def control_area(table: ExactTable, query: ControlArea) -> RuleResult:
    """Control area: whether it is in the control area. Source: Control Area, Remix p. 51."""
    result = shared_control_area.control_area(table, query)
    radius = result.value.get("radius_mm")
    if not isinstance(radius, float) or query.target is None:
        return result
    far, _, _ = farthest(table.area(query.caster), table.area(query.target))
    on = ids_that_matter(query.target, query.caster)
    holds = is_at_least(radius, far, "is completely within the control area of", on)
    whole: dict[str, JsonValue] = {"answer": "yes" if holds else "no", "margin_mm": radius - far}
    return replace(result, value={**result.value, "completely": whole})
