"""Structure as a target: what part of one may be attacked, and whether the attack reaches it."""

from dataclasses import replace
from itertools import pairwise

from models.queries import StructureTarget
from models.terrain import Terrain
from models.unit_conversion import inches
from models.verdict import Witness
from referee.editions.warmachine.attacks.may_shoot import check_shooter
from referee.editions.warmachine.melee.attack_eligibility import may_attack
from referee.editions.warmachine.melee.melee_range import weapon_reaches
from referee.editions.warmachine.mk1_and_mk2.parameters import LEAST_POWER, because
from referee.editions.warmachine.mk1_and_mk2.terrain.structures import ONLY_STRUCTURES, SECTION, is_structure
from referee.editions.warmachine.terrain.features import find_feature
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area, RoundedShape, disc
from referee.rules.candidates import is_met
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_SECTION = because(SECTION, "An attack aims at a section; in range it hits by itself.")
_POWER = because(
    SECTION,
    f"A plain shot takes a POW of {LEAST_POWER}; melee, magic, AOE, fire and corrosion always count.",
)


def structure_target(table: ExactTable, query: StructureTarget) -> RuleResult:
    """Structure as a target: whether the attack may aim at that section, and reaches it; exactly the range does.

    Source: Damaging and Destroying Structures.
    """
    feature = find_feature(table, query.target)
    if feature is None or not is_structure(feature):
        return RuleResult(status="refused", because=(ONLY_STRUCTURES,), advice=f"{query.target} is no structure.")
    section = _aimed_section(table, query, feature)
    if section is None:
        return RuleResult(
            status="unknown", needs=("section",), because=(_SECTION,), depends_on_place=(query.attacker, feature.id)
        )
    reach = _reach_mm(table, query)
    if reach is None:
        need = f"profile.{'melee' if query.attack == 'melee' else 'ranged'} of {query.attacker}"
        return RuleResult(
            status="unknown", needs=(need,), because=(_SECTION,), depends_on_place=(query.attacker, feature.id)
        )
    between = area_gap(table.area(query.attacker), section)
    apart = max(0.0, between.mm)
    near = RuleResult(margin_mm=reach - apart, because=(_SECTION,), depends_on_place=(query.attacker, feature.id))
    clauses: list[tuple[str, RuleResult]] = [("able", may_attack(table, query.attacker)), ("range", near)]
    if query.attack == "ranged":
        clauses.append(("may-shoot", check_shooter(table, query.attacker)))
    result = all_of(tuple(clauses))
    segment = Witness(type="segment", role="limit", points_mm=(between.at_a, between.at_b), of=(query.attacker,))
    return replace(
        result,
        value={**result.value, "auto_hit": is_met(near, "has in range"), "damaging": _damage_answer(table, query)},
        lengths_mm={"distance": apart},
        witness=(segment,),
        because=(_SECTION, _POWER),
        readings=("structure-point",),
        doubtful=("structure-point",) if query.section is not None and apart > 0 else (),
    )


def _aimed_section(table: ExactTable, query: StructureTarget, feature: Terrain) -> Area | None:
    """The part that is aimed at; all of it where that is how the table reads it, or where it has no sections."""
    whole = table.area(feature.id)
    if table.reading("structure-point") == "any-part" or (query.section is None and not feature.sections):
        return whole
    if query.section is None:
        return None
    if isinstance(query.section, tuple):
        return Area((disc(query.section, 0.0),))
    if query.section >= len(feature.sections):
        return None
    line = feature.sections[query.section]
    return Area(tuple(RoundedShape((a, b)) for a, b in pairwise(line)) or (disc(line[0], 0.0),))


def _reach_mm(table: ExactTable, query: StructureTarget) -> float | None:
    profile = table.miniature(query.attacker).profile
    if query.attack == "melee":
        return max(weapon_reaches(table.miniature(query.attacker), query.weapon).values(), default=None)
    if query.attack == "magic":
        spells = [s.rng_in for s in profile.spells if query.weapon in (None, s.name)]
        return max((inches(r) for r in spells if isinstance(r, float | int)), default=None)
    guns = [w.rng_in for w in profile.ranged if query.weapon in (None, w.name) and w.rng_in is not None]
    return max((inches(g if isinstance(g, float | int) else g[1]) for g in guns), default=None)


def _damage_answer(table: ExactTable, query: StructureTarget) -> bool | str:
    """Whether it can hurt; of a plain shot that hangs on a POW that no card here tells."""
    guns = [w for w in table.miniature(query.attacker).profile.ranged if query.weapon in (None, w.name)]
    plain = query.attack == "ranged" and all(w.aoe_in is None for w in guns)
    return f"with POW {LEAST_POWER} or more" if plain else True
