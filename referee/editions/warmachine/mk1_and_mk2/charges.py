"""Charges, power attacks and throws: friend or foe, half an inch of reach, and throws that always stray."""

import math
from dataclasses import dataclass, replace

from models.miniature import Miniature
from models.queries import Charge, Los, PowerAttack, Throw
from models.unit_conversion import degrees, inches, radians, wrap_rad
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine.charges import charge as shared_charge
from referee.editions.warmachine.charges import involuntary_movement
from referee.editions.warmachine.charges.involuntary_movement import (
    THROWN,
    ShoveResult,
    away_rad,
    describe_shove,
    draw_shove,
    explain_thrown,
    shove,
)
from referee.editions.warmachine.charges.power_attacks import join_power_attack
from referee.editions.warmachine.melee.attack_eligibility import check_blow_line, may_attack
from referee.editions.warmachine.melee.melee_range import check_reach
from referee.editions.warmachine.miniatures.base_state import size_mm
from referee.editions.warmachine.miniatures.turn_ledger import check_turn
from referee.editions.warmachine.mk1_and_mk2.melee import check_unlocked
from referee.editions.warmachine.mk1_and_mk2.parameters import (
    LARGE_MM,
    MEDIUM_MM,
    POWER_REACH_MM,
    SMALL_MM,
    THROW_MORE_MM,
    because,
)
from referee.editions.warmachine.mk1_and_mk2.terrain import is_deep
from referee.editions.warmachine.terms import terms_of
from referee.geometry.distance import gap
from referee.rules.candidates import is_met
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult, Value, ask_for, plain_condition
from referee.rules.switches import is_more_than

_PENALTY = because(
    "Charge", "A penalty to speed or movement forbids a charge, whatever offsets it; rough ground does not."
)
_WATER = because("Deep Water", "Nobody begins a charge in deep water.")
_SLIPPED = because("Charge", "Once in reach the target has to stay in reach to the end, or the charge fails.")
_RUSH = because("Slam", "Whatever forbids a charge forbids slam and trample too.")
_WHO = because("Power Attacks", "All warbeasts head-butt, push and slam; heavy ones trample.")
_KINDS = because("Power Attacks", "Head-butt, lock, push, slam, both throws and trample are all there are.")
_FISTS = because("Power Attacks", "Locks and throws take an Open Fist, a double-hand throw two.")
_LARGER = because("Head-butt", "Nobody head-butts or throws a larger base.")
_LOCKABLE = because("Headlock/Weapon Lock", "Only a warbeast that stands can be locked.")
_HELD = because("Head-butt", "Nobody head-butts while held in a headlock.")
_SMALL = because("Trample", "Small bases are trampled.")
_MINUS = because("Slam", "A slam at a larger base suffers 2 on the attack roll.")
_REACH = because("Power Attacks", "Power attacks reach half an inch, whatever the weapon.")
_LOCKS = frozenset({"headlock", "weapon-lock"})
_RUSHES = frozenset({"slam", "trample"})
_AWAY = because("Being Thrown", "Any direction that leads away from the thrower.")
_DISTANCE = because("Being Thrown", "Half the strength in inches, and 1 in more for a large base throwing a small one.")
_STRAYS = because("Being Thrown", "It strays by a d6 of direction and d3 in, by half the throw at most.")
_NEAR = because(
    "Double-Hand Throw", "At a model within that distance the thrower rolls to hit; a hit ends touching it."
)
_MISSED = because("Double-Hand Throw", "A miss strays from the middle of the model that was aimed at.")
_BEYOND = because("Double-Hand Throw", "Beyond the distance it is thrown toward that model as with one hand.")
_SIGHT = because("Double-Hand Throw", "The model aimed at has to be in sight; the thrown one is looked past.")
_SIZE = because("Throw", "Nobody throws a larger base.")


def _check_unhindered(table: ExactTable, attacker: str) -> RuleResult:
    """Source: Charge; Movement Penalties."""
    return plain_condition(attacker, table.miniature(attacker).profile.spd_penalty_in == 0, _PENALTY)


def _check_dry(table: ExactTable, attacker: str) -> RuleResult:
    """Source: Deep Water: it must not begin there; where it stood when its move began counts."""
    return plain_condition(attacker, not is_deep(table, attacker), _WATER)


def charge_clauses(table: ExactTable, attacker: str, target: str, reach_in: float | None) -> Clauses:
    """What a charge takes besides sight and the ability to attack. Source: Charge; Deep Water."""
    return (
        ("card", shared_charge.check_card(table, attacker, reach_in)),
        ("penalty", _check_unhindered(table, attacker)),
        ("water", _check_dry(table, attacker)),
        ("lock", check_unlocked(table, attacker)),
    )


def rush_clauses(table: ExactTable, attacker: str) -> Clauses:
    """What a slam or trample takes besides the ability to attack. Source: Slam; Trample."""
    penalty, water = _check_unhindered(table, attacker), _check_dry(table, attacker)
    return (
        ("penalty", replace(penalty, because=(_RUSH, *penalty.because))),
        ("water", replace(water, because=(_RUSH, *water.because))),
        ("lock", check_unlocked(table, attacker)),
    )


def charge(table: ExactTable, query: Charge) -> RuleResult:
    """Charge: what `step` asks of a charge; running on until the target is out of reach fails it. Source: Charge."""
    if "step" not in query.model_fields_set and not _is_declared(table, query):
        query = query.model_copy(update={"step": "declare"})
    result = shared_charge.charge(table, query)
    past = _past_mm(result, query)
    if past is None or query.step not in ("outcome", "attack"):
        return result
    if not is_more_than(past, 0.0, "runs past where it still reaches", (query.attacker, query.target)):
        return result
    return replace(result, margin_mm=-past, slack_mm=None, conditions=(), because=(_SLIPPED, *result.because))


def _is_declared(table: ExactTable, query: Charge) -> bool:
    turn = table.state.turn
    declared = None if turn is None else turn.declared
    return declared is not None and declared.what == "charge" and declared.by == query.attacker


def _past_mm(result: RuleResult, query: Charge) -> float | None:
    """How far beyond the last place in reach it means to stop, if nothing stops it before."""
    stops, length = result.value.get("stop_mm"), result.value.get("way_mm")
    if query.stop_after_in is None or not isinstance(stops, list) or not isinstance(length, float):
        return None
    last = stops[1]
    assert isinstance(last, float)
    return min(inches(query.stop_after_in), length) - last


def power_attack(table: ExactTable, query: PowerAttack) -> RuleResult:
    """Power attack: whether it may make that power attack on this target from where it stands.

    Source: Power Attacks.
    """
    if query.attack == "power-strike":
        return RuleResult(status="refused", because=(_KINDS,), advice=f"The book knows no {query.attack}.")
    me, them = table.miniature(query.attacker), table.miniature(query.target)
    reach = _check_reach(table, query)
    return join_power_attack(table, query, _clauses(table, query, me, them), reach, _MINUS)


def _check_reach(table: ExactTable, query: PowerAttack) -> RuleResult:
    """Source: Power Attacks: half an inch; of a trample the reach does not matter."""
    if query.attack == "trample":
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(query.attacker, query.target))
    result = check_reach(table, query.attacker, query.target, {query.attack: POWER_REACH_MM})
    return replace(result, because=(_REACH, *result.because))


def _clauses(table: ExactTable, query: PowerAttack, me: Miniature, them: Miniature) -> Clauses:
    plainly = terms_of(table).lock_bars_power_attacks
    clauses = [
        ("able", may_attack(table, me.id)),
        ("kind", _check_kind(table, query, me)),
        ("turn", check_turn(table, me.id, query.attack if query.attack in _RUSHES else "power-attack")),
        ("size", _check_size(table, query, me, them)),
        ("sight", check_blow_line(table, me.id, them.id, reach_mm=POWER_REACH_MM)),
    ]
    if query.attack in _NEEDED:
        clauses.append(("fist", _check_fists(query, me)))
    if query.attack in _LOCKS:
        lockable = (
            them.type is None or them.type in terms_of(table).power_attackers
        ) and "knocked-down" not in them.status
        clauses.append(("lockable", plain_condition(them.id, lockable, _LOCKABLE)))
    held = me.lock is not None and not me.lock.holder and (me.lock.kind == "headlock" or plainly)
    if query.attack == "head-butt" or plainly:
        clauses.append(("free", plain_condition(me.id, not held, _HELD)))
    if query.attack in _RUSHES:
        clauses += rush_clauses(table, me.id)
    return tuple(clauses)


def _check_kind(table: ExactTable, query: PowerAttack, me: Miniature) -> RuleResult:
    """Source: Power Attacks: all warbeasts, and for a trample the heavy ones."""
    if me.type is None:
        return ask_for(f"type of {me.id}", because=(_WHO,), on=(me.id,))
    heavy = size_mm(me) >= LARGE_MM or query.attack != "trample"
    return plain_condition(me.id, me.type in terms_of(table).power_attackers and heavy, _WHO)


def _check_size(table: ExactTable, query: PowerAttack, me: Miniature, them: Miniature) -> RuleResult:
    """Source: Head-butt; Throw; Double-Hand Throw; Trample."""
    if query.attack == "trample":
        return plain_condition(me.id, size_mm(them) < MEDIUM_MM, _SMALL)
    bound = query.attack in ("throw", "double-hand-throw") or (
        query.attack == "head-butt" and not terms_of(table).may_head_butt_larger
    )
    return plain_condition(me.id, not bound or size_mm(them) <= size_mm(me), _LARGER)


def _check_fists(query: PowerAttack, me: Miniature) -> RuleResult:
    """Source: Power Attacks."""
    if all(weapon.name == "bare" for weapon in me.profile.melee):
        return ask_for(f"profile.melee of {me.id} (open-fist)", because=(_FISTS,), on=(me.id,))
    fists = [w for w in me.profile.melee if "open-fist" in w.rules and not {"crippled", "locked"} & set(w.rules)]
    return plain_condition(me.id, len(fists) >= _NEEDED[query.attack], _FISTS)


def throw(table: ExactTable, query: Throw) -> RuleResult:
    """Throw: whether the throw may go that way, and where it ends. Source: Throw; Being Thrown; Double-Hand Throw."""
    distance = throw_distance_mm(table, query)
    if distance is None:
        return ask_for(f"profile.strength of {query.attacker}", because=(_DISTANCE,), on=(query.attacker, query.target))
    if query.at is None:
        return _throw_along_heading(table, query, distance)
    if query.hands == 1:
        advice = "Only both hands throw at a model: tell hands as 2, or the direction."
        return RuleResult(status="refused", because=(_NEAR,), advice=advice)
    return _throw_at_model(table, query, distance, query.at)


_NEEDED = {"headlock": 1, "weapon-lock": 1, "throw": 1, "double-hand-throw": 2}


def throw_distance_mm(table: ExactTable, query: Throw) -> float | None:
    """Half the strength in inches, exactly, and more for the large. Source: Being Thrown."""
    told_mm = involuntary_movement.throw_distance_mm(table, query)
    mine, theirs = (size_mm(table.miniature(id_)) for id_ in (query.attacker, query.target))
    more = THROW_MORE_MM if mine >= LARGE_MM and theirs <= SMALL_MM and query.distance_in is None else 0.0
    return None if told_mm is None else told_mm + more


def _throw_along_heading(table: ExactTable, query: Throw, distance: float) -> RuleResult:
    """Along a heading; exactly square to the thrower is away. Source: Being Thrown."""
    away = away_rad(table, query.attacker, query.target)
    heading = away if query.heading_deg is None else radians(query.heading_deg)
    half = table.state.facing_tolerance_deg if table.reading("throw-heading") == "straight" else 90.0
    off = abs(math.degrees(wrap_rad(heading - away)))
    flight = _Flight(table, query, _intended_point(table, query, heading, distance), heading, distance / 2)
    barred = _bars_of(table, query)
    return RuleResult(
        margin_mm=-180.0 if barred else half - off,
        zero_is_met=table.reading("throw-heading") != "always-farther",
        in_degrees=True,
        value={"fan_deg": [degrees(away) - half, degrees(away) + half], "distance_mm": distance, **flight.value()},
        witness=flight.witness(),
        because=(_AWAY, _DISTANCE, _STRAYS, explain_thrown(table, query.target, flight.shove_result()), *barred),
        readings=("throw-heading", "throw-measure"),
        doubtful=("throw-heading",) if off > table.state.facing_tolerance_deg else (),
        depends_on_place=(query.attacker, query.target),
    )


def _intended_point(table: ExactTable, query: Throw, heading: float, distance: float) -> Point:
    """The point a throw is meant to end on: from the edge of the thrown base to a point. Source: Being Thrown."""
    (x, y), base = table.centre(query.target), table.base(query.target)
    how = table.reading("throw-measure")
    out = distance + {"edge-to-centre": 1.0, "edge-to-edge": 0.0}.get(how, 0.0) * base.reach_mm
    return (x + out * math.cos(heading), y + out * math.sin(heading))


@dataclass(frozen=True)
class _Flight:
    """A throw that strays: from a point, along an axis, by no more than a cap."""

    table: ExactTable
    query: Throw
    start: Point
    axis_rad: float
    cap_mm: float | None

    def landing_point(self) -> Point | None:
        """Where it comes down; None before the dice are stated. Source: Being Thrown; Deviation."""
        if self.query.point_mm is not None:
            return self.query.point_mm
        dice = self.query.dice
        if dice.direction is None or dice.distance is None:
            return None
        turns = -1.0 if self.table.reading("deviation-sense") == "clockwise" else 1.0
        heading = self.axis_rad + turns * math.radians(60.0) * (dice.direction - 1)
        out = inches(dice.distance)
        out = out if self.cap_mm is None else min(out, self.cap_mm)
        return (self.start[0] + out * math.cos(heading), self.start[1] + out * math.sin(heading))

    def shove_result(self) -> ShoveResult | None:
        point = self.landing_point()
        if point is None or (self.query.hit is False and self.query.at is None):
            return None
        return involuntary_movement.throw_toward(self.table, self.query, point)

    def value(self) -> Value:
        point, shoved = self.landing_point(), self.shove_result()
        value: Value = {
            "cap_mm": self.cap_mm,
            "start_mm": list(self.start),
            "point_mm": None if point is None else list(point),
        }
        return value if shoved is None else value | describe_shove(self.table, self.query.target, shoved)

    def witness(self) -> tuple[Witness, ...]:
        shoved = self.shove_result()
        return (
            () if shoved is None else draw_shove(self.query.target, shoved, self.table.base(self.query.target).reach_mm)
        )


def _throw_at_model(table: ExactTable, query: Throw, distance: float, goal: str) -> RuleResult:
    """With both hands at another model: near enough, and where it ends by hit or miss. Source: Double-Hand Throw."""
    apart = max(0.0, gap(table.base(query.target), table.base(goal)).mm)
    near = RuleResult(margin_mm=distance - apart, because=(_NEAR,), depends_on_place=(query.target, goal))
    sight = table.evaluate_query(Los(viewer=query.attacker, target=goal, ignoring=(query.target,)))
    barred = _bars_of(table, query)
    far = is_more_than(apart, distance, "stands farther than a throw from", (query.target, goal))
    value: Value = {"distance_mm": distance, "point_mm": None, "cap_mm": None}
    witness: tuple[Witness, ...] = ()
    if query.hit and not far:
        line = away_rad(table, query.target, goal)
        whole = math.dist(table.centre(query.target), table.centre(goal))
        shoved = shove(table, query.target, "thrown", line, whole, query.attacker, until=goal)
        value |= describe_shove(table, query.target, shoved)
        witness = draw_shove(query.target, shoved, table.base(query.target).reach_mm)
    else:
        flight = _flight_of_miss(table, query, distance, goal, far=far)
        value |= flight.value() if far or query.hit is False else {"cap_mm": flight.cap_mm}
        witness = flight.witness() if far or query.hit is False else ()
    unseen = sight.status == "decided" and not is_met(sight, "sees")
    result = all_of((("near", near), ("sight", sight))) if unseen else near
    return RuleResult(
        margin_mm=-CAPPED_MM if barred else result.decisive_mm,
        value=value,
        lengths_mm={"distance": apart},
        witness=witness,
        because=(_DISTANCE, _SIGHT, _BEYOND if far else _MISSED if query.hit is False else _NEAR, THROWN, *barred),
        readings=("throw-measure", "throw-cap", "two-hands-too-far"),
        depends_on_place=tuple(dict.fromkeys((query.attacker, query.target, goal, *result.depends_on_place))),
        depends_on_facing=result.depends_on_facing,
        conditions=() if barred else result.conditions,
    )


def _flight_of_miss(table: ExactTable, query: Throw, distance: float, goal: str, *, far: bool) -> _Flight:
    """A miss strays from the middle of the one aimed at; beyond the distance from the point at the distance."""
    line = away_rad(table, query.target, goal)
    if not far:
        start = table.centre(goal)
        return _Flight(table, query, start, line, _cap_mm(table, query, distance, start))
    start = _intended_point(table, query, line, distance)
    cap = distance / 2 if table.reading("two-hands-too-far") == "deviates" else 0.0
    return _Flight(table, query, start, line, cap)


def _cap_mm(table: ExactTable, query: Throw, distance: float, start: Point) -> float | None:
    """Source: Double-Hand Throw, which does not repeat the limit of a throw with one hand."""
    how = table.reading("throw-cap")
    if how == "none":
        return None
    base = table.base(query.target)
    separation = max(0.0, math.dist(table.centre(query.target), start) - base.reach_mm)
    return distance / 2 if how == "half-throw" else separation / 2


def _bars_of(table: ExactTable, query: Throw) -> tuple[Reason, ...]:
    larger = size_mm(table.miniature(query.target)) > size_mm(table.miniature(query.attacker))
    return (_SIZE,) if larger else ()
