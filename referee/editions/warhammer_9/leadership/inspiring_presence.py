"""Inspiring presence: whose Leadership a unit tests with, who is in command range, and the odds of the test."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, NamedTuple

from pydantic import JsonValue

from models.miniature import Miniature
from models.queries import CommandRange
from models.unit import Unit
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import ClosestBases, distance_as_agreed, radius_doubts, ruler
from referee.editions.warhammer_9.units.engagement import contact_between, contact_mm, engaged_with
from referee.editions.warhammer_9.units.regiment import are_friends, kind_of, leading_miniature, members_of, regiment_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

Office = Literal["general", "battle-standard"]
_NO_PRESENCE = frozenset({"war-beast", "monstrous-beast", "monster"})
_PRESENCE = because("Inspiring Presence", 85, "Within 12 in a unit may use the general's Leadership; 18 if it towers.")
_STANDARD = because("The Battle Standard", 85, "Units within 12 in roll failed panic and break tests again.")


class Presence(NamedTuple):
    """How far a bearer of an office stands from a unit, why he may not count for it, and whether he does."""

    between: ClosestBases
    limit_mm: float
    reasons: tuple[str, ...]
    margin_mm: float
    counts: bool


class Leadership(NamedTuple):
    """What a unit tests with: its value, and the general whose it is where it is not the unit's own."""

    ld: float
    general: str | None = None


def presence(table: ExactTable, source: Miniature, bearer: str) -> Presence:
    """Whether a general or a battle standard counts for a unit.

    Source: Inspiring Presence, Hold Your Ground, p. 85; Towering, p. 67.
    """
    limit = parameters.TOWERING_MM if source.has("towering") else parameters.STANDARD_MM
    between = distance_as_agreed(table, source.id, bearer)
    reasons = tuple(_why_out_of_command(table, source, bearer))
    margin = -CAPPED_MM if reasons else limit - max(0.0, between.mm)
    counts = is_at_least(margin, 0.0, f"is within {limit:g} mm of", between.depends_on)
    return Presence(between, limit, reasons, margin, counts)


def own_leadership(table: ExactTable, id_: str) -> float | None:
    """The highest Leadership among a unit and who joined it; None where no card has it. Source: Leadership, p. 11."""
    known = [ld for m in members_of(table, id_) if (ld := table.miniature(m).profile.ld) is not None]
    return max(known, default=None)


def leadership_of(table: ExactTable, id_: str, *, penalty: float = 0.0, steadfast: bool = False) -> Leadership | None:
    """What a unit tests with after a defeat by so much: its own, or the general's where he is near and it is higher.

    Who is steadfast loses nothing of its own. Source: Inspiring Presence, p. 85; Steadfast, p. 48.
    """
    own = own_leadership(table, id_)
    if own is None:
        return None
    fear = fear_penalty(table, id_)
    best = Leadership(own - fear - (0.0 if steadfast else penalty))
    for bearer in _bearers(table, "general", id_):
        ld = (bearer.profile.ld or 0.0) - fear - penalty
        if ld > best.ld and presence(table, bearer, id_).counts:
            best = Leadership(ld, bearer.id)
    return best


def fear_penalty(table: ExactTable, id_: str) -> int:
    """What those in contact take off a unit's Leadership: 1 for fear, 2 for terror, of those most of it heed.

    Source: Fear, p. 59; Immunity, p. 61; Terror, p. 67.
    """
    minis = [table.miniature(m) for m in members_of(table, id_)]
    calm, fearsome = (
        2 * sum(any(m.has(word) for word in traits) for m in minis) > len(minis)
        for traits in (("immunity-psychology", "terror"), ("fear",))
    )
    foes = [m for foe in engaged_with(table, id_) for m in members_of(table, foe) if table.miniature(m).has("fear")]
    near = [contact_between(table, m.id, foe) for foe in foes for m in minis] if not calm else []
    met = [foe for foe in near if is_at_least(contact_mm(table), foe.mm, "touches", foe.depends_on)]
    worst = max((1 + table.miniature(foe.depends_on[1]).has("terror") for foe in met), default=0)
    return max(0, worst - fearsome)


def standard_near(table: ExactTable, id_: str) -> str | None:
    """The battle standard that lets a unit roll failed panic and break tests again. Source: Hold Your Ground, p. 85."""
    return next(
        (bearer.id for bearer in _bearers(table, "battle-standard", id_) if presence(table, bearer, id_).counts), None
    )


def panic_chance(table: ExactTable, id_: str) -> JsonValue:
    """The chance to pass a panic test; None where no card has the Leadership. Source: p. 11, 85."""
    led = leadership_of(table, id_)
    return None if led is None else led_chance(led, again=standard_near(table, id_) is not None)


def manoeuvre_chance(table: ExactTable, id_: str) -> JsonValue:
    """The chance of a test to march, redirect a charge, reform or restrain: a champion lets his unit roll again.

    Source: Champions, p. 79.
    """
    led = leadership_of(table, id_)
    return None if led is None else led_chance(led, again=_has_champion(table, id_))


def led_chance(led: Leadership, *, again: bool = False) -> dict[str, JsonValue]:
    """The chance of a test with that value, and whose it is where a general lends it."""
    lent: dict[str, JsonValue] = {} if led.general is None else {"general": led.general}
    return leadership_chance(led.ld, again=again) | lent


def command_doubts(table: ExactTable, id_: str) -> tuple[str, ...]:
    """House rules on which it may hang whether a general or a battle standard is near."""
    bearers = [bearer for office in ("general", "battle-standard") for bearer in _bearers(table, office, id_)]
    return tuple(dict.fromkeys(key for bearer in bearers for key in radius_doubts(table, bearer.id, id_)))


def _bearers(table: ExactTable, office: Office | str, id_: str) -> Iterator[Miniature]:
    """The friends on the table who bear an office."""
    for miniature in table.state.miniatures:
        if office in miniature.role and "removed" not in miniature.status and are_friends(table, miniature.id, id_):
            yield miniature


def _why_out_of_command(table: ExactTable, source: Miniature, bearer: str) -> Iterator[str]:
    """Why neither leader nor standard counts for a unit. Source: Inspiring Presence, Hold Your Ground, p. 85."""
    first = leading_miniature(table, bearer)
    wild = kind_of(first) in _NO_PRESENCE and "character" not in first.role
    if wild and not first.has("mixed-unit") and not first.has("sentient"):
        yield "beast"
    if "fleeing" in source.status:
        yield "leader-flees"
    if not are_friends(table, source.id, bearer):
        yield "not-a-friend"


def _has_champion(table: ExactTable, id_: str) -> bool:
    unit = table.state.by_id[regiment_of(table, id_)]
    has_champion = isinstance(unit, Unit) and bool(unit.champion)
    return has_champion or any("champion" in table.miniature(m).role for m in members_of(table, id_))


def command_range(table: ExactTable, query: CommandRange) -> RuleResult:
    """Command range: whether the general's Leadership counts, or the standard's second roll.

    Source: p. 85; Towering, p. 67.
    """
    source = _office_bearer(table, query.commander, query.purpose)
    standard = query.purpose == "battle-standard"
    between, limit, reasons, margin, counts = presence(table, source, query.who)
    own = own_leadership(table, query.who) or 0.0
    used = max(own, source.profile.ld or 0.0) if counts and not standard else own
    used -= fear_penalty(table, query.who) if used else 0
    value: dict[str, JsonValue] = {
        "stat": "ld",
        "range_mm": limit,
        "distance_mm": max(0.0, between.mm),
        "whole_unit": True,
        "ld": used,
        "reasons": [*reasons],
    }
    if used:
        value["chance"] = leadership_chance(used, again=standard and counts)
    return RuleResult(
        margin_mm=margin,
        value=value,
        lengths_mm={"distance": max(0.0, between.mm)},
        witness=() if table.margins_only else (ruler(table, between, "clear" if counts else "blocked"),),
        because=(
            with_effect(
                table, _STANDARD if standard else _PRESENCE, f"It is {format_length(max(0.0, between.mm))} away."
            ),
        ),
        readings=("unit-in-range", "garrison-edge"),
        doubtful=tuple(radius_doubts(table, source.id, query.who)),
        depends_on_place=between.depends_on,
    )


def _office_bearer(table: ExactTable, commander: str, purpose: str | None) -> Miniature:
    """Who leads or bears the standard: of a unit the one with that office, else its first."""
    minis = [table.miniature(m) for m in members_of(table, commander)]
    office = "battle-standard" if purpose == "battle-standard" else "general"
    return next((m for m in minis if office in m.role), minis[0])


def leadership_chance(ld: float, *, again: bool = False) -> dict[str, JsonValue]:
    """Leadership test: the chance to roll at most this on two dice. Source: Leadership Tests, p. 11."""
    chance = Fraction(sum(a + b <= ld for a in range(1, 7) for b in range(1, 7)), 36)
    twice = 1 - (1 - chance) ** 2
    value: dict[str, JsonValue] = {"needs": ld, "dice": "2d6", "exact": str(chance), "p": float(chance)}
    return value | ({"with_reroll": str(twice)} if again else {})
