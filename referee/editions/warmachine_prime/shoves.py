"""Movement nobody intends: pushed, slammed and thrown bases, and what they do to those they meet."""

import math
from dataclasses import dataclass, replace

from pydantic import JsonValue

from models.queries import Fall
from models.verdict import Reason, Witness
from models.words import Point
from referee.candidates import in_play, is_met
from referee.editions.warmachine_prime.going import Shove, is_hard, shoved
from referee.editions.warmachine_prime.ground import is_colossus, is_incorporeal, size_mm
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.passing import edge_met
from referee.editions.warmachine_prime.terms import terms_of
from referee.gaps import gap
from referee.shapes import Rounded
from referee.situation import Situation
from referee.travel import at, meetings, place_after, straight, travel

PUSHED = because("Pushed", 34, "Pushed straight on, at half rate in rough ground, to the first thing it touches.")
SLAMMED = because("Slammed", 34, "Slammed straight away, over smaller bases, to the first solid thing or equal base.")
THROWN = because("Thrown", 35, "Thrown straight, over smaller bases and rough ground, to what stops it.")
MASSIVE = because("Massive", 67, "A colossal or gargantuan is not moved by pushes, slams and throws.")
GHOST = because("Advantages", 17, "An incorporeal model is not moved by pushes, slams and throws.")
COLLATERAL = because("Slammed", 34, "Equal and smaller bases it meets are knocked down and take collateral damage.")
EDGE = because("Beyond the Play Area", 35, "What would leave the table stops at its edge, which is no obstacle.")
_TOUCH_MM = 1e-6


@dataclass(frozen=True)
class Shoved:
    """Where a base ends that was shoved, what stopped it and whom it met."""

    path: tuple[Point, ...]
    travelled_mm: float
    stopped_by: str | None
    met: tuple[str, ...]
    end: Point
    why_still: Reason | None = None


def why_still(table: Situation, who: str, how: str) -> Reason | None:
    """Why nothing moves it, pushed, slammed or thrown. Source: Massive, p. 67, 75, 99; Incorporeal, p. 17."""
    me = table.miniature(who)
    if is_incorporeal(me):
        return GHOST
    return MASSIVE if is_colossus(me) or me.has("massive") else None


def shove(
    table: Situation, who: str, how: Shove, heading_rad: float, distance_mm: float, *past: str, until: str | None = None
) -> Shoved:
    """Where a shove leaves a base. `past` are passed through without contact; `until` stops it whatever its size.

    Source: Pushed and Slammed, p. 34; Thrown and Beyond the Play Area, p. 35.
    """
    start = table.centre(who)
    path = straight(start, heading_rad, distance_mm)
    if (reason := terms_of(table).why_still(table, who, how)) is not None or distance_mm <= 0:
        return Shoved(path, 0.0, None, (), start, reason)
    going = shoved(table, who, how, *past)
    if until is not None and until not in dict(going.stops):
        going = replace(going, stops=(*going.stops, (until, table.area(until))))
    walked = travel(table.base(who), path, going, distance_mm)
    edge = edge_met(table, who, path)
    at_edge = edge is not None and edge.after_mm < walked.travelled_mm - 1e-9
    travelled, stopper = (edge.after_mm, edge.id) if edge and at_edge else (walked.travelled_mm, walked.stopped_by)
    end = place_after(path, travelled)
    lies = at(table.base(who), end)
    met = _touched(table, who, lies, past) if how == "thrown" else _run_into(table, who, path, travelled, lies)
    return Shoved(path, travelled, stopper, _with(met, stopper if stopper in table.miniatures else None), end)


def _touched(table: Situation, who: str, lies: Rounded, past: tuple[str, ...]) -> tuple[str, ...]:
    """Whom a thrown base contacts: all it touches or lies on at rest. Source: Thrown, p. 35."""
    return tuple(id_ for id_ in in_play(table, who, *past) if gap(lies, table.base(id_)).mm <= _TOUCH_MM)


def _run_into(table: Situation, who: str, path: tuple[Point, ...], travelled: float, lies: Rounded) -> tuple[str, ...]:
    """Whom a pushed or slammed base contacts on its way; who is incorporeal only when it does not get past.

    Source: Slammed, p. 34; Base-to-Base & Contact, p. 33; Incorporeal, p. 17.
    """
    others = tuple((id_, table.area(id_)) for id_ in in_play(table, who))
    stops = meetings(table.base(who), path, others, grazing=table.reading("graze") != "passes")
    met = (stop.id for stop in stops if stop.after_mm <= travelled + _TOUCH_MM)
    return tuple(
        id_ for id_ in met if not is_incorporeal(table.miniature(id_)) or gap(lies, table.base(id_)).mm < -_TOUCH_MM
    )


def _with(met: tuple[str, ...], stopper: str | None) -> tuple[str, ...]:
    return met if stopper is None or stopper in met else (*met, stopper)


def told(table: Situation, who: str, found: Shoved) -> dict[str, JsonValue]:
    """What came of it. Source: Slammed, p. 34; Thrown, p. 35; Falling, p. 35."""
    mine = size_mm(table.miniature(who))
    hurt = [id_ for id_ in found.met if size_mm(table.miniature(id_)) <= mine]
    falls = table.ruled(Fall(mover=who, path_mm=(found.path[0], found.end))) if found.travelled_mm > 0 else None
    large = any(size_mm(table.miniature(id_)) >= mine for id_ in found.met)
    down = [] if found.why_still is not None else [who]
    return {
        "travelled_mm": found.travelled_mm,
        "poses": {who: {"at_mm": list(found.end)}},
        "stopped_by": found.stopped_by,
        "knocked_down": [*down, *hurt],
        "collateral": list[JsonValue](hurt),
        "extra_die": large or (found.stopped_by is not None and is_hard(table, found.stopped_by)),
        "fall": falls is not None and is_met(falls),
    }


def drawn(who: str, found: Shoved, radius_mm: float) -> tuple[Witness, ...]:
    """The way it went, and where it lies."""
    lies = Witness(type="circle", role="hit", centre_mm=found.end, radius_mm=radius_mm, of=(who,))
    if found.end == found.path[0]:
        return (lies,)
    return (Witness(type="segment", role="path", points_mm=(found.path[0], found.end), of=(who,)), lies)


def away_rad(table: Situation, source: str, who: str) -> float:
    """The heading directly away from the source. Source: Slammed, p. 34; Movement Restrictions, p. 33."""
    (ax, ay), (bx, by) = table.centre(source), table.centre(who)
    return math.atan2(by - ay, bx - ax)
