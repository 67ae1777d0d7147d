"""Hazard: who is harmed on entering hazardous ground, and where."""

import math

from pydantic import JsonValue

from models.queries import Hazard
from models.terrain import Effect, Terrain
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.miniatures.distances import hinges
from referee.editions.warmachine.movement.enters_area import deepest_mm
from referee.editions.warmachine.movement.path import Path, path_of
from referee.editions.warmachine.parameters import because
from referee.motion.sweep import lengths_within
from referee.rules.candidates import evaluate_each, is_zero_or_more
from referee.rules.conditions import any_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_HAZARD = because("Hazards", 81, "Who enters a hazard, or ends its activation there, suffers from it.")
_FLIES = because("Hazards", 81, "Flight keeps out of it, unless knocked down there.")
_NONE = because("Hazards", 81, "There is no hazard on the way.")
HAZARDS = frozenset({"acid-bath", "burning-earth"})  # Source: Hazards, p. 81


def hazard(table: ExactTable, query: Hazard) -> RuleResult:
    """Hazard: whether the mover suffers from a hazard it enters, or stands in at the end. Source: Hazards, p. 81."""
    me = table.miniature(query.mover)
    if me.has("flight") and "knocked-down" not in me.status:
        return RuleResult(
            margin_mm=-CAPPED_MM, value={"by_id": {}}, because=(_HAZARD, _FLIES), depends_on_place=(me.id,)
        )
    areas = list_hazards(table) if query.area is None else (query.area,)
    if not areas:
        return RuleResult(margin_mm=-CAPPED_MM, value={"by_id": {}}, because=(_NONE,), depends_on_place=(me.id,))
    path = path_of(table, query.mover, query.path_mm) or (table.centre(me.id), table.centre(me.id))

    def about(perturbed: ExactTable, _: str) -> RuleResult:
        return any_of(tuple(_check_harm(perturbed, query, area, path) for area in areas))

    worst = max(areas, key=lambda area: _check_harm(table, query, area, path).decisive_mm)
    result = about(table, me.id)
    by_id: dict[str, JsonValue] = {me.id: _entry_of(table, me.id, worst, path)} if is_zero_or_more(result) else {}
    return RuleResult(
        margin_mm=result.margin_mm,
        zero_is_met=result.zero_is_met,
        value={"by_id": by_id},
        witness=(Witness(type="polyline", role="path", points_mm=path, of=(me.id,)),),
        because=(_HAZARD,),
        readings=("area-touch",),
        depends_on_place=hinges(table, me.id, *areas),
        members=evaluate_each(table, (me.id,), about),
    )


def list_hazards(table: ExactTable) -> tuple[str, ...]:
    """All that harms whoever enters it. Source: Hazards, p. 81."""
    things: list[Terrain | Effect] = [t for t in table.state.terrain if t.kind in HAZARDS]
    things += [e for e in table.state.effects if e.kind == "burning" or e.hazard is not None]
    return tuple(thing.id for thing in things)


def _check_harm(table: ExactTable, query: Hazard, area: str, path: Path) -> RuleResult:
    """Source: Hazards, p. 81: on entering, and on ending there."""
    inside = lengths_within(table.base(query.mover), path, table.area(area))
    depth = deepest_mm(table, query.mover, area, path, inside)
    covered = table.reading("area-touch") == "covered"
    margin = max(-CAPPED_MM, min(CAPPED_MM, depth))
    return RuleResult(
        margin_mm=margin, zero_is_met=covered, because=(_HAZARD,), depends_on_place=hinges(table, query.mover, area)
    )


def _entry_of(table: ExactTable, mover: str, area: str, path: Path) -> dict[str, JsonValue]:
    inside = lengths_within(table.base(mover), path, table.area(area))
    first = min((first for first, _ in inside), default=math.nan)
    return {"area": area, "entry_mm": None if math.isnan(first) else first}
