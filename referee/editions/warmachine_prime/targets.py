"""Legal targets: of attacks, and of spells."""

from dataclasses import replace

from models.miniature import Miniature
from models.profile import MeleeWeapon, RangedWeapon, Spell
from models.queries import SpellTarget, TargetLegal
from models.units import inches
from models.verdict import CAPPED_MM
from models.words import Point
from referee.candidates import word
from referee.clauses import Clauses, all_of
from referee.editions.warmachine_prime.able import able, deeds, in_formation, line_of_blow, sight_of
from referee.editions.warmachine_prime.arcs import arc_depth_mm
from referee.editions.warmachine_prime.distances import in_words, ruler, shot_mm, touched
from referee.editions.warmachine_prime.fields_of_fire import field_ruling
from referee.editions.warmachine_prime.ground import is_huge
from referee.editions.warmachine_prime.melee import reach_ruling, weapon_reaches
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.shooting import missing_gun, shooting
from referee.editions.warmachine_prime.terms import terms_of
from referee.gaps import area_gap
from referee.ruling import Ruling
from referee.sides import are_enemies
from referee.situation import Situation
from referee.telling import applied

_TARGET = because("Making Attacks", 41, "Friend or foe may be the target, when the attacker sees it.")
_MODELS = because("Making Attacks", 41, "Attacks are made against models.")
_ARC = because("Facing", 21, "Attacks are made within the front arc.")
_MOUNT = because("Mount Attacks", 75, "After a charge the mount makes no initial attack; it has its impact attacks.")
_CAST = because("Casting a Spell", 71, "The target has to be in sight of the point of origin.")
_RANGE = because("Measuring the Range of a Spell", 71, "From the base edge of the point of origin to the target's.")
_SELF = because("Spell Statistics", 72, "A spell with range SELF is for its caster alone; oneself is always in range.")
_ORIGIN = because("Spell Targeting", 71, "Only a spell that is not offensive may be aimed at its own point of origin.")
_RAN = because("Casting a Spell with FOCUS", 71, "Who has run casts no spells.")
_STRAY = because("Casting Spells on Out-of-Formation Troopers", 72, "Friends out of formation are no targets.")


def target_legal(table: Situation, query: TargetLegal) -> Ruling:
    """Whether everything holds that this attack on this target needs. Source: p. 36-43; Mount Attacks, p. 75."""
    if query.target not in table.miniatures:
        return Ruling(status="refused", because=(_MODELS,), advice="Name a miniature as the target.")
    source: str | Point = query.attacker if query.origin is None else query.origin
    clauses: Clauses = (
        ("able", able(table, query.attacker)),
        _line(table, query, source),
        ("arc", _in_arc(table, source, query.target)),
        *_of_weapon(table, query),
    )
    ruling = all_of(clauses)
    return replace(ruling, because=(_TARGET, *ruling.because))


def _line(table: Situation, query: TargetLegal, source: str | Point) -> tuple[str, Ruling]:
    """Sight, or the line of its own that a blow takes in some books."""
    if query.attack != "melee":
        return "sight", sight_of(table, source, query.target)
    name = "sight" if terms_of(table).free_line is None else "free-line"
    reach = max(weapon_reaches(table.miniature(query.attacker), query.weapon).values(), default=0.0)
    return name, line_of_blow(table, source, query.target, reach_mm=reach)


def _in_arc(table: Situation, source: str | Point, target: str) -> Ruling:
    if not isinstance(source, str) or source not in table.miniatures:
        return Ruling(margin_mm=CAPPED_MM, touches=touched(source, target))
    depth = arc_depth_mm(table, source, target)
    return Ruling(margin_mm=depth, because=(_ARC,), touches=(source, target), faces=(source,))


def _of_weapon(table: Situation, query: TargetLegal) -> Clauses:
    """What the weapon adds: its field of fire, its reach, and whether it may be used now."""
    me = table.miniature(query.attacker)
    weapon = _weapon(me, query)
    clauses: list[tuple[str, Ruling]] = []
    if is_huge(me) and weapon is not None and weapon.location in ("left", "right"):
        clauses.append(("field", field_ruling(table, query.attacker, query.target, weapon.location)))
    if query.attack != "ranged":
        clauses.append(("formation", in_formation(table, query.attacker)))
    if query.attack == "melee":
        reaches = weapon_reaches(me, query.weapon)
        reach = reach_ruling(table, query.attacker, query.target, reaches, weapon=query.weapon)
        clauses.append(("reach", reach))
        if isinstance(weapon, MeleeWeapon) and "mount" in weapon.rules:
            charged = "charge" in deeds(table, query.attacker)
            clauses.append(("mount", Ruling(margin_mm=-CAPPED_MM if charged else CAPPED_MM, because=(_MOUNT,))))
    if query.attack == "ranged":
        missing = missing_gun(me, query.weapon) if query.weapon is not None else None
        shot = shooting(table, query.attacker, query.target, query.weapon)
        clauses.append(("may-shoot", shot if missing is None else Ruling(status="unknown", needs=(missing,))))
    return tuple(clauses)


def _weapon(me: Miniature, query: TargetLegal) -> MeleeWeapon | RangedWeapon | None:
    """The weapon named, or the only one there is."""
    weapons: tuple[MeleeWeapon | RangedWeapon, ...] = ()
    if query.attack != "magic":
        weapons = me.profile.melee if query.attack == "melee" else me.profile.ranged
    named = [w for w in weapons if query.weapon in (None, w.name)]
    return named[0] if len(named) == 1 else None


def spell_target(table: Situation, query: SpellTarget) -> Ruling:
    """Whether the spell may be cast at the target and reaches it. Source: Casting a Spell, p. 71-72."""
    if query.target not in table.miniatures:
        return Ruling(status="refused", because=(_CAST,), advice="Name a miniature as the target.")
    source: str | Point = query.caster if query.origin is None else query.origin
    spell = next((s for s in table.miniature(query.caster).profile.spells if s.name == query.spell), None)
    reach = spell_range(table, query, spell, source)
    clauses = [("able", able(table, query.caster)), ("not-ran", _not_ran(table, query.caster)), ("range", reach)]
    if isinstance(source, str) and source in table.miniatures and source != query.caster:
        clauses.append(("channeler", able(table, source)))
    if query.target == source:
        clauses.append(("itself", _at_origin(query, spell)))
    else:
        clauses.append(("sight", sight_of(table, source, query.target)))
        clauses.append(("formation", not_astray(table, query)))
    ruling = all_of(tuple(clauses))
    return replace(ruling, value={**ruling.value, "in_range": word(reach)}, because=(_CAST, *ruling.because))


def spell_range(table: Situation, query: SpellTarget, spell: Spell | None, source: str | Point) -> Ruling:
    """Whether the target is in the spell's range. Source: Measuring the Range of a Spell, p. 71; p. 72."""
    told = query.range_in if query.range_in is not None else (spell.rng_in if spell is not None else None)
    if query.target == source == query.caster:
        return Ruling(margin_mm=CAPPED_MM, because=(_SELF,), touches=(query.caster,))
    if told == "self":
        return Ruling(margin_mm=-CAPPED_MM, because=(_SELF,), touches=(query.caster,))
    limit = _control_mm(table, query.caster) if told in ("control", "ctrl") else told
    if not isinstance(limit, float | int):
        return Ruling(status="unknown", needs=(_range_needed(query, told),), because=(_RANGE,), touches=(query.caster,))
    measured_from = query.caster if told in ("control", "ctrl") else source
    between = area_gap(table.area(measured_from), table.area(query.target))
    apart, rise = shot_mm(table, measured_from, query.target)
    key = ("range-elevation",) if rise else ()
    return Ruling(
        margin_mm=inches(limit) - apart,
        witness=(ruler(between, measured_from, query.target, role="limit"),),
        because=(applied(table, _RANGE, in_words(table, query.target, apart, inches(limit))),),
        readings=key,
        doubtful=key,
        touches=touched(measured_from, query.target),
    )


def _not_ran(table: Situation, caster: str) -> Ruling:
    """Whether its activation goes on: after a run it casts nothing. Source: Casting a Spell with FOCUS, p. 71."""
    ran = "run" in deeds(table, caster)
    return Ruling(margin_mm=-CAPPED_MM if ran else CAPPED_MM, because=(_RAN,) if ran else (), touches=(caster,))


def _at_origin(query: SpellTarget, spell: Spell | None) -> Ruling:
    """Whether the spell may be aimed at its own point of origin. Source: Spell Targeting, p. 71; Channeling, p. 73."""
    offensive = query.offensive if query.offensive is not None else (None if spell is None else spell.offensive)
    if offensive is None:
        return Ruling(status="unknown", needs=("offensive",), because=(_ORIGIN,), touches=(query.caster,))
    return Ruling(margin_mm=-CAPPED_MM if offensive else CAPPED_MM, because=(_ORIGIN,), touches=(query.caster,))


def _control_mm(table: Situation, caster: str) -> float | None:
    """The control range in inches. Source: Control Range, p. 69: twice the stat."""
    stat = table.miniature(caster).profile.control_stat
    return None if stat is None else 2 * stat


def _range_needed(query: SpellTarget, told: object) -> str:
    if told in ("control", "ctrl"):
        return f"profile.control_stat of {query.caster}"
    return f"rng_in of spell {query.spell} of {query.caster}" if query.spell is not None else "range_in"


def not_astray(table: Situation, query: SpellTarget) -> Ruling:
    """Whether the target is no friend out of formation. Source: Casting Spells on Out-of-Formation Troopers, p. 72."""
    if are_enemies(table.state, table.miniature(query.caster), table.miniature(query.target)):
        return Ruling(margin_mm=CAPPED_MM, touches=(query.target,))
    return replace(in_formation(table, query.target), because=(_STRAY,))
