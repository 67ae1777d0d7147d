"""Channelling: a spell that starts from another model of the battlegroup."""

from dataclasses import replace

from models.profile import Profile, Spell
from models.queries import Channel, SpellTarget
from models.verdict import CAPPED_MM
from referee.editions.warmachine.attacks.spell_target import check_not_astray, spell_range
from referee.editions.warmachine.command.control_area import check_battlegroup, check_in_control
from referee.editions.warmachine.melee.attack_eligibility import check_sight, may_attack
from referee.editions.warmachine.melee.in_melee import check_engages, enemies
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.rules.conditions import Clauses, all_of, any_of, negate
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_CHANNEL = because("Channeling", 73, "A spell starts from a channeler of the battlegroup that is in the control range.")
_NODE = because("Channeling", 73, "Only a channeler, such as a warjack with an arc node, relays spells.")
_ENGAGED = because("Channeling", 73, "A channeler that an enemy engages cannot channel.")
_HELPLESS = because("Channeling", 73, "A channeler that is stationary or knocked down cannot channel.")
_SELF = because("Channeling", 73, "A spell with range SELF cannot be channeled.")
_ITSELF = because("Channeling", 73, "An offensive spell cannot be aimed at its own channeler.")
_HOLDS = because("Channeling", 73, "A spell that is not offensive may be cast at its channeler.")
_SIGHT = because("Channeling", 73, "Sight and range run from the channeler; the caster need not see.")


def channel(table: ExactTable, query: Channel) -> RuleResult:
    """Channelling: whether the spell may go through the channeler, at this target if one is named.

    Source: Channeling, p. 73.
    """
    result = all_of((*_channeler_clauses(table, query), *_target_clauses(table, query)))
    return replace(result, because=(_CHANNEL, *(r for r in result.because if r != _CHANNEL)))


def _channeler_clauses(table: ExactTable, query: Channel) -> Clauses:
    who = query.channeler
    return (
        ("caster", may_attack(table, query.caster)),
        ("arc-node", _check_arc_node(table, who)),
        ("battlegroup", check_battlegroup(table, query.caster, who)),
        ("control", check_in_control(table, query.caster, who)),
        ("state", _check_standing(table, who)),
        ("engaged", _check_unengaged(table, who)),
    )


def _check_arc_node(table: ExactTable, who: str) -> RuleResult:
    """Source: Channeling, p. 73."""
    me = table.miniature(who)
    if me.profile == Profile():
        return RuleResult(
            status="unknown", needs=(f"profile.abilities of {who}",), because=(_NODE,), depends_on_place=(who,)
        )
    return RuleResult(
        margin_mm=CAPPED_MM if me.has("arc-node") else -CAPPED_MM, because=(_NODE,), depends_on_place=(who,)
    )


def _check_standing(table: ExactTable, who: str) -> RuleResult:
    """Source: Channeling, p. 73; Inert Warjacks, p. 59: what a stationary one cannot do, an inert one cannot."""
    down = not terms_of(table).statuses_barring_channel.isdisjoint(table.miniature(who).status)
    return RuleResult(margin_mm=-CAPPED_MM if down else CAPPED_MM, because=(_HELPLESS,), depends_on_place=(who,))


def _check_unengaged(table: ExactTable, who: str) -> RuleResult:
    """Whether no enemy engages it. Source: Channeling, p. 73; Engaged & Engaging, p. 43."""
    foes = enemies(table, who)
    if not foes:
        return RuleResult(margin_mm=CAPPED_MM, because=(_ENGAGED,), depends_on_place=(who,))
    held = any_of(tuple(check_engages(table, foe, who) for foe in foes))
    return replace(negate(held), because=(_ENGAGED,))


def _target_clauses(table: ExactTable, query: Channel) -> Clauses:
    """Source: Channeling, p. 73; Casting a Spell, p. 71."""
    spell = next((s for s in table.miniature(query.caster).profile.spells if s.name == query.spell), None)
    if query.target is None:
        return () if spell is None or spell.rng_in != "self" else (("range", _check_not_self(query)),)
    if query.target not in table.miniatures:
        return (("target", RuleResult(margin_mm=-CAPPED_MM, because=(_SIGHT,), depends_on_place=(query.channeler,))),)
    asked = SpellTarget(
        caster=query.caster, target=query.target, spell=query.spell, range_in=query.range_in, origin=query.channeler
    )
    if query.target == query.channeler:
        return (("target", _refuse_self(query, spell)), ("range", spell_range(table, asked, spell, query.channeler)))
    return (
        ("sight", check_sight(table, query.channeler, query.target)),
        ("range", _check_not_self(query) if _is_self(spell) else spell_range(table, asked, spell, query.channeler)),
        ("formation", check_not_astray(table, asked)),
    )


def _is_self(spell: Spell | None) -> bool:
    return spell is not None and spell.rng_in == "self"


def _check_not_self(query: Channel) -> RuleResult:
    """Source: Channeling, p. 73."""
    return RuleResult(margin_mm=-CAPPED_MM, because=(_SELF,), depends_on_place=(query.channeler,))


def _refuse_self(query: Channel, spell: Spell | None) -> RuleResult:
    """Source: Channeling, p. 73: the channeler may be the target of what is not offensive."""
    if spell is None:
        need = f"spell of {query.caster}, with offensive"
        return RuleResult(status="unknown", needs=(need,), because=(_ITSELF,), depends_on_place=(query.channeler,))
    reason = _ITSELF if spell.offensive else _HOLDS
    return RuleResult(
        margin_mm=-CAPPED_MM if spell.offensive else CAPPED_MM, because=(reason,), depends_on_place=(query.channeler,)
    )
