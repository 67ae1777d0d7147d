"""Channelling: a spell that starts from another model of the battlegroup."""

from dataclasses import replace

from models.profile import Profile, Spell
from models.queries import Channel, SpellTarget
from models.verdict import CAPPED_MM
from referee.clauses import Clauses, all_of, any_of, negated
from referee.editions.warmachine_prime.able import able, sight_of
from referee.editions.warmachine_prime.battlegroups import in_control, of_group
from referee.editions.warmachine_prime.in_melee import enemies, engaging
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.targets import not_astray, spell_range
from referee.editions.warmachine_prime.terms import terms_of
from referee.ruling import Ruling
from referee.situation import Situation

_CHANNEL = because("Channeling", 73, "A spell starts from a channeler of the battlegroup that is in the control range.")
_NODE = because("Channeling", 73, "Only a channeler, such as a warjack with an arc node, relays spells.")
_ENGAGED = because("Channeling", 73, "A channeler that an enemy engages cannot channel.")
_HELPLESS = because("Channeling", 73, "A channeler that is stationary or knocked down cannot channel.")
_SELF = because("Channeling", 73, "A spell with range SELF cannot be channeled.")
_ITSELF = because("Channeling", 73, "An offensive spell cannot be aimed at its own channeler.")
_HOLDS = because("Channeling", 73, "A spell that is not offensive may be cast at its channeler.")
_SIGHT = because("Channeling", 73, "Sight and range run from the channeler; the caster need not see.")


def channel(table: Situation, query: Channel) -> Ruling:
    """Whether the spell may go through the channeler, at this target if one is named. Source: Channeling, p. 73."""
    ruling = all_of((*_of_channeler(table, query), *_of_target(table, query)))
    return replace(ruling, because=(_CHANNEL, *(r for r in ruling.because if r != _CHANNEL)))


def _of_channeler(table: Situation, query: Channel) -> Clauses:
    who = query.channeler
    return (
        ("caster", able(table, query.caster)),
        ("arc-node", _is_channeler(table, who)),
        ("battlegroup", of_group(table, query.caster, who)),
        ("control", in_control(table, query.caster, who)),
        ("state", _standing(table, who)),
        ("engaged", _free(table, who)),
    )


def _is_channeler(table: Situation, who: str) -> Ruling:
    """Source: Channeling, p. 73."""
    me = table.miniature(who)
    if me.profile == Profile():
        return Ruling(status="unknown", needs=(f"profile.abilities of {who}",), because=(_NODE,), touches=(who,))
    return Ruling(margin_mm=CAPPED_MM if me.has("arc-node") else -CAPPED_MM, because=(_NODE,), touches=(who,))


def _standing(table: Situation, who: str) -> Ruling:
    """Source: Channeling, p. 73; Inert Warjacks, p. 59: what a stationary one cannot do, an inert one cannot."""
    down = not terms_of(table).silent.isdisjoint(table.miniature(who).status)
    return Ruling(margin_mm=-CAPPED_MM if down else CAPPED_MM, because=(_HELPLESS,), touches=(who,))


def _free(table: Situation, who: str) -> Ruling:
    """Whether no enemy engages it. Source: Channeling, p. 73; Engaged & Engaging, p. 43."""
    foes = enemies(table, who)
    if not foes:
        return Ruling(margin_mm=CAPPED_MM, because=(_ENGAGED,), touches=(who,))
    held = any_of(tuple(engaging(table, foe, who) for foe in foes))
    return replace(negated(held), because=(_ENGAGED,))


def _of_target(table: Situation, query: Channel) -> Clauses:
    """Source: Channeling, p. 73; Casting a Spell, p. 71."""
    spell = next((s for s in table.miniature(query.caster).profile.spells if s.name == query.spell), None)
    if query.target is None:
        return () if spell is None or spell.rng_in != "self" else (("range", _not_self(query)),)
    if query.target not in table.miniatures:
        return (("target", Ruling(margin_mm=-CAPPED_MM, because=(_SIGHT,), touches=(query.channeler,))),)
    asked = SpellTarget(
        caster=query.caster, target=query.target, spell=query.spell, range_in=query.range_in, origin=query.channeler
    )
    if query.target == query.channeler:
        return (("target", _at_itself(query, spell)), ("range", spell_range(table, asked, spell, query.channeler)))
    return (
        ("sight", sight_of(table, query.channeler, query.target)),
        ("range", _not_self(query) if _is_self(spell) else spell_range(table, asked, spell, query.channeler)),
        ("formation", not_astray(table, asked)),
    )


def _is_self(spell: Spell | None) -> bool:
    return spell is not None and spell.rng_in == "self"


def _not_self(query: Channel) -> Ruling:
    """Source: Channeling, p. 73."""
    return Ruling(margin_mm=-CAPPED_MM, because=(_SELF,), touches=(query.channeler,))


def _at_itself(query: Channel, spell: Spell | None) -> Ruling:
    """Source: Channeling, p. 73: the channeler may be the target of what is not offensive."""
    if spell is None:
        need = f"spell of {query.caster}, with offensive"
        return Ruling(status="unknown", needs=(need,), because=(_ITSELF,), touches=(query.channeler,))
    reason = _ITSELF if spell.offensive else _HOLDS
    return Ruling(margin_mm=-CAPPED_MM if spell.offensive else CAPPED_MM, because=(reason,), touches=(query.channeler,))
