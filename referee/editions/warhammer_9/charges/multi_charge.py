"""Multiple charges: who must be charged along with whom, and how several chargers share the side of one target."""

import math
from collections.abc import Iterator, Mapping
from itertools import combinations

from pydantic import JsonValue

from models.queries import Charge, MultiCharge
from models.verdict import CAPPED_MM, Witness
from referee.editions.warhammer_9.charges.alignment import Alignment
from referee.editions.warhammer_9.charges.arrival import Arrival, find_arrival
from referee.editions.warhammer_9.charges.charge import (
    CONTACT_HOUSE_RULES,
    arrival_value,
    charged_side,
    declaration_clauses,
    draw_path,
    possible_sides,
)
from referee.editions.warhammer_9.charges.charge_odds import ChargeOdds, charge_line_doubts, charge_odds
from referee.editions.warhammer_9.charges.may_charge import why_may_not_charge
from referee.editions.warhammer_9.charges.multi_charge_allocation import (
    Allocation,
    Charger,
    allocate_sides,
    shrink_slightly,
)
from referee.editions.warhammer_9.charges.obstacles import charge_obstacles
from referee.editions.warhammer_9.charges.path_search import ChargeScene
from referee.editions.warhammer_9.line_of_sight.scene import solid_bodies
from referee.editions.warhammer_9.movement import movement_dice, path_legs
from referee.editions.warhammer_9.movement.block_pose import BlockPose
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.engagement import contact_mm
from referee.editions.warhammer_9.units.regiment import garrisoned_building, members_of, regiment
from referee.geometry.distance import gap
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
    must = sorted({one for way in ways.values() for one in way.must_also_charge})
    shares = {(t, side): [a for a in query.attackers if sides[a, t] == side] for (_, t), side in sides.items()}
    spare = [_spare_mm(table, *one, chargers) for one, chargers in shares.items()]
    odds = {pair: one for pair in sides if (one := charge_odds(table, *pair)) is not None}
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
        witness=() if table.margins_only else (*(one.draw(table) for one in odds.values()), *way_there),
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
    """What can be said where a card tells no Movement: whoever may not charge at all needs none."""
    barred = {
        a: why_may_not_charge(table, Charge(attacker=a, target=query.targets[0], step="declare"))
        for a in query.attackers
    }
    if not any(barred.values()):
        return RuleResult(
            status="unknown", needs=tuple(f"profile.spd_in of {a}" for a in cardless), because=(_SEVERAL,)
        )
    told: dict[str, JsonValue] = {a: [*why] for a, why in barred.items() if why}
    return RuleResult(
        margin_mm=-CAPPED_MM,
        value={"barred": told},
        because=(with_effect(table, _SEVERAL, f"Not one to charge: {', '.join(told)}."),),
    )


def _declared(table: ExactTable, pair: Pair, odds: ChargeOdds, way: Arrival) -> tuple[float, tuple[str, ...]]:
    """Whether one of the charges may be declared for all but its way, and what that hangs on."""
    charge = Charge(attacker=pair[0], target=pair[1], step="declare")
    clauses, ids = declaration_clauses(table, charge, odds, is_open=way.path is not None)
    return min(mm for name, mm in clauses.items() if name != "path"), ids


def _side_and_arrival(table: ExactTable, query: MultiCharge, attacker: str, target: str) -> tuple[str, Arrival]:
    """The side that is charged, of those that the dice may give the first with a way, and the arrival there."""
    sides = possible_sides(*charged_side(table, attacker, target)) or ["front"]
    found = [(one, _find_arrival_beside(table, query, attacker, target, one)) for one in sides]
    return next((one for one in found if one[1].path is not None), found[0])


def _find_arrival_beside(table: ExactTable, query: MultiCharge, attacker: str, target: str, side: str) -> Arrival:
    """One of the charges; the others who charge or are charged do not bar its way."""
    with_ = tuple(one for one in (*query.attackers, *query.targets) if one not in (attacker, target))
    return find_arrival(table, attacker, target, side, with_=with_)


def _doubtful_house_rules(table: ExactTable, ways: Arrivals, odds: Distances) -> Iterator[str]:
    """The house rules on which it may hang here."""
    if not all(way.is_obvious for way in ways.values()):
        yield "multi-charge-search"
    if any(key for (a, t), one in odds.items() for key in charge_line_doubts(table, a, t, one)):
        yield "charge-line"


def _is_reading_relevant(table: ExactTable, key: str, ways: Arrivals) -> bool:
    """Whether other places are better, or others touch there, by another reading of that house rule."""
    found = [(way.alignment, way.path.middle_mm) for way in ways.values() if way.path is not None]
    return any(
        not alignment.with_readings_of(one).is_equivalent_at(alignment, at)
        for one in table.other_readings(key)
        for alignment, at in found
    )


def _charge_chances(odds: Distances) -> dict[str, JsonValue]:
    """The chance of each charge, and of reaching several targets with one roll: the farthest decides."""
    found: dict[str, JsonValue] = {}
    for attacker in dict.fromkeys(a for a, _ in odds):
        own = {t: one for (a, t), one in odds.items() if a == attacker}
        for count in range(1, len(own) + 1):
            for some in combinations(own, count):
                least = max(own[t].least_roll(own[t].distance_mm) for t in some)
                found[f"{attacker}>{'+'.join(some)}"] = movement_dice.chance_value(own[some[0]].dice, least)
    return found


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
    beside = [one for one in shares.items() if len(one[1]) > 1 and garrisoned_building(table, one[0][0]) is None]
    if slack_mm < 0 or not beside:
        return slack_mm
    return max(0.0, min(_left_mm(table, *one, chargers) for one, chargers in beside))


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
        told: dict[str, JsonValue] = {
            "places": {own: files},
            "fail": [] if files else [own],
            "order": [own] if files else [],
        }
        return told | arrival_value(table, attacker, target, only), draw_path(table, attacker, target, only)
    chargers = []
    for a in query.attackers:
        near = sorted(query.targets, key=lambda t: odds[a, t].distance_mm if (a, t) in odds else math.inf)
        goal = next((t for t in near if ways[a, t].path is not None), None)
        if goal is not None:
            chargers.append(_make_charger(table, query, a, goal, ways[a, goal]))
    stay = [BlockPose.of(regiment(table, a)) for a in query.attackers if a not in {one.id for one in chargers}]
    found = allocate_sides(chargers, stay)
    return _allocation_value(table, query, chargers, found), _draw_paths(chargers, found)


def _make_charger(table: ExactTable, query: MultiCharge, attacker: str, goal: str, found: Arrival) -> Charger:
    others = [t for t in (*query.targets, *found.must_also_charge) if t != goal]
    also = tuple(one.shape for t in others if garrisoned_building(table, t) is None for one in solid_bodies(table, t))
    things = charge_obstacles(table, attacker, goal, (*query.attackers, *query.targets, *found.must_also_charge))
    closed = (*(shape for shapes in things.values() for shape in shapes), *map(shrink_slightly, also))
    ground = ChargeScene(found.alignment, found.goal, closed, closes_up=found.aligned_by is not None)
    return Charger(attacker, goal, (found.alignment.start, found.alignment.end), ground, also)


def _allocation_value(
    table: ExactTable, query: MultiCharge, chargers: list[Charger], found: Allocation
) -> dict[str, JsonValue]:
    """Who stands where in the end, and the ways there in the order in which they are gone."""
    poses, paths = dict[str, JsonValue](), dict[str, JsonValue]()
    for one in chargers:
        if one.id in found.paths:
            way, own = found.paths[one.id], regiment(table, one.id)
            poses |= path_legs.unit_poses(table, own, one.final_pose(way))
            paths[one.id] = way.legs(closes_up=one.scene.closes_up)
    return {
        "places": {a: found.files.get(a) for a in query.attackers},
        "fail": [a for a in query.attackers if a not in found.files],
        "in_contact": {**found.files, **found.target_contacts, **_other_contacts(table, query, chargers, found)},
        "order": [*found.paths],
        "poses": poses,
        "paths": paths,
    }


def _other_contacts(
    table: ExactTable, query: MultiCharge, chargers: list[Charger], found: Allocation
) -> dict[str, JsonValue]:
    """How many of the targets at which nobody aligned are touched all the same."""
    ends = [one.final_pose(found.paths[one.id]).shape for one in chargers if one.id in found.paths]
    rest = [t for t in query.targets if t not in found.target_contacts and garrisoned_building(table, t) is None]
    return {
        t: sum(
            any(is_at_least(contact_mm(table), gap(table.base(m), end).mm, "touches then", (m, t)) for end in ends)
            for m in members_of(table, t)
        )
        for t in rest
    }


def _draw_paths(chargers: list[Charger], found: Allocation) -> tuple[Witness, ...]:
    shown: list[Witness] = []
    for one in chargers:
        if one.id in found.paths:
            way = found.paths[one.id]
            shown += path_legs.draw_legs(
                way.start, one.final_pose(way), way.legs(closes_up=one.scene.closes_up), one.id
            )
    return tuple(shown)
