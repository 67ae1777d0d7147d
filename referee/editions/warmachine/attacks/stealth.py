"""Stealth: ranged and magic attacks from farther than 5 in miss."""

from models.queries import Stealth
from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.base_state import has_stealth
from referee.editions.warmachine.miniatures.distances import draw_ruler, ids_that_matter, shot_mm
from referee.editions.warmachine.parameters import STEALTH_MM, because
from referee.geometry.distance import area_gap
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_margin, name_of, with_effect
from referee.rules.rule_result import RuleResult

_STEALTH = because("Advantages", 17, "Ranged and magic attacks from farther than 5 in miss; exactly 5 in is near.")
_NONE = because("Advantages", 17, "It has no Stealth.", "Distance does not make the attack miss.")
_EYELESS = because("Advantages", 17, "Eyeless Sight takes no notice of Stealth.", "The attack is made as usual.")


def stealth(table: ExactTable, query: Stealth) -> RuleResult:
    """Stealth: whether Stealth makes the attack miss; exactly 5 in is near. Source: Advantages, p. 17."""
    origin: str | Point = query.attacker if query.origin is None else query.origin
    if not has_stealth(table.miniature(query.target)):
        return RuleResult(margin_mm=-CAPPED_MM, because=(_NONE,), depends_on_place=(query.target,))
    if table.miniature(query.attacker).has("eyeless-sight"):
        return RuleResult(margin_mm=-CAPPED_MM, because=(_EYELESS,), depends_on_place=(query.target,))
    between = area_gap(table.area(origin), table.area(query.target))
    apart, rise = shot_mm(table, origin, query.target)
    key = ("range-elevation",) if rise else ()
    return RuleResult(
        margin_mm=apart - STEALTH_MM,
        zero_is_met=False,
        value={"distance_mm": apart},
        lengths_mm={"distance": apart},
        witness=(draw_ruler(between, origin, query.target, role="limit"),),
        because=(with_effect(table, _STEALTH, _describe_distance(table, query.target, apart)),),
        readings=key,
        doubtful=key,
        depends_on_place=ids_that_matter(origin, query.target),
    )


def _describe_distance(table: ExactTable, target: str, apart_mm: float) -> str:
    near = format_margin(STEALTH_MM - apart_mm, spare="nearer than that", short="farther than that")
    return f"{name_of(table, target)} is {format_length(apart_mm)} away, {near}."
