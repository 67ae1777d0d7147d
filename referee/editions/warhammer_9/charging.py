"""Charges: may they be declared, at what odds, into which side, and where both stand in the end."""

import math
from collections import Counter
from collections.abc import Iterator

from pydantic import JsonValue

from models.queries import Charge
from models.turn import Step
from models.verdict import CAPPED_MM, Witness
from referee.areas import reach_into
from referee.clauses import listed_margins
from referee.detours import shortest_clear_line
from referee.editions.warhammer_9 import dice, legs, parameters
from referee.editions.warhammer_9.arcs import arc_lines, depth_ahead_mm, quadrant
from referee.editions.warhammer_9.arriving import Arrival, arrival, closes_up
from referee.editions.warhammer_9.barring import UNHEEDED, between_them, defended
from referee.editions.warhammer_9.engaged import engaged_with
from referee.editions.warhammer_9.failing import Stopped, may_go_round, stopped_short
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.formations import total_strength
from referee.editions.warhammer_9.measuring import body
from referee.editions.warhammer_9.odds import RANGE, Odds, line_doubts, odds_doubts, odds_to
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    Regiment,
    are_friends,
    garrisoned,
    kind_of,
    leading,
    members_of,
    regiment,
    side_of,
)
from referee.editions.warhammer_9.shooting import deeds_of
from referee.editions.warhammer_9.showing import hiding_doubts, what_hides
from referee.editions.warhammer_9.sight import Line, lines_of, lookers, sight_lines
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, margin

_DECLARE = because("Declare Charge", 17, "The target lies partly in front, somebody sees it, and it can be reached.")
_WAY = because("Move Chargers", 19, "Straight on, one wheel of at most 90 degrees, touching nothing else; then flush.")
_SIDE = because("Flank and Rear Charges", 20, "The side where most of the front rank stand when it is declared.")
CONTACT = ("corner-contact", "most-contact")
_DICE, _SIDE_BY = "swiftstride-move", "charge-side-by"
_SAMPLES = 8  # so many points a side stand for the area of a base
_FAILED = because("Failed Charge", 19, "It goes straight toward its target as far as the highest die says.")


def charge(table: Situation, query: Charge) -> Ruling:
    """Whether a charge may be declared, at what odds, and where it ends. Source: p. 17-20."""
    flying = query.manner == "fly"
    odds = odds_to(table, query.attacker, query.target, flying=flying)
    if odds is None:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {query.attacker}",), because=(_DECLARE,))
    side, count = side_of_charge(table, query.attacker, query.target)
    ways = [arrival(table, query.attacker, query.target, one, flying=flying) for one in _sides(side, count)]
    is_open = any(one.way is not None for one in ways)
    clauses, touches = _clauses(table, query, odds, is_open=is_open)
    margin_mm = min(clauses.values())
    reach = odds.reach_mm(query.dice) if query.step in ("outcome", "heading") else None
    if reach is not None:
        margin_mm = min(margin_mm, reach - odds.mm)
    fails = reach is not None and reach < odds.mm and not table.nudges
    short = stopped_short(table, query, odds) if fails else None
    best = ways[0] if side is not None else None
    return Ruling(
        margin_mm=margin_mm,
        value={} if table.lean else _value(table, query, odds, clauses, side, count, best, short),
        lengths_mm={"distance": odds.mm},
        witness=() if table.lean else _pictured(table, query, odds, best, short),
        because=(applied(table, _DECLARE, deciding(clauses)), RANGE, _WAY if short is None else _FAILED, _SIDE),
        readings=(
            "charge-line",
            "charge-side-by",
            "swiftstride-move",
            "most-contact",
            "failed-charge-way",
            "multi-charge-search",
        ),
        doubtful=_in_doubt(table, query, odds, best, fails=fails),
        tells=(() if best is None else best.must_also, () if short is None else short.ends),
        mattering=() if table.lean else tuple(_mattering(table, query, odds, side, best)),
        touches=touches,
        faces=(members_of(table, query.attacker)[0],),
    )


def _in_doubt(table: Situation, query: Charge, odds: Odds, best: Arrival | None, *, fails: bool) -> tuple[str, ...]:
    """The house rules on which it may hang here."""
    if table.lean:
        return ()
    found = [*odds_doubts(table, query.attacker, query.target, odds)]
    if hiding_doubts(table, query.attacker, query.target):
        seen = {_is_seen(one, query) for one in (table, *table.otherwise("seen-body"))}
        found += ["seen-body"] * (len(seen) > 1)
    found += [_SIDE_BY] * _straddles(table, query)
    found += ["multi-charge-search"] * (best is not None and not best.is_obvious)
    return (*found, "failed-charge-way") if fails and may_go_round(table, query, odds) else tuple(found)


def _is_seen(table: Situation, query: Charge) -> bool:
    best = _best_line(table, query, 0.0)
    return best is not None and best.is_clear


def _mattering(table: Situation, query: Charge, odds: Odds, side: str | None, best: Arrival | None) -> Iterator[str]:
    """The house rules under whose other readings dice, side or contacts are others, though it may be declared alike."""
    who, foe = query.attacker, query.target
    if len({dice.charge_dice(one, who, odds.speed_mm) for one in (table, *table.otherwise(_DICE))}) > 1:
        yield _DICE
    sided = table.otherwise(_SIDE_BY) if _straddles(table, query) else ()
    if any(side_of_charge(one, who, foe) != side_of_charge(table, who, foe) for one in sided):
        yield _SIDE_BY
    if side is None or best is None:
        return
    for key in CONTACT:
        if any(_contact(one, query, side, best) != _contact(table, query, side, best) for one in table.otherwise(key)):
            yield key


def _contact(table: Situation, query: Charge, side: str, best: Arrival) -> object:
    """Where the charger comes to stand and how many touch there; as found, where nothing of it is read otherwise."""
    found, read = best, best.flush.under(table)
    if best.way is not None and not read.is_as_good_as(best.flush, best.way.middle_mm):
        found = arrival(table, query.attacker, query.target, side, flying=query.manner == "fly")
    way = found.way
    return None if way is None else (way.middle_mm, found.aligned_by, found.flush.touching(way.middle_mm))


def _sides(side: str | None, count: dict[str, int]) -> list[str]:
    """The side that is charged; where the dice decide, all that they may give."""
    most = max(count.values(), default=0)
    return [side] if side is not None else [one for one, n in count.items() if n == most]


def deciding(clauses: dict[str, float]) -> str:
    name = min(clauses, key=lambda one: clauses[one])
    mm = clauses[name]
    found = margin(mm, short="short of it") if abs(mm) < CAPPED_MM else "decides"
    return f"{name.replace('-', ' ').capitalize()}: {found}."


def _clauses(table: Situation, query: Charge, odds: Odds, *, is_open: bool) -> tuple[dict[str, float], tuple[str, ...]]:
    """Every condition of a declaration, with its margin; and what they hang on."""
    own = regiment(table, query.attacker)
    parts = [(str(m), part) for m, area in body(table, query.target) for part in area.parts]
    depth, deepest = max(((depth_ahead_mm(own, part), m) for m, part in parts), key=lambda found: found[0])
    found = {"distance": odds.longest_mm - odds.mm, "front-arc": depth}
    found |= dict.fromkeys(_barred(table, query), -CAPPED_MM)
    found["path"] = CAPPED_MM if is_open else -CAPPED_MM
    touches = dict.fromkeys((*odds.touches, *own.rank(0)[:1], *own.rank(0)[-1:], deepest))
    best = _best_line(table, query, min(found.values()))
    found["sight"] = -CAPPED_MM if best is None else best.mm if best.is_clear else min(best.mm, -1e-9)
    if best is not None and best.mm <= min(found.values()) + 5.0:
        touches |= dict.fromkeys(best.touches)
    return found, tuple(touches)


def _best_line(table: Situation, query: Charge, enough_mm: float) -> Line | None:
    """The clearest line that anybody of the charger has; one that is clear enough to decide nothing will do."""
    if table.nudges:
        things = what_hides(table, query.attacker, query.target)
        return max(lines_of(table, query.attacker, query.target, things), key=lambda line: line.mm, default=None)
    plain, enough_mm = table.regardless_of(UNHEEDED | {"multi-charge-search"}), max(enough_mm, 1.0)
    key = ("sees to charge", query.attacker, query.target)
    best, wanted_mm = plain.settled(key, lambda still: (_clear_enough(still, query, enough_mm), enough_mm))
    if best is None or best.mm > enough_mm or best.mm <= wanted_mm:  # the clearest of all where none was clear enough
        return best
    return _clear_enough(plain, query, enough_mm)


def _clear_enough(table: Situation, query: Charge, enough_mm: float) -> Line | None:
    """The first line of anybody that is so clear, or the clearest of all."""
    things = what_hides(table, query.attacker, query.target)
    found: list[Line] = []
    for one in lookers(table, query.attacker):
        found += sight_lines(table, one, query.target, things)
        if any(line.mm > enough_mm for line in found):
            break
    return max(found, key=lambda line: line.mm, default=None)


def _barred(table: Situation, query: Charge) -> list[str]:
    """Why it may not charge at all. Source: p. 17, 24, 64-67, 86, 98."""
    first, deeds = leading(table, query.attacker), deeds_of(table, query.attacker)
    found = ["fleeing"] * ("fleeing" in first.status) + ["engaged"] * bool(engaged_with(table, query.attacker))
    found += ["war-machine"] * (kind_of(first) == "war-machine") + ["random-movement"] * first.has("random-movement")
    found += ["rallied"] * deeds.rallied + ["reinforced"] * ("reinforced" in deeds.moved)
    found += ["stupid"] * ("stupid" in first.status)
    found += ["garrison"] * (garrisoned(table, query.attacker) is not None)
    found += ["vanguard"] * ("vanguard" in deeds.moved and _is_first_turn(table, query.attacker))
    found += ["scouts"] * (first.has("scouts") and _is_first_turn(table, query.attacker) and _is_outside(table, query))
    return found + ["friend"] * are_friends(table, query.attacker, query.target)


def _is_first_turn(table: Situation, id_: str) -> bool:
    """Whether this is the first turn of the side that goes first; where nobody told, it may be."""
    turn = table.state.turn
    first = next((one.first for one in table.state.sides if one.id == side_of(table, id_)), True)
    return first and (turn is None or turn.round in (None, 1))


def _is_outside(table: Situation, query: Charge) -> bool:
    """Whether the charger stands outside its own zone, as only scouts may. Source: Scouts, p. 65."""
    side = side_of(table, query.attacker)
    zones = [z.id for z in table.state.zones if z.kind == "deployment" and z.side == side]
    depths = (min(reach_into(table.base(m), table.area(z)) for m in members_of(table, query.attacker)) for z in zones)
    return bool(zones) and all(mm <= 0 for mm in depths)


def side_of_charge(table: Situation, attacker: str, target: str) -> tuple[str | None, dict[str, int]]:
    """The side that is charged, and how many of the front rank stand in each; None on a tie. Source: p. 20."""
    if garrisoned(table, target) is not None:
        return "front", {"front": len(regiment(table, attacker).rank(0))}
    foe = regiment(table, target)
    sides = Counter(_stands_in(table, foe, m) for m in regiment(table, attacker).rank(0))
    count = {side: n for side, n in sides.items() if side != "border"}
    ranked = sorted(count.items(), key=lambda one: -one[1])
    tie = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
    return (None if tie or not ranked else ranked[0][0]), count


def _stands_in(table: Situation, foe: Regiment, id_: str) -> str:
    """In which zone of the target a miniature counts: by its middle, its whole base, or most of it. Source: p. 20."""
    how, points = table.reading("charge-side-by"), table.base(id_).points
    if how == "centre" or len(points) < 4:
        return quadrant(foe, table.centre(id_))[0]
    if how == "whole-base":
        zones = {quadrant(foe, p)[0] for p in points}
        return zones.pop() if len(zones) == 1 else "border"
    (ax, ay), (bx, by), _, (dx, dy) = points
    steps = [(k + 0.5) / _SAMPLES for k in range(_SAMPLES)]
    inside = ((ax + s * (bx - ax) + t * (dx - ax), ay + s * (by - ay) + t * (dy - ay)) for s in steps for t in steps)
    return Counter(quadrant(foe, p)[0] for p in inside).most_common(1)[0][0]


def _straddles(table: Situation, query: Charge) -> bool:
    """Whether a base of the front rank lies in two zones of the target."""
    if garrisoned(table, query.target) is not None:
        return False
    foe = regiment(table, query.target)
    rank = regiment(table, query.attacker).rank(0)
    return any(len({quadrant(foe, p)[0] for p in table.base(m).points}) > 1 for m in rank)


def _value(
    table: Situation,
    query: Charge,
    odds: Odds,
    clauses: dict[str, float],
    side: str | None,
    count: dict[str, int],
    best: Arrival | None,
    short: Stopped | None,
) -> dict[str, JsonValue]:
    declared = "yes" if min(clauses.values()) >= 0 else "no"
    listed = listed_margins(clauses)
    value: dict[str, JsonValue] = {
        "step": "declare" if query.step == "declare" or query.dice.charge is None else query.step,
        "declare": {"answer": declared, "clauses": listed},
        "clauses": listed,
        "distance_mm": odds.mm,
        **_clear_line(table, query, odds),
        "longest_mm": odds.longest_mm,
        "chance": dice.told(odds.name, odds.needs(odds.mm)),
        "side": side,
        "side_count": dict[str, JsonValue](count),
        "aligned_by": closes_up(table, query.attacker, query.target),
        "defended": defended(table, query.attacker, query.target),
        "must_also": [*best.must_also] if best is not None else [],
        "if_it_flees": _if_it_flees(table, query),
    }
    if side is None:
        value["side_chance"] = {one: 1 / len(_sides(side, count)) for one in _sides(side, count)}
    if short is not None:
        return value | short.value(table, query.attacker)
    return value | ({} if best is None else there(table, query.attacker, query.target, best))


def _clear_line(table: Situation, query: Charge, odds: Odds) -> dict[str, JsonValue]:
    """The shortest line that nothing crosses, where something crosses the shortest; None where there is none."""
    if not any(line_doubts(table, query.attacker, query.target, odds)):
        return {}
    own, foe, things = between_them(table, query.attacker, query.target)
    found = shortest_clear_line(own, foe, [shape for shapes in things.values() for shape in shapes])
    return {"clear_line_mm": None if found is None else found.mm}


def there(table: Situation, attacker: str, target: str, best: Arrival) -> dict[str, JsonValue]:
    """Where both stand in the end, and the way there; nothing where there is none."""
    if best.way is None:
        return {}
    own = regiment(table, attacker)
    mine, theirs = best.flush.touching(best.way.middle_mm)
    poses = legs.poses_of(table, own, best.ends(Footing.of(own)))
    paths: dict[str, JsonValue] = {attacker: best.way.legs(closes_up=best.aligned_by == attacker)}
    if best.aligned_by == target:
        foe = Footing.of(regiment(table, target))
        turned = foe.turned(-best.way.closing_rad, best.way.about)
        poses |= legs.poses_of(table, regiment(table, target), turned)
        paths[target] = legs.told_for("align", legs.turn(foe, -best.way.closing_rad, best.way.about))
    return {
        "in_contact": {attacker: mine, target: theirs},
        "aligned_by": best.aligned_by,
        "steps": [step.model_dump(exclude_none=True) for step in _steps(best)],
        "poses": poses,
        "paths": paths,
    }


def _steps(best: Arrival) -> list[Step]:
    """The way in the words of a query; closing up is no step, since it turns about the point of contact."""
    assert best.way is not None
    way = best.way
    found = [Step(do="forward", by_in=way.ahead_mm / 25.4)] if way.ahead_mm > 1e-6 else []
    if way.turn_rad:
        hand = "wheel-left" if way.turn_rad > 0 else "wheel-right"
        found.append(Step.model_validate({"do": hand, "by_deg": math.degrees(abs(way.turn_rad))}))
    return [*found, *([Step(do="forward", by_in=way.then_mm / 25.4)] if way.then_mm > 1e-6 else [])]


def _if_it_flees(table: Situation, query: Charge) -> dict[str, JsonValue]:
    """What a charger does to those who flee and are caught. Source: Charging a Fleeing Enemy, p. 20."""
    strength = total_strength(table, query.attacker)
    wounds = [table.miniature(m).profile.wounds or 1 for m in members_of(table, query.target)]
    all_gone = strength >= parameters.MANY or strength >= sum(wounds)
    return {
        "removed": all_gone,
        "wounds": None if strength >= parameters.MANY else strength,
        "stops_behind_mm": None if all_gone else parameters.SPACING_MM,
    }


def _pictured(
    table: Situation, query: Charge, odds: Odds, best: Arrival | None, short: Stopped | None
) -> tuple[Witness, ...]:
    shown = (odds.drawn(table), *arc_lines(regiment(table, query.attacker)))
    own = Footing.of(regiment(table, query.attacker))
    if short is not None:
        return (*shown, *legs.drawn(own, short.there, short.way, query.attacker))
    return (*shown, *(() if best is None else way_drawn(table, query.attacker, best)))


def way_drawn(table: Situation, attacker: str, best: Arrival) -> tuple[Witness, ...]:
    """The way of a charge and where it ends."""
    if best.way is None:
        return ()
    own = Footing.of(regiment(table, attacker))
    return legs.drawn(own, best.ends(own), best.way.legs(closes_up=best.aligned_by == attacker), attacker)
