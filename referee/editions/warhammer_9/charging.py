"""Charges: may they be declared, at what odds, into which side, and where both stand in the end."""

import math
from collections import Counter
from dataclasses import dataclass, replace

from pydantic import JsonValue

from models.queries import Charge, ChargeChance
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from referee.clauses import listed_margins
from referee.editions.warhammer_9 import dice, parameters
from referee.editions.warhammer_9.arcs import arc_lines, depth_ahead_mm, quadrant
from referee.editions.warhammer_9.engaged import edge_of, engaged_with
from referee.editions.warhammer_9.fleeing import fled
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.formations import total_strength
from referee.editions.warhammer_9.measuring import Apart, apart, body, ruler
from referee.editions.warhammer_9.moving import speed_mm
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    Regiment,
    are_friends,
    garrisoned,
    kind_of,
    leading,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.shooting import deeds_of
from referee.editions.warhammer_9.sight import lines_of, what_hides
from referee.editions.warhammer_9.ways import path_to
from referee.gaps import gap
from referee.ruling import Ruling
from referee.shapes import Rounded
from referee.situation import Situation
from referee.telling import applied, length, margin

_DECLARE = because("Declare Charge", 17, "The target lies partly in front, somebody sees it, and it can be reached.")
_RANGE = because("Roll Charge Range", 19, "Movement and roll must reach the closest base; the way may be longer.")
_WAY = because("Move Chargers", 19, "Straight on, one wheel of at most 90 degrees, touching nothing else; then flush.")
_SIDE = because("Flank and Rear Charges", 20, "The side where most of the front rank stand when it is declared.")
_TOUCH_MM = 0.01


@dataclass(frozen=True)
class Odds:
    """What a charge needs: the distance, the dice, how far it goes at most."""

    between: Apart
    speed_mm: float
    name: str
    less_in: int

    @property
    def mm(self) -> float:
        return max(0.0, self.between.mm)

    @property
    def longest_mm(self) -> float:
        return self.speed_mm + inches(dice.most(self.name) - self.less_in)

    def needs(self, mm: float) -> int:
        """The least roll that reaches so far."""
        return max(1, math.ceil((mm - self.speed_mm) / 25.4 + self.less_in - 1e-9))


def odds_to(table: Situation, attacker: str, target: str, *, flying: bool = False) -> Odds | None:
    """What a charge at that takes; None when a card does not tell. Source: p. 19; Barding, p. 77; Fly, p. 59."""
    speed = inches(10) if flying else speed_mm(table, attacker)
    if speed is None:
        return None
    between = apart(table, attacker, _measured_to(table, target))
    if not flying:
        speed -= inches(1) * _through_forest(table, attacker, between)
    barded = int(any(table.miniature(m).has("barding") for m in members_of(table, attacker)))
    return Odds(between, speed, dice.charge_dice(table, attacker, speed), barded)


def _measured_to(table: Situation, target: str) -> str:
    """A garrison is charged at its building, one behind an obstacle at the obstacle. Source: p. 95, 99."""
    return garrisoned(table, target) or target


def _through_forest(table: Situation, attacker: str, between: Apart) -> bool:
    """Whether the way leads through a forest that slows it. Source: Mysterious Forests, p. 92."""
    first = leading(table, attacker)
    if first.has("ethereal") or first.has("strider") or first.has("skirmishers"):
        return False
    line = Rounded((between.gap.at_a, between.gap.at_b))
    woods = [part for t in table.state.terrain if t.kind == "forest" for part in table.area(t.id).parts]
    return any(gap(line, part).mm < 0 for part in woods)


def charge_chance(table: Situation, query: ChargeChance) -> Ruling:
    """The odds of a charge, its target standing or fleeing. Source: Roll Charge Range, p. 19; Flee, p. 17."""
    odds = odds_to(table, query.attacker, query.target)
    if odds is None:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {query.attacker}",), because=(_RANGE,))
    needs = odds.needs(odds.mm)
    value: dict[str, JsonValue] = {
        "distance_mm": odds.mm,
        "longest_mm": odds.longest_mm,
        "chance": dice.told(odds.name, needs),
    }
    if query.flees:
        value["by_flee"] = _by_flee(table, query, odds)
    return Ruling(
        status="measured",
        margin_mm=odds.longest_mm - odds.mm,
        value=value,
        lengths_mm={"distance": odds.mm},
        witness=(ruler(table, odds.between, "limit"),),
        because=(applied(table, _RANGE, f"{length(odds.mm)} away: {needs} or more on {odds.name}."),),
        readings=("charge-line", "swiftstride-move"),
        touches=odds.between.touches,
    )


def _by_flee(table: Situation, query: ChargeChance, odds: Odds) -> list[JsonValue]:
    """The chance against every roll of the flight; what was rolled alone where it is told."""
    rolls = dice.chances(dice.running_dice(table, query.target))
    wanted = [query.dice.flee] if query.dice.flee is not None else list(rolls)
    attacker = Footing.of(regiment(table, query.attacker)).shape
    found: list[JsonValue] = []
    for roll in wanted:
        there = fled(table, query.target, (query.attacker,), inches(roll)).there
        mm = max(0.0, gap(attacker, there.shape).mm)
        p = dice.at_least(odds.name, odds.needs(mm))
        found.append({"flee": roll, "distance_mm": mm, "needs": odds.needs(mm), "exact": str(p), "p": float(p)})
    return found


def charge(table: Situation, query: Charge) -> Ruling:
    """Whether a charge may be declared, at what odds, and where it ends. Source: p. 17-20."""
    flying = query.manner == "fly"
    odds = odds_to(table, query.attacker, query.target, flying=flying)
    if odds is None:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {query.attacker}",), because=(_DECLARE,))
    clauses, touches = _clauses(table, query, odds)
    side, count = side_of_charge(table, query.attacker, query.target)
    end = end_of(table, query.attacker, query.target, side)
    if not table.lean and min(clauses.values()) >= 0 and not flying and end is not None:
        clauses["path"] = CAPPED_MM if path_to(table, query.attacker, query.target, side) is not None else -CAPPED_MM
    margin_mm = min(clauses.values())
    outcome = _outcome_mm(query, odds)
    if query.step in ("outcome", "heading") and outcome is not None:
        margin_mm = min(margin_mm, outcome)
    return Ruling(
        margin_mm=margin_mm,
        value=_value(table, query, odds, clauses, side, count, end),
        lengths_mm={"distance": odds.mm},
        witness=() if table.lean else _pictured(table, query, odds, end),
        because=(applied(table, _DECLARE, deciding(clauses)), _RANGE, _WAY, _SIDE),
        readings=("charge-line", "charge-side-by", "swiftstride-move", "most-contact"),
        touches=touches,
        faces=(members_of(table, query.attacker)[0],),
    )


def _outcome_mm(query: Charge, odds: Odds) -> float | None:
    """How far beyond the target the rolled charge reaches; None without dice."""
    if query.dice.charge is None:
        return None
    faces = query.dice.charge
    rolled = {"highest-of-2d6": max(faces), "2d6": sum(faces), "best-two-of-3d6": sum(faces) - min(faces)}[odds.name]
    return odds.speed_mm + inches(rolled - odds.less_in) - odds.mm


def deciding(clauses: dict[str, float]) -> str:
    name = min(clauses, key=lambda one: clauses[one])
    mm = clauses[name]
    found = margin(mm, short="short of it") if abs(mm) < CAPPED_MM else "decides"
    return f"{name.replace('-', ' ').capitalize()}: {found}."


def _clauses(table: Situation, query: Charge, odds: Odds) -> tuple[dict[str, float], tuple[str, ...]]:
    """Every condition of a declaration, with its margin; and what they hang on."""
    own = regiment(table, query.attacker)
    parts = [(str(m), part) for m, area in body(table, query.target) for part in area.parts]
    depth, deepest = max(((depth_ahead_mm(own, part), m) for m, part in parts), key=lambda found: found[0])
    found = {"range": odds.longest_mm - odds.mm, "front": depth}
    found |= dict.fromkeys(_barred(table, query), -CAPPED_MM)
    touches = dict.fromkeys((*odds.between.touches, *own.rank(0)[:1], *own.rank(0)[-1:], deepest))
    lines = lines_of(table, query.attacker, query.target, what_hides(table, query.attacker, query.target))
    best = max(lines, key=lambda line: line.mm, default=None)
    found["sight"] = -CAPPED_MM if best is None else best.mm if best.mm > 1e-6 else min(best.mm, -1e-9)
    if best is not None and best.mm <= min(found.values()) + 5.0:
        touches |= dict.fromkeys(best.touches)
    return found, tuple(touches)


def _barred(table: Situation, query: Charge) -> list[str]:
    """Why it may not charge at all. Source: p. 17, 64, 67, 86."""
    first, deeds = leading(table, query.attacker), deeds_of(table, query.attacker)
    found = ["fleeing"] * ("fleeing" in first.status) + ["engaged"] * bool(engaged_with(table, query.attacker))
    found += ["war-machine"] * (kind_of(first) == "war-machine") + ["random-movement"] * first.has("random-movement")
    found += ["rallied"] * deeds.rallied + ["moved"] * bool({"vanguard", "reinforced"} & set(deeds.moved))
    return found + ["friend"] * are_friends(table, query.attacker, query.target)


def side_of_charge(table: Situation, attacker: str, target: str) -> tuple[str | None, dict[str, int]]:
    """The side that is charged, and how many of the front rank stand in each; None on a tie. Source: p. 20."""
    if garrisoned(table, target) is not None:
        return "front", {"front": len(regiment(table, attacker).rank(0))}
    foe = regiment(table, target)
    sides = Counter(quadrant(foe, table.centre(m))[0] for m in regiment(table, attacker).rank(0))
    count = {side: n for side, n in sides.items() if side != "border"}
    ranked = sorted(count.items(), key=lambda one: -one[1])
    tie = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
    return (None if tie or not ranked else ranked[0][0]), count


def end_of(table: Situation, attacker: str, target: str, side: str | None) -> Footing | None:
    """Where the charger stands flush with that side, with the most in contact. Source: Move Chargers, p. 19."""
    if side is None or garrisoned(table, target) is not None:
        return None
    own, foe = regiment(table, attacker), regiment(table, target)
    edge = edge_of(foe, side)
    (px, py), (qx, qy) = edge.points
    long = math.dist((px, py), (qx, qy))
    along = ((qx - px) / long, (qy - py) / long)  # anticlockwise: outward is to the right
    facing = math.atan2(along[0], -along[1])
    flush = Footing((px, py), facing, own.width_mm, own.depth_mm)
    at = (own.front[0] - px) * along[0] + (own.front[1] - py) * along[1]
    offsets = _offsets(own, foe, side, long, at)
    offset = max(offsets, key=lambda one: (_touching(own, foe, side, long, one), -abs(one - at)))
    return replace(flush, front=(px + along[0] * offset, py + along[1] * offset))


def _offsets(own: Regiment, foe: Regiment, side: str, long: float, at: float) -> list[float]:
    """Where along the side the middle of the charger may come to stand: where it is, and where files begin to touch."""
    half, wide = own.width_mm / 2, own.base_mm[0]
    marks = [k * _deep_or_wide(foe, side) for k in range(round(long / _deep_or_wide(foe, side)) + 1)]
    edges = [half - k * wide for k in range(own.files + 1)]
    found = [mark + edge for mark in marks for edge in edges]
    fits = [one for one in (*found, at) if -half < one < long + half]
    return fits or [long / 2]


def _deep_or_wide(foe: Regiment, side: str) -> float:
    wide, deep = foe.base_mm
    return wide if side in ("front", "rear") else deep


def _touching(own: Regiment, foe: Regiment, side: str, long: float, offset: float) -> int:
    mine, theirs = in_contact(own, foe, side, long, offset)
    return mine + theirs


def in_contact(own: Regiment, foe: Regiment, side: str, long: float, offset: float) -> tuple[int, int]:
    """How many of the charger's files and of that side touch; corners count. Source: p. 19, 44."""
    left, right = offset - own.width_mm / 2, offset + own.width_mm / 2
    wide, step = own.base_mm[0], _deep_or_wide(foe, side)
    mine = sum(left + k * wide <= long + _TOUCH_MM and left + (k + 1) * wide >= -_TOUCH_MM for k in range(own.files))
    rows = round(long / step)
    theirs = sum(k * step <= right + _TOUCH_MM and (k + 1) * step >= left - _TOUCH_MM for k in range(rows))
    return mine, theirs


def _value(
    table: Situation,
    query: Charge,
    odds: Odds,
    clauses: dict[str, float],
    side: str | None,
    count: dict[str, int],
    end: Footing | None,
) -> dict[str, JsonValue]:
    own = regiment(table, query.attacker)
    value: dict[str, JsonValue] = {
        "distance_mm": odds.mm,
        "longest_mm": odds.longest_mm,
        "chance": dice.told(odds.name, odds.needs(odds.mm)),
        "side": side,
        "side_count": dict[str, JsonValue](count),
        "declare": "yes" if min(clauses.values()) >= 0 else "no",
        "clauses": listed_margins(clauses),
    }
    if end is not None and side is not None:
        foe = regiment(table, query.target)
        (px, py), (qx, qy) = edge_of(foe, side).points
        long = math.dist((px, py), (qx, qy))
        offset = ((end.front[0] - px) * (qx - px) + (end.front[1] - py) * (qy - py)) / long
        mine, theirs = in_contact(own, foe, side, long, offset)
        value["in_contact"] = {query.attacker: mine, query.target: theirs}
        value["poses"] = {query.attacker: end.pose()}
        strong = total_strength(table, query.attacker) >= parameters.MANY
        weak = strong and total_strength(table, query.target) < parameters.FEW
        value["aligned_by"] = query.target if weak else query.attacker
    return value


def _pictured(table: Situation, query: Charge, odds: Odds, end: Footing | None) -> tuple[Witness, ...]:
    shown = (ruler(table, odds.between, "limit"), *arc_lines(regiment(table, query.attacker)))
    if end is None:
        return shown
    return (*shown, Witness(type="polygon", role="path", points_mm=end.corners, of=(query.attacker,)))
