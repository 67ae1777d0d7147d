"""Targets: what an attack or a spell may be declared at, and stealth."""

from dataclasses import replace

from models.miniature import Miniature
from models.profile import MeleeWeapon, RangedWeapon, Spell
from models.queries import SpellTarget, Stealth, TargetLegal
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.editions.warmachine.attacks.shooting import check_shooter, name_missing_gun
from referee.editions.warmachine.melee.attack_eligibility import (
    check_blow_line,
    check_formation,
    check_sight,
    may_attack,
)
from referee.editions.warmachine.melee.melee_range import check_reach, weapon_reaches
from referee.editions.warmachine.miniatures.arcs import arc_depth_mm, check_field
from referee.editions.warmachine.miniatures.base_state import has_stealth, is_huge
from referee.editions.warmachine.miniatures.distances import describe_range, draw_ruler, ids_that_matter, shot_mm
from referee.editions.warmachine.miniatures.turn_ledger import actions_of, check_turn
from referee.editions.warmachine.parameters import STEALTH_MM, because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.distance import area_gap
from referee.rules.candidates import answer_word
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_margin, name_of, with_effect
from referee.rules.rule_result import RuleResult, ask_for, plain_condition
from referee.rules.sides import are_enemies

_TARGET = because("Making Attacks", 41, "Friend or foe may be the target, when the attacker sees it.")
_MODELS = because("Making Attacks", 41, "Attacks are made against models.")
_ARC = because("Facing", 21, "Attacks are made within the front arc.")
_MOUNT = because("Mount Attacks", 75, "After a charge the mount makes no initial attack; it has its impact attacks.")
_CAST = because("Spell Targeting", 71, "The target has to be in sight of the point of origin.")
_RANGE = because("Measuring the Range of a Spell", 71, "From the base edge of the point of origin to the target's.")
_SELF = because("Spell Statistics", 72, "A spell with range SELF is for its caster alone; oneself is always in range.")
_ORIGIN = because("Spell Targeting", 71, "Only a spell that is not offensive may be aimed at its own point of origin.")
_STRAY = because("Casting Spells on Out-of-Formation Troopers", 72, "Friends out of formation are no targets.")
_STEALTH = because("Advantages", 17, "Ranged and magic attacks from farther than 5 in miss; exactly 5 in is near.")
_NONE = because("Advantages", 17, "It has no Stealth.", "Distance does not make the attack miss.")
_EYELESS = because("Advantages", 17, "Eyeless Sight takes no notice of Stealth.", "The attack is made as usual.")


def target_legal(table: ExactTable, query: TargetLegal) -> RuleResult:
    """Legal target: whether everything holds that this attack on this target needs.

    Source: p. 36-43; Mount Attacks, p. 75.
    """
    if query.target not in table.miniatures:
        return RuleResult(status="refused", because=(_MODELS,), advice="Name a miniature as the target.")
    source: str | Point = query.attacker if query.origin is None else query.origin
    clauses: Clauses = (
        ("able", may_attack(table, query.attacker)),
        _check_line(table, query, source),
        ("arc", _check_arc(table, source, query.target)),
        *_weapon_clauses(table, query),
    )
    result = all_of(clauses)
    return replace(result, because=(_TARGET, *result.because))


def _check_line(table: ExactTable, query: TargetLegal, source: str | Point) -> tuple[str, RuleResult]:
    """Sight, or the line of its own that a blow takes in some books."""
    if query.attack != "melee":
        return "sight", check_sight(table, source, query.target)
    name = "sight" if terms_of(table).free_line is None else "free-line"
    reach = max(weapon_reaches(table.miniature(query.attacker), query.weapon).values(), default=0.0)
    return name, check_blow_line(table, source, query.target, reach_mm=reach)


def _check_arc(table: ExactTable, source: str | Point, target: str) -> RuleResult:
    if not isinstance(source, str) or source not in table.miniatures:
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=ids_that_matter(source, target))
    depth = arc_depth_mm(table, source, target)
    return RuleResult(margin_mm=depth, because=(_ARC,), depends_on_place=(source, target), depends_on_facing=(source,))


def _weapon_clauses(table: ExactTable, query: TargetLegal) -> Clauses:
    """What the weapon adds: its field of fire, its reach, and whether it may be used now."""
    me = table.miniature(query.attacker)
    weapon = _weapon(me, query)
    clauses: list[tuple[str, RuleResult]] = []
    if is_huge(me) and weapon is not None and weapon.location in ("left", "right"):
        clauses.append(("field", check_field(table, query.attacker, query.target, weapon.location)))
    if query.attack != "ranged":
        act = "spell" if query.attack == "magic" else "melee-attack"
        clauses.append(("turn", check_turn(table, query.attacker, act)))
        clauses.append(("formation", check_formation(table, query.attacker)))
    if query.attack == "melee":
        reaches = weapon_reaches(me, query.weapon)
        reach = check_reach(table, query.attacker, query.target, reaches, weapon=query.weapon)
        clauses.append(("reach", reach))
        if isinstance(weapon, MeleeWeapon) and "mount" in weapon.rules:
            charged = "charge" in actions_of(table, query.attacker)
            clauses.append(("mount", RuleResult(margin_mm=-CAPPED_MM if charged else CAPPED_MM, because=(_MOUNT,))))
    if query.attack == "ranged":
        missing = name_missing_gun(me, query.weapon) if query.weapon is not None else None
        shot = check_shooter(table, query.attacker, query.target, query.weapon)
        clauses.append(("may-shoot", shot if missing is None else RuleResult(status="unknown", needs=(missing,))))
    return tuple(clauses)


def _weapon(me: Miniature, query: TargetLegal) -> MeleeWeapon | RangedWeapon | None:
    """The weapon named, or the only one there is."""
    weapons: tuple[MeleeWeapon | RangedWeapon, ...] = ()
    if query.attack != "magic":
        weapons = me.profile.melee if query.attack == "melee" else me.profile.ranged
    named = [w for w in weapons if query.weapon in (None, w.name)]
    return named[0] if len(named) == 1 else None


def spell_target(table: ExactTable, query: SpellTarget) -> RuleResult:
    """Spell target: whether the spell may be cast at the target and reaches it. Source: Casting a Spell, p. 71-72."""
    if query.target not in table.miniatures:
        return RuleResult(status="refused", because=(_CAST,), advice="Name a miniature as the target.")
    source: str | Point = query.caster if query.origin is None else query.origin
    spell = next((s for s in table.miniature(query.caster).profile.spells if s.name == query.spell), None)
    reach = spell_range(table, query, spell, source)
    clauses = [
        ("able", may_attack(table, query.caster)),
        ("turn", check_turn(table, query.caster, "spell")),
        ("range", reach),
    ]
    if isinstance(source, str) and source in table.miniatures and source != query.caster:
        clauses.append(("channeler", may_attack(table, source)))
    if query.target == source:
        clauses.append(("itself", _check_origin(query, spell)))
    else:
        clauses.append(("sight", check_sight(table, source, query.target)))
        clauses.append(("formation", check_not_astray(table, query)))
    result = all_of(tuple(clauses))
    return replace(result, value={**result.value, "in_range": answer_word(reach)}, because=(_CAST, *result.because))


def spell_range(table: ExactTable, query: SpellTarget, spell: Spell | None, source: str | Point) -> RuleResult:
    """Whether the target is in the spell's range. Source: Measuring the Range of a Spell, p. 71; p. 72."""
    stated = query.range_in if query.range_in is not None else (spell.rng_in if spell is not None else None)
    if query.target == source == query.caster:
        return RuleResult(margin_mm=CAPPED_MM, because=(_SELF,), depends_on_place=(query.caster,))
    if stated == "self":
        return RuleResult(margin_mm=-CAPPED_MM, because=(_SELF,), depends_on_place=(query.caster,))
    limit = _control_mm(table, query.caster) if stated in ("control", "ctrl") else stated
    if not isinstance(limit, float | int):
        return ask_for(_name_missing_range(query, stated), because=(_RANGE,), on=(query.caster,))
    measured_from = query.caster if stated in ("control", "ctrl") else source
    between = area_gap(table.area(measured_from), table.area(query.target))
    apart, rise = shot_mm(table, measured_from, query.target)
    key = ("range-elevation",) if rise else ()
    return RuleResult(
        margin_mm=inches(limit) - apart,
        witness=(draw_ruler(between, measured_from, query.target, role="limit"),),
        because=(with_effect(table, _RANGE, describe_range(table, query.target, apart, inches(limit))),),
        readings=key,
        doubtful=key,
        depends_on_place=ids_that_matter(measured_from, query.target),
    )


def _check_origin(query: SpellTarget, spell: Spell | None) -> RuleResult:
    """Whether the spell may be aimed at its own point of origin. Source: Spell Targeting, p. 71; Channeling, p. 73."""
    offensive = query.offensive if query.offensive is not None else (None if spell is None else spell.offensive)
    if offensive is None:
        return ask_for("offensive", because=(_ORIGIN,), on=(query.caster,))
    return plain_condition(query.caster, not offensive, _ORIGIN)


def _control_mm(table: ExactTable, caster: str) -> float | None:
    """The control range in inches. Source: Control Range, p. 69: twice the stat."""
    stat = table.miniature(caster).profile.control_stat
    return None if stat is None else 2 * stat


def _name_missing_range(query: SpellTarget, stated: object) -> str:
    if stated in ("control", "ctrl"):
        return f"profile.control_stat of {query.caster}"
    return f"rng_in of spell {query.spell} of {query.caster}" if query.spell is not None else "range_in"


def check_not_astray(table: ExactTable, query: SpellTarget) -> RuleResult:
    """Whether the target is no friend out of formation. Source: Casting Spells on Out-of-Formation Troopers, p. 72."""
    if are_enemies(table.state, table.miniature(query.caster), table.miniature(query.target)):
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(query.target,))
    return replace(check_formation(table, query.target), because=(_STRAY,))


def stealth(table: ExactTable, query: Stealth) -> RuleResult:
    """Stealth: whether Stealth makes the attack miss; exactly 5 in is near. Source: Advantages, p. 17."""
    origin: str | Point = query.attacker if query.origin is None else query.origin
    if not has_stealth(table.miniature(query.target)):
        return RuleResult(margin_mm=-CAPPED_MM, because=(_NONE,), depends_on_place=(query.target,))
    if table.miniature(query.attacker).has("eyeless-sight"):
        return RuleResult(margin_mm=-CAPPED_MM, because=(_EYELESS,), depends_on_place=(query.target,))
    between = area_gap(table.area(origin), table.area(query.target))
    apart, rise = shot_mm(table, origin, query.target)
    key = ("range-elevation",) if rise else ()
    return RuleResult(
        margin_mm=apart - STEALTH_MM,
        zero_is_met=False,
        value={"distance_mm": apart},
        lengths_mm={"distance": apart},
        witness=(draw_ruler(between, origin, query.target, role="limit"),),
        because=(with_effect(table, _STEALTH, _describe_distance(table, query.target, apart)),),
        readings=key,
        doubtful=key,
        depends_on_place=ids_that_matter(origin, query.target),
    )


def _describe_distance(table: ExactTable, target: str, apart_mm: float) -> str:
    near = format_margin(STEALTH_MM - apart_mm, spare="nearer than that", short="farther than that")
    return f"{name_of(table, target)} is {format_length(apart_mm)} away, {near}."
