"""Shooting: who is barred from it, and what changes the roll to hit."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from pydantic import JsonValue

from models.miniature import Miniature
from models.pose import Pose
from models.profile import RangedWeapon
from models.queries import AttackModifiers, MayShoot
from models.turn import ThisTurn, UnitPose
from models.unit import Unit
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.cover import BONUS, grouped, main_kind, shelters
from referee.editions.warhammer_9.engaged import engaged_with
from referee.editions.warhammer_9.formations import total_strength
from referee.editions.warhammer_9.inside import inside_doubts, inside_excess_mm
from referee.editions.warhammer_9.measuring import apart, place_doubts
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    garrisoned,
    is_skirmishing,
    leading,
    members_of,
    regiment,
)
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied

_TO_HIT = because("Roll to Hit", 36, "7 less the skill is needed; modifiers change the roll, and a 1 always misses.")
_NOT = because("Shooting", 35, "Not after marching, reforming, rallying, charging or fleeing, and not while engaged.")
_BARRED = {
    "march": "marched", "reform": "reformed", "charge": "charged", "flee": "fled", "overrun": "overran",
    "pursuit": "pursued", 
}  # fmt: skip
_WATERS = parameters.RIVER_KINDS | {"deep-water", "marsh"}
_ON_THE_SPOT = frozenset({"vanguard"})  # Source: Vanguard, p. 67: it does not count as having moved


def weapon_of(table: Situation, attacker: str, name: str | None) -> RangedWeapon | None:
    """The missile weapon asked about, else the first that anybody of the unit carries."""
    carried = (one for m in members_of(table, attacker) for one in table.miniature(m).profile.ranged)
    return next((one for one in carried if name is None or one.name == name), None)


def deeds_of(table: Situation, id_: str) -> ThisTurn:
    """What the unit did this turn: told of it, else of its first member."""
    thing = table.state.by_id[id_]
    if isinstance(thing, Unit) and thing.this_turn != ThisTurn():
        return thing.this_turn
    return leading(table, id_).this_turn


def barred(table: Situation, attacker: str, weapon: RangedWeapon | None, *, volley: bool = False) -> list[str]:
    """Why the unit may not shoot. Source: Shooting, p. 34-35; Move or Fire, p. 63; Volley Fire, p. 68."""
    deeds, first = deeds_of(table, attacker), leading(table, attacker)
    nimble = first.has("skirmishers") or first.has("fast-cavalry") or is_skirmishing(table, attacker)
    free = {"marched", "reformed"} if nimble else set()
    found = [why for what, why in _BARRED.items() if what in deeds.moved and why not in free]
    found += ["charged"] * (deeds.charged is not None and "charged" not in found)
    found += ["failed-charge"] * deeds.charge_failed + ["rallied"] * deeds.rallied
    found += ["fleeing"] * ("fleeing" in first.status) + ["stupid"] * ("stupid" in first.status)
    found += ["engaged"] * bool(engaged_with(table, attacker))
    found += ["has-shot"] * deeds.shot
    rules = () if weapon is None else weapon.rules
    if "move-or-fire" in rules or first.type == "war-machine":
        found += ["move-or-fire"] * _has_moved_off(table, attacker)
    found += ["moved"] * (volley and has_moved(deeds)) + ["no-volley-fire"] * (volley and "volley-fire" not in rules)
    return list(dict.fromkeys(found))


def has_moved(deeds: ThisTurn) -> bool:
    """Whether it moved or turned this turn, in a way that shooting minds. Source: Moving and Shooting, p. 36."""
    return not _ON_THE_SPOT.issuperset(deeds.moved)


def _has_moved_off(table: Situation, attacker: str) -> bool:
    """Whether it moved before it fires what may not be fired on the move.

    A lone miniature may pivot; a machine by up to 45 degrees. Source: Move or Fire, p. 63; War Machines, p. 86.
    """
    deeds, ids = deeds_of(table, attacker), members_of(table, attacker)
    if set(deeds.moved) - _ON_THE_SPOT - {"pivot"}:
        return True
    if "pivot" not in deeds.moved or len(ids) > 1:
        return has_moved(deeds)
    return leading(table, attacker).type == "war-machine" and _turned_deg(table, ids[0], deeds) > parameters.PIVOT_DEG


def _turned_deg(table: Situation, id_: str, deeds: ThisTurn) -> float:
    """How far it has turned since its move began; too far where that is not told, as a pivot counts as a move then."""
    start = deeds.start
    if not isinstance(start, Pose | UnitPose) or start.facing_deg is None:
        return math.inf
    turn = math.remainder(table.facing_rad(id_) - math.radians(start.facing_deg), math.tau)
    return abs(math.degrees(turn))


def may_shoot(table: Situation, query: MayShoot) -> Ruling:
    """Whether nothing forbids the unit to shoot. Source: Shooting, p. 35; Move or Fire, p. 63."""
    reasons = barred(table, query.attacker, weapon_of(table, query.attacker, query.weapon))
    return Ruling(
        margin_mm=-CAPPED_MM if reasons else CAPPED_MM,
        value={"reasons": [*reasons]},
        because=(applied(table, _NOT, f"Against it: {', '.join(reasons)}." if reasons else "Nothing forbids it."),),
    )


@dataclass(frozen=True)
class Odds:
    """What one shot needs, and the chance of it."""

    modifiers: tuple[tuple[str, int, str], ...]
    needs: int
    chance: Fraction
    touches: tuple[str, ...]
    margin_mm: float

    @property
    def total(self) -> int:
        return sum(bonus for _, bonus, _ in self.modifiers)


def chance_of(needs: int) -> Fraction:
    """The chance to hit: 7, 8 and 9 are a 6 and then 4, 5 or 6; 10 is never. Source: Roll to Hit, p. 36."""
    if needs <= 6:
        return Fraction(7 - max(needs, 2), 6)
    return Fraction(max(0, 10 - needs), 36) if needs < 10 else Fraction(0)


def odds_of(
    table: Situation,
    attacker: str,
    target: str,
    weapon: RangedWeapon | None,
    *,
    volley: bool = False,
    reacting: bool = False,
    kind: str | None = None,
) -> Odds | None:
    """Everything that changes the roll to hit; None when no card tells the skill. Source: Roll to Hit, p. 36.

    `kind` is the cover the target has, when it is not that from most of the shooters.
    """
    skill = _skill(table, attacker)
    if skill is None:
        return None
    far = apart(table, attacker, target)
    found = list(_changes(table, attacker, target, weapon, far.mm, reacting=reacting))
    found += _cover_change(table, attacker, target, kind, volley=volley)
    if volley:
        found.append(("volley-fire", -1, "volley fire"))
    total = sum(bonus for _, bonus, _ in found)
    needs = max(2, 7 - skill - total)
    return Odds(tuple(found), needs, chance_of(needs), far.touches, parameters.CLOSE_MM - max(0.0, far.mm))


def _skill(table: Situation, attacker: str) -> int | None:
    skill = leading(table, attacker).profile.bs
    return None if skill is None else int(skill)


def _changes(
    table: Situation, attacker: str, target: str, weapon: RangedWeapon | None, apart_mm: float, *, reacting: bool
) -> Iterator[tuple[str, int, str]]:
    """Source: Shooting Modifiers, p. 36; Multiple Shots, p. 63; Skirmishers, Sniper, p. 65; War Machines, p. 87."""
    rules = () if weapon is None else weapon.rules
    is_machine = leading(table, attacker).type == "war-machine"
    if apart_mm < parameters.CLOSE_MM - 1e-9:
        yield "close-range", 1, "nearer than 4 in"
    if total_strength(table, target) >= parameters.LARGE_TARGET:
        yield "large-target", 1, "strength 40 or more"
    if has_moved(deeds_of(table, attacker)) and not reacting and "quick-to-fire" not in rules and not is_machine:
        yield "moved", -1, "moved this turn"
    if reacting:
        yield "stand-and-shoot", -1, "stands and shoots"
    if is_skirmishing(table, target):
        yield "skirmishing-target", -1, "the target skirmishes"
    if _is_swimming(table, target):
        yield "aquatic-target", -1, "the target is in the water, and at home there"
    if "multiple-shots" in rules and not reacting and not is_machine:
        yield "multiple-shots", -1, "several shots at once"
    if "sniper" in rules:
        yield "sniper", -1, "aims at one of them"


def odds_doubts(table: Situation, target: str, *, volley: bool = False) -> tuple[str, ...]:
    """The house rules on which it may hang what a shot needs, besides those of cover."""
    swims = all(table.miniature(m).has("aquatic") for m in members_of(table, target))
    return inside_doubts(table, target, (_WATERS if swims else set()) | ({"forest"} if volley else set()))


def _is_swimming(table: Situation, target: str) -> bool:
    """Whether a unit at home in water has most of its miniatures in it. Source: Aquatic, p. 57."""
    minis: list[Miniature] = [table.miniature(m) for m in members_of(table, target)]
    if not all(m.has("aquatic") for m in minis):
        return False
    waters = [t.id for t in table.state.terrain if t.kind in _WATERS]
    inside = sum(any(inside_excess_mm(table, m.id, water) > 0 for water in waters) for m in minis)
    return 2 * inside > len(minis)


def _cover_change(
    table: Situation, attacker: str, target: str, kind: str | None, *, volley: bool
) -> Iterator[tuple[str, int, str]]:
    """Source: Cover, p. 36; volley fire makes it one step less, not of garrisons or in forest, p. 68."""
    found = shelters(table, attacker, target)
    kind = main_kind(grouped(found)) if kind is None else kind
    by = dict.fromkeys(id_ for one in found.values() if one.kind == kind for id_, _ in one.by)
    steps = -BONUS[kind]
    steps -= bool(volley and steps and not _keeps_cover(table, target))
    if steps:
        yield ("hard-cover" if steps == 2 else "soft-cover"), -steps, ", ".join(by)


def _keeps_cover(table: Situation, target: str) -> bool:
    """Whether volley fire leaves its cover what it is: in a building, or mostly inside a forest."""
    if garrisoned(table, target) is not None:
        return True
    woods = [t.id for t in table.state.terrain if t.kind == "forest"]
    own = regiment(table, target)
    inside = sum(any(inside_excess_mm(table, m, wood) > 0 for wood in woods) for m in own.members)
    return 2 * inside > len(own.members)


def attack_modifiers(table: Situation, query: AttackModifiers) -> Ruling:
    """What changes the roll to hit, what is needed, and the chance. Source: Roll to Hit, p. 36."""
    if query.attack != "ranged":
        return _no_modifiers(table, query)
    weapon = weapon_of(table, query.attacker, query.weapon)
    odds = odds_of(table, query.attacker, query.target, weapon, reacting=query.reaction == "stand-and-shoot")
    if odds is None:
        return Ruling(status="unknown", needs=(f"profile.bs of {query.attacker}",), because=(_TO_HIT,))
    listed: list[JsonValue] = [
        {"name": name, "bonus": bonus, "bonus_to": "to-hit", "why": why} for name, bonus, why in odds.modifiers
    ]
    found, ends = shelters(table, query.attacker, query.target), (query.attacker, query.target)
    return Ruling(
        status="measured",
        margin_mm=odds.margin_mm,
        value={
            "modifiers": listed,
            "total": odds.total,
            "needs": odds.needs,
            "chance": {"needs": odds.needs, "dice": "1d6", "exact": str(odds.chance), "p": float(odds.chance)},
            "groups": [{"kind": kind, "shooters": [*ids]} for kind, ids in grouped(found).items()],
        },
        because=(applied(table, _TO_HIT, f"{odds.total:+d} in all: {odds.needs}+ is needed."),),
        readings=("obscured", "majority-inside"),
        doubtful=(*dict.fromkeys(key for one in found.values() for key in one.doubtful), *place_doubts(table, *ends)),
        retold=odds_doubts(table, query.target),
        touches=odds.touches,
    )


def _no_modifiers(table: Situation, query: AttackModifiers) -> Ruling:
    """Source: Magic Missiles, p. 28: they hit by themselves; To Hit in combat, p. 45: skill against skill."""
    says = (
        "A spell hits by itself." if query.attack == "magic" else "Blows are skill against skill, which no card tells."
    )
    return Ruling(status="measured", value={"modifiers": [], "total": 0}, because=(applied(table, _TO_HIT, says),))
