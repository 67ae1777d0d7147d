"""Striking: impact hits and stomps, who fights a machine, how contact is restored, where challengers meet."""

import math
from collections.abc import Callable

from pydantic import JsonValue

from models.queries import Challenge, ImpactAttacks, Nudge, WarMachineCombat
from models.verdict import Witness
from models.words import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.engaged import contact_mm, engaged_with
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.formations import total_strength
from referee.editions.warhammer_9.measuring import apart
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    all_regiments,
    are_friends,
    kind_of,
    leading,
    members_of,
    regiment,
    regiment_of,
)
from referee.gaps import gap
from referee.ruling import Candidate, Ruling
from referee.situation import Situation
from referee.telling import applied, length, name_of

_IMPACT = because("Impact Hits", 61, "Only enemies in contact with it are struck.")
_STOMP = because("Stomp", 66, "Only infantry, war beasts and swarms in contact are stomped.")
_MACHINE = because("War Machines", 87, "Six places round a machine; a monstrous one takes three, a monster five.")
_NUDGE = because("Combat", 49, "The weaker unit is shifted sideways, without a turn, until they touch again.")
_MEET = because("Challenges", 84, "They meet in contact where there is room; if there is none they are taken to.")
_STOMPED = frozenset({"infantry", "war-beast", "swarm"})
_PLACES = 6
Rule = Callable[[Situation], Ruling]


def impact_attacks(table: Situation, query: ImpactAttacks) -> Ruling:
    """Whom impact hits or stomps strike. Source: Impact Hits, p. 61; Stomp, p. 66."""
    foes = [one for one in all_regiments(table) if not are_friends(table, query.attacker, one)]
    near = [m for one in foes if query.target in (None, one) for m in members_of(table, one)]
    struck = [m for m in near if query.attack == "impact" or kind_of(table.miniature(m)) in _STOMPED]
    close = [m for m in struck if _gap_mm(table, query.attacker, m) <= 10.0]
    rule = _STOMP if query.attack == "stomp" else _IMPACT
    return Ruling(
        status="measured",
        value={"contact_mm": contact_mm(table), "resumes": False, "poses": {}},
        members=tuple(_touching(table, query.attacker, m) for m in close),
        because=(applied(table, rule, f"{len(close)} are near enough to touch."),),
    )


def _gap_mm(table: Situation, attacker: str, id_: str) -> float:
    return min(gap(table.base(m), table.base(id_)).mm for m in members_of(table, attacker))


def _touching(table: Situation, attacker: str, id_: str) -> Candidate:
    def rule(asked: Situation) -> Ruling:
        nearest = min(members_of(asked, attacker), key=lambda m: gap(asked.base(m), asked.base(id_)).mm)
        told = next((c.probability for c in asked.state.contacts if {c.a, c.b} == {nearest, id_}), None)
        mm = gap(asked.base(nearest), asked.base(id_)).mm
        return Ruling(margin_mm=contact_mm(asked) - mm, touches=(nearest, id_), contact=told)

    return Candidate(id_, rule(table), rule)


def war_machine_combat(table: Situation, query: WarMachineCombat) -> Ruling:
    """How many may fight a machine. Source: War Machines, p. 87."""
    left = float(_PLACES)
    count: dict[str, JsonValue] = {}
    fighting: list[tuple[str, Rule]] = []
    for unit in query.attackers:
        kind = kind_of(leading(table, unit))
        takes = {"monster": 5.0}.get(kind, 3.0 if kind in parameters.MONSTROUS else 1.0)
        free = [m for m in members_of(table, unit) if not _is_busy(table, m, query.target)]
        free = sorted(free, key=lambda m: _gap_mm(table, query.target, m))
        many = min(len(free), int(left // takes))
        count[unit] = many
        fighting += [_in_party(unit, m, query.target) for m in free[:many]]
        left -= many * takes
    return Ruling(
        status="measured",
        value={"places": _PLACES, "count": count, "left": left},
        members=tuple(Candidate(m, rule(table), rule) for m, rule in fighting),
        because=(applied(table, _MACHINE, f"{len(fighting)} fight."),),
    )


def _in_party(unit: str, id_: str, machine: str) -> tuple[str, Rule]:
    """One who is chosen counts as touching the machine, as long as its unit does. Source: War Machines, p. 87."""

    def rule(asked: Situation) -> Ruling:
        between = apart(asked, unit, machine)
        return Ruling(margin_mm=contact_mm(asked) - max(0.0, between.mm), touches=between.touches)

    return id_, rule


def _is_busy(table: Situation, id_: str, machine: str) -> bool:
    """Whether it touches another enemy."""
    own = regiment_of(table, id_)
    rivals = [one for one in engaged_with(table, own) if one != machine]
    return any(_gap_mm(table, one, id_) <= contact_mm(table) for one in rivals)


def nudge(table: Situation, query: Nudge) -> Ruling:
    """The smallest shift that restores contact. Source: Combat, p. 49."""
    weaker = min((query.mover, query.target), key=lambda one: total_strength(table, one))
    other = query.target if weaker == query.mover else query.mover
    between = apart(table, weaker, other)
    own = Footing.of(regiment(table, weaker))
    (ax, ay), (bx, by) = between.gap.at_a, between.gap.at_b
    shift = (bx - ax, by - ay) if between.mm > 0 else (0.0, 0.0)
    there: Point = (own.front[0] + shift[0], own.front[1] + shift[1])
    pose: dict[str, JsonValue] = {"front_mm": [*there], "facing_deg": math.degrees(own.facing_rad) % 360.0}
    far = math.hypot(*shift)
    return Ruling(
        status="measured",
        value={"shift_mm": far, "by_mm": [*shift], "poses": {weaker: pose}, "moved": weaker},
        lengths_mm={"shift": far},
        witness=(Witness(type="segment", role="path", points_mm=(between.gap.at_a, between.gap.at_b)),),
        because=(applied(table, _NUDGE, f"{name_of(table, weaker)} is shifted by {length(far)}."),),
        touches=between.touches,
    )


def challenge(table: Situation, query: Challenge) -> Ruling:
    """Where two who accepted a challenge meet. Source: Challenges, p. 84."""
    first = members_of(table, query.a)[0]
    unit = regiment_of(table, query.b)
    front = regiment(table, unit).rank(0)
    taken = [m for m in front if "character" in table.miniature(m).role and m != query.b]
    near = [m for m in front if m not in taken and gap(table.base(first), table.base(m)).mm <= contact_mm(table)]
    meet = gap(table.base(first), table.base(members_of(table, query.b)[0])).mm <= contact_mm(table)
    places: list[JsonValue] = [{"id": m, "at_mm": [*table.centre(m)]} for m in near]
    return Ruling(
        status="measured",
        value={"places": places, "assumed": not near and not meet, "in_contact": meet},
        because=(applied(table, _MEET, f"{len(near)} places touch {name_of(table, query.a)}."),),
    )
