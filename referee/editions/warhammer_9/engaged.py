"""Engaged: whose bases touch whose, and on which side."""

from pydantic import JsonValue

from models.queries import CombatContacts
from models.unit import Unit
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.arcs import quadrant
from referee.editions.warhammer_9.measuring import apart
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    Regiment,
    all_regiments,
    are_friends,
    garrisoned,
    kind_of,
    leading,
    members_of,
    regiment,
)
from referee.gaps import gap
from referee.ruling import Candidate, Ruling
from referee.shapes import Rounded
from referee.situation import Situation
from referee.telling import applied

_CONTACT = because("Who Can Strike", 44, "Those whose bases touch an enemy fight; corners count.")
_SUPPORT = because("Supporting Attacks", 45, "Who stands directly behind one that fights to the front supports it.")
SIDES = ("front", "left", "rear", "right")


def engaged_with(table: Situation, id_: str) -> list[str]:
    """The enemy regiments that touch this one; a measuring error does not end a fight. Source: Combat, p. 44."""
    return table.settled(("engaged", id_), lambda still: _engaged_with(still, id_))


def _engaged_with(table: Situation, id_: str) -> list[str]:
    if garrisoned(table, id_) is not None:
        return []
    foes = [one for one in all_regiments(table) if one != id_ and not are_friends(table, id_, one)]
    return [one for one in foes if garrisoned(table, one) is None and _touch(table, id_, one)]


def _touch(table: Situation, a: str, b: str) -> bool:
    mine, theirs = regiment(table, a), regiment(table, b)
    far = _rough_mm(mine, theirs)
    return far <= parameters.CONTACT_MM and apart(table, a, b).mm <= contact_mm(table)


def contact_mm(table: Situation) -> float:
    return table.state.contact_tolerance_mm


def _rough_mm(a: Regiment, b: Regiment) -> float:
    """A lower bound for the gap of two regiments."""
    (ax, ay), (bx, by) = a.centre, b.centre
    reach = (a.width_mm**2 + a.depth_mm**2) ** 0.5 / 2 + (b.width_mm**2 + b.depth_mm**2) ** 0.5 / 2
    return float(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 - reach)


def edge_of(own: Regiment, side: str) -> Rounded:
    """One edge of a regiment."""
    fl, rl, rr, fr = own.corners
    return Rounded({"front": (fr, fl), "left": (fl, rl), "rear": (rl, rr), "right": (rr, fr)}[side])


def side_touched(own: Regiment, foe: Regiment) -> str:
    """On which side an enemy fights: the one its middle lies beyond. Source: Flank and Rear Charges, p. 20."""
    side, _ = quadrant(own, foe.centre)
    return side if side != "border" else "front"


def free_sides(table: Situation, id_: str) -> list[str]:
    """The sides of a regiment that no enemy fights."""
    own = regiment(table, id_)
    taken = {side_touched(own, regiment(table, foe)) for foe in engaged_with(table, id_)}
    return [side for side in SIDES if side not in taken]


def side_gap_mm(table: Situation, who: str, own: Regiment, side: str) -> float:
    """How far the nearest base of a unit is from one side of a regiment."""
    edge = edge_of(own, side)
    return min(gap(table.base(m), edge).mm for m in members_of(table, who))


def combat_contacts(table: Situation, query: CombatContacts) -> Ruling:
    """Who touches an enemy, and who supports from behind. Source: Who Can Strike, p. 44; Supporting Attacks, p. 45."""
    among = list(query.among or all_regiments(table))
    pairs = [
        (a, b, mm)
        for k, one in enumerate(among)
        for other in among[k + 1 :]
        if not are_friends(table, one, other) and _rough_mm(regiment(table, one), regiment(table, other)) < 5.0
        for a in members_of(table, one)
        for b in members_of(table, other)
        if (mm := gap(table.base(a), table.base(b)).mm) <= 5.0
    ]
    touching = [(a, b) for a, b, mm in pairs if mm <= contact_mm(table) and _counts(table, a, b)]
    fighting = {id_ for pair in touching for id_ in pair}
    supporting = {unit: _supporters(table, unit, touching) for unit in among}
    counts: dict[str, JsonValue] = {
        unit: {"contact": sum(m in fighting for m in members_of(table, unit)), "support": len(supporting[unit])}
        for unit in among
    }
    told = ", ".join(f"{unit}: {len(ids)} support" for unit, ids in supporting.items())
    return Ruling(
        status="measured",
        value={"pairs": [[a, b] for a, b in touching], "counts": counts},
        members=tuple(_member(table, a, b) for a, b in _closest(pairs)),
        because=(applied(table, _CONTACT, f"{told}."), _SUPPORT),
        readings=("corner-contact",),
        doubtful=("corner-contact",),
    )


def _counts(table: Situation, a: str, b: str) -> bool:
    """Whether this contact counts: corner to corner by the table's reading."""
    if table.reading("corner-contact") == "counts":
        return True
    return any(_overlap(table.base(x), table.base(y)) > parameters.CONTACT_MM for x, y in ((a, b), (b, a)))


def _overlap(a: Rounded, b: Rounded) -> float:
    """The longest stretch of an edge of a that lies along b."""
    best = 0.0
    for p, q in a.edges():
        length = ((q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2) ** 0.5
        way = ((q[0] - p[0]) / length, (q[1] - p[1]) / length)
        along = [(x - p[0]) * way[0] + (y - p[1]) * way[1] for x, y in b.points]
        if gap(Rounded((p, q)), b).mm <= parameters.CONTACT_MM:
            best = max(best, min(length, max(along)) - max(0.0, min(along)))
    return best


def _closest(pairs: list[tuple[str, str, float]]) -> list[tuple[str, str]]:
    """Each with the enemy base that is nearest to it."""
    best: dict[str, tuple[float, str]] = {}
    for a, b, mm in pairs:
        best[a] = min(best.get(a, (mm, b)), (mm, b))
        best[b] = min(best.get(b, (mm, a)), (mm, a))
    return [(one, other) for one, (_, other) in best.items()]


def _member(table: Situation, id_: str, other: str) -> Candidate:
    def rule(asked: Situation) -> Ruling:
        mm = gap(asked.base(id_), asked.base(other)).mm
        told = next((c.probability for c in asked.state.contacts if {c.a, c.b} == {id_, other}), None)
        return Ruling(margin_mm=contact_mm(asked) - mm, touches=(id_, other), contact=told)

    return Candidate(id_, rule(table), rule)


def _supporters(table: Situation, unit: str, touching: list[tuple[str, str]]) -> list[str]:
    """Those directly behind one that fights ahead, and not fighting themselves."""
    own = regiment(table, unit)
    fighting = {id_ for pair in touching for id_ in pair}
    ahead = {a for pair in touching for a, b in (pair, pair[::-1]) if a in own.members and _is_ahead(table, own, a, b)}
    if kind_of(leading(table, unit)) == "chariot":
        return []
    found: list[str] = []
    for _ in range(_supporting_ranks(table, unit)):
        ahead |= set(found)
        behind = ((m, own.in_front_of(m)) for m in own.members if m not in fighting and m not in found)
        found += [m for m, other in behind if other is not None and other in ahead]
    return found


def _supporting_ranks(table: Situation, unit: str) -> int:
    """How many ranks support: one; with spears two and with pikes four, where it did not charge. Source: p. 42, 75."""
    rules = {
        rule for m in members_of(table, unit) for weapon in table.miniature(m).profile.melee for rule in weapon.rules
    }
    thing = table.state.by_id[unit]
    deeds = thing.this_turn if isinstance(thing, Unit) else table.miniature(unit).this_turn
    if deeds.charged is not None or "charge" in deeds.moved:
        return 1
    return 4 if "pike" in rules else 2 if "spear" in rules else 1


def _is_ahead(table: Situation, own: Regiment, a: str, b: str) -> bool:
    """Whether the enemy b touches the front of a: supporters strike forward only."""
    one = regiment(table, a)
    left, _, _, right = one.corners
    return gap(Rounded((left, right)), table.base(b)).mm <= contact_mm(table)
