"""Movement: flight from the nearest threat toward one's own edge, the table edge, and entry into an area."""

import math
from dataclasses import replace
from itertools import pairwise

from models.queries import EntersArea, Flee, TableEdge
from models.verdict import CAPPED_MM, Reason, Witness
from referee.editions.warmachine.mk1_and_mk2.mk1.citations import because
from referee.editions.warmachine.mk1_and_mk2.mk1.flee_paths import HARM, FleeSearch, travelled_part
from referee.editions.warmachine.mk1_and_mk2.movement import check_allowance, run_mm, slack_mm
from referee.editions.warmachine.movement import enters_area as shared_enters_area
from referee.editions.warmachine.movement import fall
from referee.editions.warmachine.movement.path import Path, passability_of_advance, path_of
from referee.geometry.containment import reach_into
from referee.motion.travel_budget import TravelResult, place_shape, travel
from referee.rules.candidates import is_met
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult, Value, ask_for
from referee.rules.switches import is_more_than, record_switches

_RUNS = because("Fleeing, Prime p. 58", "It runs all it can, away from the nearest threat and toward its own edge.")
_COWERS = because("Fleeing, Prime p. 58", "Where no way leads out it stays and cowers, unless it is engaged.")
_OFF = because("Leaving the Playing Area, Prime p. 34", "A model that flees off the table is out of the game.")
_KEYS = ("flee-threat", "flee-priority")
_OWN = because("Q/A: enter", "Only by changing its own place does a model enter, and not when an area moves over it.")
_WITHIN = because("Q/A: enter", "Who stood within it before does not enter it.")


def flee(table: ExactTable, query: Flee) -> RuleResult:
    """Flight: whether that flight keeps the rules; of no way told, where it runs. Source: Fleeing, Prime p. 58."""
    run = run_mm(table, query.mover)
    if run is None and query.path_mm is None:
        return ask_for(f"profile.spd_in of {query.mover}", because=(_RUNS,))
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
    value: Value = {
        **flight.value, "short_mm": None if run is None else max(0.0, run - walked.needed_mm),
        "stopped_by": walked.stopped_by, "result": "removed" if flight.is_off(path[-1]) else "flees",
        "poses": {mover: {"at_mm": list(path[-1])}}, "first_break_mm": slack_mm(table, path, flight.nearest_threat)[1],
    }  # fmt: skip
    line = Witness(type="polyline", role="path", points_mm=path, of=(mover,))
    return replace(
        result,
        value=result.value | value,
        witness=(line, *result.witness),
        because=tuple(dict.fromkeys((_RUNS, *result.because))),
        readings=_KEYS,
        doubtful=flight.doubtful,
        depends_on_place=tuple(dict.fromkeys((*result.depends_on_place, *flight.nearest_threat))),
    )


def _check_away(flight: FleeSearch, path: Path) -> RuleResult:
    """Every step, by how little it leads nearer to the threat; or toward the edge, where that comes first."""
    on = (flight.mover, *flight.nearest_threat)
    if flight.table.reading("flee-priority") == "threat-first":
        return RuleResult(
            margin_mm=slack_mm(flight.table, path, flight.nearest_threat)[0], because=(_RUNS,), depends_on_place=on
        )
    (_, (ex, ey)) = flight.own_edge
    gains = [(b[0] - a[0]) * ex + (b[1] - a[1]) * ey for a, b in pairwise(path)]
    return RuleResult(margin_mm=min(gains, default=CAPPED_MM), because=(_RUNS,), depends_on_place=on)


def _search_path(flight: FleeSearch) -> RuleResult:
    """The way that gains most toward the edge of those that break no rule: straight ones, and round the threat."""
    paths = flight.candidate_paths()
    walked, barred = _try_path(flight, next(paths))  # what is in the most direct way
    if not barred:
        return _answer_path(flight, walked, [])
    with record_switches():  # where one way just fails the next one does: that is no leap
        free = next((tried[0] for tried in (_try_path(flight, path) for path in paths) if not tried[1]), None)
    return _answer_no_path(flight, barred) if free is None else _answer_path(flight, free, barred)


def _try_path(flight: FleeSearch, path: Path) -> tuple[TravelResult, list[str]]:
    walked = travel(flight.base, path, passability_of_advance(flight.table, flight.mover), flight.run_mm)
    return walked, flight.find_obstructions(walked)


def _answer_path(flight: FleeSearch, walked: TravelResult, barred: list[str]) -> RuleResult:
    path = travelled_part(walked)
    heading = math.degrees(math.atan2(path[1][1] - path[0][1], path[1][0] - path[0][0])) % 360
    off = flight.is_off(path[-1])
    value: Value = {
        **flight.value, "heading_deg": heading, "in_the_way": [*barred], "result": "removed" if off else "flees",
        "poses": {flight.mover: {"at_mm": list(path[-1])}},
    }  # fmt: skip
    line = Witness(type="polyline", role="path", points_mm=path, of=(flight.mover,))
    why = (_RUNS, HARM, *((_OFF,) if off else ()))
    return _answer_measured(flight, value, why, (line,))


def _answer_no_path(flight: FleeSearch, barred: list[str]) -> RuleResult:
    """It cowers, or runs into blows where it is engaged; the players may see a way with corners that is free."""
    result = "flees" if flight.engaged_by else "cowers"
    stays: Value = {flight.mover: {"at_mm": list(flight.table.centre(flight.mover))}}
    value: Value = {**flight.value, "heading_deg": None, "in_the_way": [*barred], "result": result}
    advice = "No straight way is free, nor the way round the threat. If you see another, ask about it: path_mm."
    measured = _answer_measured(
        flight, value if flight.engaged_by else value | {"poses": stays}, (_RUNS, HARM, _COWERS), ()
    )
    return replace(measured, advice=advice)


def _answer_measured(
    flight: FleeSearch, value: Value, why: tuple[Reason, ...], witness: tuple[Witness, ...]
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


def table_edge(table: ExactTable, query: TableEdge) -> RuleResult:
    """Table edge: what becomes of it at the table's edge. Source: Leaving the Playing Area, Prime p. 34."""
    result = fall.table_edge(table, query)
    if query.cause != "flee" or result.value.get("result") == "stays":
        return result
    return replace(result, value={**result.value, "result": "removed"}, because=(_OFF, *result.because))


def enters_area(table: ExactTable, query: EntersArea) -> RuleResult:
    """Entry into an area: whether its own place changed from not within to within; what is put into play enters.

    Source: Q/A: enter.
    """
    result = shared_enters_area.enters_area(table, query)
    if query.cause == "area-moved":
        return replace(result, because=(_OWN,))
    before = table.miniature(query.mover).before
    if query.cause not in ("placed", "replaced") or before is None or not is_met(result, "comes into"):
        return result
    outside = -reach_into(place_shape(table.base(query.mover), before.at_mm), table.area(query.area))
    own = RuleResult(margin_mm=outside, zero_is_met=False, depends_on_place=table.movers_of(query.area))
    on = tuple(dict.fromkeys((*result.depends_on_place, *own.depends_on_place)))
    joined = replace(result, conditions=(replace(result), own), joined_by="least", form=None, depends_on_place=on)
    stood_out = is_more_than(outside, 0.0, "stood outside of", (query.mover, *table.movers_of(query.area)))
    if outside >= result.decisive_mm:
        return joined
    value = result.value if stood_out else result.value | {"entries": []}
    return replace(joined, margin_mm=outside, zero_is_met=False, value=value, because=(_WITHIN, *result.because))
