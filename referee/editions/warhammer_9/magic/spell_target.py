"""Spell target: what a spell may be cast at. Source: Choosing a Target, Spell Types, p. 28."""

from models.profile import Spell
from models.queries import SpellTarget
from models.unit_conversion import inches
from referee.editions.warhammer_9.line_of_sight.body_visibility import sight_blocker_doubts, sight_blockers
from referee.editions.warhammer_9.line_of_sight.los import sight_clearance
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.shooting.templates import point_of
from referee.editions.warhammer_9.units.distances import closest_bases, measured_parts
from referee.editions.warhammer_9.units.engagement import engaged_with
from referee.editions.warhammer_9.units.quadrants import depth_ahead_mm
from referee.editions.warhammer_9.units.regiment import (
    all_regiments,
    are_friends,
    garrisoned_building,
    members_of,
    regiment,
    regiment_of,
)
from referee.geometry.distance import gap
from referee.geometry.shapes import disc
from referee.rules.conditions import certain_mm, list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_margin_met

_CASTING = because("Choosing a Target", 28, "In front, in range, not engaged; missiles must see; hexes need no front.")
_AT_FOES = frozenset({"missile", "direct-damage", "hex"})
_ALL_ROUND = frozenset({"augment", "hex"})
Clauses = tuple[dict[str, float], tuple[str, ...]]


def spell_target(table: ExactTable, query: SpellTarget) -> RuleResult:
    """Spell target: whether a spell may be cast at that. Source: Choosing a Target, p. 28; Spell Types, p. 28."""
    wizard = casting_wizard(table, query.caster)
    spell = _find_spell(table, wizard, query)
    limit = _spell_range_mm(spell, query)
    if limit is None:
        return RuleResult(status="unknown", needs=("range_in",), because=(_CASTING,))
    clauses, touches = _clauses(table, query, wizard, spell, limit)
    reach = clauses["range"]
    in_range = is_margin_met(reach)
    return RuleResult(
        margin_mm=min(clauses.values()),
        value={"in_range": in_range, "clauses": list_margins(clauses)},
        because=(
            with_effect(table, _CASTING, f"Range: {format_length(abs(reach))} {'to spare' if in_range else 'short'}."),
        ),
        readings=("garrison-edge",),
        doubtful=("garrison-edge",) if _is_garrison_target(table, query) else (),
        outcome_house_rules=sight_blocker_doubts(table, query.caster, str(query.target)) if "sight" in clauses else (),
        depends_on_place=touches,
        depends_on_facing=(wizard,),
    )


def _is_garrison_target(table: ExactTable, query: SpellTarget) -> bool:
    return (
        isinstance(query.target, str)
        and _is_unit(table, query.target)
        and garrisoned_building(table, query.target) is not None
    )


def casting_wizard(table: ExactTable, caster: str) -> str:
    """The miniature that casts: of a unit its wizard, else its first."""
    ids = members_of(table, caster)
    return next((m for m in ids if "wizard" in table.miniature(m).role), ids[0])


def _find_spell(table: ExactTable, wizard: str, query: SpellTarget) -> Spell | None:
    known = table.miniature(wizard).profile.spells
    return next((spell for spell in known if query.spell is not None and spell.name == query.spell), None)


def _spell_range_mm(spell: Spell | None, query: SpellTarget) -> float | None:
    if query.range_in is not None:
        return inches(query.range_in)
    range_in = None if spell is None else spell.rng_in
    return inches(range_in) if isinstance(range_in, int | float) else 0.0 if range_in == "self" else None


def _spell_type(spell: Spell | None, query: SpellTarget) -> str:
    """What kind of spell it is; of one that is only called offensive or not, the plainest of those."""
    if spell is not None and spell.type is not None:
        return spell.type
    offensive = spell.offensive if spell is not None and query.offensive is None else query.offensive
    return "plain" if offensive is None else "direct-damage" if offensive else "augment"


def _is_unit(table: ExactTable, target: object) -> bool:
    return target in {*all_regiments(table), *table.miniatures}


def _clauses(table: ExactTable, query: SpellTarget, wizard: str, spell: Spell | None, limit_mm: float) -> Clauses:
    kind, unit = _spell_type(spell, query), _is_unit(table, query.target)
    between = closest_bases(table, query.origin if query.origin is not None else wizard, query.target)
    clauses = {"range": limit_mm - max(0.0, between.mm)}
    touches = between.depends_on
    if kind not in _ALL_ROUND:
        own = regiment(table, wizard)
        clauses["front"] = max(
            depth_ahead_mm(own, p) for _, area in measured_parts(table, query.target) for p in area.parts
        )
        touches = tuple(dict.fromkeys((*touches, wizard)))
    if unit:
        clauses |= _target_clauses(table, query, kind)
    if unit and kind == "missile" and clauses["front"] >= 0:
        clauses["sight"], seen_by = sight_clearance(
            table, wizard, query.target, sight_blockers(table, query.caster, query.target)
        )
        touches = tuple(dict.fromkeys((*touches, *seen_by)))
    if spell is not None and kind in ("template", "direct-damage") and isinstance(spell.aoe_in, int | float):
        clauses |= _template_clauses(table, query, inches(spell.aoe_in) / 2)
    return clauses | _caster_clauses(table, wizard, kind), touches


def _target_clauses(table: ExactTable, query: SpellTarget, kind: str) -> dict[str, float]:
    """Friend or foe, and whether it may fight. Source: Spell Types, p. 28."""
    target = str(query.target)
    friend = are_friends(table, query.caster, target)
    clauses = (
        {} if kind in _ALL_ROUND else {"not-engaged": certain_mm(not engaged_with(table, regiment_of(table, target)))}
    )
    if kind in _AT_FOES:
        clauses["enemy"] = certain_mm(not friend)
    return clauses | ({"friend": certain_mm(friend)} if kind == "augment" else {})


def _caster_clauses(table: ExactTable, wizard: str, kind: str) -> dict[str, float]:
    """Source: Cast, p. 28: who flees casts nothing, and who fights no missiles; Stupidity, p. 66."""
    status = table.miniature(wizard).status
    clauses = {f"not-{word}": certain_mm(word not in status) for word in ("fleeing", "stupid")}
    if kind == "missile":
        clauses["caster-not-engaged"] = certain_mm(not engaged_with(table, regiment_of(table, wizard)))
    return clauses


def _template_clauses(table: ExactTable, query: SpellTarget, radius_mm: float) -> dict[str, float]:
    """How far a template stays from friends and enemies who fight. Source: Spell Types, p. 28."""
    template = disc(point_of(table, query.target), radius_mm)
    barred = [
        gap(template, table.base(m)).mm
        for unit in all_regiments(table)
        if garrisoned_building(table, unit) is None
        and (are_friends(table, query.caster, unit) or engaged_with(table, unit))
        for m in members_of(table, unit)
    ]
    return {"clear": min(barred)} if barred else {}
