"""Legal target: what an attack needs of the one it is made at."""

from dataclasses import replace

from models.miniature import Miniature
from models.profile import MeleeWeapon, RangedWeapon
from models.queries import TargetLegal
from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.editions.warmachine.attacks.may_shoot import check_shooter, name_missing_gun
from referee.editions.warmachine.melee.attack_eligibility import (
    actions_of,
    check_blow_line,
    check_formation,
    check_sight,
    may_attack,
)
from referee.editions.warmachine.melee.melee_range import check_reach, weapon_reaches
from referee.editions.warmachine.miniatures.base_state import is_huge
from referee.editions.warmachine.miniatures.distances import ids_that_matter
from referee.editions.warmachine.miniatures.field_of_fire import check_field
from referee.editions.warmachine.miniatures.front_arc import arc_depth_mm
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_TARGET = because("Making Attacks", 41, "Friend or foe may be the target, when the attacker sees it.")
_MODELS = because("Making Attacks", 41, "Attacks are made against models.")
_ARC = because("Facing", 21, "Attacks are made within the front arc.")
_MOUNT = because("Mount Attacks", 75, "After a charge the mount makes no initial attack; it has its impact attacks.")


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
