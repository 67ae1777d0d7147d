"""Entry into an area, contact with what stands on the way, and hazards."""

import math
from dataclasses import replace

from pydantic import JsonValue

from models.queries import EntersArea, FirstContact, Hazard
from models.terrain import Effect, Terrain
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.distances import hinges
from referee.editions.warmachine.movement.fall import far_side_mm
from referee.editions.warmachine.movement.path import Path, path_of, trace_order, trace_things_on_way
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terrain.features import OBSTACLES, OBSTRUCTIONS, counts_as
from referee.geometry.containment import reach_into
from referee.geometry.shapes import Area
from referee.motion.sweep import lengths_within
from referee.motion.travel_budget import length_mm, meetings, place_after, place_shape
from referee.rules.candidates import evaluate_each, in_play, is_zero_or_more
from referee.rules.conditions import any_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult, Value, ask_for
from referee.rules.switches import EXACT_MM, is_at_least, is_more_than

_ENTER = because("Entering", 33, "It enters an area when it comes to be in it from outside, or is put there.")
_ONCE = because("Entering", 33, "Each advance enters an area once at most.")
_OWN = because("Entering", 33, "Only by a change of its own place does it enter, not when an area moves over it.")
_SAME = frozenset({"same-model-replaced", "area-moved"})
_CONTACT = because(
    "Base-to-Base & Contact", 33, "It contacts what it comes to touch, and what it touches and moves at."
)
_HAZARD = because("Hazards", 81, "Who enters a hazard, or ends its activation there, suffers from it.")
_FLIES = because("Hazards", 81, "Flight keeps out of it, unless knocked down there.")
_NONE = because("Hazards", 81, "There is no hazard on the way.")
HAZARDS = frozenset({"acid-bath", "burning-earth"})  # Source: Hazards, p. 81


def enters_area(table: ExactTable, query: EntersArea) -> RuleResult:
    """Entry into an area: whether it was outside the area and came to be inside. Source: Entering, p. 33."""
    put = query.cause in ("placed", "put-into-play", "replaced")
    path = path_of(table, query.mover, query.path_mm)
    if query.cause in _SAME:
        return RuleResult(
            margin_mm=-CAPPED_MM, value={"entries": []}, because=(_ENTER, _OWN), depends_on_place=(query.mover,)
        )
    if path is None and not put:
        return ask_for("path_mm", because=(_ENTER,), on=(query.mover,))
    if path is None:
        path = (table.centre(query.mover), table.centre(query.mover))
    return _answer_placement(table, query, path) if put else _answer_movement(table, query.mover, query.area, path)


def _answer_placement(table: ExactTable, query: EntersArea, path: Path) -> RuleResult:
    """Source: Entering and Placed, p. 33, 36: who is put into an area enters it."""
    depth = _depth_mm(table, query.mover, query.area, path[-1])
    entries: list[JsonValue] = [{"at_mm": list(path[-1])}] if depth >= 0 else []  # as the margin tells
    inside = RuleResult(margin_mm=depth, zero_is_met=_touch_is_within(table))
    return _answer_margin(table, query.mover, query.area, (inside,), entries, path)


def _answer_movement(table: ExactTable, mover: str, area: str, path: Path) -> RuleResult:
    """The lesser of how far outside it began and how deep it got; what touches at the start is within already."""
    before, touch_is_within = -_depth_mm(table, mover, area, path[0]), _touch_is_within(table)
    within = lengths_within(table.base(mover), path, table.area(area))
    whole = length_mm(path)
    deepest = deepest_mm(table, mover, area, path, within)
    compare = is_more_than if touch_is_within else is_at_least
    outside = compare(before, 0.0, "begins outside of", hinges(table, mover, area))
    starts = [first for first, last in within if last >= first and (first > 1e-9 or (outside and deepest > EXACT_MM))]
    if starts and not outside:
        before = CAPPED_MM  # it left the area and came back
    entries: list[JsonValue] = [{"at_mm": list(place_after(path, s)), "after_mm": s} for s in starts if s <= whole]
    conditions = (
        RuleResult(margin_mm=before, zero_is_met=not touch_is_within),
        RuleResult(margin_mm=deepest, zero_is_met=touch_is_within),
    )
    return _answer_margin(table, mover, area, conditions, entries, path)


def _touch_is_within(table: ExactTable) -> bool:
    return table.reading("area-touch") == "covered"


def deepest_mm(table: ExactTable, mover: str, area: str, path: Path, inside: list[tuple[float, float]]) -> float:
    """How deep it gets into the area: at the ends and corners of the path, and half way through each stretch."""
    whole = length_mm(path)
    travels = {0.0, whole, *(t for first, last in inside for t in (first, (first + last) / 2, last))}
    travels |= {length_mm(path[: k + 1]) for k in range(len(path))}
    return max(_depth_mm(table, mover, area, place_after(path, t)) for t in travels)


def _depth_mm(table: ExactTable, mover: str, area: str, centre: Point) -> float:
    return reach_into(place_shape(table.base(mover), centre), table.area(area))


def _answer_margin(
    table: ExactTable, mover: str, area: str, conditions: tuple[RuleResult, ...], entries: list[JsonValue], path: Path
) -> RuleResult:
    on = hinges(table, mover, area)
    margin = min(condition.decisive_mm for condition in conditions)
    binding = [condition for condition in conditions if condition.decisive_mm <= margin + EXACT_MM]
    each = tuple(replace(condition, depends_on_place=on) for condition in conditions)
    return RuleResult(
        margin_mm=max(-CAPPED_MM, min(CAPPED_MM, margin)),
        zero_is_met=all(condition.zero_is_met for condition in binding),
        conditions=each if len(each) > 1 else (),
        value={"entries": entries},
        witness=(Witness(type="polyline", role="path", points_mm=path, of=(mover,)),),
        because=(_ENTER, _ONCE) if len(entries) > 1 else (_ENTER,),
        readings=("area-touch",),
        depends_on_place=on,
    )


def first_contact(table: ExactTable, query: FirstContact) -> RuleResult:
    """First contact: what the base meets on its way, in order. Source: Base-to-Base & Contact, p. 33."""
    path = path_of(
        table,
        query.mover,
        query.path_mm,
        heading_deg=query.heading_deg,
        distance_mm=far_side_mm(table, query.distance_in),
    )
    if path is None:
        return ask_for("path_mm", because=(_CONTACT,), on=(query.mover,))
    grazing = table.reading("graze") != "passes"
    things = _solid_things(table, query.mover)
    met = meetings(table.base(query.mover), path, things, grazing=grazing)
    trace_things_on_way(table, query.mover, path, things, grazing=grazing)
    trace_order(table, query.mover, met)
    contacts: list[JsonValue] = [
        {"id": stop.id, "after_mm": stop.after_mm, "at_mm": list(place_after(path, stop.after_mm))} for stop in met
    ]
    return RuleResult(
        status="measured",
        value={"contacts": contacts},
        lengths_mm={stop.id: stop.after_mm for stop in met[:1]},
        witness=(Witness(type="polyline", role="path", points_mm=path, of=(query.mover,)),),
        because=(_CONTACT,),
        readings=("graze",),
        depends_on_place=(query.mover, *(stop.id for stop in met[:1])),
    )


def _solid_things(table: ExactTable, mover: str) -> tuple[tuple[str, Area], ...]:
    """Every base, and all terrain that is solid."""
    solid = (t for t in table.state.terrain if (counts_as(table, t) or "obstruction") in OBSTACLES | OBSTRUCTIONS)
    return tuple((id_, table.area(id_)) for id_ in (*in_play(table, mover), *(t.id for t in solid)))


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
    by_id: Value = {me.id: _entry_of(table, me.id, worst, path)} if is_zero_or_more(result) else {}
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
    """All terrain and effects that harm what enters them. Source: Hazards, p. 81."""
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


def _entry_of(table: ExactTable, mover: str, area: str, path: Path) -> Value:
    inside = lengths_within(table.base(mover), path, table.area(area))
    first = min((first for first, _ in inside), default=math.nan)
    return {"area": area, "entry_mm": None if math.isnan(first) else first}
