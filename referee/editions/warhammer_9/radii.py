"""Radii: whose leadership counts, and who must test for panic."""

import math
from fractions import Fraction

from pydantic import JsonValue

from models.miniature import Miniature
from models.queries import CommandRange, MoraleCheck
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.engaged import engaged_with
from referee.editions.warhammer_9.formations import strength_of
from referee.editions.warhammer_9.measuring import Apart, apart_by, radius_doubts, ruler
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    all_regiments,
    are_friends,
    kind_of,
    leading,
    left_of,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.shooting import deeds_of
from referee.gaps import gap
from referee.ruling import Candidate, Ruling
from referee.shapes import Rounded, hull
from referee.situation import Situation
from referee.telling import applied, length, name_of

_PRESENCE = because("Inspiring Presence", 85, "Within 12 in a unit may use the general's Leadership; 18 if it towers.")
_STANDARD = because("The Battle Standard", 85, "Units within 12 in roll failed panic and break tests again.")
_PANIC = because("Panic", 54, "Friends within 6 in test when a unit of strength 5 or more is destroyed or breaks.")
_LOSSES = because("Heavy Casualties", 54, "A unit that loses a quarter of its miniatures in a phase tests.")
_THROUGH = because("Panic", 54, "A unit that fleeing friends of strength 5 or more run through tests.")
_TERROR = because("Terror", 67, "Whom a terrible creature charges tests for panic before it reacts.")
_NO_PRESENCE = frozenset({"war-beast", "monstrous-beast", "monster"})


def leadership_chance(ld: float, *, again: bool = False) -> dict[str, JsonValue]:
    """The chance of a Leadership test: two dice of at most this. Source: Leadership Tests, p. 11."""
    one = Fraction(sum(a + b <= ld for a in range(1, 7) for b in range(1, 7)), 36)
    twice = 1 - (1 - one) ** 2
    told: dict[str, JsonValue] = {"needs": ld, "dice": "2d6", "exact": str(one), "p": float(one)}
    return told | ({"with_reroll": str(twice)} if again else {})


def command_range(table: Situation, query: CommandRange) -> Ruling:
    """Whether the general's Leadership counts, or the standard's second roll. Source: p. 85; Towering, p. 67."""
    source = _bearer(table, query.commander, query.purpose)
    limit = parameters.TOWERING_MM if source.has("towering") else parameters.STANDARD_MM
    standard = query.purpose == "battle-standard"
    between = apart_by(table, source.id, query.who)
    reasons = _deaf(table, source, query.who)
    margin = -CAPPED_MM if reasons else limit - max(0.0, between.mm)
    own = max((table.miniature(m).profile.ld or 0.0 for m in members_of(table, query.who)), default=0.0)
    used = max(own, source.profile.ld or 0.0) if margin >= 0 and not standard else own
    value: dict[str, JsonValue] = {
        "stat": "ld",
        "range_mm": limit,
        "distance_mm": max(0.0, between.mm),
        "whole_unit": True,
        "ld": used,
        "reasons": [*reasons],
    }
    if used:
        value["chance"] = leadership_chance(used, again=standard and margin >= 0)
    return Ruling(
        margin_mm=margin,
        value=value,
        lengths_mm={"distance": max(0.0, between.mm)},
        witness=() if table.lean else (ruler(table, between, "clear" if margin >= 0 else "blocked"),),
        because=(applied(table, _STANDARD if standard else _PRESENCE, f"It is {length(max(0.0, between.mm))} away."),),
        readings=("unit-in-range", "garrison-edge"),
        doubtful=tuple(radius_doubts(table, source.id, query.who)),
        touches=between.touches,
    )


def _bearer(table: Situation, commander: str, purpose: str | None) -> Miniature:
    """Who leads or bears the standard: of a unit the one with that office, else its first."""
    minis = [table.miniature(m) for m in members_of(table, commander)]
    office = "battle-standard" if purpose == "battle-standard" else "general"
    return next((m for m in minis if office in m.role), minis[0])


def _deaf(table: Situation, source: Miniature, who: str) -> list[str]:
    """Why neither leader nor standard counts for a unit. Source: Inspiring Presence, Hold Your Ground, p. 85."""
    first = leading(table, who)
    wild = kind_of(first) in _NO_PRESENCE and "character" not in first.role
    reasons = ["beast"] * (wild and not first.has("mixed-unit") and not first.has("sentient"))
    reasons += ["leader-flees"] * ("fleeing" in source.status)
    return reasons + ["not-a-friend"] * (not are_friends(table, source.id, who))


def morale_check(table: Situation, query: MoraleCheck) -> Ruling:
    """Who must test for panic. Source: Panic, p. 54; Terror, p. 67."""
    match query.cause:
        case "casualties":
            return _losses(table, query)
        case "terror":
            return _terrified(table, query)
        case "abomination":
            return Ruling(status="refused", because=(_PANIC,), unlock="terror", advice="This book knows terror only.")
    if query.source is None:
        return Ruling(status="unknown", needs=("source",), because=(_PANIC,))
    source, through = query.source, query.cause == "fled-through"
    strong = _strength_then(table, source) >= parameters.FEW
    friends = [one for one in _tested_ones(table, query) if one != source and are_friends(table, source, one)]
    steady = [one for one in friends if strong and not _is_busy(table, one) and not _is_worthless(table, source, one)]
    members = tuple(_tester(table, source, one, through=through) for one in steady)
    tested = [m.id for m in members if m.ruling is not None and (m.ruling.margin_mm or 0.0) >= 0]
    value: dict[str, JsonValue] = {"when": "at once", "units": [*tested], "threshold": None}
    return Ruling(
        status="measured",
        value=value | {"chances": {one: _chance(table, one) for one in tested}},
        members=members,
        because=(applied(table, _THROUGH if through else _PANIC, f"{len(tested)} must test."),),
        readings=("unit-in-range", "garrison-edge"),
        doubtful=tuple(dict.fromkeys(key for one in steady for key in radius_doubts(table, source, one))),
    )


def _tested_ones(table: Situation, query: MoraleCheck) -> tuple[str, ...]:
    return all_regiments(table) if query.unit is None else (query.unit,)


def _strength_then(table: Situation, source: str) -> float:
    """How strong a unit was before it was destroyed or broke: those who have just left play count too."""
    told = getattr(getattr(table.state.by_id[source], "started", None), "battle", None)
    left = [m.id for m in table.state.miniatures if source in (m.unit, m.id)]
    known = sum(strength_of(table, m) or 0.0 for m in left)
    return max(known, getattr(told, "strength", None) or 0.0) if not left_of(table, source) else known


def _is_worthless(table: Situation, source: str, one: str) -> bool:
    """The expendable scare only one another. Source: Expendable, p. 58."""
    gone = next((table.miniature(m.id) for m in table.state.miniatures if source in (m.unit, m.id)), None)
    return gone is not None and gone.has("expendable") and not leading(table, one).has("expendable")


def _terrified(table: Situation, query: MoraleCheck) -> Ruling:
    """Whom a charge of a terrible creature makes test: its target. Source: Terror, p. 67."""
    if query.source is None or query.unit is None:
        needs = tuple(name for name in ("source", "unit") if getattr(query, name) is None)
        return Ruling(status="unknown", needs=needs, because=(_TERROR,))
    immune = ("terror", "immunity-psychology", "unbreakable")
    calm = any(leading(table, query.unit).has(word) for word in immune)
    terrible = any(table.miniature(m).has("terror") for m in members_of(table, query.source))
    holds = terrible and not calm and not _is_busy(table, query.unit)
    return Ruling(
        status="measured",
        value={
            "when": "as the charge is declared",
            "units": [query.unit] * holds,
            "threshold": None,
            "chances": {query.unit: _chance(table, query.unit)} if holds else {},
        },
        members=(_counted(table, query.unit, holds=holds),),
        because=(applied(table, _TERROR, f"{name_of(table, query.unit)} {'tests' if holds else 'does not test'}."),),
    )


def _chance(table: Situation, id_: str) -> JsonValue:
    ld = leading(table, id_).profile.ld
    return None if ld is None else leadership_chance(ld)


def _is_busy(table: Situation, id_: str) -> bool:
    """Who fights, flees or has tested already does not test. Source: Panic, p. 54."""
    first = leading(table, id_)
    calm = first.has("immunity-psychology") or first.has("unbreakable")
    return calm or "fleeing" in first.status or first.this_turn.tested or bool(engaged_with(table, id_))


def _tester(table: Situation, source: str, id_: str, *, through: bool) -> Candidate:
    def rule(asked: Situation) -> Ruling:
        if through:
            mm = _crossed_mm(asked, source, id_)
            return Ruling(margin_mm=mm, touches=(members_of(asked, id_)[0],))
        between = _from_fallen(asked, source, id_)
        return Ruling(margin_mm=parameters.PANIC_MM - max(0.0, between.mm), touches=between.touches)

    return Candidate(id_, rule(table), rule)


def _from_fallen(table: Situation, source: str, id_: str) -> Apart:
    """From where a unit stands, or stood until just now. Source: Nearby Friend Annihilated, p. 54."""
    if left_of(table, source):
        return apart_by(table, source, id_)
    fallen = [m.id for m in table.state.miniatures if source in (m.unit, m.id)]
    return min((apart_by(table, m, id_) for m in fallen), key=lambda found: found.mm)


def _crossed_mm(table: Situation, source: str, id_: str) -> float:
    """How deep the way of a unit that fled leads through another: from where it began to where it stands."""
    now = regiment(table, source)
    start = deeds_of(table, source).start
    began = getattr(start, "front_mm", None) or getattr(start, "at_mm", None)
    if began is None:
        before = leading(table, source).before
        began = None if before is None else before.at_mm
    front = began if began is not None else now.front
    shift = (front[0] - now.front[0], front[1] - now.front[1])
    swept = Rounded(hull([*now.corners, *((x + shift[0], y + shift[1]) for x, y in now.corners)]))
    return max(-gap(swept, table.base(m)).mm for m in members_of(table, id_))


def _losses(table: Situation, query: MoraleCheck) -> Ruling:
    """Source: Panic, p. 54: a quarter or more, the count rounded up."""
    units = [query.unit] if query.unit is not None else [u.id for u in table.state.units if left_of(table, u.id)]
    value: dict[str, JsonValue] = {}
    found = []
    for one in units:
        thing = table.state.by_id[one]
        started = getattr(getattr(thing, "started", None), "phase", None)
        then = getattr(started, "models", None)
        if then is None:
            continue
        lost, most = then - len(members_of(table, one)), math.ceil(then / 4)
        value[one] = {"lost": lost, "threshold": most}
        found.append(_counted(table, one, holds=lost >= most and not _is_busy(table, one)))
    first = next(iter(value.values()), None)
    threshold = first["threshold"] if isinstance(first, dict) else None
    return Ruling(
        status="measured",
        value={"when": "end of phase", "threshold": threshold, "losses": value},
        members=tuple(found),
        because=(_LOSSES,),
    )


def _counted(table: Situation, id_: str, *, holds: bool) -> Candidate:
    def rule(_: Situation) -> Ruling:
        return Ruling(margin_mm=CAPPED_MM if holds else -CAPPED_MM)

    return Candidate(id_, rule(table), rule)
