"""Multiple charges: who must be charged along with whom, and how several chargers share the side of one target."""

import math
from collections.abc import Iterator, Mapping
from itertools import combinations

from pydantic import JsonValue

from models.queries import Charge, MultiCharge
from models.verdict import CAPPED_MM, Witness
from referee.editions.warhammer_9.charges.alignment import Alignment
from referee.editions.warhammer_9.charges.arrival import find_arrival
from referee.editions.warhammer_9.charges.charge import (
    CONTACT_HOUSE_RULES,
    charged_side,
    declaration_clauses,
    possible_sides,
)
from referee.editions.warhammer_9.charges.charge_odds import ChargeOdds, charge_line_doubts, charge_odds
from referee.editions.warhammer_9.charges.charge_report import arrival_value, draw_path
from referee.editions.warhammer_9.charges.multi_charge_allocation import (
    Allocation,
    Charger,
    allocate_sides,
    shrink_slightly,
)
from referee.editions.warhammer_9.charges.obstacles import charge_obstacles
from referee.editions.warhammer_9.charges.path_search import Arrival, ChargeScene
from referee.editions.warhammer_9.line_of_sight.scene import solid_bodies
from referee.editions.warhammer_9.movement import movement_dice, path_legs
from referee.editions.warhammer_9.movement.turn_ledger import why_may_not_charge
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.engagement import contact_mm
from referee.editions.warhammer_9.units.regiment import garrisoned_building, members_of, regiment
from referee.geometry.distance import gap
from referee.motion.block_pose import BlockPose
from referee.rules.conditions import RIVAL_MM
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_SEVERAL = because("Declare Charge", 17, "An enemy whom every way would touch as well must be charged too.")
_SHARE = because("Multiple Charges", 21, "Together they bring the most into contact, then as evenly as they can.")


_DUST_MM = 1e-6
Pair = tuple[str, str]
Side = tuple[str, str]
Arrivals = dict[Pair, Arrival]
Distances = dict[Pair, ChargeOdds]


def multi_charge(table: ExactTable, query: MultiCharge) -> RuleResult:
    """Multiple charges: whether exactly those targets may be charged, and who finds room.

    Source: Declare Charge, p. 18; Multiple Charges, p. 21.
    """
    pairs = [(a, t) for a in query.attackers for t in query.targets]
    cardless = tuple(dict.fromkeys(a for a, t in pairs if charge_odds(table, a, t) is None))
    if cardless:
        return _result_without_movement(table, query, cardless)
    sides, ways = {}, {}
    for pair in pairs:
        sides[pair], ways[pair] = _side_and_arrival(table, query, *pair)
    must = sorted({id_ for arrival in ways.values() for id_ in arrival.must_also_charge})
    shares = {(t, side): [a for a in query.attackers if sides[a, t] == side] for (_, t), side in sides.items()}
    spare = [_spare_mm(table, *target_side, chargers) for target_side, chargers in shares.items()]
    odds = {pair: pair_odds for pair in sides if (pair_odds := charge_odds(table, *pair)) is not None}
    declared = [_declared(table, pair, odds[pair], ways[pair]) for pair in odds]
    least = min((mm for mm, _ in declared), default=CAPPED_MM)
    barred = any(all(ways[a, t].path is None for t in query.targets) for a in query.attackers)
    near = [ids for mm, ids in declared if mm < least + RIVAL_MM]
    value, way_there = ({}, ()) if table.margins_only else _resolve_arrivals(table, query, ways, odds)
    slack = -CAPPED_MM if must or barred else min(least, *spare)
    spare_mm = _spare_frontage_mm(table, shares, slack)
    return RuleResult(
        margin_mm=slack if table.reading("multi-charge-margin") == "least-clause" else spare_mm,
        slack_mm=slack,
        value={"must_also": [*must], "chances": _charge_chances(odds), **value},
        witness=() if table.margins_only else (*(pair_odds.draw(table) for pair_odds in odds.values()), *way_there),
        because=(with_effect(table, _SEVERAL, f"Also touched: {', '.join(must) or 'nobody'}."), _SHARE),
        readings=("multi-charge-margin", "multi-charge-search", "most-contact", "charge-line", "corner-contact"),
        doubtful=tuple(_doubtful_house_rules(table, ways, odds)),
        deciding_house_rules=("multi-charge-margin",) * (abs(spare_mm - slack) > _DUST_MM),
        outcomes=tuple(must),
        outcome_house_rules=()
        if table.margins_only
        else tuple(key for key in CONTACT_HOUSE_RULES if _is_reading_relevant(table, key, ways)),
        depends_on_place=tuple(dict.fromkeys(id_ for ids in near for id_ in ids)),
    )


def _result_without_movement(table: ExactTable, query: MultiCharge, cardless: tuple[str, ...]) -> RuleResult:
    """The result without a Movement on a card: a unit that may not charge at all needs none."""
    barred = {
        a: why_may_not_charge(table, Charge(attacker=a, target=query.targets[0], step="declare"))
        for a in query.attackers
    }
    if not any(barred.values()):
        return RuleResult(
            status="unknown", needs=tuple(f"profile.spd_in of {a}" for a in cardless), because=(_SEVERAL,)
        )
    reasons: dict[str, JsonValue] = {a: [*why] for a, why in barred.items() if why}
    return RuleResult(
        margin_mm=-CAPPED_MM,
        value={"barred": reasons},
        because=(with_effect(table, _SEVERAL, f"Not one to charge: {', '.join(reasons)}."),),
    )


def _declared(table: ExactTable, pair: Pair, odds: ChargeOdds, arrival: Arrival) -> tuple[float, tuple[str, ...]]:
    """Whether one of the charges may be declared for all but its way, and what that hangs on."""
    charge = Charge(attacker=pair[0], target=pair[1], step="declare")
    clauses, ids = declaration_clauses(table, charge, odds, is_open=arrival.path is not None)
    return min(mm for name, mm in clauses.items() if name != "path"), ids


def _side_and_arrival(table: ExactTable, query: MultiCharge, attacker: str, target: str) -> tuple[str, Arrival]:
    """The side that is charged, of those that the dice may give the first with a way, and the arrival there."""
    sides = possible_sides(*charged_side(table, attacker, target)) or ["front"]
    arrivals = [(side, _find_arrival_beside(table, query, attacker, target, side)) for side in sides]
    return next((pair for pair in arrivals if pair[1].path is not None), arrivals[0])


def _find_arrival_beside(table: ExactTable, query: MultiCharge, attacker: str, target: str, side: str) -> Arrival:
    """One of the charges; the others who charge or are charged do not bar its way."""
    with_ = tuple(id_ for id_ in (*query.attackers, *query.targets) if id_ not in (attacker, target))
    return find_arrival(table, attacker, target, side, with_=with_)


def _doubtful_house_rules(table: ExactTable, ways: Arrivals, odds: Distances) -> Iterator[str]:
    """The house rules on which it may hang here."""
    if not all(arrival.is_obvious for arrival in ways.values()):
        yield "multi-charge-search"
    if any(key for (a, t), pair_odds in odds.items() for key in charge_line_doubts(table, a, t, pair_odds)):
        yield "charge-line"


def _is_reading_relevant(table: ExactTable, key: str, ways: Arrivals) -> bool:
    """Whether other places are better, or others touch there, by another reading of that house rule."""
    contacts = [(arrival.alignment, arrival.path.middle_mm) for arrival in ways.values() if arrival.path is not None]
    return any(
        not alignment.with_readings_of(reading).is_equivalent_at(alignment, at)
        for reading in table.other_readings(key)
        for alignment, at in contacts
    )


def _charge_chances(odds: Distances) -> dict[str, JsonValue]:
    """The chance of each charge, and of reaching several targets with one roll: the farthest decides."""
    chances: dict[str, JsonValue] = {}
    for attacker in dict.fromkeys(a for a, _ in odds):
        own = {t: pair_odds for (a, t), pair_odds in odds.items() if a == attacker}
        for count in range(1, len(own) + 1):
            for some in combinations(own, count):
                least = max(own[t].least_roll(own[t].distance_mm) for t in some)
                chances[f"{attacker}>{'+'.join(some)}"] = movement_dice.chance_value(own[some[0]].dice, least)
    return chances


def _spare_mm(table: ExactTable, target: str, side: str, chargers: list[str]) -> float:
    """How much longer a side is than all between the first and the last of its chargers are wide."""
    if garrisoned_building(table, target) is not None or not chargers:
        return CAPPED_MM
    rows = {a: Alignment.of(table, regiment(table, a), regiment(table, target), side) for a in chargers}
    order = sorted(chargers, key=lambda a: rows[a].straight_on_mm)
    return next(iter(rows.values())).length_mm - sum(rows[a].own.width_mm for a in order[1:-1])


def _spare_frontage_mm(table: ExactTable, shares: Mapping[Side, list[str]], slack_mm: float) -> float:
    """What misses most; where all holds and several share a side, what is left of it beside all of them.

    Who stands at an end may overhang it, so that nothing left is no obstacle.
    """
    shared = [item for item in shares.items() if len(item[1]) > 1 and garrisoned_building(table, item[0][0]) is None]
    if slack_mm < 0 or not shared:
        return slack_mm
    return max(0.0, min(_left_mm(table, *target_side, chargers) for target_side, chargers in shared))


def _left_mm(table: ExactTable, target: str, side: str, chargers: list[str]) -> float:
    """How much longer a side is than all of its chargers side by side are wide."""
    rows = [Alignment.of(table, regiment(table, a), regiment(table, target), side) for a in chargers]
    return rows[0].length_mm - sum(row.own.width_mm for row in rows)


def _resolve_arrivals(
    table: ExactTable, query: MultiCharge, ways: Arrivals, odds: Distances
) -> tuple[dict[str, JsonValue], tuple[Witness, ...]]:
    """Where they stand in the end and their ways there; one alone goes as in any charge."""
    if len(ways) == 1:
        ((attacker, target), only), own = next(iter(ways.items())), query.attackers[0]
        files = only.alignment.contact_counts(only.path.middle_mm)[0] if only.path is not None else None
        order_value: dict[str, JsonValue] = {
            "places": {own: files},
            "fail": [] if files else [own],
            "order": [own] if files else [],
        }
        return order_value | arrival_value(table, attacker, target, only), draw_path(table, attacker, target, only)
    chargers = []
    for a in query.attackers:
        near = sorted(query.targets, key=lambda t: odds[a, t].distance_mm if (a, t) in odds else math.inf)
        goal = next((t for t in near if ways[a, t].path is not None), None)
        if goal is not None:
            chargers.append(_make_charger(table, query, a, goal, ways[a, goal]))
    stay = [BlockPose.of(regiment(table, a)) for a in query.attackers if a not in {charger.id for charger in chargers}]
    allocation = allocate_sides(chargers, stay)
    return _allocation_value(table, query, chargers, allocation), _draw_paths(chargers, allocation)


def _make_charger(table: ExactTable, query: MultiCharge, attacker: str, goal: str, arrival: Arrival) -> Charger:
    others = [t for t in (*query.targets, *arrival.must_also_charge) if t != goal]
    also = tuple(body.shape for t in others if garrisoned_building(table, t) is None for body in solid_bodies(table, t))
    things = charge_obstacles(table, attacker, goal, (*query.attackers, *query.targets, *arrival.must_also_charge))
    closed = (*(shape for shapes in things.values() for shape in shapes), *map(shrink_slightly, also))
    ground = ChargeScene(arrival.alignment, arrival.goal, closed, closes_up=arrival.aligned_by is not None)
    return Charger(attacker, goal, (arrival.alignment.start, arrival.alignment.end), ground, also)


def _allocation_value(
    table: ExactTable, query: MultiCharge, chargers: list[Charger], allocation: Allocation
) -> dict[str, JsonValue]:
    """Who stands where in the end, and the ways there in the order in which they are gone."""
    poses, paths = dict[str, JsonValue](), dict[str, JsonValue]()
    for charger in chargers:
        if charger.id in allocation.paths:
            path, own = allocation.paths[charger.id], regiment(table, charger.id)
            poses |= path_legs.unit_poses(table, own, charger.final_pose(path))
            paths[charger.id] = path.legs(closes_up=charger.scene.closes_up)
    return {
        "places": {a: allocation.files.get(a) for a in query.attackers},
        "fail": [a for a in query.attackers if a not in allocation.files],
        "in_contact": {
            **allocation.files,
            **allocation.target_contacts,
            **_other_contacts(table, query, chargers, allocation),
        },
        "order": [*allocation.paths],
        "poses": poses,
        "paths": paths,
    }


def _other_contacts(
    table: ExactTable, query: MultiCharge, chargers: list[Charger], allocation: Allocation
) -> dict[str, JsonValue]:
    """How many of the targets at which nobody aligned are touched all the same."""
    ends = [
        charger.final_pose(allocation.paths[charger.id]).shape for charger in chargers if charger.id in allocation.paths
    ]
    rest = [t for t in query.targets if t not in allocation.target_contacts and garrisoned_building(table, t) is None]
    return {
        t: sum(
            any(is_at_least(contact_mm(table), gap(table.base(m), end).mm, "touches then", (m, t)) for end in ends)
            for m in members_of(table, t)
        )
        for t in rest
    }


def _draw_paths(chargers: list[Charger], allocation: Allocation) -> tuple[Witness, ...]:
    shown: list[Witness] = []
    for charger in chargers:
        if charger.id in allocation.paths:
            path = allocation.paths[charger.id]
            shown += path_legs.draw_legs(
                path.start, charger.final_pose(path), path.legs(closes_up=charger.scene.closes_up), charger.id
            )
    return tuple(shown)
