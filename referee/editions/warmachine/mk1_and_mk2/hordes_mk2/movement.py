"""Movement: how one flees who has failed a command check."""

from models.queries import Flee
from models.verdict import Witness
from referee.editions.warmachine.melee.in_melee import enemies
from referee.editions.warmachine.mk1_and_mk2.movement import CAPPED, check_allowance, run_mm, slack_mm
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.editions.warmachine.movement.path import path_of
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult, Value

_RUNS = because("Fleeing", "A fleeing model runs, as far as it likes, and not toward any enemy.")


def flee(table: ExactTable, query: Flee) -> RuleResult:
    """Flight: whether a fleeing model's way keeps the rules: no step nearer to any enemy, no farther than a run.

    Source: Fleeing. Standing still is allowed.
    """
    allowance = run_mm(table, query.mover)
    path = path_of(table, query.mover, query.path_mm)
    foes = enemies(table, query.mover) if query.threats is None else query.threats
    if path is None:
        value: Value = {"allowance_mm": allowance, "result": "flees", "threats": [*foes]}
        return RuleResult(status="measured", value=value, because=(_RUNS, CAPPED), depends_on_place=(query.mover,))
    slack, first = slack_mm(table, path, foes)
    away = RuleResult(
        margin_mm=slack, because=(_RUNS,), readings=("flee-toward",), depends_on_place=(query.mover, *foes)
    )
    clauses: Clauses = (("away", away), ("allowance", check_allowance(table, query.mover, path, allowance)))
    result = all_of(clauses)
    flight: Value = {
        "first_break_mm": first, "allowance_mm": allowance, "result": "flees",
        "poses": {query.mover: {"at_mm": list(path[-1])}},
    }  # fmt: skip
    return RuleResult(
        status=result.status,
        margin_mm=result.margin_mm,
        needs=result.needs,
        value=result.value | flight,
        witness=(Witness(type="polyline", role="path", points_mm=path, of=(query.mover,)),),
        because=(_RUNS, CAPPED),
        readings=("flee-toward",),
        doubtful=("flee-toward",) if slack < 0 else (),
        depends_on_place=result.depends_on_place,
        conditions=result.conditions,
    )
