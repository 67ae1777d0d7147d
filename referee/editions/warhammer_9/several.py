"""Several: who must be charged along with whom, and how several chargers share the side of one target."""

import math
from collections.abc import Iterator
from itertools import combinations

from pydantic import JsonValue

from models.queries import MultiCharge
from models.verdict import CAPPED_MM, Witness
from referee.editions.warhammer_9 import dice, legs
from referee.editions.warhammer_9.arriving import Arrival, arrival
from referee.editions.warhammer_9.barring import in_the_way
from referee.editions.warhammer_9.charging import CONTACT, side_of_charge, there, way_drawn
from referee.editions.warhammer_9.engaged import contact_mm
from referee.editions.warhammer_9.flush import Flush
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.looking import bodies
from referee.editions.warhammer_9.odds import Odds, line_doubts, odds_to
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import garrisoned, members_of, regiment
from referee.editions.warhammer_9.sharing import Charger, Shared, shared, slightly_smaller
from referee.editions.warhammer_9.ways import Ground
from referee.gaps import gap
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied

_SEVERAL = because("Declare Charge", 17, "An enemy whom every way would touch as well must be charged too.")
_SHARE = because("Multiple Charges", 21, "Together they bring the most into contact, then as evenly as they can.")


Ways = dict[tuple[str, str], Arrival]
Distances = dict[tuple[str, str], Odds]


def multi_charge(table: Situation, query: MultiCharge) -> Ruling:
    """Whether just those may be charged, and who finds room. Source: Declare Charge, p. 18; Multiple Charges, p. 21."""
    sides = {(a, t): side_of_charge(table, a, t)[0] or "front" for a in query.attackers for t in query.targets}
    ways = {pair: _arrival(table, query, *pair, side) for pair, side in sides.items()}
    must = sorted({one for way in ways.values() for one in way.must_also})
    spare = [_spare_mm(table, t, side, [a for a in query.attackers if sides[a, t] == side])
             for t, side in {(t, side) for (_, t), side in sides.items()}]  # fmt: skip
    odds = {pair: one for pair in sides if (one := odds_to(table, *pair)) is not None}
    short = min((one.longest_mm - one.mm for one in odds.values()), default=CAPPED_MM)
    barred = any(all(ways[a, t].way is None for t in query.targets) for a in query.attackers)
    value, way_there = ({}, ()) if table.lean else _arrived(table, query, ways, odds)
    return Ruling(
        margin_mm=-CAPPED_MM if must or barred else min(short, *spare),
        value={"must_also": [*must], "chances": _chances(odds), **value},
        witness=() if table.lean else (*(one.drawn(table) for one in odds.values()), *way_there),
        because=(applied(table, _SEVERAL, f"Also touched: {', '.join(must) or 'nobody'}."), _SHARE),
        readings=("multi-charge-search", "most-contact", "charge-line", "corner-contact"),
        doubtful=tuple(_in_doubt(table, ways, odds)),
        tells=tuple(must),
        retold=() if table.lean else tuple(key for key in CONTACT if _counts_otherwise(table, key, ways)),
        touches=members_of(table, query.attackers[0]),
    )


def _arrival(table: Situation, query: MultiCharge, attacker: str, target: str, side: str) -> Arrival:
    """One of the charges; the others who charge or are charged do not bar its way."""
    with_ = tuple(one for one in (*query.attackers, *query.targets) if one not in (attacker, target))
    return arrival(table, attacker, target, side, with_=with_)


def _in_doubt(table: Situation, ways: Ways, odds: Distances) -> Iterator[str]:
    """The house rules on which it may hang here."""
    if not all(way.is_obvious for way in ways.values()):
        yield "multi-charge-search"
    if any(key for (a, t), one in odds.items() for key in line_doubts(table, a, t, one)):
        yield "charge-line"


def _counts_otherwise(table: Situation, key: str, ways: Ways) -> bool:
    """Whether other places are better, or others touch there, by another reading of that house rule."""
    found = [(way.flush, way.way.middle_mm) for way in ways.values() if way.way is not None]
    return any(not flush.under(one).is_as_good_as(flush, at) for one in table.otherwise(key) for flush, at in found)


def _chances(odds: Distances) -> dict[str, JsonValue]:
    """The chance of each charge, and of reaching several targets with one roll: the farthest decides."""
    found: dict[str, JsonValue] = {}
    for attacker in {a for a, _ in odds}:
        own = {t: one for (a, t), one in odds.items() if a == attacker}
        for count in range(1, len(own) + 1):
            for some in combinations(own, count):
                least = max(own[t].needs(own[t].mm) for t in some)
                found[f"{attacker}>{'+'.join(some)}"] = dice.told(own[some[0]].name, least)
    return found


def _spare_mm(table: Situation, target: str, side: str, chargers: list[str]) -> float:
    """How much longer a side is than all between the first and the last of its chargers are wide."""
    if garrisoned(table, target) is not None or not chargers:
        return CAPPED_MM
    rows = {a: Flush.of(table, regiment(table, a), regiment(table, target), side) for a in chargers}
    order = sorted(chargers, key=lambda a: rows[a].straight_on_mm)
    return next(iter(rows.values())).long_mm - sum(rows[a].own.width_mm for a in order[1:-1])


def _arrived(
    table: Situation, query: MultiCharge, ways: Ways, odds: Distances
) -> tuple[dict[str, JsonValue], tuple[Witness, ...]]:
    """Where they stand in the end and their ways there; one alone goes as in any charge."""
    if len(ways) == 1:
        ((attacker, target), only), own = next(iter(ways.items())), query.attackers[0]
        files = only.flush.touching(only.way.middle_mm)[0] if only.way is not None else None
        told: dict[str, JsonValue] = {
            "places": {own: files},
            "fail": [] if files else [own],
            "order": [own] if files else [],
        }
        return told | there(table, attacker, target, only), way_drawn(table, attacker, only)
    chargers = []
    for a in query.attackers:
        near = sorted(query.targets, key=lambda t: odds[a, t].mm if (a, t) in odds else math.inf)
        goal = next((t for t in near if ways[a, t].way is not None), None)
        if goal is not None:
            chargers.append(_charger(table, query, a, goal, ways[a, goal]))
    stay = [Footing.of(regiment(table, a)) for a in query.attackers if a not in {one.id for one in chargers}]
    found = shared(chargers, stay)
    return _value(table, query, chargers, found), _pictured(chargers, found)


def _charger(table: Situation, query: MultiCharge, attacker: str, goal: str, found: Arrival) -> Charger:
    others = [t for t in (*query.targets, *found.must_also) if t != goal]
    also = tuple(one.shape for t in others if garrisoned(table, t) is None for one in bodies(table, t))
    things = in_the_way(table, attacker, goal, (*query.attackers, *query.targets, *found.must_also))
    closed = (*(shape for shapes in things.values() for shape in shapes), *map(slightly_smaller, also))
    ground = Ground(found.flush, found.goal, closed, closes_up=found.aligned_by is not None)
    return Charger(attacker, goal, (found.flush.start, found.flush.end), ground, also)


def _value(table: Situation, query: MultiCharge, chargers: list[Charger], found: Shared) -> dict[str, JsonValue]:
    """Who stands where in the end, and the ways there in the order in which they are gone."""
    poses, paths = dict[str, JsonValue](), dict[str, JsonValue]()
    for one in chargers:
        if one.id in found.ways:
            way, own = found.ways[one.id], regiment(table, one.id)
            poses |= legs.poses_of(table, own, one.ends(way))
            paths[one.id] = way.legs(closes_up=one.ground.closes_up)
    return {
        "places": {a: found.files.get(a) for a in query.attackers},
        "fail": [a for a in query.attackers if a not in found.files],
        "in_contact": {**found.files, **found.theirs, **_besides(table, query, chargers, found)},
        "order": [*found.ways],
        "poses": poses,
        "paths": paths,
    }


def _besides(table: Situation, query: MultiCharge, chargers: list[Charger], found: Shared) -> dict[str, JsonValue]:
    """How many of the targets at which nobody aligned are touched all the same."""
    ends = [one.ends(found.ways[one.id]).shape for one in chargers if one.id in found.ways]
    rest = [t for t in query.targets if t not in found.theirs and garrisoned(table, t) is None]
    return {
        t: sum(any(gap(table.base(m), end).mm <= contact_mm(table) for end in ends) for m in members_of(table, t))
        for t in rest
    }


def _pictured(chargers: list[Charger], found: Shared) -> tuple[Witness, ...]:
    shown: list[Witness] = []
    for one in chargers:
        if one.id in found.ways:
            way = found.ways[one.id]
            shown += legs.drawn(way.start, one.ends(way), way.legs(closes_up=one.ground.closes_up), one.id)
    return tuple(shown)
