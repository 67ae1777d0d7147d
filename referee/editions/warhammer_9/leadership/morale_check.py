"""Morale checks: who must test for panic or terror, and the odds of a break test."""

import math

from pydantic import JsonValue

from models.queries import MoraleCheck, Steadfast
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.combat.combat_bonuses import steadfast
from referee.editions.warhammer_9.leadership.inspiring_presence import (
    command_doubts,
    leadership_of,
    led_chance,
    panic_chance,
    standard_near,
)
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import ClosestBases, distance_as_agreed, radius_doubts
from referee.editions.warhammer_9.units.engagement import engaged_with
from referee.editions.warhammer_9.units.regiment import (
    all_regiments,
    are_friends,
    leading_miniature,
    members_left,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.units.unit_strength import strength_of, this_turn_of
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape, convex_hull
from referee.rules.candidates import is_met
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import name_of, with_effect
from referee.rules.rule_result import Candidate, RuleResult

_PANIC = because("Panic", 54, "Friends within 6 in test when a unit of strength 5 or more is destroyed or breaks.")
_LOSSES = because("Heavy Casualties", 54, "A unit that loses a quarter of its miniatures in a phase tests.")
_THROUGH = because("Panic", 54, "A unit that fleeing friends of strength 5 or more run through tests.")
_TERROR = because("Terror", 67, "Whom a terrible creature charges tests for panic before it reacts.")
_BREAK = because("Taking a Break Test", 48, "Two dice, at most its Leadership less the difference it lost by.")


def morale_check(table: ExactTable, query: MoraleCheck) -> RuleResult:
    """Panic, terror and defeat: who must test. Source: Panic, p. 54; Terror, p. 67; Taking a Break Test, p. 48."""
    match query.cause:
        case "casualties":
            return _heavy_casualties(table, query)
        case "terror":
            return _terror_test(table, query)
        case "break":
            return break_test(table, query)
        case "abomination":
            return RuleResult(
                status="refused", because=(_PANIC,), unlock="terror", advice="This book knows terror only."
            )
    if query.source is None:
        return RuleResult(status="unknown", needs=("source",), because=(_PANIC,))
    source, through = query.source, query.cause == "fled-through"
    strong = _strength_before_loss(table, source) >= parameters.FEW
    asked = all_regiments(table) if query.unit is None else (query.unit,)
    friends = [unit for unit in asked if unit != source and are_friends(table, source, unit)]
    steady = [
        unit
        for unit in friends
        if strong and not _is_exempt(table, unit) and not _is_expendable_loss(table, source, unit)
    ]
    members = tuple(_panic_candidate(table, source, unit, through=through) for unit in steady)
    tested = [m.id for m in members if m.result is not None and is_met(m.result, "has to test with")]
    value: dict[str, JsonValue] = {"when": "at once", "units": [*tested], "threshold": None}
    return RuleResult(
        status="measured",
        value=value | {"chances": {unit: panic_chance(table, unit) for unit in tested}},
        members=members,
        because=(with_effect(table, _THROUGH if through else _PANIC, f"{len(tested)} must test."),),
        readings=("unit-in-range", "garrison-edge"),
        doubtful=tuple(dict.fromkeys(key for unit in steady for key in radius_doubts(table, source, unit))),
        outcome_house_rules=tuple(dict.fromkeys(key for unit in tested for key in command_doubts(table, unit))),
    )


def _strength_before_loss(table: ExactTable, source: str) -> float:
    """How strong a unit was before it was destroyed or broke: those who have just left play count too."""
    stated = getattr(getattr(table.state.by_id[source], "started", None), "battle", None)
    left = [m.id for m in table.state.miniatures if source in (m.unit, m.id)]
    known = sum(strength_of(table, m) or 0.0 for m in left)
    return max(known, getattr(stated, "strength", None) or 0.0) if not members_left(table, source) else known


def _is_expendable_loss(table: ExactTable, source: str, lost_unit: str) -> bool:
    """The expendable scare only one another. Source: Expendable, p. 58."""
    gone = next((table.miniature(m.id) for m in table.state.miniatures if source in (m.unit, m.id)), None)
    return gone is not None and gone.has("expendable") and not leading_miniature(table, lost_unit).has("expendable")


def _terror_test(table: ExactTable, query: MoraleCheck) -> RuleResult:
    """Whom a charge of a terrible creature makes test: its target. Source: Terror, p. 67."""
    if query.source is None or query.unit is None:
        needs = tuple(name for name in ("source", "unit") if getattr(query, name) is None)
        return RuleResult(status="unknown", needs=needs, because=(_TERROR,))
    immune = ("terror", "immunity-psychology", "unbreakable")
    calm = any(leading_miniature(table, query.unit).has(word) for word in immune)
    terrible = any(table.miniature(m).has("terror") for m in members_of(table, query.source))
    holds = terrible and not calm and not _is_exempt(table, query.unit)
    return RuleResult(
        status="measured",
        value={
            "when": "as the charge is declared",
            "units": [query.unit] * holds,
            "threshold": None,
            "chances": {query.unit: panic_chance(table, query.unit)} if holds else {},
        },
        members=(_certain_candidate(table, query.unit, holds=holds),),
        because=(
            with_effect(table, _TERROR, f"{name_of(table, query.unit)} {'tests' if holds else 'does not test'}."),
        ),
        readings=("unit-in-range", "garrison-edge"),
        outcome_house_rules=command_doubts(table, query.unit) if holds else (),
    )


def _is_exempt(table: ExactTable, id_: str) -> bool:
    """Who fights, flees or has tested already does not test. Source: Panic, p. 54."""
    first = leading_miniature(table, id_)
    calm = first.has("immunity-psychology") or first.has("unbreakable")
    return calm or "fleeing" in first.status or this_turn_of(table, id_).tested or bool(engaged_with(table, id_))


def _panic_candidate(table: ExactTable, source: str, id_: str, *, through: bool) -> Candidate:
    def rule(asked: ExactTable) -> RuleResult:
        if through:
            mm = _crossing_depth_mm(asked, source, id_)
            return RuleResult(margin_mm=mm, depends_on_place=(members_of(asked, id_)[0],))
        between = _distance_from_source(asked, source, id_)
        return RuleResult(margin_mm=parameters.PANIC_MM - max(0.0, between.mm), depends_on_place=between.depends_on)

    return Candidate(id_, rule(table), rule)


def _distance_from_source(table: ExactTable, source: str, id_: str) -> ClosestBases:
    """From where a unit stands, or stood until just now. Source: Nearby Friend Annihilated, p. 54."""
    if members_left(table, source):
        return distance_as_agreed(table, source, id_)
    fallen = [m.id for m in table.state.miniatures if source in (m.unit, m.id)]
    return min((distance_as_agreed(table, m, id_) for m in fallen), key=lambda closest: closest.mm)


def _crossing_depth_mm(table: ExactTable, source: str, id_: str) -> float:
    """How deep the way of a unit that fled leads through another: from where it began to where it stands."""
    now = regiment(table, source)
    start = this_turn_of(table, source).start
    began = getattr(start, "front_mm", None) or getattr(start, "at_mm", None)
    if began is None:
        before = leading_miniature(table, source).before
        began = None if before is None else before.at_mm
    front = began if began is not None else now.front
    shift = (front[0] - now.front[0], front[1] - now.front[1])
    swept = RoundedShape(convex_hull([*now.corners, *((x + shift[0], y + shift[1]) for x, y in now.corners)]))
    return max(-gap(swept, table.base(m)).mm for m in members_of(table, id_))


def _heavy_casualties(table: ExactTable, query: MoraleCheck) -> RuleResult:
    """Source: Panic, p. 54: a quarter or more, the count rounded up."""
    units = [query.unit] if query.unit is not None else [u.id for u in table.state.units if members_left(table, u.id)]
    value: dict[str, JsonValue] = {}
    losses = []
    for unit in units:
        thing = table.state.by_id[unit]
        started = getattr(getattr(thing, "started", None), "phase", None)
        then = getattr(started, "models", None)
        if then is None:
            then = len(members_of(table, unit))  # nothing told of it: the phase begins now
        lost, most = then - len(members_of(table, unit)), math.ceil(then / 4)
        value[unit] = {"lost": lost, "threshold": most}
        losses.append(_certain_candidate(table, unit, holds=lost >= most and not _is_exempt(table, unit)))
    first = next(iter(value.values()), None)
    threshold = first["threshold"] if isinstance(first, dict) else None
    return RuleResult(
        status="measured",
        value={"when": "end of phase", "threshold": threshold, "losses": value},
        members=tuple(losses),
        because=(_LOSSES,),
    )


def _certain_candidate(table: ExactTable, id_: str, *, holds: bool) -> Candidate:
    def rule(_: ExactTable) -> RuleResult:
        return RuleResult(margin_mm=CAPPED_MM if holds else -CAPPED_MM)

    return Candidate(id_, rule(table), rule)


def break_test(table: ExactTable, query: MoraleCheck) -> RuleResult:
    """Break test: what a unit needs to stand after it lost by so much.

    Steadfast units lose nothing of their own Leadership, unbreakable ones take no test. Source: Taking a Break Test,
    Steadfast, p. 48; Inspiring Presence, Hold Your Ground, p. 85; Unbreakable, p. 67.
    """
    missing = tuple(name for name in ("unit", "lost_by") if getattr(query, name) is None)
    if query.unit is None or query.lost_by is None:
        return RuleResult(status="unknown", needs=missing, because=(_BREAK,))
    held = steadfast(table, Steadfast(unit=query.unit))
    firm = (held.margin_mm or 0.0) > 0
    led = leadership_of(table, query.unit, penalty=query.lost_by, steadfast=firm)
    if led is None:
        return RuleResult(status="unknown", needs=(f"profile.ld of {query.unit}",), because=(_BREAK,))
    tests = not leading_miniature(table, query.unit).has("unbreakable")
    standard = standard_near(table, query.unit)
    chance: JsonValue = led_chance(led, again=standard is not None) if tests else None
    value: dict[str, JsonValue] = {
        "when": "after the combat",
        "units": [query.unit] * tests,
        "threshold": None,
        "steadfast": firm,
        "ld": led.ld,
        "general": led.general,
        "battle_standard": standard,
        "chances": {query.unit: chance} if tests else {},
    }
    says = f"{name_of(table, query.unit)} stands on {led.ld:g} or less." if tests else "It does not break."
    return RuleResult(
        status="measured",
        value=value,
        members=(_candidate(query.unit, tests=tests),),
        because=(with_effect(table, _BREAK, says), *held.because),
        readings=(*held.readings, "unit-in-range", "garrison-edge"),
        outcome_house_rules=(*held.outcome_house_rules, *command_doubts(table, query.unit)),
    )


def _candidate(id_: str, *, tests: bool) -> Candidate:
    result = RuleResult(margin_mm=CAPPED_MM if tests else -CAPPED_MM)
    return Candidate(id_, result, lambda _: result)
