"""Radii: whose leadership counts, who must test for panic, who is protected, what a spell may be cast at."""

import math
from fractions import Fraction

from pydantic import JsonValue

from models.profile import Spell
from models.queries import CommandRange, LookOutSir, MoraleCheck, SpellTarget
from models.units import inches
from models.verdict import CAPPED_MM
from referee.clauses import listed_margins
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.arcs import depth_ahead_mm
from referee.editions.warhammer_9.engaged import engaged_with
from referee.editions.warhammer_9.formations import total_strength
from referee.editions.warhammer_9.measuring import apart, body
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    all_regiments,
    are_friends,
    kind_of,
    leading,
    members_of,
    regiment,
    regiment_of,
)
from referee.editions.warhammer_9.shooting import deeds_of
from referee.editions.warhammer_9.sight import sight_lines, what_hides
from referee.gaps import gap
from referee.motion import hull
from referee.ruling import Candidate, Ruling
from referee.shapes import Rounded
from referee.situation import Situation
from referee.telling import applied, length, name_of

_PRESENCE = because("Inspiring Presence", 85, "Within 12 in a unit may use the general's Leadership; 18 if it towers.")
_STANDARD = because("The Battle Standard", 85, "Units within 12 in roll failed panic and break tests again.")
_PANIC = because("Panic", 54, "Friends within 6 in test when a unit of strength 5 or more is destroyed or breaks.")
_LOSSES = because("Heavy Casualties", 54, "A unit that loses a quarter of its miniatures in a phase tests.")
_THROUGH = because("Panic", 54, "A unit that fleeing friends of strength 5 or more run through tests.")
_LOOK = because("Look Out Sir", 83, "Five others of its kind protect a character: in their unit always, near by on 4+.")
_CASTING = because("Choosing a Target", 28, "In front, in range, not engaged; missiles must see; hexes need no front.")
_NO_PRESENCE = frozenset({"war-beast", "monstrous-beast", "monster"})


def leadership_chance(ld: float, *, again: bool = False) -> dict[str, JsonValue]:
    """The chance of a Leadership test: two dice of at most this. Source: Leadership Tests, p. 11."""
    one = Fraction(sum(a + b <= ld for a in range(1, 7) for b in range(1, 7)), 36)
    twice = 1 - (1 - one) ** 2
    told: dict[str, JsonValue] = {"needs": ld, "dice": "2d6", "exact": str(one), "p": float(one)}
    return told | ({"with_reroll": str(twice)} if again else {})


def command_range(table: Situation, query: CommandRange) -> Ruling:
    """Whether the general's Leadership counts, or the standard's second roll. Source: p. 85; Towering, p. 67."""
    source = table.miniature(members_of(table, query.commander)[0])
    limit = parameters.TOWERING_MM if source.has("towering") else parameters.STANDARD_MM
    standard = query.purpose == "battle-standard"
    first = leading(table, query.who)
    between = apart(table, query.commander, query.who)
    wild = kind_of(first) in _NO_PRESENCE and "character" not in first.role and not first.has("mixed-unit")
    barred = not standard and wild
    fled = "fleeing" in first.status and standard
    margin = -CAPPED_MM if barred or fled else limit - max(0.0, between.mm)
    own = first.profile.ld or 0.0
    used = max(own, source.profile.ld or 0.0) if margin >= 0 and not standard else own
    value: dict[str, JsonValue] = {
        "stat": "ld",
        "range_mm": limit,
        "distance_mm": max(0.0, between.mm),
        "whole_unit": True,
        "ld": used,
    }
    if used:
        value["chance"] = leadership_chance(used, again=standard and margin >= 0)
    return Ruling(
        margin_mm=margin,
        value=value,
        lengths_mm={"distance": max(0.0, between.mm)},
        because=(applied(table, _STANDARD if standard else _PRESENCE, f"It is {length(max(0.0, between.mm))} away."),),
        readings=("unit-in-range", "garrison-edge"),
        touches=between.touches,
    )


def morale_check(table: Situation, query: MoraleCheck) -> Ruling:
    """Who must test for panic. Source: Panic, p. 54."""
    if query.cause == "casualties":
        return _losses(table, query)
    if query.source is None:
        return Ruling(status="unknown", needs=("source",), because=(_PANIC,))
    through = query.cause == "fled-through"
    strong = total_strength(table, query.source) >= parameters.FEW
    friends = [one for one in all_regiments(table) if one != query.source and are_friends(table, query.source, one)]
    steady = [one for one in friends if strong and not _is_busy(table, one)]
    members = tuple(_tester(table, query.source, one, through=through) for one in steady)
    tested = [m.id for m in members if m.ruling is not None and (m.ruling.margin_mm or 0.0) >= 0]
    value: dict[str, JsonValue] = {"when": "at once", "units": [*tested], "threshold": None}
    return Ruling(
        status="measured",
        value=value | {"chances": {one: _chance(table, one) for one in tested}},
        members=members,
        because=(applied(table, _THROUGH if through else _PANIC, f"{len(tested)} must test."),),
        readings=("unit-in-range", "garrison-edge"),
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
        between = apart(asked, source, id_)
        return Ruling(margin_mm=parameters.PANIC_MM - max(0.0, between.mm), touches=between.touches)

    return Candidate(id_, rule(table), rule)


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
    units = [query.unit] if query.unit is not None else [u.id for u in table.state.units if members_of(table, u.id)]
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
        found.append(_counted(table, one, holds=lost >= most))
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


def look_out_sir(table: Situation, query: LookOutSir) -> Ruling:
    """Whether others take the blow for a character. Source: Look Out Sir, p. 83; Shooting at Characters, p. 82."""
    own = leading(table, query.who)
    if own.unit is not None:
        like = _rank_and_file(table, own.unit, kind_of(own))
        safe = len(like) >= parameters.LOOK_OUT_RANK_AND_FILE
        how = "roll" if query.cause == "charge" else "automatic"
        return _protected(table, CAPPED_MM if safe else -CAPPED_MM, how, own.unit if safe else None, ())
    near = [
        (apart(table, query.who, one), one)
        for one in all_regiments(table)
        if one != query.who and are_friends(table, query.who, one)
        and len(_rank_and_file(table, one, kind_of(own))) >= parameters.LOOK_OUT_RANK_AND_FILE
    ]  # fmt: skip
    if not near or query.cause == "charge":
        return _protected(table, -CAPPED_MM, "roll", None, ())
    between, by = min(near, key=lambda found: found[0].mm)
    return _protected(table, parameters.LOOK_OUT_MM - max(0.0, between.mm), "roll", by, between.touches)


def _protected(table: Situation, margin: float, how: str, by: str | None, touches: tuple[str, ...]) -> Ruling:
    value: dict[str, JsonValue] = {"how": how if margin >= 0 else "none", "by": by}
    if margin >= 0:
        always: dict[str, JsonValue] = {"needs": None, "exact": "1", "p": 1.0}
        value["chance"] = {"needs": 4, "dice": "1d6", "exact": "1/2", "p": 0.5} if how == "roll" else always
    told = "Nobody is near enough." if by is None else f"{name_of(table, by)} protects it."
    return Ruling(margin_mm=margin, value=value, because=(applied(table, _LOOK, told),), touches=touches)


def _rank_and_file(table: Situation, unit: str, kind: str) -> list[str]:
    minis = (table.miniature(m) for m in members_of(table, unit))
    return [m.id for m in minis if kind_of(m) == kind and "character" not in m.role]


def spell_target(table: Situation, query: SpellTarget) -> Ruling:
    """Whether a spell may be cast at that. Source: Choosing a Target, p. 28; Spell Types, p. 28."""
    spell = _spell(table, query)
    limit = _spell_range_mm(spell, query)
    if limit is None:
        return Ruling(status="unknown", needs=("range_in",), because=(_CASTING,))
    kind = ("hex" if query.offensive is False else None) if spell is None else spell.type
    clauses, touches = _spell_clauses(table, query, kind or "direct-damage", limit)
    margin, reach = min(clauses.values()), clauses["range"]
    told = listed_margins(clauses)
    return Ruling(
        margin_mm=margin,
        value={"in_range": reach >= 0, "clauses": told},
        because=(applied(table, _CASTING, f"Range: {length(abs(reach))} {'to spare' if reach >= 0 else 'short'}."),),
        touches=touches,
        faces=members_of(table, query.caster)[:1],
    )


def _spell(table: Situation, query: SpellTarget) -> Spell | None:
    known = table.miniature(members_of(table, query.caster)[0]).profile.spells
    return next((one for one in known if query.spell is not None and one.name == query.spell), None)


def _spell_range_mm(spell: Spell | None, query: SpellTarget) -> float | None:
    if query.range_in is not None:
        return inches(query.range_in)
    told = None if spell is None else spell.rng_in
    return inches(told) if isinstance(told, int | float) else 0.0 if told == "self" else None


def _spell_clauses(
    table: Situation, query: SpellTarget, kind: str, limit_mm: float
) -> tuple[dict[str, float], tuple[str, ...]]:
    between = apart(table, query.origin if query.origin is not None else query.caster, query.target)
    found = {"range": limit_mm - max(0.0, between.mm)}
    touches = between.touches
    is_unit = query.target in {*all_regiments(table), *table.miniatures}
    if kind not in ("augment", "hex"):
        own = regiment(table, query.caster)
        found["front"] = max(depth_ahead_mm(own, p) for _, area in body(table, query.target) for p in area.parts)
        if is_unit:
            found["not-engaged"] = -CAPPED_MM if engaged_with(table, regiment_of(table, query.target)) else CAPPED_MM
    if kind == "missile" and is_unit and found["front"] >= 0:
        things = what_hides(table, query.caster, query.target)
        lines = sight_lines(table, query.caster, query.target, things)
        best = max(lines, key=lambda line: line.mm, default=None)
        found["sight"] = -CAPPED_MM if best is None else best.mm if best.mm > 1e-6 else min(best.mm, -1e-9)
        touches = tuple(dict.fromkeys((*touches, *(best.touches if best is not None else ()))))
    if is_unit and kind in ("missile", "direct-damage"):
        found["enemy"] = -CAPPED_MM if are_friends(table, query.caster, query.target) else CAPPED_MM
    return found, touches
