"""Flight: a full run away from the nearest threat and toward one's own edge, into no harm and nobody's reach."""

import math
from dataclasses import replace
from itertools import pairwise

from pydantic import JsonValue

from models.queries import Flee
from models.verdict import CAPPED_MM, Reason, Witness
from referee.editions.warmachine.mk1.movement.flee_paths import HARM, FleeSearch, Path, travelled_part
from referee.editions.warmachine.mk1.parameters import because
from referee.editions.warmachine.mk1_and_mk2.movement.flee_limits import check_allowance, run_mm, slack_mm
from referee.editions.warmachine.movement.movement_costs import passability_of_advance
from referee.editions.warmachine.movement.path import path_of
from referee.motion.travel_budget import TravelResult, travel
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import record_switches

_RUNS = because("Fleeing, Prime p. 58", "It runs all it can, away from the nearest threat and toward its own edge.")
_COWERS = because("Fleeing, Prime p. 58", "Where no way leads out it stays and cowers, unless it is engaged.")
_OFF = because("Leaving the Playing Area, Prime p. 34", "A model that flees off the table is out of the game.")
_KEYS = ("flee-threat", "flee-priority")


def flee(table: ExactTable, query: Flee) -> RuleResult:
    """Flight: whether that flight keeps the rules; of no way told, where it runs. Source: Fleeing, Prime p. 58."""
    run = run_mm(table, query.mover)
    if run is None and query.path_mm is None:
        return RuleResult(status="unknown", needs=(f"profile.spd_in of {query.mover}",), because=(_RUNS,))
    flight = FleeSearch(table, query.mover, query.threats, run or 0.0)
    if query.path_mm is None:
        return _search_path(flight)
    return _check_path(flight, path_of(table, query.mover, query.path_mm) or query.path_mm, run)


def _check_path(flight: FleeSearch, path: Path, run: float | None) -> RuleResult:
    table, mover = flight.table, flight.mover
    clauses: Clauses = (
        ("away", _check_away(flight, path)),
        ("allowance", check_allowance(table, mover, path, run)),
        ("harm", flight.check_harm(path)),
        ("engaged", flight.check_unengaged(path)),
    )
    result = all_of(clauses)
    walked = travel(table.base(mover), path, passability_of_advance(table, mover))
    value: dict[str, JsonValue] = {
        **flight.value, "short_mm": None if run is None else max(0.0, run - walked.needed_mm),
        "stopped_by": walked.stopped_by, "result": "removed" if flight.is_off(path[-1]) else "flees",
        "poses": {mover: {"at_mm": list(path[-1])}}, "first_break_mm": slack_mm(table, path, flight.nearest_threat)[1],
    }  # fmt: skip
    way = Witness(type="polyline", role="path", points_mm=path, of=(mover,))
    return replace(
        result,
        value=result.value | value,
        witness=(way, *result.witness),
        because=tuple(dict.fromkeys((_RUNS, *result.because))),
        readings=_KEYS,
        doubtful=flight.doubtful,
        depends_on_place=tuple(dict.fromkeys((*result.depends_on_place, *flight.nearest_threat))),
    )


def _check_away(flight: FleeSearch, path: Path) -> RuleResult:
    """Every step, by how little it leads nearer to the threat; or toward the edge, where that comes first."""
    who = (flight.mover, *flight.nearest_threat)
    if flight.table.reading("flee-priority") == "threat-first":
        return RuleResult(
            margin_mm=slack_mm(flight.table, path, flight.nearest_threat)[0], because=(_RUNS,), depends_on_place=who
        )
    (_, (ex, ey)) = flight.own_edge
    gains = [(b[0] - a[0]) * ex + (b[1] - a[1]) * ey for a, b in pairwise(path)]
    return RuleResult(margin_mm=min(gains, default=CAPPED_MM), because=(_RUNS,), depends_on_place=who)


def _search_path(flight: FleeSearch) -> RuleResult:
    """The way that gains most toward the edge of those that break no rule: straight ones, and round the threat."""
    paths = flight.candidate_paths()
    walked, barred = _try_path(flight, next(paths))  # what is in the most direct way
    if not barred:
        return _answer_path(flight, walked, [])
    with record_switches():  # where one way just fails the next one does: that is no leap
        found = next((tried[0] for tried in (_try_path(flight, path) for path in paths) if not tried[1]), None)
    return _answer_no_path(flight, barred) if found is None else _answer_path(flight, found, barred)


def _try_path(flight: FleeSearch, path: Path) -> tuple[TravelResult, list[str]]:
    walked = travel(flight.base, path, passability_of_advance(flight.table, flight.mover), flight.run_mm)
    return walked, flight.find_obstructions(walked)


def _answer_path(flight: FleeSearch, walked: TravelResult, barred: list[str]) -> RuleResult:
    path = travelled_part(walked)
    heading = math.degrees(math.atan2(path[1][1] - path[0][1], path[1][0] - path[0][0])) % 360
    off = flight.is_off(path[-1])
    value: dict[str, JsonValue] = {
        **flight.value, "heading_deg": heading, "in_the_way": [*barred], "result": "removed" if off else "flees",
        "poses": {flight.mover: {"at_mm": list(path[-1])}},
    }  # fmt: skip
    way = Witness(type="polyline", role="path", points_mm=path, of=(flight.mover,))
    why = (_RUNS, HARM, *((_OFF,) if off else ()))
    return _answer_measured(flight, value, why, (way,))


def _answer_no_path(flight: FleeSearch, barred: list[str]) -> RuleResult:
    """It cowers, or runs into blows where it is engaged; the players may see a way with corners that is free."""
    result = "flees" if flight.engaged_by else "cowers"
    stays: dict[str, JsonValue] = {flight.mover: {"at_mm": list(flight.table.centre(flight.mover))}}
    value: dict[str, JsonValue] = {**flight.value, "heading_deg": None, "in_the_way": [*barred], "result": result}
    advice = "No straight way is free, nor the way round the threat. If you see another, ask about it: path_mm."
    measured = _answer_measured(
        flight, value if flight.engaged_by else value | {"poses": stays}, (_RUNS, HARM, _COWERS), ()
    )
    return replace(measured, advice=advice)


def _answer_measured(
    flight: FleeSearch, value: dict[str, JsonValue], why: tuple[Reason, ...], witness: tuple[Witness, ...]
) -> RuleResult:
    return RuleResult(
        status="measured",
        value=value,
        because=why,
        witness=witness,
        readings=_KEYS,
        doubtful=flight.doubtful,
        depends_on_place=(flight.mover, *flight.nearest_threat),
    )
