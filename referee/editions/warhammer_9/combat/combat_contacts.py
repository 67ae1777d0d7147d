"""Combat contacts: who touches an enemy and who supports, the nudge that restores it, where a challenge is fought."""

import math
from collections.abc import Iterator

from pydantic import JsonValue

from models.queries import Challenge, CombatContacts, Nudge
from models.verdict import Witness
from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import closest_bases
from referee.editions.warhammer_9.units.engagement import (
    Contact,
    contact_between,
    contact_mm,
    contact_of_shape,
    edge_of,
    engaged_with,
    farthest_over_obstacles_mm,
    fought_side,
    least_gap_bound_mm,
)
from referee.editions.warhammer_9.units.regiment import (
    Regiment,
    all_regiments,
    are_friends,
    is_skirmishing,
    kind_of,
    leading_miniature,
    members_of,
    regiment,
    regiment_of,
)
from referee.editions.warhammer_9.units.unit_strength import has_charged, this_turn_of, total_strength
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.motion.block_pose import BlockPose
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.switches import is_at_least, is_margin_met, is_more_than

_CONTACT = because("Who Can Strike", 42, "Those whose bases touch an enemy fight; corners count.")
_NEAR_MM = 5.0  # who is farther from touching is not told of
_SUPPORT = because("Supporting Attacks", 42, "Who stands directly behind one that fights to the front supports it.")
_MEET = because("Challenges", 83, "They meet in contact where there is room; if there is none they are taken to.")
_NUDGE = because("Combat", 49, "The weaker unit is shifted sideways, without a turn, until they touch again.")


def combat_contacts(table: ExactTable, query: CombatContacts) -> RuleResult:
    """Combat contacts: who touches an enemy, and who supports.

    Source: Who Can Strike, p. 42; Supporting Attacks, p. 42.
    """
    among = list(query.among or all_regiments(table))
    near = _NEAR_MM + farthest_over_obstacles_mm(table)
    pairs = [
        (a, b, contact)
        for k, id_ in enumerate(among)
        for other in among[k + 1 :]
        if not are_friends(table, id_, other)
        and least_gap_bound_mm(regiment(table, id_), regiment(table, other)) < near
        for a in members_of(table, id_)
        for b in members_of(table, other)
        if (contact := contact_between(table, a, b)).mm <= _NEAR_MM
    ]
    touching = [
        (a, b)
        for a, b, contact in pairs
        if is_at_least(contact_mm(table), contact.mm, "touches", contact.depends_on)
        and _is_counted_contact(table, a, b, contact)
    ]
    before_gaps, met = _contacts_across_gaps(table, among, touching), {id_ for pair in touching for id_ in pair}
    untouched = table.reading("across-gap") == "untouched"
    across = [(a, b) for a, b in before_gaps if not (untouched and b in met)]
    touching += across
    fighting = {id_ for pair in touching for id_ in pair}
    supporting = {unit: _supporting_members(table, unit, touching, across) for unit in among}
    counts: dict[str, JsonValue] = {
        unit: {"contact": sum(m in fighting for m in members_of(table, unit)), "support": len(supporting[unit])}
        for unit in among
    }
    supporters = ", ".join(f"{unit}: {len(ids)} support" for unit, ids in supporting.items())
    return RuleResult(
        status="measured",
        value={"pairs": [[a, b] for a, b in touching], "counts": counts},
        members=tuple(_contact_candidate(table, a, b) for a, b in _nearest_enemy_pairs(pairs)),
        because=(with_effect(table, _CONTACT, f"{supporters}."), _SUPPORT),
        readings=("corner-contact", "across-gap"),
        doubtful=("corner-contact", *(["across-gap"] * bool(before_gaps))),
    )


def _contacts_across_gaps(
    table: ExactTable, among: list[str], touching: list[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Contacts across the gap that a short last rank leaves in a flank or rear. Source: Incomplete Ranks, p. 42.

    To a flank those of the last rank close up to it, so that its outermost fights whoever stands before the gap; at
    the rear those of the rank before fight across it.
    """
    pairs = list[tuple[str, str]]()
    for unit in among:
        own = regiment(table, unit)
        if own.ranks < 2 or own.rank_sizes[-1] == own.files or is_skirmishing(table, unit):
            continue
        for foe in engaged_with(table, unit):
            side = fought_side(own, regiment(table, foe))
            if foe in among and side != "front":
                pairs += _pairs_before_gap(table, own, foe, side)
    return [pair for pair in dict.fromkeys(pairs) if pair not in touching and pair[::-1] not in touching]


def _pairs_before_gap(table: ExactTable, own: Regiment, foe: str, side: str) -> Iterator[tuple[str, str]]:
    """Who of the unit fights whom of the enemy across the gap on that side: they overlap along it, past the rank."""
    last, edge = own.rank(own.ranks - 1), edge_of(own, side)
    at_edge = [
        m
        for m in members_of(table, foe)
        if is_at_least(contact_mm(table), gap(table.base(m), edge).mm, "touches the edge before", (m, *own.outline_ids))
    ]
    axis, ids = (
        (own.left, own.rank(own.ranks - 2)) if side == "rear" else (own.ahead, {"left": last[:1]}.get(side, last[-1:]))
    )
    closing = [_span_along(table.base(m), axis) for m in last] if side == "rear" else []
    for id_ in ids:
        low, high = _span_along(table.base(id_), axis)
        for m in at_edge:
            start, stop = _span_along(table.base(m), axis)
            shared = (max(low, start), min(high, stop))
            closed = sum(max(0.0, min(shared[1], b) - max(shared[0], a)) for a, b in closing)
            open_mm = shared[1] - shared[0] - closed
            if is_more_than(open_mm, parameters.CONTACT_MM, "stands before the gap and", (id_, m)):
                yield id_, m


def _span_along(shape: RoundedShape, axis: Point) -> tuple[float, float]:
    """The stretch of an axis that a base covers."""
    along = [x * axis[0] + y * axis[1] for x, y in shape.points]
    return min(along) - shape.radius_mm, max(along) + shape.radius_mm


def _is_counted_contact(table: ExactTable, a: str, b: str, contact: Contact) -> bool:
    """Whether this contact counts: corner to corner by the table's reading."""
    if table.reading("corner-contact") == "counts":
        return True
    if contact.over is not None:
        return is_more_than(contact.shared_mm, parameters.CONTACT_MM, "touches along an edge", (a, b))
    shared = max(_shared_edge_mm(table.base(x), table.base(y)) for x, y in ((a, b), (b, a)))
    return is_more_than(shared, parameters.CONTACT_MM, "touches along an edge", (a, b))


def _shared_edge_mm(a: RoundedShape, b: RoundedShape) -> float:
    """The longest stretch of an edge of a that lies along b."""
    best = 0.0
    for p, q in a.edges():
        length = ((q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2) ** 0.5
        direction = ((q[0] - p[0]) / length, (q[1] - p[1]) / length)
        along = [(x - p[0]) * direction[0] + (y - p[1]) * direction[1] for x, y in b.points]
        if is_margin_met(parameters.CONTACT_MM - gap(RoundedShape((p, q)), b).mm):
            best = max(best, min(length, max(along)) - max(0.0, min(along)))
    return best


def _nearest_enemy_pairs(pairs: list[tuple[str, str, Contact]]) -> list[tuple[str, str]]:
    """Each with the enemy base that is nearest to it."""
    best: dict[str, tuple[float, str]] = {}
    for a, b, contact in pairs:
        best[a] = min(best.get(a, (contact.mm, b)), (contact.mm, b))
        best[b] = min(best.get(b, (contact.mm, a)), (contact.mm, a))
    return [(id_, other) for id_, (_, other) in best.items()]


def _contact_candidate(table: ExactTable, id_: str, other: str) -> Candidate:
    def rule(asked: ExactTable) -> RuleResult:
        contact = contact_between(asked, id_, other)
        stated = next((c.probability for c in asked.state.contacts if {c.a, c.b} == {id_, other}), None)
        mm = contact_mm(asked) - contact.mm
        return RuleResult(margin_mm=mm, depends_on_place=contact.depends_on, contact_probability=stated)

    return Candidate(id_, rule(table), rule)


def _supporting_members(
    table: ExactTable, unit: str, touching: list[tuple[str, str]], across: list[tuple[str, str]]
) -> list[str]:
    """Those directly behind one that fights ahead, and not fighting themselves."""
    own = regiment(table, unit)
    fighting = {id_ for pair in touching for id_ in pair}
    ahead = {a for pair in touching for a, b in (pair, pair[::-1]) if a in own.members and _is_ahead(table, own, a, b)}
    ahead |= {
        b for a, b in across if b in own.members and _is_front_before(table, b, regiment(table, regiment_of(table, a)))
    }
    if kind_of(leading_miniature(table, unit)) == "chariot":
        return []
    supporters: list[str] = []
    for _ in range(_supporting_ranks(table, unit)):
        ahead |= set(supporters)
        behind = ((m, own.in_front_of(m)) for m in own.members if m not in fighting and m not in supporters)
        supporters += [m for m, other in behind if other is not None and other in ahead]
    return supporters


def _supporting_ranks(table: ExactTable, unit: str) -> int:
    """How many ranks support: one; with spears two and with pikes four, where it did not charge. Source: p. 42, 75."""
    rules = {
        rule for m in members_of(table, unit) for weapon in table.miniature(m).profile.melee for rule in weapon.rules
    }
    if has_charged(this_turn_of(table, unit)):
        return 1
    return 4 if "pike" in rules else 2 if "spear" in rules else 1


def _is_ahead(table: ExactTable, own: Regiment, a: str, b: str) -> bool:
    """Whether the enemy b touches the front of a: supporters strike forward only."""
    own_unit = regiment(table, a)
    left, _, _, right = own_unit.corners
    contact = contact_of_shape(table, a, RoundedShape((left, right)), b)
    on = dict.fromkeys((b, *own_unit.outline_ids, *contact.depends_on))
    return is_at_least(contact_mm(table), contact.mm, "touches the front of", tuple(on))


def _is_front_before(table: ExactTable, id_: str, foe: Regiment) -> bool:
    """Whether the front of one who fights across a gap lies along the edge of the enemy that has it."""
    left, _, _, right = regiment(table, id_).corners
    edge = edge_of(foe, fought_side(foe, regiment(table, regiment_of(table, id_))))
    apart = gap(RoundedShape((left, right)), edge).mm
    return is_at_least(contact_mm(table), apart, "has its front before the gap of", (id_, *foe.outline_ids))


def challenge(table: ExactTable, query: Challenge) -> RuleResult:
    """Challenge: where two who accepted it meet. Source: Challenges, p. 83."""
    first = members_of(table, query.a)[0]
    unit = regiment_of(table, query.b)
    front = regiment(table, unit).rank(0)
    taken = [m for m in front if "character" in table.miniature(m).role and m != query.b]
    near = [m for m in front if m not in taken and _is_touching(table, first, m)]
    meet = _is_touching(table, first, members_of(table, query.b)[0])
    places: list[JsonValue] = [{"id": m, "at_mm": [*table.centre(m)]} for m in near]
    return RuleResult(
        status="measured",
        value={"places": places, "assumed": not near and not meet, "in_contact": meet},
        because=(with_effect(table, _MEET, f"{len(near)} places touch {name_of(table, query.a)}."),),
    )


def _is_touching(table: ExactTable, a: str, b: str) -> bool:
    contact = contact_between(table, a, b)
    return is_at_least(contact_mm(table), contact.mm, "touches", contact.depends_on)


def nudge(table: ExactTable, query: Nudge) -> RuleResult:
    """Nudge: the smallest shift that restores contact. Source: Combat, p. 49."""
    weaker = min((query.mover, query.target), key=lambda id_: total_strength(table, id_))
    other = query.target if weaker == query.mover else query.mover
    between = closest_bases(table, weaker, other)
    own = BlockPose.of(regiment(table, weaker))
    (ax, ay), (bx, by) = between.gap.at_a, between.gap.at_b
    shift = (bx - ax, by - ay) if between.mm > 0 else (0.0, 0.0)
    end: Point = (own.front[0] + shift[0], own.front[1] + shift[1])
    pose: dict[str, JsonValue] = {"front_mm": [*end], "facing_deg": math.degrees(own.facing_rad) % 360.0}
    far = math.hypot(*shift)
    return RuleResult(
        status="measured",
        value={"shift_mm": far, "by_mm": [*shift], "poses": {weaker: pose}, "moved": weaker},
        lengths_mm={"shift": far},
        witness=(Witness(type="segment", role="path", points_mm=(between.gap.at_a, between.gap.at_b)),),
        because=(with_effect(table, _NUDGE, f"{name_of(table, weaker)} is shifted by {format_length(far)}."),),
        depends_on_place=between.depends_on,
    )
