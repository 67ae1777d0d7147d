"""Flight: a full run away from the nearest threat and toward one's own edge, into no harm and nobody's reach."""

import math
from dataclasses import replace
from itertools import pairwise

from pydantic import JsonValue

from models.queries import Flee
from models.verdict import CAPPED_MM, Reason, Witness
from referee.clauses import Clauses, all_of
from referee.editions.hordes_mk2.morale import paid, run_mm, slack_mm
from referee.editions.warmachine_mk1.parameters import because
from referee.editions.warmachine_mk1.ways_out import HARM, Flight, Path, gone
from referee.editions.warmachine_prime.going import advancing
from referee.ruling import Ruling
from referee.situation import Situation
from referee.travel import Travelled, travel

_RUNS = because("Fleeing, Prime p. 58", "It runs all it can, away from the nearest threat and toward its own edge.")
_COWERS = because("Fleeing, Prime p. 58", "Where no way leads out it stays and cowers, unless it is engaged.")
_OFF = because("Fleeing off the table, Prime p. 33", "A model that flees off the table is out of the game.")
_KEYS = ("flee-threat", "flee-priority")


def flee(table: Situation, query: Flee) -> Ruling:
    """Whether that flight keeps the rules; of no way told, where it runs. Source: Fleeing, Prime p. 58."""
    run = run_mm(table, query.mover)
    if run is None and query.path_mm is None:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {query.mover}",), because=(_RUNS,))
    flight = Flight(table, query.mover, query.threats, run or 0.0)
    if query.path_mm is None:
        return _sought(flight)
    path = query.path_mm if len(query.path_mm) > 1 else (table.centre(query.mover), *query.path_mm)
    return _told(flight, path, run)


def _told(flight: Flight, path: Path, run: float | None) -> Ruling:
    table, mover = flight.table, flight.mover
    clauses: Clauses = (
        ("away", _away(flight, path)),
        ("allowance", paid(table, mover, path, run)),
        ("harm", flight.harmless(path)),
        ("engaged", flight.unengaged(path)),
    )
    ruling = all_of(clauses)
    walked = travel(table.base(mover), path, advancing(table, mover))
    value: dict[str, JsonValue] = {
        **flight.told, "short_mm": None if run is None else max(0.0, run - walked.needed_mm),
        "stopped_by": walked.stopped_by, "result": "removed" if flight.is_off(path[-1]) else "flees",
        "poses": {mover: {"at_mm": list(path[-1])}}, "first_break_mm": slack_mm(table, path, flight.feared)[1],
    }  # fmt: skip
    way = Witness(type="polyline", role="path", points_mm=path, of=(mover,))
    return replace(
        ruling,
        value=ruling.value | value,
        witness=(way, *ruling.witness),
        because=tuple(dict.fromkeys((_RUNS, *ruling.because))),
        readings=_KEYS,
        doubtful=flight.doubtful,
    )


def _away(flight: Flight, path: Path) -> Ruling:
    """Every step, by how little it leads nearer to the threat; or toward the edge, where that comes first."""
    who = (flight.mover, *flight.feared)
    if flight.table.reading("flee-priority") == "threat-first":
        return Ruling(margin_mm=slack_mm(flight.table, path, flight.feared)[0], because=(_RUNS,), touches=who)
    (_, (ex, ey)) = flight.edge
    gains = [(b[0] - a[0]) * ex + (b[1] - a[1]) * ey for a, b in pairwise(path)]
    return Ruling(margin_mm=min(gains, default=CAPPED_MM), because=(_RUNS,), touches=who)


def _sought(flight: Flight) -> Ruling:
    """The way that gains most toward the edge of those that break no rule: straight ones, and round the threat."""
    barred: list[str] | None = None  # what is in the most direct way
    for path in flight.ways():
        walked = travel(flight.base, path, advancing(flight.table, flight.mover), flight.run_mm)
        bars = flight.in_the_way(walked)
        barred = bars if barred is None else barred
        if not bars:
            return _found(flight, walked, barred or [])
    return _nowhere(flight, barred or [])


def _found(flight: Flight, walked: Travelled, barred: list[str]) -> Ruling:
    path = gone(walked)
    heading = math.degrees(math.atan2(path[1][1] - path[0][1], path[1][0] - path[0][0])) % 360
    off = flight.is_off(path[-1])
    value: dict[str, JsonValue] = {
        **flight.told, "heading_deg": heading, "in_the_way": [*barred], "result": "removed" if off else "flees",
        "poses": {flight.mover: {"at_mm": list(path[-1])}},
    }  # fmt: skip
    way = Witness(type="polyline", role="path", points_mm=path, of=(flight.mover,))
    why = (_RUNS, HARM, *((_OFF,) if off else ()))
    return _measured(flight, value, why, (way,))


def _nowhere(flight: Flight, barred: list[str]) -> Ruling:
    """It cowers, or runs into blows where it is engaged; the players may see a way with corners that is free."""
    result = "flees" if flight.engaged_by else "cowers"
    stays: dict[str, JsonValue] = {flight.mover: {"at_mm": list(flight.table.centre(flight.mover))}}
    value: dict[str, JsonValue] = {**flight.told, "heading_deg": None, "in_the_way": [*barred], "result": result}
    advice = "No straight way is free, nor the way round the threat. If you see another, ask about it: path_mm."
    ruling = _measured(flight, value if flight.engaged_by else value | {"poses": stays}, (_RUNS, HARM, _COWERS), ())
    return replace(ruling, advice=advice)


def _measured(
    flight: Flight, value: dict[str, JsonValue], why: tuple[Reason, ...], witness: tuple[Witness, ...]
) -> Ruling:
    return Ruling(
        status="measured",
        value=value,
        because=why,
        witness=witness,
        readings=_KEYS,
        doubtful=flight.doubtful,
        touches=(flight.mover, *flight.feared),
    )
