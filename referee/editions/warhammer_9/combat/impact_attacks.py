"""Impact attacks: whom impact hits or stomps strike, and how many may fight a war machine and its crew."""

from collections.abc import Callable

from pydantic import JsonValue

from models.profile import Profile
from models.queries import ImpactAttacks, WarMachineCombat
from models.turn import ThisTurn
from models.verdict import Reason
from models.vocabulary import Ability
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import closest_bases
from referee.editions.warhammer_9.units.engagement import contact_mm, engaged_with
from referee.editions.warhammer_9.units.regiment import (
    all_regiments,
    are_friends,
    is_skirmishing,
    kind_of,
    leading_miniature,
    members_of,
    regiment_of,
)
from referee.editions.warhammer_9.units.unit_strength import has_charged, this_turn_of
from referee.geometry.distance import gap
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.switches import is_at_least

_IMPACT = because("Impact Hits", 61, "Only enemies in contact with it are struck.")
_NO_CHARGE = because("Impact Hits", 61, "They are made only in the turn of a successful charge.")
_NO_IMPACT = because("Impact Hits", 61, "Neither its card nor its troop type has them.")
_NO_STOMP = because("Stomp", 66, "Neither its card nor its troop type has it.")
_STOMP = because("Stomp", 66, "Only infantry, war beasts and swarms in contact are stomped.")
_RIDERS = frozenset({"cavalry", "monstrous-cavalry"})
_STOMPED = frozenset({"infantry", "war-beast", "swarm"})
_MACHINE = because(
    "War Machines in Close Combat", 87, "Six places round a machine; a monstrous one takes three, a monster five."
)
_PLACES = 6
_CHARGES = frozenset({"random", "pursuit", "overrun"})  # what leads into contact as a charge does
Rule = Callable[[ExactTable], RuleResult]


def impact_attacks(table: ExactTable, query: ImpactAttacks) -> RuleResult:
    """Impact hits and stomps: whom they strike. Source: Impact Hits, p. 61; Stomp, p. 66."""
    rule = _STOMP if query.attack == "stomp" else _IMPACT
    why_none = _why_none(table, query)
    if query.attack == "impact" and why_none is None and this_turn_of(table, query.attacker) == ThisTurn():
        return RuleResult(status="unknown", needs=(f"this_turn.charged of {query.attacker}",), because=(_NO_CHARGE,))
    foes = [id_ for id_ in all_regiments(table) if not are_friends(table, query.attacker, id_)]
    near = [m for id_ in foes if query.target in (None, id_) for m in members_of(table, id_)]
    struck = [m for m in near if query.attack == "impact" or kind_of(table.miniature(m)) in _STOMPED]
    by = _attackers(table, query)
    close = [m for m in struck if why_none is None and min(gap(table.base(a), table.base(m)).mm for a in by) <= 10.0]
    return RuleResult(
        status="measured",
        value={"contact_mm": contact_mm(table), "resumes": False, "poses": {}, "hits": _hits(table, query, close)},
        members=tuple(_contact_candidate(table, by, m) for m in close),
        because=(why_none or with_effect(table, rule, f"{len(close)} are near enough to touch."),),
    )


def _attackers(table: ExactTable, query: ImpactAttacks) -> list[str]:
    """Those of the unit whose cards, as far as they are told, have the rule."""
    word: Ability = "stomp" if query.attack == "stomp" else "impact-hits"
    cards = [table.miniature(m) for m in members_of(table, query.attacker)]
    return [card.id for card in cards if card.has(word) or card.profile == Profile()]


def _why_none(table: ExactTable, query: ImpactAttacks) -> Reason | None:
    """Why it strikes nobody so: no card of it, as far as cards are told, has the rule, or it made no charge."""
    if not _attackers(table, query):
        return _NO_STOMP if query.attack == "stomp" else _NO_IMPACT
    deeds = this_turn_of(table, query.attacker)
    came = has_charged(deeds) or not deeds.moved or not _CHARGES.isdisjoint(deeds.moved)
    return _NO_CHARGE if query.attack == "impact" and (deeds.charge_failed or not came) else None


def _hits(table: ExactTable, query: ImpactAttacks, close: list[str]) -> dict[str, JsonValue]:
    """Of each unit in contact: how many attackers touch it, and how many hits each of these rolls or makes.

    `each` is None where the card alone says it. Source: Impact Hits, p. 61; Stomp, p. 66; Cavalry, p. 70.
    """
    hits: dict[str, JsonValue] = {}
    for unit in dict.fromkeys(regiment_of(table, m) for m in close):
        theirs = members_of(table, unit)
        touching = [m for m in _attackers(table, query) if _is_touching(table, unit, m)]
        if query.attack == "stomp":
            few = is_skirmishing(table, unit) or (
                len(theirs) == 1 and kind_of(table.miniature(theirs[0])) == "infantry"
            )
            each: str | None = "1d3" if few else "1d6"
        else:
            kinds = {kind_of(table.miniature(m)) for m in touching}
            each = "1" if kinds <= _RIDERS else "1d6" if kinds == {"chariot"} else None
        hits |= {unit: {"by": len(touching), "each": each}} if touching else {}
    return hits


def _is_touching(table: ExactTable, unit: str, id_: str) -> bool:
    return is_at_least(contact_mm(table), least_gap_mm(table, unit, id_), "touches", (id_, unit))


def least_gap_mm(table: ExactTable, attacker: str, id_: str) -> float:
    """The least gap between any base of a unit and one miniature."""
    return min(gap(table.base(m), table.base(id_)).mm for m in members_of(table, attacker))


def _contact_candidate(table: ExactTable, by: list[str], id_: str) -> Candidate:
    def rule(asked: ExactTable) -> RuleResult:
        nearest = min(by, key=lambda m: gap(asked.base(m), asked.base(id_)).mm)
        stated = next((c.probability for c in asked.state.contacts if {c.a, c.b} == {nearest, id_}), None)
        mm = gap(asked.base(nearest), asked.base(id_)).mm
        return RuleResult(margin_mm=contact_mm(asked) - mm, depends_on_place=(nearest, id_), contact_probability=stated)

    return Candidate(id_, rule(table), rule)


def war_machine_combat(table: ExactTable, query: WarMachineCombat) -> RuleResult:
    """War machine combat: how many may fight a machine. Source: War Machines, p. 87."""
    left = float(_PLACES)
    count: dict[str, JsonValue] = {}
    fighting: list[tuple[str, Rule]] = []
    for unit in query.attackers:
        kind = kind_of(leading_miniature(table, unit))
        takes = {"monster": 5.0}.get(kind, 3.0 if kind in parameters.MONSTROUS else 1.0)
        free = [m for m in members_of(table, unit) if not _is_fighting_another(table, m, query.target)]
        free = sorted(free, key=lambda m: least_gap_mm(table, query.target, m))
        many = min(len(free), int(left // takes))
        count[unit] = many
        fighting += [_party_rule(unit, m, query.target) for m in free[:many]]
        left -= many * takes
    return RuleResult(
        status="measured",
        value={"places": _PLACES, "count": count, "left": left},
        members=tuple(Candidate(m, rule(table), rule) for m, rule in fighting),
        because=(with_effect(table, _MACHINE, f"{len(fighting)} fight."),),
    )


def _party_rule(unit: str, id_: str, machine: str) -> tuple[str, Rule]:
    """One who is chosen counts as touching the machine, as long as its unit does. Source: War Machines, p. 87."""

    def rule(asked: ExactTable) -> RuleResult:
        between = closest_bases(asked, unit, machine)
        return RuleResult(margin_mm=contact_mm(asked) - max(0.0, between.mm), depends_on_place=between.depends_on)

    return id_, rule


def _is_fighting_another(table: ExactTable, id_: str, machine: str) -> bool:
    """Whether it touches another enemy."""
    own = regiment_of(table, id_)
    rivals = [id_ for id_ in engaged_with(table, own) if id_ != machine]
    return any(
        is_at_least(contact_mm(table), least_gap_mm(table, rival, id_), "touches", (id_, rival)) for rival in rivals
    )
