"""Rollback: where an enemy goes back to that moved in a control area nobody had measured."""

from models.queries import Rollback
from models.unit_conversion import inches
from models.verdict import Witness
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.editions.warmachine.movement.path import path_of, speed_mm
from referee.geometry.shapes import Area
from referee.motion.sweep import lengths_within
from referee.motion.travel_budget import length_mm, place_after, swept_gap
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_BACK = because("Measuring Control Areas", "An enemy who came into the effect goes back to where it came in.")
_OUT = because("Measuring Control Areas", "Its way never came into the control area.")


def rollback(table: ExactTable, query: Rollback) -> RuleResult:
    """Rollback: where an enemy goes back to that moved in a control area nobody had measured.

    Source: Measuring Control Areas.
    """
    stat, path = table.miniature(query.caster).profile.control_stat, path_of(table, query.mover, query.path_mm)
    if stat is None or path is None:
        need = f"profile.control_stat of {query.caster}" if stat is None else "path_mm"
        return RuleResult(
            status="unknown", needs=(need,), because=(_BACK,), depends_on_place=(query.caster, query.mover)
        )
    around = table.area(query.caster)
    base, reach = table.base(query.mover), inches(2 * stat)
    inside = lengths_within(base, path, Area(around.parts), reach)
    nearest = min(swept_gap(base, path, part) for part in around.parts)
    comes = is_at_least(reach, nearest, "comes into the control area of", (query.mover, query.caster))
    entered = inside[0][0] if inside and comes else None
    whole, budget = length_mm(path), speed_mm(table, query.mover)
    end = whole if entered is None else _allowed_mm(entered, whole, query.rate, budget)
    at = place_after(path, end)
    return RuleResult(
        status="measured",
        value={"entered_mm": entered, "poses": {query.mover: {"at_mm": list(at)}}, "travelled_mm": end},
        lengths_mm={} if entered is None else {"entered": entered},
        witness=(Witness(type="polyline", role="path", points_mm=path, of=(query.mover,)),),
        because=(_BACK,) if entered is not None else (_BACK, _OUT),
        depends_on_place=(query.caster, query.mover),
    )


def _allowed_mm(entered: float, whole: float, rate: float | None, budget: float | None) -> float:
    """How far the way leads: to the area's rim, or on beyond it at the rate the effect leaves."""
    if rate is None:
        return entered
    left = max(0.0, (budget if budget is not None else whole) - entered)
    return min(whole, entered + rate * left)
