"""Push: where it leaves the target, and how far the pusher follows."""

from pydantic import JsonValue

from models.queries import Push
from models.unit_conversion import inches
from models.verdict import Reason
from referee.editions.warmachine.charges.involuntary_movement import (
    PUSHED,
    ShoveResult,
    away_rad,
    describe_shove,
    draw_shove,
    shove,
)
from referee.editions.warmachine.terms import terms_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import explain_short_way
from referee.rules.rule_result import RuleResult


def push(table: ExactTable, query: Push) -> RuleResult:
    """Push: where a push leaves the target. Source: Pushed, p. 34; Massive, p. 67."""
    usual = terms_of(table).push_mm
    distance = usual if query.distance_in is None else inches(query.distance_in)
    if distance is None:
        return RuleResult(status="unknown", needs=("distance_in",), because=(PUSHED,), depends_on_place=(query.target,))
    heading = away_rad(table, query.attacker, query.target)
    found = shove(table, query.target, "pushed", heading, distance)
    value = describe_shove(table, query.target, found)
    kept: dict[str, JsonValue] = {key: value[key] for key in ("travelled_mm", "poses", "stopped_by", "fall")}
    still = terms_of(table).why_not_moved(table, query.target, "pushed")
    return RuleResult(
        status="measured",
        value={**kept, "follow_mm": 0.0 if usual is None else found.travelled_mm},
        lengths_mm={"travelled": found.travelled_mm},
        witness=draw_shove(query.target, found, table.base(query.target).reach_mm),
        because=(_explain(table, query, found, distance),) if still is None else (PUSHED, still),
        depends_on_place=(
            query.attacker,
            query.target,
            *((found.stopped_by,) if _is_thing(table, found.stopped_by) else ()),
        ),
    )


def _explain(table: ExactTable, query: Push, found: ShoveResult, distance: float) -> Reason:
    """The rule, and what stopped the push short."""
    went, stopper = found.travelled_mm, found.stopped_by
    return explain_short_way(table, PUSHED, query.target, wanted_mm=distance, went_mm=went, stopped_by=stopper)


def _is_thing(table: ExactTable, id_: str | None) -> bool:
    return id_ is not None and id_ in table.state.by_id
