"""Spell target: whom a spell may be cast at, and how far it reaches."""

from dataclasses import replace

from models.profile import Spell
from models.queries import SpellTarget
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.editions.warmachine.melee.attack_eligibility import actions_of, check_formation, check_sight, may_attack
from referee.editions.warmachine.miniatures.distances import describe_range, draw_ruler, ids_that_matter, shot_mm
from referee.editions.warmachine.parameters import because
from referee.geometry.distance import area_gap
from referee.rules.candidates import answer_word
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.sides import are_enemies

_CAST = because("Spell Targeting", 71, "The target has to be in sight of the point of origin.")
_RANGE = because("Measuring the Range of a Spell", 71, "From the base edge of the point of origin to the target's.")
_SELF = because("Spell Statistics", 72, "A spell with range SELF is for its caster alone; oneself is always in range.")
_ORIGIN = because("Spell Targeting", 71, "Only a spell that is not offensive may be aimed at its own point of origin.")
_RAN = because("Casting a Spell with FOCUS", 71, "Who has run casts no spells.")
_STRAY = because("Casting Spells on Out-of-Formation Troopers", 72, "Friends out of formation are no targets.")


def spell_target(table: ExactTable, query: SpellTarget) -> RuleResult:
    """Spell target: whether the spell may be cast at the target and reaches it. Source: Casting a Spell, p. 71-72."""
    if query.target not in table.miniatures:
        return RuleResult(status="refused", because=(_CAST,), advice="Name a miniature as the target.")
    source: str | Point = query.caster if query.origin is None else query.origin
    spell = next((s for s in table.miniature(query.caster).profile.spells if s.name == query.spell), None)
    reach = spell_range(table, query, spell, source)
    clauses = [
        ("able", may_attack(table, query.caster)),
        ("not-ran", _check_not_ran(table, query.caster)),
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
    told = query.range_in if query.range_in is not None else (spell.rng_in if spell is not None else None)
    if query.target == source == query.caster:
        return RuleResult(margin_mm=CAPPED_MM, because=(_SELF,), depends_on_place=(query.caster,))
    if told == "self":
        return RuleResult(margin_mm=-CAPPED_MM, because=(_SELF,), depends_on_place=(query.caster,))
    limit = _control_mm(table, query.caster) if told in ("control", "ctrl") else told
    if not isinstance(limit, float | int):
        return RuleResult(
            status="unknown",
            needs=(_name_missing_range(query, told),),
            because=(_RANGE,),
            depends_on_place=(query.caster,),
        )
    measured_from = query.caster if told in ("control", "ctrl") else source
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


def _check_not_ran(table: ExactTable, caster: str) -> RuleResult:
    """Whether its activation goes on: after a run it casts nothing. Source: Casting a Spell with FOCUS, p. 71."""
    ran = "run" in actions_of(table, caster)
    return RuleResult(
        margin_mm=-CAPPED_MM if ran else CAPPED_MM, because=(_RAN,) if ran else (), depends_on_place=(caster,)
    )


def _check_origin(query: SpellTarget, spell: Spell | None) -> RuleResult:
    """Whether the spell may be aimed at its own point of origin. Source: Spell Targeting, p. 71; Channeling, p. 73."""
    offensive = query.offensive if query.offensive is not None else (None if spell is None else spell.offensive)
    if offensive is None:
        return RuleResult(status="unknown", needs=("offensive",), because=(_ORIGIN,), depends_on_place=(query.caster,))
    return RuleResult(
        margin_mm=-CAPPED_MM if offensive else CAPPED_MM, because=(_ORIGIN,), depends_on_place=(query.caster,)
    )


def _control_mm(table: ExactTable, caster: str) -> float | None:
    """The control range in inches. Source: Control Range, p. 69: twice the stat."""
    stat = table.miniature(caster).profile.control_stat
    return None if stat is None else 2 * stat


def _name_missing_range(query: SpellTarget, told: object) -> str:
    if told in ("control", "ctrl"):
        return f"profile.control_stat of {query.caster}"
    return f"rng_in of spell {query.spell} of {query.caster}" if query.spell is not None else "range_in"


def check_not_astray(table: ExactTable, query: SpellTarget) -> RuleResult:
    """Whether the target is no friend out of formation. Source: Casting Spells on Out-of-Formation Troopers, p. 72."""
    if are_enemies(table.state, table.miniature(query.caster), table.miniature(query.target)):
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(query.target,))
    return replace(check_formation(table, query.target), because=(_STRAY,))
