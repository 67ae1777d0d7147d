"""Shooting: who may, with what, at what odds."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from pydantic import JsonValue

from models.profile import RangedWeapon
from models.queries import AttackModifiers, MayShoot, Shooters, ShootingIntoCombat
from models.terrain import Terrain
from models.turn import ThisTurn
from models.unit import Unit
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.arcs import depth_ahead_mm, quadrant
from referee.editions.warhammer_9.cover import shelter_from
from referee.editions.warhammer_9.engaged import engaged_with, free_sides, side_gap_mm
from referee.editions.warhammer_9.formations import total_strength
from referee.editions.warhammer_9.looking import Hidden
from referee.editions.warhammer_9.measuring import apart, body, weapon_range_mm
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    are_friends,
    garrisoned,
    is_skirmishing,
    leading,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.sight import sight_lines, what_hides
from referee.ruling import Candidate, Ruling
from referee.situation import Situation
from referee.telling import applied, length

_WHO = because("Shooting", 35, "A miniature shoots at what lies partly in its front, is seen and is in range.")
_RANKS = because("Fire in Two Ranks", 35, "The second rank looks through those directly ahead; no more ranks fire.")
_VOLLEY = because("Volley Fire", 68, "Unmoved, all ranks in range fire once one sees, beyond half the range, at -1.")
_TO_HIT = because("Roll to Hit", 36, "7 less the skill is needed; modifiers change the roll, and a 1 always misses.")
_NOT = because("Shooting", 35, "Not after marching, reforming, rallying, charging or fleeing, and not while engaged.")
_MELEE = because("Shooting", 35, "Into a combat only from within 4 in of a side nobody fights, at strength 5 or more.")
_BARRED = {
    "march": "marched", "reform": "reformed", "charge": "charged", "flee": "fled", "overrun": "overran",
    "pursuit": "pursued", 
}  # fmt: skip


@dataclass(frozen=True)
class Shooter:
    """One miniature that might shoot: the least of its conditions, and what that hangs on."""

    id: str
    rank: int
    margin_mm: float
    touches: tuple[str, ...]


def shooters(table: Situation, query: Shooters) -> Ruling:
    """How many may shoot. Source: Shooting, p. 35; Volley Fire, p. 68; Skirmishers, p. 65; Buildings, p. 99."""
    weapon = weapon_of(table, query.attacker, query.weapon)
    limit = weapon_range_mm(table, query.attacker, query.weapon)
    if weapon is None or limit is None:
        return Ruling(status="unknown", needs=(f"profile.ranged of {query.attacker}",), because=(_WHO,))
    volley = query.manner == "volley"
    reasons = barred(table, query.attacker, weapon, volley=volley)
    every = list(_volley(table, query, limit[1]) if volley else _direct(table, query, limit[1]))
    able = [one for one in every if one.margin_mm >= 0 and not reasons]
    best = max(every, key=lambda one: one.margin_mm, default=None)
    margin = -CAPPED_MM if reasons or best is None else best.margin_mm
    return Ruling(
        margin_mm=margin,
        value=_value(table, query, weapon, able, reasons),
        because=(applied(table, _VOLLEY if volley else _WHO, f"{len(able)} may shoot."), _RANKS, _NOT),
        members=() if table.lean else tuple(_candidate(query, one, bool(reasons)) for one in every),
        readings=("second-rank-range", "volley-sight", "shot-measured-to", "fire-past-friend"),
        touches=() if best is None else best.touches,
        faces=() if best is None else (best.id,),
    )


def _candidate(query: Shooters, one: Shooter, barred_: bool) -> Candidate:
    def rule(table: Situation) -> Ruling:
        limit = weapon_range_mm(table, query.attacker, query.weapon) or (0.0, 0.0)
        volley = query.manner == "volley"
        every = _volley(table, query, limit[1], only=one.id) if volley else _direct(table, query, limit[1], only=one.id)
        found = next(iter(every), one)
        return Ruling(margin_mm=found.margin_mm, touches=found.touches, faces=(found.id,))

    margin = -CAPPED_MM if barred_ else one.margin_mm
    return Candidate(one.id, Ruling(margin_mm=margin, touches=one.touches, faces=(one.id,)), rule)


def _value(
    table: Situation, query: Shooters, weapon: RangedWeapon, able: list[Shooter], reasons: list[str]
) -> dict[str, JsonValue]:
    by_rank: dict[str, JsonValue] = {}
    for one in able:
        by_rank[str(one.rank)] = int(str(by_rank.get(str(one.rank), 0))) + 1
    value: dict[str, JsonValue] = {"count": len(able), "by_rank": by_rank, "reasons": [*reasons]}
    if table.lean or not able:
        return value
    odds = odds_of(table, query.attacker, query.target, weapon, volley=query.manner == "volley")
    if odds is None:
        return value | {"unknown": ["profile.bs"]}
    return value | {"needs": odds.needs, "expected_hits": float(odds.chance * len(able))}


def _direct(table: Situation, query: Shooters, most_mm: float, only: str | None = None) -> Iterator[Shooter]:
    """Front rank, and the second through the eyes of those ahead; loose units all ranks; garrisons five a floor."""
    if garrisoned(table, query.attacker) is not None:
        yield from _garrison(table, query, most_mm)
        return
    own, loose = regiment(table, query.attacker), is_skirmishing(table, query.attacker)
    things = what_hides(table, query.attacker, query.target)
    for id_, (rank, _) in zip(own.members, own.cells, strict=True):
        if only is not None and id_ != only:
            continue
        eyes = id_ if rank == 0 or loose else own.in_front_of(id_) if rank == 1 else None
        if eyes is None:
            continue
        sight = sees(table, eyes, query.target, things)
        reach = _in_range(table, id_, eyes, query.target, most_mm)
        yield Shooter(id_, rank, min(sight[0], reach[0]), tuple(dict.fromkeys((id_, eyes, *sight[1], *reach[1]))))


def sees(table: Situation, eyes: str, target: str, things: tuple[Hidden, ...]) -> tuple[float, tuple[str, ...]]:
    """How well one sees a target through its own front: the depth in it where that is less than the clearance."""
    own = regiment(table, eyes)
    parts = [(m, part) for m, area in body(table, target) for part in area.parts]
    depth, deepest = max(((depth_ahead_mm(own, part), str(m)) for m, part in parts), key=lambda found: found[0])
    if depth < 0:
        return depth, (eyes, deepest)
    lines = sight_lines(table, eyes, target, things)
    best = max(lines, key=lambda line: line.mm, default=None)
    if best is None:
        return -parameters.CONTACT_MM, (eyes, deepest)
    clear = best.mm if best.mm > 1e-6 else min(best.mm, -1e-9)
    return (depth, (eyes, deepest)) if depth < clear else (clear, best.touches)


def _in_range(table: Situation, id_: str, eyes: str, target: str, most_mm: float) -> tuple[float, tuple[str, ...]]:
    """Range to the nearest base that lies in the front it shoots through. Source: Shooting, p. 35."""
    measured = id_ if table.reading("second-rank-range") == "own-base" else eyes
    own = regiment(table, eyes)
    if table.reading("shot-measured-to") == "nearest" or garrisoned(table, target) is not None:
        between_ = apart(table, measured, target)
        return most_mm - max(0.0, between_.mm), between_.touches
    near = [m for m in members_of(table, target) if depth_ahead_mm(own, table.base(m)) >= 0]
    found = min((apart(table, measured, m) for m in near), key=lambda one: one.mm, default=None)
    if found is None:
        return -CAPPED_MM, ()
    return most_mm - max(0.0, found.mm), found.touches


def _garrison(table: Situation, query: Shooters, most_mm: float) -> Iterator[Shooter]:
    """Five shooters a floor, all round, from the nearest point of the building. Source: Buildings, p. 99."""
    building = table.state.by_id[str(garrisoned(table, query.attacker))]
    floors = building.floors if isinstance(building, Terrain) and building.floors else 1
    far = apart(table, query.attacker, query.target)
    things = what_hides(table, query.attacker, query.target)
    first = members_of(table, query.attacker)[0]
    lines = sight_lines(table, first, query.target, things)
    clear = max((line.mm for line in lines), default=-CAPPED_MM)
    margin = min(most_mm - max(0.0, far.mm), clear)
    for id_ in members_of(table, query.attacker)[: 5 * floors]:
        yield Shooter(id_, 0, margin, far.touches)


def _volley(table: Situation, query: Shooters, most_mm: float, only: str | None = None) -> Iterator[Shooter]:
    """Everybody in range, once one of the front sees the target and it is farther than half the range."""
    own = regiment(table, query.attacker)
    things = what_hides(table, query.attacker, query.target)
    seen = max((sees(table, one, query.target, things) for one in own.rank(0)), key=lambda found: found[0])
    whole = apart(table, query.attacker, query.target)
    half = max(0.0, whole.mm) - most_mm / 2
    half = half if half > 1e-9 else min(half, -1e-9)  # exactly half is not beyond it
    for id_, (rank, _) in zip(own.members, own.cells, strict=True):
        if only is not None and id_ != only:
            continue
        mine = sees(table, id_, query.target, things) if table.reading("volley-sight") == "each" else seen
        near = apart(table, id_, query.target)
        margin = min(mine[0], half, most_mm - max(0.0, near.mm))
        yield Shooter(id_, rank, margin, tuple(dict.fromkeys((*near.touches, *mine[1][:4]))))


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
    """Why the unit may not shoot. Source: Shooting, p. 35; p. 62, 65, 68."""
    deeds, first = deeds_of(table, attacker), leading(table, attacker)
    nimble = first.has("skirmishers") or first.has("fast-cavalry") or is_skirmishing(table, attacker)
    free = {"marched", "reformed"} if nimble else set()
    found = [why for what, why in _BARRED.items() if what in deeds.moved and why not in free]
    found += ["charged"] * (deeds.charged is not None and "charged" not in found)
    found += ["failed-charge"] * deeds.charge_failed + ["rallied"] * deeds.rallied
    found += ["fleeing"] * ("fleeing" in first.status)
    found += ["engaged"] * bool(engaged_with(table, attacker))
    rules = () if weapon is None else weapon.rules
    has_moved = bool(deeds.moved)
    found += ["move-or-fire"] * (has_moved and ("move-or-fire" in rules or first.type == "war-machine"))
    found += ["moved"] * (volley and has_moved)
    return list(dict.fromkeys(found))


def may_shoot(table: Situation, query: MayShoot) -> Ruling:
    """Whether nothing forbids the unit to shoot. Source: Shooting, p. 35; Move or Fire, p. 62."""
    reasons = barred(table, query.attacker, weapon_of(table, query.attacker, query.weapon))
    return Ruling(
        margin_mm=-CAPPED_MM if reasons else CAPPED_MM,
        value={"reasons": [*reasons]},
        because=(applied(table, _NOT, f"Against it: {', '.join(reasons)}." if reasons else "Nothing forbids it."),),
        touches=members_of(table, query.attacker),
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
) -> Odds | None:
    """Everything that changes the roll to hit; None when no card tells the skill. Source: Roll to Hit, p. 36."""
    skill = leading(table, attacker).profile.bs
    if skill is None:
        return None
    far = apart(table, attacker, target)
    found = list(_changes(table, attacker, target, weapon, far.mm, reacting=reacting))
    found += _cover_change(table, attacker, target, volley)
    if volley:
        found.append(("volley-fire", -1, "volley fire"))
    total = sum(bonus for _, bonus, _ in found)
    needs = max(2, 7 - int(skill) - total)
    return Odds(tuple(found), needs, chance_of(needs), far.touches, parameters.CLOSE_MM - max(0.0, far.mm))


def _changes(
    table: Situation, attacker: str, target: str, weapon: RangedWeapon | None, apart_mm: float, *, reacting: bool
) -> Iterator[tuple[str, int, str]]:
    """Source: Shooting Modifiers, p. 36; Skirmishers, p. 65; Multiple Shots, p. 63; Sniper, p. 65."""
    rules = () if weapon is None else weapon.rules
    if apart_mm < parameters.CLOSE_MM - 1e-9:
        yield "close-range", 1, "nearer than 4 in"
    if total_strength(table, target) >= parameters.LARGE_TARGET:
        yield "large-target", 1, "strength 40 or more"
    if deeds_of(table, attacker).moved and not reacting:
        yield "moved", -1, "moved this turn"
    if reacting:
        yield "stand-and-shoot", -1, "stands and shoots"
    if is_skirmishing(table, target) and len(members_of(table, target)) > 1:
        yield "skirmishing-target", -1, "the target skirmishes"
    if "multiple-shots" in rules and not reacting:
        yield "multiple-shots", -1, "several shots at once"
    if "sniper" in rules:
        yield "sniper", -1, "aims at one of them"


def _cover_change(table: Situation, attacker: str, target: str, volley: bool) -> Iterator[tuple[str, int, str]]:
    """Source: Cover, p. 36; volley fire makes it one step less, not of garrisons or in forest, p. 68."""
    first = regiment(table, attacker).rank(0)
    shelter = shelter_from(table, first[len(first) // 2], target)
    steps = {"none": 0, "soft": 1, "hard": 2}[shelter.kind]
    sheltered = garrisoned(table, target) is not None or any(_is_forest(table, id_) for id_ in shelter.by)
    steps -= bool(volley and steps and not sheltered)
    if steps:
        yield ("hard-cover" if steps == 2 else "soft-cover"), -steps, ", ".join(shelter.by)


def _is_forest(table: Situation, id_: str) -> bool:
    return getattr(table.state.by_id.get(id_), "kind", None) == "forest"


def attack_modifiers(table: Situation, query: AttackModifiers) -> Ruling:
    """What changes the roll to hit, what is needed, and the chance. Source: Roll to Hit, p. 36."""
    weapon = weapon_of(table, query.attacker, query.weapon)
    odds = odds_of(table, query.attacker, query.target, weapon, reacting=query.reaction == "stand-and-shoot")
    if odds is None:
        return Ruling(status="unknown", needs=(f"profile.bs of {query.attacker}",), because=(_TO_HIT,))
    listed: list[JsonValue] = [
        {"name": name, "bonus": bonus, "bonus_to": "to-hit", "why": why} for name, bonus, why in odds.modifiers
    ]
    return Ruling(
        status="measured",
        margin_mm=odds.margin_mm,
        value={
            "modifiers": listed,
            "total": odds.total,
            "needs": odds.needs,
            "chance": {"needs": odds.needs, "dice": "1d6", "exact": str(odds.chance), "p": float(odds.chance)},
        },
        because=(applied(table, _TO_HIT, f"{odds.total:+d} in all: {odds.needs}+ is needed."),),
        readings=("obscured",),
        touches=odds.touches,
    )


def shooting_into_combat(table: Situation, query: ShootingIntoCombat) -> Ruling:
    """Whether a unit may shoot at an enemy that fights. Source: Shooting, p. 35."""
    foes = engaged_with(table, query.target)
    own = regiment(table, query.target)
    weapon = weapon_of(table, query.attacker, query.weapon)
    near = sorted((side_gap_mm(table, query.attacker, own, side), side) for side in free_sides(table, query.target))
    where = {quadrant(own, regiment(table, m).centre)[0] for m in members_of(table, query.attacker)}
    if table.reading("unengaged-side") == "in-arc-and-near":
        near = [found for found in near if found[1] in where]
    gap_mm, side = near[0] if near else (math.inf, "none")
    reach = parameters.INTO_COMBAT_MM - max(0.0, gap_mm) if near else -CAPPED_MM
    strength = total_strength(table, query.target)
    clauses = {
        "engaged": (bool(foes), CAPPED_MM),
        "near-a-free-side": (reach >= 0, reach),
        "strength": (strength >= parameters.FEW, CAPPED_MM),
        "no-template": (weapon is None or weapon.template is None, CAPPED_MM),
    }
    friends = [one for one in foes if are_friends(table, query.attacker, one)]
    failed = [name for name, (holds, _) in clauses.items() if not holds]
    margin = reach if not failed or failed == ["near-a-free-side"] else -CAPPED_MM
    between_ = apart(table, query.attacker, query.target)
    return Ruling(
        margin_mm=margin,
        value={
            "side": side,
            "ones_hit": [*friends],
            "clauses": [
                {"clause": name, "answer": "yes" if holds else "no", "margin_mm": mm if holds or mm < 0 else -mm}
                for name, (holds, mm) in clauses.items()
            ],
        },
        because=(applied(table, _MELEE, _near_side(gap_mm, side)),),
        readings=("unengaged-side", "fire-past-friend"),
        touches=between_.touches,
    )


def _near_side(gap_mm: float, side: str) -> str:
    return f"It is {length(max(0.0, gap_mm))} from the {side}." if math.isfinite(gap_mm) else "No side is free."
