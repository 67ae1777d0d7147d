"""Entering areas, and the ground that hurts."""

import math

from pydantic import JsonValue

from models.queries import EntersArea, Hazard
from models.terrain import Effect, Terrain
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.areas import reach_into
from referee.candidates import considered, is_met
from referee.clauses import any_of
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.paths import Path, path_of
from referee.motion import lengths_within
from referee.ruling import Ruling
from referee.situation import Situation
from referee.travel import at, length_mm, place_after

_ENTER = because("Entering", 33, "It enters an area when it comes to be in it from outside, or is put there.")
_ONCE = because("Entering", 33, "Each advance enters an area once at most.")
_HAZARD = because("Hazards", 81, "Who enters a hazard, or ends its activation there, suffers from it.")
_FLIES = because("Hazards", 81, "Flight keeps out of it, unless knocked down there.")
_NONE = because("Hazards", 81, "There is no hazard on the way.")
HAZARDS = frozenset({"acid-bath", "burning-earth"})  # Source: Hazards, p. 81


def enters_area(table: Situation, query: EntersArea) -> Ruling:
    """Whether it was outside the area and came to be inside. Source: Entering, p. 33."""
    put = query.cause in ("placed", "put-into-play", "replaced", "area-moved")
    path = path_of(table, query.mover, query.path_mm)
    if query.cause == "same-model-replaced":
        return Ruling(margin_mm=-CAPPED_MM, value={"entries": []}, because=(_ENTER,), touches=(query.mover,))
    if path is None and not put:
        return Ruling(status="unknown", needs=("path_mm",), because=(_ENTER,), touches=(query.mover,))
    if path is None:
        path = (table.centre(query.mover), table.centre(query.mover))
    return _put(table, query, path) if put else _moved(table, query.mover, query.area, path)


def _put(table: Situation, query: EntersArea, path: Path) -> Ruling:
    """Source: Entering and Placed, p. 33, 36: who is put into an area enters it."""
    depth = _depth(table, query.mover, query.area, path[-1])
    entries: list[JsonValue] = [{"at_mm": list(path[-1])}] if depth >= 0 else []
    return _ruled(table, query.mover, query.area, depth, entries, path)


def _moved(table: Situation, mover: str, area: str, path: Path) -> Ruling:
    """The lesser of how far outside it began and how deep it got."""
    before = -_depth(table, mover, area, path[0])
    inside = lengths_within(table.base(mover), path, table.area(area))
    whole = length_mm(path)
    starts = [first for first, last in inside if first > 1e-9 and last >= first]
    deepest = _deepest(table, mover, area, path, inside)
    if before <= 0 and starts:  # it left the area and came back
        before = CAPPED_MM
    entries: list[JsonValue] = [{"at_mm": list(place_after(path, s)), "after_mm": s} for s in starts if s <= whole]
    return _ruled(table, mover, area, min(before, deepest), entries, path)


def _deepest(table: Situation, mover: str, area: str, path: Path, inside: list[tuple[float, float]]) -> float:
    """How deep it gets into the area: at the ends and corners of the path, and half way through each stretch."""
    whole = length_mm(path)
    travels = {0.0, whole, *(t for first, last in inside for t in (first, (first + last) / 2, last))}
    travels |= {length_mm(path[: k + 1]) for k in range(len(path))}
    return max(_depth(table, mover, area, place_after(path, t)) for t in travels)


def _depth(table: Situation, mover: str, area: str, centre: Point) -> float:
    return reach_into(at(table.base(mover), centre), table.area(area))


def _ruled(table: Situation, mover: str, area: str, margin: float, entries: list[JsonValue], path: Path) -> Ruling:
    return Ruling(
        margin_mm=max(-CAPPED_MM, min(CAPPED_MM, margin)),
        zero_is_met=table.reading("area-touch") == "covered",
        value={"entries": entries},
        witness=(Witness(type="polyline", role="path", points_mm=path, of=(mover,)),),
        because=(_ENTER, _ONCE) if len(entries) > 1 else (_ENTER,),
        readings=("area-touch",),
        touches=(mover, area),
    )


def hazard(table: Situation, query: Hazard) -> Ruling:
    """Whether the mover suffers from a hazard it enters, or stands in at the end. Source: Hazards, p. 81."""
    me = table.miniature(query.mover)
    if me.has("flight") and "knocked-down" not in me.status:
        return Ruling(margin_mm=-CAPPED_MM, value={"by_id": {}}, because=(_HAZARD, _FLIES), touches=(me.id,))
    areas = hazards(table) if query.area is None else (query.area,)
    if not areas:
        return Ruling(margin_mm=-CAPPED_MM, value={"by_id": {}}, because=(_NONE,), touches=(me.id,))
    path = path_of(table, query.mover, query.path_mm) or (table.centre(me.id), table.centre(me.id))

    def about(nudged: Situation, _: str) -> Ruling:
        return any_of(tuple(_suffers(nudged, query, area, path) for area in areas))

    worst = max(areas, key=lambda area: _suffers(table, query, area, path).decisive_mm)
    ruling = about(table, me.id)
    by_id: dict[str, JsonValue] = {me.id: _entry(table, me.id, worst, path)} if is_met(ruling) else {}
    return Ruling(
        margin_mm=ruling.margin_mm,
        zero_is_met=ruling.zero_is_met,
        value={"by_id": by_id},
        witness=(Witness(type="polyline", role="path", points_mm=path, of=(me.id,)),),
        because=(_HAZARD,),
        readings=("area-touch",),
        touches=(me.id, *areas),
        members=considered(table, (me.id,), about),
    )


def hazards(table: Situation) -> tuple[str, ...]:
    """All that harms whoever enters it. Source: Hazards, p. 81."""
    things: list[Terrain | Effect] = [t for t in table.state.terrain if t.kind in HAZARDS]
    things += [e for e in table.state.effects if e.kind == "burning" or e.hazard is not None]
    return tuple(thing.id for thing in things)


def _suffers(table: Situation, query: Hazard, area: str, path: Path) -> Ruling:
    """Source: Hazards, p. 81: on entering, and on ending there."""
    inside = lengths_within(table.base(query.mover), path, table.area(area))
    depth = _deepest(table, query.mover, area, path, inside)
    covered = table.reading("area-touch") == "covered"
    margin = max(-CAPPED_MM, min(CAPPED_MM, depth))
    return Ruling(margin_mm=margin, zero_is_met=covered, because=(_HAZARD,), touches=(query.mover, area))


def _entry(table: Situation, mover: str, area: str, path: Path) -> dict[str, JsonValue]:
    inside = lengths_within(table.base(mover), path, table.area(area))
    first = min((first for first, _ in inside), default=math.nan)
    return {"area": area, "entry_mm": None if math.isnan(first) else first}
