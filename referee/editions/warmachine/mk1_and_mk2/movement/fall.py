"""Fall: less than an inch of ground under the base, and a drop of an inch or more."""

from dataclasses import replace

from models.queries import Fall
from models.terrain import Terrain
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.base_state import surface_mm
from referee.editions.warmachine.mk1_and_mk2.parameters import GROUND_MM, because
from referee.editions.warmachine.movement import fall as shared
from referee.editions.warmachine.movement.path import path_of
from referee.geometry.containment import reach_into
from referee.geometry.distance import inside_mm
from referee.geometry.shapes import RoundedShape
from referee.motion.travel_budget import place_shape
from referee.rules.candidates import is_met
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least, is_more_than

_GROUND = because("Being Slammed", "With less than 1 in of ground under its base it falls off raised ground.")
_FALL = because("Falling", "Who is moved off a surface to another at least 1 full inch lower falls.")


def is_off(table: ExactTable, mover: str, feature: Terrain, centre: Point) -> bool:
    """Whether less than an inch of ground is left under the base. Source: Being Pushed; Being Slammed; Being Thrown."""
    ground_mm = _ground_mm(table, mover, feature, centre)
    return not is_at_least(ground_mm, GROUND_MM, "has 1 in of ground under it on", (mover, feature.id))


def _ground_mm(table: ExactTable, mover: str, feature: Terrain, centre: Point) -> float:
    """How much of the base has ground under it: its greatest depth square to the edge, unless read otherwise."""
    base, area = place_shape(table.base(mover), centre), table.area(feature.id)
    if table.reading("ground-depth") != "area" or not area.outline:
        return reach_into(base, area)
    holds = is_at_least(inside_mm(centre, area.outline), 0.0, "has its centre on", (mover, feature.id))
    return GROUND_MM if holds else 0.0


def has_falls(table: ExactTable, raised: Terrain) -> bool:
    """Whether one falls off it: hills slope, unless their edge is declared sheer. Source: Hills; Falling."""
    how = table.reading("hill-falls")
    if raised.kind != "hill":
        return raised.sheer is not False
    return how == "always" or (how == "sheer-only" and bool(raised.sheer))


def fall(table: ExactTable, query: Fall) -> RuleResult:
    """Fall: whether it falls: off by less than an inch of ground, and at least an inch down. Source: Falling."""
    result = shared.fall(table, query)
    if query.drop_in is not None or result.status != "decided":
        return result
    path = path_of(table, query.mover, query.path_mm)
    stood = None if path is None else _find_stood_on(table, query, path[0])
    if path is None or stood is None or not has_falls(table, stood):
        return replace(result, readings=("hill-falls",), doubtful=("hill-falls",) if stood is not None else ())
    short = RuleResult(
        margin_mm=GROUND_MM - _ground_mm(table, query.mover, stood, path[-1]),
        zero_is_met=False,
        because=(_GROUND,),
        depends_on_place=(query.mover, stood.id),
    )
    if not is_met(short, "has less than 1 in of ground under it on"):
        told = {**result.value, "ground_mm": GROUND_MM - short.decisive_mm}
        return replace(short, value=told, readings=("ground-depth", "hill-falls"), doubtful=("ground-depth",))
    least = result if result.decisive_mm < short.decisive_mm else short
    return replace(
        result,
        margin_mm=least.decisive_mm,
        zero_is_met=least.zero_is_met,
        because=(_FALL, _GROUND, *result.because[1:]),
        readings=("ground-depth", "hill-falls"),
        doubtful=("ground-depth",),
        depends_on_place=(*result.depends_on_place, stood.id),
        conditions=(result, short),
        joined_by="least",
        form=None,
    )


def _find_stood_on(table: ExactTable, query: Fall, start: Point) -> Terrain | None:
    """The highest raised piece under it when the move began."""
    base = place_shape(table.base(query.mover), start)
    raised = [t for t in table.state.terrain if surface_mm(t) > 0 and query.feature in (None, t.id)]
    under = [t for t in raised if _stood_on(table, query.mover, base, t.id)]
    return max(under, key=surface_mm, default=None)


def _stood_on(table: ExactTable, mover: str, base: RoundedShape, feature: str) -> bool:
    depth_mm = reach_into(base, table.area(feature))
    return is_more_than(depth_mm, 0.0, "began its move on", (mover, *table.movers_of(feature)))
