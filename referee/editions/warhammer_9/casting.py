"""Casting: what a spell may be cast at. Source: Choosing a Target, Spell Types, p. 28."""

from models.profile import Spell
from models.queries import SpellTarget
from models.units import inches
from models.verdict import CAPPED_MM
from referee.clauses import listed_margins
from referee.editions.warhammer_9.arcs import depth_ahead_mm
from referee.editions.warhammer_9.engaged import engaged_with
from referee.editions.warhammer_9.measuring import apart, body
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    all_regiments,
    are_friends,
    garrisoned,
    members_of,
    regiment,
    regiment_of,
)
from referee.editions.warhammer_9.showing import hiding_doubts, what_hides
from referee.editions.warhammer_9.sight import sees
from referee.editions.warhammer_9.templates import point_of
from referee.gaps import gap
from referee.ruling import Ruling
from referee.shapes import disc
from referee.situation import Situation
from referee.telling import applied, length

_CASTING = because("Choosing a Target", 28, "In front, in range, not engaged; missiles must see; hexes need no front.")
_AT_FOES = frozenset({"missile", "direct-damage", "hex"})
_ALL_ROUND = frozenset({"augment", "hex"})
Found = tuple[dict[str, float], tuple[str, ...]]


def spell_target(table: Situation, query: SpellTarget) -> Ruling:
    """Whether a spell may be cast at that. Source: Choosing a Target, p. 28; Spell Types, p. 28."""
    wizard = wizard_of(table, query.caster)
    spell = _spell(table, wizard, query)
    limit = _spell_range_mm(spell, query)
    if limit is None:
        return Ruling(status="unknown", needs=("range_in",), because=(_CASTING,))
    clauses, touches = _clauses(table, query, wizard, spell, limit)
    reach = clauses["range"]
    return Ruling(
        margin_mm=min(clauses.values()),
        value={"in_range": reach >= 0, "clauses": listed_margins(clauses)},
        because=(applied(table, _CASTING, f"Range: {length(abs(reach))} {'to spare' if reach >= 0 else 'short'}."),),
        readings=("garrison-edge",),
        doubtful=("garrison-edge",) if _inside(table, query) else (),
        retold=hiding_doubts(table, query.caster, str(query.target)) if "sight" in clauses else (),
        touches=touches,
        faces=(wizard,),
    )


def _inside(table: Situation, query: SpellTarget) -> bool:
    return (
        isinstance(query.target, str) and _is_unit(table, query.target) and garrisoned(table, query.target) is not None
    )


def wizard_of(table: Situation, caster: str) -> str:
    """Who casts: of a unit its wizard, else its first."""
    ids = members_of(table, caster)
    return next((m for m in ids if "wizard" in table.miniature(m).role), ids[0])


def _spell(table: Situation, wizard: str, query: SpellTarget) -> Spell | None:
    known = table.miniature(wizard).profile.spells
    return next((one for one in known if query.spell is not None and one.name == query.spell), None)


def _spell_range_mm(spell: Spell | None, query: SpellTarget) -> float | None:
    if query.range_in is not None:
        return inches(query.range_in)
    told = None if spell is None else spell.rng_in
    return inches(told) if isinstance(told, int | float) else 0.0 if told == "self" else None


def _type_of(spell: Spell | None, query: SpellTarget) -> str:
    """What kind of spell it is; of one that is only called offensive or not, the plainest of those."""
    if spell is not None and spell.type is not None:
        return spell.type
    offensive = spell.offensive if spell is not None and query.offensive is None else query.offensive
    return "plain" if offensive is None else "direct-damage" if offensive else "augment"


def _is_unit(table: Situation, target: object) -> bool:
    return target in {*all_regiments(table), *table.miniatures}


def _clauses(table: Situation, query: SpellTarget, wizard: str, spell: Spell | None, limit_mm: float) -> Found:
    kind, unit = _type_of(spell, query), _is_unit(table, query.target)
    between = apart(table, query.origin if query.origin is not None else wizard, query.target)
    found = {"range": limit_mm - max(0.0, between.mm)}
    touches = between.touches
    if kind not in _ALL_ROUND:
        own = regiment(table, wizard)
        found["front"] = max(depth_ahead_mm(own, p) for _, area in body(table, query.target) for p in area.parts)
        touches = tuple(dict.fromkeys((*touches, wizard)))
    if unit:
        found |= _whom(table, query, kind)
    if unit and kind == "missile" and found["front"] >= 0:
        found["sight"], seen_by = sees(table, wizard, query.target, what_hides(table, query.caster, query.target))
        touches = tuple(dict.fromkeys((*touches, *seen_by)))
    if spell is not None and kind in ("template", "direct-damage") and isinstance(spell.aoe_in, int | float):
        found |= _template_clear(table, query, inches(spell.aoe_in) / 2)
    return found | _may_cast(table, wizard, kind), touches


def _whom(table: Situation, query: SpellTarget, kind: str) -> dict[str, float]:
    """Friend or foe, and whether it may fight. Source: Spell Types, p. 28."""
    target = str(query.target)
    friend = are_friends(table, query.caster, target)
    found = {} if kind in _ALL_ROUND else {"not-engaged": _sure(not engaged_with(table, regiment_of(table, target)))}
    if kind in _AT_FOES:
        found["enemy"] = _sure(not friend)
    return found | ({"friend": _sure(friend)} if kind == "augment" else {})


def _may_cast(table: Situation, wizard: str, kind: str) -> dict[str, float]:
    """Source: Cast, p. 28: who flees casts nothing, and who fights no missiles."""
    found = {"not-fleeing": _sure("fleeing" not in table.miniature(wizard).status)}
    if kind == "missile":
        found["caster-not-engaged"] = _sure(not engaged_with(table, regiment_of(table, wizard)))
    return found


def _template_clear(table: Situation, query: SpellTarget, radius_mm: float) -> dict[str, float]:
    """How far a template stays from friends and enemies who fight. Source: Direct Damage, p. 28."""
    template = disc(point_of(table, query.target), radius_mm)
    barred = [
        gap(template, table.base(m)).mm
        for unit in all_regiments(table)
        if garrisoned(table, unit) is None and (are_friends(table, query.caster, unit) or engaged_with(table, unit))
        for m in members_of(table, unit)
    ]
    return {"clear": min(barred)} if barred else {}


def _sure(holds: bool) -> float:
    return CAPPED_MM if holds else -CAPPED_MM
