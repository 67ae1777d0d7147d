"""Attack modifiers: what changes the roll to hit, and the chance that is left."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from pydantic import JsonValue

from models.miniature import Miniature
from models.profile import RangedWeapon
from models.queries import AttackModifiers
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.line_of_sight.cover import cover_by_shooter
from referee.editions.warhammer_9.line_of_sight.shelter import BONUS, group_by_cover, majority_cover
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.shooting.may_shoot import weapon_of
from referee.editions.warhammer_9.units.distances import ClosestBases, closest_bases, place_doubts
from referee.editions.warhammer_9.units.in_area import inside_doubts, is_mostly_inside
from referee.editions.warhammer_9.units.regiment import (
    garrisoned_building,
    is_skirmishing,
    leading_miniature,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.units.unit_strength import has_moved, total_strength
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_more_than

_TO_HIT = because("Roll to Hit", 36, "7 less the skill is needed; modifiers change the roll, and a 1 always misses.")
_WATERS = parameters.RIVER_KINDS | {"deep-water", "marsh"}


@dataclass(frozen=True)
class ToHitRoll:
    """To-hit roll: its modifiers, what is needed, and the chance."""

    modifiers: tuple[tuple[str, int, str], ...]
    needs: int
    chance: Fraction
    depends_on: tuple[str, ...]
    margin_mm: float
    skill: int

    @property
    def total(self) -> int:
        return sum(bonus for _, bonus, _ in self.modifiers)


def to_hit_chance(needs: int) -> Fraction:
    """Chance to hit: 7, 8 and 9 are a 6 and then 4, 5 or 6; 10 is never. Source: Roll to Hit, p. 36."""
    if needs <= 6:
        return Fraction(7 - max(needs, 2), 6)
    return Fraction(max(0, 10 - needs), 36) if needs < 10 else Fraction(0)


def to_hit_roll(
    table: ExactTable,
    attacker: str,
    target: str,
    weapon: RangedWeapon | None,
    *,
    volley: bool = False,
    reacting: bool = False,
    kind: str | None = None,
) -> ToHitRoll | None:
    """To-hit roll with all its modifiers; None when no card has the skill. Source: Roll to Hit, p. 36.

    `kind` is the cover the target has, when it is not that from most of the shooters.
    """
    skill = _ballistic_skill(table, attacker)
    if skill is None:
        return None
    far = closest_bases(table, attacker, target)
    modifiers = list(_modifiers(table, attacker, target, weapon, far, reacting=reacting))
    modifiers += _cover_change(table, attacker, target, kind, volley=volley)
    if volley:
        modifiers.append(("volley-fire", -1, "volley fire"))
    total = sum(bonus for _, bonus, _ in modifiers)
    needs = max(2, 7 - skill - total)
    return ToHitRoll(
        tuple(modifiers), needs, to_hit_chance(needs), far.depends_on, parameters.CLOSE_MM - max(0.0, far.mm), skill
    )


def _ballistic_skill(table: ExactTable, attacker: str) -> int | None:
    skill = leading_miniature(table, attacker).profile.bs
    return None if skill is None else int(skill)


def _modifiers(
    table: ExactTable, attacker: str, target: str, weapon: RangedWeapon | None, far: ClosestBases, *, reacting: bool
) -> Iterator[tuple[str, int, str]]:
    """Source: Shooting Modifiers, p. 36; Multiple Shots, p. 63; Skirmishers, Sniper, p. 65; War Machines, p. 87."""
    rules = () if weapon is None else weapon.rules
    is_machine = leading_miniature(table, attacker).type == "war-machine"
    if is_more_than(parameters.CLOSE_MM, far.mm, "is nearer than 4 in to", far.depends_on):
        yield "close-range", 1, "nearer than 4 in"
    if total_strength(table, target) >= parameters.LARGE_TARGET:
        yield "large-target", 1, "strength 40 or more"
    if has_moved(table, attacker) and not reacting and "quick-to-fire" not in rules and not is_machine:
        yield "moved", -1, "moved this turn"
    if reacting:
        yield "stand-and-shoot", -1, "stands and shoots"
    if is_skirmishing(table, target):
        yield "skirmishing-target", -1, "the target skirmishes"
    if _is_swimming(table, target):
        yield "aquatic-target", -1, "the target is in the water, and at home there"
    if _fires_several(table, attacker, weapon) and not reacting and not is_machine:
        yield "multiple-shots", -1, "several shots at once"
    if "sniper" in rules:
        yield "sniper", -1, "aims at one of them"


def _fires_several(table: ExactTable, attacker: str, weapon: RangedWeapon | None) -> bool:
    """Whether it may fire several shots: bows and slings, which fire in volleys, only where it has not moved.

    Source: Multiple Shots, p. 63; Missile Weapons, p. 75.
    """
    rules = () if weapon is None else weapon.rules
    return "multiple-shots" in rules and not ("volley-fire" in rules and has_moved(table, attacker))


def to_hit_doubts(table: ExactTable, target: str, *, volley: bool = False) -> tuple[str, ...]:
    """House rules on which a to-hit roll may depend, besides those of cover."""
    swims = all(table.miniature(m).has("aquatic") for m in members_of(table, target))
    return inside_doubts(table, target, (_WATERS if swims else set()) | ({"forest"} if volley else set()))


def _is_swimming(table: ExactTable, target: str) -> bool:
    """Whether a unit at home in water has most of its miniatures in it. Source: Aquatic, p. 57."""
    minis: list[Miniature] = [table.miniature(m) for m in members_of(table, target)]
    if not all(m.has("aquatic") for m in minis):
        return False
    waters = [t.id for t in table.state.terrain if t.kind in _WATERS]
    inside = sum(any(is_mostly_inside(table, m.id, water) for water in waters) for m in minis)
    return 2 * inside > len(minis)


def _cover_change(
    table: ExactTable, attacker: str, target: str, kind: str | None, *, volley: bool
) -> Iterator[tuple[str, int, str]]:
    """Source: Cover, p. 36; volley fire makes it one step less, not of garrisons or in forest, p. 68."""
    shelters = cover_by_shooter(table, attacker, target)
    kind = majority_cover(group_by_cover(shelters)) if kind is None else kind
    by = dict.fromkeys(id_ for shelter in shelters.values() if shelter.kind == kind for id_, _ in shelter.obscured_by)
    steps = -BONUS[kind]
    steps -= bool(volley and steps and not _is_cover_kept(table, target))
    if steps:
        yield ("hard-cover" if steps == 2 else "soft-cover"), -steps, ", ".join(by)


def _is_cover_kept(table: ExactTable, target: str) -> bool:
    """Whether volley fire leaves its cover what it is: in a building, or mostly inside a forest."""
    if garrisoned_building(table, target) is not None:
        return True
    woods = [t.id for t in table.state.terrain if t.kind == "forest"]
    own = regiment(table, target)
    inside = sum(any(is_mostly_inside(table, m, wood) for wood in woods) for m in own.members)
    return 2 * inside > len(own.members)


def attack_modifiers(table: ExactTable, query: AttackModifiers) -> RuleResult:
    """Attack modifiers: what changes the roll to hit, and the chance. Source: Roll to Hit, p. 36."""
    if query.attack != "ranged":
        return _no_modifiers(table, query)
    weapon = weapon_of(table, query.attacker, query.weapon)
    odds = to_hit_roll(table, query.attacker, query.target, weapon, reacting=query.reaction == "stand-and-shoot")
    if odds is None:
        return RuleResult(status="unknown", needs=(f"profile.bs of {query.attacker}",), because=(_TO_HIT,))
    listed: list[JsonValue] = [
        {"name": name, "bonus": bonus, "bonus_to": "to-hit", "why": why} for name, bonus, why in odds.modifiers
    ]
    shelters, ends = cover_by_shooter(table, query.attacker, query.target), (query.attacker, query.target)
    return RuleResult(
        status="measured",
        margin_mm=odds.margin_mm,
        value={
            "modifiers": listed,
            "total": odds.total,
            "needs": odds.needs,
            "chance": {"needs": odds.needs, "dice": "1d6", "exact": str(odds.chance), "p": float(odds.chance)},
            **({"single_shot": _single_shot(odds)} if any(m[0] == "multiple-shots" for m in odds.modifiers) else {}),
            "groups": [{"kind": kind, "shooters": [*ids]} for kind, ids in group_by_cover(shelters).items()],
        },
        because=(with_effect(table, _TO_HIT, f"{odds.total:+d} in all: {odds.needs}+ is needed."),),
        readings=("obscured", "majority-inside"),
        doubtful=(
            *dict.fromkeys(key for shelter in shelters.values() for key in shelter.doubtful),
            *place_doubts(table, *ends),
        ),
        outcome_house_rules=to_hit_doubts(table, query.target),
        depends_on_place=odds.depends_on,
    )


def _single_shot(odds: ToHitRoll) -> JsonValue:
    """The same roll of those who fire once each, which is theirs to choose. Source: Multiple Shots, p. 63."""
    needs = max(2, 7 - odds.skill - odds.total - 1)
    return {"total": odds.total + 1, "needs": needs, "chance": str(to_hit_chance(needs))}


def _no_modifiers(table: ExactTable, query: AttackModifiers) -> RuleResult:
    """Source: Spell Types, p. 28: they hit by themselves; To Hit in combat, p. 45: skill against skill."""
    says = (
        "A spell hits by itself." if query.attack == "magic" else "Blows are skill against skill, which no card tells."
    )
    return RuleResult(
        status="measured", value={"modifiers": [], "total": 0}, because=(with_effect(table, _TO_HIT, says),)
    )
