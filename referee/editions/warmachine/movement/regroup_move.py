"""Regrouping: the way back of a trooper out of formation."""

from dataclasses import replace

from pydantic import JsonValue

from models.queries import RegroupMove
from models.queries.restricted_moves import Restriction
from models.verdict import Witness
from referee.editions.warmachine.movement.path import Path, path_of, speed_mm
from referee.editions.warmachine.movement.toward_away import restriction_margins
from referee.editions.warmachine.parameters import because
from referee.motion.travel_budget import length_mm
from referee.rules.conditions import all_of, any_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_REGROUP = because(
    "Out of Formation", 64, "Back to the commander: a full advance toward him without a Combat Action, or a run at him."
)


def regroup_move(table: ExactTable, query: RegroupMove) -> RuleResult:
    """Regrouping: whether a trooper out of formation went back as it must. Source: Out of Formation, p. 64."""
    path = path_of(table, query.mover, query.path_mm)
    unit = next((u for u in table.state.units if u.id == table.miniature(query.mover).unit), None)
    if path is None:
        return RuleResult(status="unknown", needs=("path_mm",), because=(_REGROUP,), depends_on_place=(query.mover,))
    if unit is None or unit.commander is None or unit.commander not in table.miniatures:
        need = f"commander of the unit of {query.mover}"
        return RuleResult(status="unknown", needs=(need,), because=(_REGROUP,), depends_on_place=(query.mover,))
    speed = speed_mm(table, query.mover)
    if speed is None:
        need = f"profile.spd_in of {query.mover}"
        return RuleResult(status="unknown", needs=(need,), because=(_REGROUP,), depends_on_place=(query.mover,))
    advance = _check_back(table, query.mover, path, Restriction(way="toward", of=unit.commander), speed)
    run = _check_back(table, query.mover, path, Restriction(way="directly-toward", of=unit.commander), 2 * speed)
    forfeits: list[JsonValue] = ["combat-action"]
    return replace(
        any_of((advance, run)),
        value={"forfeits": forfeits, "ways": {"advance": advance.margin_mm, "run": run.margin_mm}},
        witness=(Witness(type="polyline", role="path", points_mm=path, of=(query.mover,)),),
        because=(_REGROUP,),
    )


def _check_back(table: ExactTable, mover: str, path: Path, rule: Restriction, allowance: float) -> RuleResult:
    spent = RuleResult(margin_mm=allowance - length_mm(path), because=(_REGROUP,), depends_on_place=(mover,))
    return all_of((("way", restriction_margins(table, mover, path, rule)), ("allowance", spent)))
