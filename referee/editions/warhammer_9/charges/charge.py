"""Charge: whether one may be declared, at what odds, into which side, and where both stand in the end."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from pydantic import JsonValue

from models.queries import Charge
from models.verdict import CAPPED_MM, Reason, Witness
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.charges.arrival import aligning_unit, find_arrival
from referee.editions.warhammer_9.charges.charge_odds import (
    RANGE,
    ChargeOdds,
    charge_line_doubts,
    charge_odds,
    charge_odds_doubts,
)
from referee.editions.warhammer_9.charges.charge_report import arrival_value, draw_path
from referee.editions.warhammer_9.charges.failed_charge import (
    FailedCharge,
    charged_too,
    has_detour,
    resolve_failed_charge,
)
from referee.editions.warhammer_9.charges.obstacles import (
    PATH_NEUTRAL_HOUSE_RULES,
    charge_line_geometry,
    defended_obstacle,
)
from referee.editions.warhammer_9.charges.path_search import Arrival
from referee.editions.warhammer_9.line_of_sight.body_visibility import (
    UNSURE_ADVICE,
    sight_blocker_doubts,
    sight_blockers,
    sure_sight_blockers,
)
from referee.editions.warhammer_9.line_of_sight.los import Line, best_lines, eligible_viewers, sight_lines
from referee.editions.warhammer_9.movement import movement_dice, path_legs
from referee.editions.warhammer_9.movement.flight import casualties_of
from referee.editions.warhammer_9.movement.turn_ledger import ledger_of, why_may_not_charge
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import measured_parts
from referee.editions.warhammer_9.units.quadrants import arc_lines, depth_ahead_mm, quadrant, quadrants_of_points
from referee.editions.warhammer_9.units.regiment import (
    Regiment,
    all_regiments,
    are_friends,
    garrisoned_building,
    members_of,
    regiment,
)
from referee.motion.block_pose import BlockPose
from referee.motion.shortest_path import shortest_clear_line
from referee.rules.conditions import RIVAL_MM, list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_margin, format_names, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least, is_margin_met, is_out_of_reach

_DECLARE = because("Declare Charge", 17, "The target lies partly in front, somebody sees it, and it can be reached.")
_WAY = because("Move Chargers", 19, "Straight on, one wheel of at most 90 degrees, touching nothing else; then flush.")
_SIDE = because("Flank and Rear Charges", 20, "The side where most of the front rank stand when it is declared.")
CONTACT_HOUSE_RULES = ("corner-contact", "most-contact")
_HOUSE_RULES = (
    "charge-line", "charge-side-by", "swiftstride-move", "most-contact", "failed-charge-way", "multi-charge-search",
)  # fmt: skip
_DICE, _SIDE_BY = "swiftstride-move", "charge-side-by"
_FAR_MM = 60.0  # short of its reach by so much no error brings it there
_SAMPLES = 8  # so many points a side stand for the area of a base
_OTHERS = because("Charging More than One Unit", 19, "Whom it cannot but touch must be charged as well.")
_FAILED = because("Failed Charge", 19, "It goes straight toward its target as far as the highest die says.")


def charge(table: ExactTable, query: Charge) -> RuleResult:
    """Charge: whether it may be declared, at what odds, and where it ends. Source: p. 17-20."""
    flying = query.manner == "fly"
    odds = charge_odds(table, query.attacker, query.target, flying=flying)
    if odds is None:
        return _result_without_movement(table, query)
    side, count = charged_side(table, query.attacker, query.target)
    short_by_mm = odds.least_shortfall_mm
    is_far = is_out_of_reach(short_by_mm, _FAR_MM)
    ways = _find_ways(table, query, possible_sides(side, count), is_far=is_far)
    is_open = any(arrival.path is not None for arrival in ways)
    clauses, touches = declaration_clauses(table, query, odds, is_open=None if is_far else is_open)
    if is_open and all(arrival.must_also_charge for arrival in ways if arrival.path is not None):
        clauses["others"] = -CAPPED_MM  # Source: Charging More than One Unit, p. 19
    margin_mm = min(clauses.values())
    reach = odds.reach_mm(query.dice) if query.step in ("outcome", "heading") else None
    if reach is not None:
        margin_mm = min(margin_mm, reach - odds.distance_mm)
    fails = reach is not None and not is_at_least(reach, odds.distance_mm, "is reached by its charge,", odds.depends_on)
    short = resolve_failed_charge(table, query, odds) if fails else None
    best = ways[0] if side is not None else None
    return RuleResult(
        margin_mm=margin_mm,
        value={} if table.margins_only else _verdict_value(table, query, odds, clauses, side, count, best, short),
        lengths_mm={"distance": odds.distance_mm},
        witness=() if table.margins_only else _draw_charge(table, query, odds, best, short),
        because=(
            with_effect(table, _DECLARE, explain_deciding_clause(clauses)),
            *_explain_others(table, clauses, best),
            RANGE,
            _WAY if short is None else _FAILED,
            _SIDE,
        ),
        readings=_HOUSE_RULES,
        doubtful=_doubtful_house_rules(table, query, odds, best, fails=fails),
        outcomes=(() if best is None else best.must_also_charge, () if short is None else short.end_key),
        deciding_house_rules=() if table.margins_only else tuple(_deciding_house_rules(table, query, odds, side, best)),
        depends_on_place=touches,
        depends_on_facing=(members_of(table, query.attacker)[0],),
        necessary=RuleResult(margin_mm=-short_by_mm, depends_on_place=odds.between.depends_on) if is_far else None,
        advice=UNSURE_ADVICE if not table.margins_only and _may_show_its_body(table, query, clauses) else None,
        unlock=None if "others" not in clauses or best is None else f"charge:{'+'.join(best.must_also_charge)}",
    )


def _find_ways(table: ExactTable, query: Charge, sides: Sequence[str], *, is_far: bool) -> list[Arrival]:
    """The arrival at each of these sides; where none is open, past friends that may yet leave."""
    flying, also = query.manner == "fly", charged_too(table, query)

    def arrive(with_: Collection[str]) -> list[Arrival]:
        return [
            find_arrival(table, query.attacker, query.target, side, flying=flying, with_=with_, is_far=is_far)
            for side in sides
        ]

    ways = arrive(also)
    if query.dice.charge is not None or any(arrival.path is not None for arrival in ways):
        return ways
    leaving = _friends_that_may_leave(table, query.attacker)
    return arrive((*also, *leaving)) if leaving else ways


def _friends_that_may_leave(table: ExactTable, attacker: str) -> tuple[str, ...]:
    """Friends that may yet charge out of the way, which makes it possible. Source: Can I Charge?, p. 17."""
    friends = (unit for unit in all_regiments(table) if unit != attacker and are_friends(table, attacker, unit))
    return tuple(unit for unit in friends if not ledger_of(table, unit).why_not("charge"))


def _may_show_its_body(table: ExactTable, query: Charge, clauses: dict[str, float]) -> bool:
    """Whether sight alone bars it, and only by things over which the target may show, since heights are not told."""
    if is_margin_met(clauses["sight"]) or not all(is_margin_met(mm) for key, mm in clauses.items() if key != "sight"):
        return False
    things = sure_sight_blockers(table, query.attacker, query.target)
    return any(line.is_clear for line in best_lines(table, query.attacker, query.target, things))


def _result_without_movement(table: ExactTable, query: Charge) -> RuleResult:
    """The result without a Movement on the card: a unit that may not charge at all needs none."""
    barred = why_may_not_charge(table, query)
    if not barred:
        return RuleResult(status="unknown", needs=(f"profile.spd_in of {query.attacker}",), because=(_DECLARE,))
    clauses = dict.fromkeys(barred, -CAPPED_MM)
    listed = list_margins(clauses)
    return RuleResult(
        margin_mm=-CAPPED_MM,
        value={"step": "declare", "declare": {"answer": "no", "clauses": listed}, "clauses": listed},
        because=(with_effect(table, _DECLARE, explain_deciding_clause(clauses)),),
    )


def _explain_others(table: ExactTable, clauses: dict[str, float], best: Arrival | None) -> tuple[Reason, ...]:
    """Whom it must charge too, where it would run into somebody."""
    if "others" not in clauses or best is None:
        return ()
    whom = format_names(table, best.must_also_charge)
    return (with_effect(table, _OTHERS, f"Every way touches {whom}: charge them too, or let them be moved first."),)


def _doubtful_house_rules(
    table: ExactTable, query: Charge, odds: ChargeOdds, best: Arrival | None, *, fails: bool
) -> tuple[str, ...]:
    """The house rules on which it may hang here."""
    if table.margins_only:
        return ()
    keys = [*charge_odds_doubts(table, query.attacker, query.target, odds)]
    if sight_blocker_doubts(table, query.attacker, query.target):
        seen = {_is_target_seen(reading, query) for reading in (table, *table.other_readings("seen-body"))}
        keys += ["seen-body"] * (len(seen) > 1)
    keys += [_SIDE_BY] * _has_straddling_base(table, query)
    keys += ["multi-charge-search"] * (best is not None and not best.is_obvious)
    return (*keys, "failed-charge-way") if fails and has_detour(table, query, odds) else tuple(keys)


def _is_target_seen(table: ExactTable, query: Charge) -> bool:
    best = _clearest_line(table, query, 0.0)
    return best is not None and best.is_clear


def _deciding_house_rules(
    table: ExactTable, query: Charge, odds: ChargeOdds, side: str | None, best: Arrival | None
) -> Iterator[str]:
    """The house rules under whose other readings dice, side or contacts are others, though it may be declared alike."""
    attacker, foe = query.attacker, query.target
    if (
        len(
            {
                movement_dice.charge_dice(reading, attacker, odds.speed_mm)
                for reading in (table, *table.other_readings(_DICE))
            }
        )
        > 1
    ):
        yield _DICE
    sided = table.other_readings(_SIDE_BY) if _has_straddling_base(table, query) else ()
    if any(charged_side(pose, attacker, foe) != charged_side(table, attacker, foe) for pose in sided):
        yield _SIDE_BY
    if side is None or best is None:
        return
    for key in CONTACT_HOUSE_RULES:
        if any(
            _contact_outcome(reading, query, side, best) != _contact_outcome(table, query, side, best)
            for reading in table.other_readings(key)
        ):
            yield key


def _contact_outcome(table: ExactTable, query: Charge, side: str, best: Arrival) -> object:
    """Where the charger comes to stand and how many touch there; as found, where nothing of it is read otherwise."""
    arrival, read = best, best.alignment.with_readings_of(table)
    if best.path is not None and not read.is_equivalent_at(best.alignment, best.path.middle_mm):
        arrival = find_arrival(table, query.attacker, query.target, side, flying=query.manner == "fly")
    path = arrival.path
    return (
        None if path is None else (path.middle_mm, arrival.aligned_by, arrival.alignment.contact_counts(path.middle_mm))
    )


def possible_sides(side: str | None, count: dict[str, int]) -> list[str]:
    """The side that is charged; where the dice decide, all that they may give."""
    most = max(count.values(), default=0)
    return [side] if side is not None else [side_name for side_name, n in count.items() if n == most]


def explain_deciding_clause(clauses: dict[str, float]) -> str:
    """The clause with the least margin, as a sentence."""
    name = min(clauses, key=lambda clause: clauses[clause])
    mm = clauses[name]
    shortfall = format_margin(mm, short="short of it") if abs(mm) < CAPPED_MM else "decides"
    return f"{name.replace('-', ' ').capitalize()}: {shortfall}."


def declaration_clauses(
    table: ExactTable, query: Charge, odds: ChargeOdds, *, is_open: bool | None
) -> tuple[dict[str, float], tuple[str, ...]]:
    """Every condition of a declaration, its margin, and what they hang on. `is_open`: None where no way is sought."""
    own = regiment(table, query.attacker)
    parts = [(str(m), part) for m, area in measured_parts(table, query.target) for part in area.parts]
    depth, deepest = max(((depth_ahead_mm(own, part), m) for m, part in parts), key=lambda depth: depth[0])
    clauses = {"distance": odds.longest_mm - odds.distance_mm, "front-arc": depth}
    clauses |= dict.fromkeys(why_may_not_charge(table, query), -CAPPED_MM)
    if is_open is not None:
        clauses["path"] = CAPPED_MM if is_open else -CAPPED_MM
    touches = dict.fromkeys((*odds.depends_on, *own.rank(0)[:1], *own.rank(0)[-1:], deepest))
    if depth < odds.longest_mm - odds.distance_mm + RIVAL_MM:
        touches |= dict.fromkeys((*own.outline_ids, own.id))
    best = _clearest_line(table, query, min(clauses.values()))
    clauses["sight"] = -CAPPED_MM if best is None else best.margin_mm if best.is_clear else min(best.margin_mm, -1e-9)
    if best is not None and best.margin_mm <= min(clauses.values()) + 5.0:
        touches |= dict.fromkeys(best.depends_on)
    return clauses, tuple(touches)


def _clearest_line(table: ExactTable, query: Charge, enough_mm: float) -> Line | None:
    """The clearest line that anybody of the charger has; one that is clear enough to decide nothing will do."""
    if table.perturbations:
        things = sight_blockers(table, query.attacker, query.target)
        return max(
            best_lines(table, query.attacker, query.target, things), key=lambda line: line.margin_mm, default=None
        )
    plain, enough_mm = table.without_readings(PATH_NEUTRAL_HOUSE_RULES | {"multi-charge-search"}), max(enough_mm, 1.0)
    key = ("sees to charge", query.attacker, query.target)
    best, wanted_mm = plain.memoize_unperturbed(
        key, lambda still: (_first_clear_line(still, query, enough_mm), enough_mm)
    )
    if (
        best is None or best.margin_mm > enough_mm or best.margin_mm <= wanted_mm
    ):  # the clearest of all where none was clear enough
        return best
    return _first_clear_line(plain, query, enough_mm)


def _first_clear_line(table: ExactTable, query: Charge, enough_mm: float) -> Line | None:
    """The first line of anybody that is so clear, or the clearest of all."""
    things = sight_blockers(table, query.attacker, query.target)
    lines: list[Line] = []
    for viewer_id in eligible_viewers(table, query.attacker):
        lines += sight_lines(table, viewer_id, query.target, things)
        if any(line.margin_mm > enough_mm for line in lines):
            break
    return max(lines, key=lambda line: line.margin_mm, default=None)


def charged_side(table: ExactTable, attacker: str, target: str) -> tuple[str | None, dict[str, int]]:
    """The side that is charged, and how many of the front rank stand in each; None on a tie. Source: p. 20."""
    if garrisoned_building(table, target) is not None:
        return "front", {"front": len(regiment(table, attacker).rank(0))}
    foe = regiment(table, target)
    sides = Counter(_zone_of_miniature(table, foe, m) for m in regiment(table, attacker).rank(0))
    count = {side: n for side, n in sides.items() if side != "border"}
    ranked = sorted(count.items(), key=lambda item: -item[1])
    tie = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
    return (None if tie or not ranked else ranked[0][0]), count


def _zone_of_miniature(table: ExactTable, foe: Regiment, id_: str) -> str:
    """In which zone of the target a miniature counts: by its middle, its whole base, or most of it. Source: p. 20."""
    how, points = table.reading("charge-side-by"), table.base(id_).points
    if how == "centre" or len(points) < 4:
        return quadrant(foe, table.centre(id_), (id_,))[0]
    if how == "whole-base":
        zones = {quadrant(foe, p, (id_,))[0] for p in points}
        return zones.pop() if len(zones) == 1 else "border"
    quadrant(foe, table.centre(id_), (id_,))  # a line that halves a base goes through its middle
    (ax, ay), (bx, by), _, (dx, dy) = points
    steps = [(k + 0.5) / _SAMPLES for k in range(_SAMPLES)]
    inside = ((ax + s * (bx - ax) + t * (dx - ax), ay + s * (by - ay) + t * (dy - ay)) for s in steps for t in steps)
    return Counter(quadrants_of_points(foe, inside)).most_common(1)[0][0]


def _has_straddling_base(table: ExactTable, query: Charge) -> bool:
    """Whether a base of the front rank lies in two zones of the target."""
    if garrisoned_building(table, query.target) is not None:
        return False
    foe = regiment(table, query.target)
    rank = regiment(table, query.attacker).rank(0)
    return any(len(set(quadrants_of_points(foe, table.base(m).points))) > 1 for m in rank)


def _verdict_value(
    table: ExactTable,
    query: Charge,
    odds: ChargeOdds,
    clauses: dict[str, float],
    side: str | None,
    count: dict[str, int],
    best: Arrival | None,
    short: FailedCharge | None,
) -> dict[str, JsonValue]:
    declared = "yes" if is_margin_met(min(clauses.values())) else "no"
    listed = list_margins(clauses)
    value: dict[str, JsonValue] = {
        "step": "declare" if query.step == "declare" or query.dice.charge is None else query.step,
        "declare": {"answer": declared, "clauses": listed},
        "clauses": listed,
        "distance_mm": odds.distance_mm,
        **_clear_line_value(table, query, odds),
        "longest_mm": odds.longest_mm,
        "chance": movement_dice.chance_value(odds.dice, odds.least_roll(odds.distance_mm)),
        "side": side,
        "side_count": dict[str, JsonValue](count),
        "aligned_by": aligning_unit(table, query.attacker, query.target),
        "defended": defended_obstacle(table, query.attacker, query.target),
        "must_also": [*best.must_also_charge] if best is not None else [],
        "if_it_flees": _flee_outcome(table, query),
    }
    if side is None:
        value["side_chance"] = {
            side_name: 1 / len(possible_sides(side, count)) for side_name in possible_sides(side, count)
        }
    if short is not None:
        return value | short.value(table, query.attacker)
    return value | ({} if best is None else arrival_value(table, query.attacker, query.target, best))


def _clear_line_value(table: ExactTable, query: Charge, odds: ChargeOdds) -> dict[str, JsonValue]:
    """The shortest line that nothing crosses, where something crosses the shortest; None where there is none."""
    if not any(charge_line_doubts(table, query.attacker, query.target, odds)):
        return {}
    own, foe, things = charge_line_geometry(table, query.attacker, query.target)
    detour = shortest_clear_line(own, foe, [shape for shapes in things.values() for shape in shapes])
    return {"clear_line_mm": None if detour is None else detour.mm}


def _flee_outcome(table: ExactTable, query: Charge) -> dict[str, JsonValue]:
    """What a charger does to those who flee and are caught. Source: Charging a Fleeing Enemy, p. 20."""
    casualties = casualties_of(table, query.attacker, query.target)
    return casualties.value() | {"stops_behind_mm": None if casualties.is_all else parameters.SPACING_MM}


def _draw_charge(
    table: ExactTable, query: Charge, odds: ChargeOdds, best: Arrival | None, short: FailedCharge | None
) -> tuple[Witness, ...]:
    shown = (odds.draw(table), *arc_lines(regiment(table, query.attacker)))
    own = BlockPose.of(regiment(table, query.attacker))
    if short is not None:
        return (*shown, *path_legs.draw_legs(own, short.end, short.legs, query.attacker))
    return (*shown, *(() if best is None else draw_path(table, query.attacker, query.target, best)))
