"""Charges: may they be declared, at what odds, into which side, and where both stand in the end."""

import math
from collections import Counter
from dataclasses import dataclass, replace

from pydantic import JsonValue

from models.queries import BuildingAssault, Charge, ChargeChance, MultiCharge, StandAndShoot
from models.terrain import Terrain
from models.turn import Step
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from referee.clauses import listed_margins
from referee.editions.warhammer_9 import dice, parameters
from referee.editions.warhammer_9.arcs import arc_lines, depth_ahead_mm, quadrant
from referee.editions.warhammer_9.engaged import edge_of, engaged_with
from referee.editions.warhammer_9.fleeing import fled
from referee.editions.warhammer_9.footing import Footing, on_the_way
from referee.editions.warhammer_9.formations import total_strength
from referee.editions.warhammer_9.looking import Body, bodies
from referee.editions.warhammer_9.measuring import Apart, apart, body, ruler
from referee.editions.warhammer_9.moving import is_closed, speed_mm
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
    regiment_of,
)
from referee.editions.warhammer_9.shooting import deeds_of, odds_of, sees, weapon_of
from referee.editions.warhammer_9.sight import lines_of, what_hides
from referee.gaps import gap
from referee.motion import first_contact
from referee.ruling import Ruling
from referee.shapes import Rounded
from referee.situation import Situation
from referee.telling import applied, length, margin, name_of

_DECLARE = because("Declare Charge", 17, "The target lies partly in front, somebody sees it, and it can be reached.")
_RANGE = because("Roll Charge Range", 19, "Movement and roll must reach the closest base; the way may be longer.")
_WAY = because("Move Chargers", 19, "Straight on, one wheel of at most 90 degrees, touching nothing else; then flush.")
_SIDE = because("Flank and Rear Charges", 20, "The side where most of the front rank stand when it is declared.")
_REACT = because("Stand and Shoot", 17, "Armed, not fighting, and the charger farther away than its Movement.")
_ASSAULT = because("Assaulting Buildings", 99, "Measured to the building; ten of either side fight.")
_SEVERAL = because("Declare Charge", 17, "An enemy whom every way would touch as well must be charged too.")
_TURNS = tuple(sorted((math.radians(5.0 * k) for k in range(-18, 19)), key=abs))
_STEP_MM = 25.4
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
    end = _end_of(table, query.attacker, query.target, side)
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
        because=(applied(table, _DECLARE, _failing(clauses)), _RANGE, _WAY, _SIDE),
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


def _failing(clauses: dict[str, float]) -> str:
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


def _end_of(table: Situation, attacker: str, target: str, side: str | None) -> Footing | None:
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


@dataclass(frozen=True)
class Way:
    """A charge's way: straight on, one wheel, straight on until it touches."""

    ahead_mm: float
    turn_rad: float
    then_mm: float
    there: Footing


def path_to(table: Situation, attacker: str, target: str, side: str | None) -> Way | None:
    """Some way that touches the target first, and nothing else; None when none was found. Source: p. 19.

    Tried are wheels of every 5 degrees after every inch, the straightest first.
    """
    start = Footing.of(regiment(table, attacker))
    goal = [(target, one.shape) for one in _goal(table, target)]
    reach = max(math.dist(start.centre, shape.centre) + shape.reach_mm for _, shape in goal) + start.width_mm
    near = Rounded((start.centre,), reach + start.width_mm + start.depth_mm)
    closed = [thing for thing in _in_the_way(table, attacker, target) if gap(near, thing[1]).mm < 0]
    free = _free_ahead_mm(start, [shape for _, shape in (*closed, *goal)], reach)
    for turn in _TURNS:
        for k in range(int(free / _STEP_MM) + 1 if turn else 1):
            found = _tried(start, k * _STEP_MM, turn, goal, closed, reach)
            if (
                found is not None
                and _meets_side(table, found.there, target, side)
                and _is_free(start, found, closed, goal)
            ):
                return found
    return None


def _free_ahead_mm(start: Footing, shapes: list[Rounded], reach: float) -> float:
    """How far it goes straight on before it touches anything."""
    way = (math.cos(start.facing_rad), math.sin(start.facing_rad))
    hits = first_contact(start.shape, way, reach, [("", shape) for shape in shapes])
    return min((max(0.0, hit.after_mm) for hit in hits), default=reach)


def _goal(table: Situation, target: str) -> list[Body]:
    building = garrisoned(table, target)
    if building is not None:
        return [Body(building, (), part) for part in table.area(building).parts]
    return bodies(table, target)


def _in_the_way(table: Situation, attacker: str, target: str) -> list[tuple[str, Rounded]]:
    """What it may not touch: but friends who charge themselves, or flee, may be gone by then. Source: p. 17."""
    turn = table.state.turn
    leaving = {deed.by for deed in turn.log if deed.what == "charge"} if turn is not None else set()
    inside = garrisoned(table, target)
    found = [
        (id_, one.shape)
        for id_ in all_regiments(table)
        if id_ not in (regiment_of(table, attacker), regiment_of(table, target), *leaving)
        and garrisoned(table, id_) is None
        and not (are_friends(table, attacker, id_) and "fleeing" in leading(table, id_).status)
        for one in bodies(table, id_)
    ]
    for terrain in table.state.terrain:
        if is_closed(terrain) and terrain.id != inside:
            found += [(terrain.id, part) for part in table.area(terrain.id).parts]
    return found


Things = list[tuple[str, Rounded]]


def _tried(start: Footing, ahead: float, turn: float, goal: Things, closed: Things, reach: float) -> Way | None:
    """What comes of going so far, wheeling so much, and then straight on to what is touched first."""
    there = start.moved(ahead)
    if turn:
        there = there.wheeled("left" if turn > 0 else "right", abs(turn))
    way = (math.cos(there.facing_rad), math.sin(there.facing_rad))
    hits = first_contact(there.shape, way, reach, [*goal, *closed])
    first = [hit for hit in hits if hit.after_mm <= hits[0].after_mm + _TOUCH_MM]
    if not first or any(hit.id != goal[0][0] for hit in first):
        return None
    return Way(ahead, turn, hits[0].after_mm, there.moved(hits[0].after_mm))


def _is_free(start: Footing, way: Way, closed: Things, goal: Things) -> bool:
    """Whether nothing is touched as it wheels."""
    if not way.turn_rad:
        return True
    step = Step(do="wheel-left" if way.turn_rad > 0 else "wheel-right", by_deg=math.degrees(abs(way.turn_rad)))
    swept = list(on_the_way(start.moved(way.ahead_mm), step))
    return all(gap(part, shape).mm >= -_TOUCH_MM for _, shape in (*closed, *goal) for part in swept)


def _meets_side(table: Situation, there: Footing, target: str, side: str | None) -> bool:
    """Whether it touches the side that was charged."""
    if side is None or garrisoned(table, target) is not None:
        return True
    return gap(there.shape, edge_of(regiment(table, target), side)).mm <= 0.5


def multi_charge(table: Situation, query: MultiCharge) -> Ruling:
    """Whether just those may be charged, and who finds room. Source: Declare Charge, p. 17; Multiple Charges, p. 20."""
    also = {one for a in query.attackers for t in query.targets for one in _also(table, a, t, query.targets)}
    must = sorted(also)
    spare, places = _frontage(table, query)
    fail = [a for a, place in places.items() if place is None]
    chances = {
        f"{a}>{t}": dice.told(odds.name, odds.needs(odds.mm))
        for a in query.attackers
        for t in query.targets
        if (odds := odds_to(table, a, t)) is not None
    }
    return Ruling(
        margin_mm=-CAPPED_MM if must else spare,
        value={
            "must_also": [*must],
            "places": places,
            "fail": [*fail],
            "chances": dict[str, JsonValue](chances),
        },
        because=(applied(table, _SEVERAL, f"Also touched: {', '.join(must) or 'nobody'}."),),
        readings=("multi-charge-search", "most-contact"),
        touches=members_of(table, query.attackers[0]),
    )


def _also(table: Situation, attacker: str, target: str, declared: tuple[str, ...]) -> set[str]:
    """Enemies whom it touches too where it touches the fewest, flush with the target; nobody where there is a way."""
    side, _ = side_of_charge(table, attacker, target)
    end = _end_of(table, attacker, target, side)
    if side is None or end is None:
        return set()
    own, foe = regiment(table, attacker), regiment(table, target)
    (px, py), (qx, qy) = edge_of(foe, side).points
    long = math.dist((px, py), (qx, qy))
    half = own.width_mm / 2
    every = [-half + (long + 2 * half) * k / 64 for k in range(65)]
    others = [one for one in all_regiments(table) if one not in declared and not are_friends(table, attacker, one)]
    found = []
    for offset in every:
        there = replace(end, front=(px + (qx - px) / long * offset, py + (qy - py) / long * offset)).shape
        found.append({one for one in others if any(gap(there, b.shape).mm <= 0 for b in bodies(table, one))})
    return min(found, key=len)


def _frontage(table: Situation, query: MultiCharge) -> tuple[float, dict[str, JsonValue]]:
    """The frontage left when all stand side by side along the targets' sides, and how many files each brings."""
    by_side: dict[tuple[str, str], list[str]] = {}
    for a in query.attackers:
        for t in query.targets:
            side, _ = side_of_charge(table, a, t)
            if side is not None:
                by_side.setdefault((t, side), []).append(a)
    spare, places = CAPPED_MM, dict[str, JsonValue]()
    for (t, side), chargers in by_side.items():
        points = edge_of(regiment(table, t), side).points
        left = math.dist(points[0], points[1]) + sum(0.0 for _ in chargers)
        for n, a in enumerate(chargers):
            own = regiment(table, a)
            room = left / (len(chargers) - n)
            files = min(own.files, math.ceil(room / own.base_mm[0])) if room > 0 else 0
            places[a] = files or None
            left -= files * own.base_mm[0]
        spare = min(spare, left + max((regiment(table, a).base_mm[0] for a in chargers), default=0.0))
    return spare, places


def stand_and_shoot(table: Situation, query: StandAndShoot) -> Ruling:
    """Whether the charged unit may shoot first. Source: Stand and Shoot, p. 17; Slow and Quick to Fire, p. 63, 65."""
    weapon = weapon_of(table, query.target, query.weapon)
    odds = odds_to(table, query.attacker, query.target)
    first = leading(table, query.target)
    rules = () if weapon is None else weapon.rules
    clauses: dict[str, float] = {
        "armed": CAPPED_MM if weapon is not None else -CAPPED_MM,
        "not-engaged": -CAPPED_MM if engaged_with(table, query.target) else CAPPED_MM,
        "not-slow": -CAPPED_MM if "slow-to-fire" in rules else CAPPED_MM,
        "may-react": -CAPPED_MM if kind_of(first) == "war-machine" or "fleeing" in first.status else CAPPED_MM,
        "not-yet": -CAPPED_MM if deeds_of(table, query.target).shot else CAPPED_MM,
    }
    if odds is not None:
        clauses["far-enough"] = CAPPED_MM if "quick-to-fire" in rules else odds.mm - odds.speed_mm
    margin_mm = min(clauses.values())
    if odds is None and margin_mm >= 0:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {query.attacker}",), because=(_REACT,))
    return Ruling(
        margin_mm=margin_mm,
        zero_is_met=False,
        value=_reaction(table, query, clauses),
        because=(applied(table, _REACT, _failing(clauses)),),
        readings=("stand-shoot-move",),
        touches=() if odds is None else odds.between.touches,
    )


def _reaction(table: Situation, query: StandAndShoot, clauses: dict[str, float]) -> dict[str, JsonValue]:
    """Who shoots at the charger; out of range counts as just in range. Source: Stand and Shoot, p. 17."""
    weapon = weapon_of(table, query.target, query.weapon)
    able = []
    if weapon is not None and min(clauses.values()) > 0:
        own, things = regiment(table, query.target), what_hides(table, query.target, query.attacker)
        for id_, (rank, _) in zip(own.members, own.cells, strict=True):
            eyes = id_ if rank == 0 else own.in_front_of(id_) if rank == 1 else None
            if eyes is not None and sees(table, eyes, query.attacker, things)[0] > 0:
                able.append(id_)
    value: dict[str, JsonValue] = {
        "count": len(able),
        "panic_at": math.ceil(len(members_of(table, query.attacker)) / 4),
        "clauses": listed_margins(clauses, zero_is_met=False),
    }
    odds = odds_of(table, query.target, query.attacker, weapon, reacting=True)
    if odds is None:
        return value
    modifiers: list[JsonValue] = [
        {"name": name, "bonus": bonus, "bonus_to": "to-hit", "why": why} for name, bonus, why in odds.modifiers
    ]
    return value | {"modifiers": modifiers, "needs": odds.needs, "expected_hits": float(odds.chance * len(able))}


def building_assault(table: Situation, query: BuildingAssault) -> Ruling:
    """Whether a garrisoned building may be assaulted. Source: Assaulting Buildings, p. 99."""
    thing = table.state.by_id[query.target]
    building = query.target if isinstance(thing, Terrain) else garrisoned(table, query.target)
    odds = None if building is None else odds_to(table, query.attacker, building)
    if odds is None or building is None:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {query.attacker}",), because=(_ASSAULT,))
    party: dict[str, JsonValue] = {query.attacker: _party(table, query.attacker)}
    for unit in all_regiments(table):
        if garrisoned(table, unit) == building:
            party[unit] = _party(table, unit)
    return Ruling(
        margin_mm=odds.longest_mm - odds.mm,
        value={
            "distance_mm": odds.mm,
            "longest_mm": odds.longest_mm,
            "chance": dice.told(odds.name, odds.needs(odds.mm)),
            "party": party,
        },
        lengths_mm={"distance": odds.mm},
        witness=(ruler(table, odds.between, "limit"),),
        because=(applied(table, _ASSAULT, f"{name_of(table, building)} is {length(odds.mm)} away."),),
        touches=odds.between.touches,
    )


def _party(table: Situation, unit: str) -> int:
    """How many fight: ten, a monstrous one in the place of three, a monster of five. Source: p. 99."""
    kind = kind_of(leading(table, unit))
    places = 5 if kind == "monster" else 3 if kind in parameters.MONSTROUS else 1
    return min(len(members_of(table, unit)), 10 // places)
