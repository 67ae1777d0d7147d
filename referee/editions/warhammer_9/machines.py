"""War machines: what they may aim at, and whom stone, ball and bolt strike."""

import math

from pydantic import JsonValue

from models.queries import BoltThrower, StoneThrower, WarMachinePivot
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.clauses import listed_margins
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.arcs import zone
from referee.editions.warhammer_9.engaged import engaged_with
from referee.editions.warhammer_9.measuring import closest, weapon_range_mm
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    Regiment,
    all_regiments,
    are_friends,
    garrisoned,
    is_skirmishing,
    leading,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.sight import point_doubts, sees_point
from referee.editions.warhammer_9.templates import (
    along,
    covered,
    expected_share,
    garrisons_hit,
    grazing_doubts,
    hit_by,
    is_misfire,
    lacking,
    point_of,
    scattered,
)
from referee.gaps import gap
from referee.ruling import Candidate, Ruling
from referee.shapes import Area, Rounded, disc
from referee.situation import Situation
from referee.telling import applied, length

_PIVOT = because("War Machines", 86, "It turns by up to 45 degrees either way and may still fire.")
_STONE = because("Stone Throwers", 89, "In range, ahead, over neither friends nor enemies who fight; then it scatters.")
_HOLE = because("Stone Throwers", 89, "Whoever is under the hole takes the full blow, others the lesser one.")
_BOLT = because("Bolt Throwers", 87, "The bolt goes on through the ranks, a point weaker each.")
_STONE_RADIUS_MM = inches(1.5)
_BOLT_STRENGTH = 6
Slacks = dict[str, float]
_DIRECTIONS, _DISTANCES_IN = 36, (2, 4, 6, 8, 10)


def pivot(table: Situation, query: WarMachinePivot) -> Ruling:
    """Whether a machine may still fire after a turn. Source: War Machines, p. 86."""
    own = regiment(table, query.who)
    if query.heading_deg is not None:
        heading = math.radians(query.heading_deg)
    elif query.target is not None:
        to = regiment(table, query.target).centre
        heading = math.atan2(to[1] - own.centre[1], to[0] - own.centre[0])
    else:
        return Ruling(status="unknown", needs=("heading_deg",), because=(_PIVOT,))
    turn = abs(math.degrees(math.remainder(heading - own.facing_rad, math.tau)))
    return Ruling(
        margin_mm=parameters.PIVOT_DEG - turn,
        in_degrees=True,
        value={"turn_deg": turn},
        because=(applied(table, _PIVOT, f"It turns by {turn:.1f} degrees."),),
        touches=members_of(table, query.who)[:1],
        faces=members_of(table, query.who)[:1],
    )


def muzzle(table: Situation, id_: str) -> Point:
    """Where a machine fires from: told, else the middle of its front. Source: War Machines, p. 86."""
    told = leading(table, id_).firing_point_mm
    return regiment(table, id_).front if told is None else told


def aim_slacks(table: Situation, machine: str, at: Point, *, sight: bool = True) -> tuple[Slacks, tuple[str, ...]]:
    """How far a point is inside what the machine may be aimed at, and what sight hangs on.

    In range, ahead of it after the pivot it may make, and seen. Source: War Machines, p. 86-87; Cannons, p. 88.
    """
    start, found = muzzle(table, machine), Slacks()
    limit, away = weapon_range_mm(table, machine, None), math.dist(start, at)
    if limit is not None:
        found["range"] = limit[1] - away
        if limit[0] > 0:
            found["least-range"] = away - limit[0]
    turn = _turn_to(table, machine, at)
    found["ahead"] = (math.radians(parameters.PIVOT_DEG) - turn) * away
    if not sight:
        return found, ()
    found["sight"], touches = sees_point(table, machine, start, at)
    return found, touches


def deciding_mm(slacks: Slacks, *told: str) -> float:
    """What fails by the most; else the least of those clauses that are told as the margin of an aim."""
    failed = [mm for mm in slacks.values() if mm < 0]
    return min(failed or [slacks[name] for name in told if name in slacks], default=CAPPED_MM)


def failing(slacks: Slacks) -> tuple[str, ...]:
    """The clauses that do not hold."""
    return tuple(name for name, mm in slacks.items() if mm < 0)


def _turn_to(table: Situation, machine: str, at: Point) -> float:
    start = muzzle(table, machine)
    heading = math.atan2(at[1] - start[1], at[0] - start[0])
    return abs(math.remainder(heading - regiment(table, machine).facing_rad, math.tau))


def stone_thrower(table: Situation, query: StoneThrower) -> Ruling:
    """Whether a stone may be aimed there, and whom it hits. Source: Stone Throwers, p. 89-90."""
    at, dice = point_of(table, query.at), query.dice
    drifts = query.indirect and dice.scatter == "hit"
    needs = () if dice.scatter is None or is_misfire(dice) else lacking(dice, drifts=drifts)
    if needs:
        return Ruling(status="unknown", needs=needs, because=(_STONE,))
    slacks, seen_by = _stone_slacks(table, query, at)
    skill = leading(table, query.attacker).profile.bs or 0.0
    point = scattered(at, dice, less_in=skill if drifts else 0.0, drifts=drifts)
    stone = Area((disc(point, _STONE_RADIUS_MM),))
    inside = [] if is_misfire(dice) else garrisons_hit(table, stone, point)
    members = () if is_misfire(dice) else covered(table, stone)
    struck = hit_by(members)
    hole = [id_ for id_ in struck if gap(disc(point, 0.0), table.base(id_)).mm <= 0]
    by_id: dict[str, JsonValue] = {id_: {"hit": "hole" if id_ in hole else "touched"} for id_ in struck}
    value: dict[str, JsonValue] = {
        "point_mm": [*point],
        "by_id": by_id | {one.id: told for one, told in inside if hit_by([one])},
        "clauses": listed_margins(slacks),
        "misfire": is_misfire(dice),
    }
    if len(hole) > 1:
        value["ties"] = [*hole]
    if dice.scatter is None and not table.lean and not table.nudges:
        value["expected"] = _expected(table, at)
    deciding = deciding_mm(slacks, "range", "least-range", "clear-of-friends", "hole-over-one")
    doubts = () if query.indirect else point_doubts(table, query.attacker, at)
    return Ruling(
        margin_mm=deciding,
        value=value,
        members=(*members, *(one for one, _ in inside)),
        witness=(Witness(type="circle", role="limit", centre_mm=point, radius_mm=_STONE_RADIUS_MM),),
        because=(applied(table, _STONE, f"{length(abs(deciding))} {'to spare' if deciding >= 0 else 'short'}."), _HOLE),
        readings=("stone-range", "stone-heading", "area-touch"),
        tells=(tuple(struck), failing(slacks)),
        doubtful=("stone-range", "stone-heading", *doubts, *grazing_doubts(members)),
        touches=tuple(dict.fromkeys((*members_of(table, query.attacker)[:1], *seen_by))),
        faces=members_of(table, query.attacker)[:1],
    )


def _stone_slacks(table: Situation, query: StoneThrower, at: Point) -> tuple[dict[str, float], tuple[str, ...]]:
    """In range, ahead, seen unless it is thrown blindly; over nobody it may not be aimed at, the hole over one."""
    found, touches = aim_slacks(table, query.attacker, at, sight=not query.indirect)
    if table.reading("stone-range") == "any-part":
        found = {name: mm + _STONE_RADIUS_MM * (name in ("range", "least-range")) for name, mm in found.items()}
    if table.reading("stone-heading") == "exactly":
        found["ahead"] = -_turn_to(table, query.attacker, at) * math.dist(muzzle(table, query.attacker), at)
    every = (clear_mm(table, query.attacker, one, Rounded((at,))) for one in all_regiments(table))
    barred = [mm for mm in every if mm is not None]
    if barred:
        found["clear-of-friends"] = min(barred) - _STONE_RADIUS_MM
    outside = [one for one in all_regiments(table) if garrisoned(table, one) is None]
    foes = [m for one in outside if not are_friends(table, query.attacker, one) for m in members_of(table, one)]
    deep = max((-gap(table.base(m), Rounded((at,))).mm for m in foes), default=-CAPPED_MM)
    if deep > -_STONE_RADIUS_MM:
        found["hole-over-one"] = deep
    return found, touches


def clear_mm(table: Situation, machine: str, unit: str, line: Rounded) -> float | None:
    """How far a line stays from a unit one may not hit; None of one that one may."""
    if unit == machine or garrisoned(table, unit) is not None:
        return None
    if not are_friends(table, machine, unit) and not engaged_with(table, unit):
        return None
    return closest([("", line)], [(m, table.base(m)) for m in members_of(table, unit)]).mm


def _expected(table: Situation, at: Point) -> float:
    """The mean number of bases touched over the scatter, a misfire touching none. Source: Stone Throwers, p. 89."""

    far = _STONE_RADIUS_MM + inches(max(_DISTANCES_IN))
    stand = [m for m in table.state.miniatures if m.inside is None and "removed" not in m.status]
    near = [base for m in stand if math.dist((base := table.base(m.id)).centre, at) < far + base.reach_mm]

    def hits(point: Point) -> int:
        stone = disc(point, _STONE_RADIUS_MM)
        close = (b for b in near if math.dist(b.centre, point) < _STONE_RADIUS_MM + b.reach_mm)
        return sum(gap(stone, base).mm < 0 for base in close)

    stays = expected_share()
    turns = [360.0 * k / _DIRECTIONS for k in range(_DIRECTIONS)]
    off = [hits(along(at, turn, inches(far))) for turn in turns for far in _DISTANCES_IN]
    return 5 / 6 * (stays * hits(at) + (1 - stays) * sum(off) / len(off))


def beyond(start: Point, at: Point, mm: float) -> Point:
    away = math.dist(start, at) or 1.0
    return (at[0] + (at[0] - start[0]) * mm / away, at[1] + (at[1] - start[1]) * mm / away)


def victim(table: Situation, id_: str) -> Candidate:
    def rule(_: Situation) -> Ruling:
        return Ruling(margin_mm=CAPPED_MM, touches=(id_,))

    return Candidate(id_, rule(table), rule)


def bolt_thrower(table: Situation, query: BoltThrower) -> Ruling:
    """Whom a bolt pierces, and with what strength. Source: Bolt Throwers, p. 87-88; Buildings, p. 99."""
    own, start = regiment(table, query.target), muzzle(table, query.attacker)
    side, border = zone(table, own, start)
    line = _line_pierced(table, own, start, side)
    if is_skirmishing(table, query.target) or garrisoned(table, query.target) is not None:
        line = line[:1]  # no ranks to go through
    pierced = line[:_BOLT_STRENGTH]
    plain = [m for m in own.members if "character" not in table.miniature(m).role]
    safe = len(plain) >= parameters.LOOK_OUT_RANK_AND_FILE
    return Ruling(
        status="measured",
        value={
            "side": side,
            "border_mm": border,
            "by_id": {id_: {"strength": _BOLT_STRENGTH - k} for k, id_ in enumerate(pierced)},
            "characters_safe": safe,
        },
        lengths_mm={"border": border},
        members=tuple(victim(table, id_) for id_ in pierced),
        witness=(
            Witness(type="segment", role="path", points_mm=(start, own.centre), of=(query.attacker, query.target)),
        ),
        because=(applied(table, _BOLT, f"It comes from the {side}: {len(pierced)} ranks at most."),),
        advice=None if safe else "Fewer than five of the rank and file: roll who of the rank is hit (p. 88).",
        readings=("arc-corners",),
        doubtful=("arc-corners",) if len(own.members) > 1 else (),
        touches=(*members_of(table, query.attacker)[:1], *own.rank(0)),
    )


def _line_pierced(table: Situation, own: Regiment, start: Point, side: str) -> list[str]:
    """One of each rank in the order in which the bolt comes to them; from a flank the files are the ranks.

    Characters are passed over where others stand in their rank. Source: Bolt Throwers, p. 87-88.
    """
    local = {m: own.seen_from(p, own.front) for m, p in zip(own.members, own.places, strict=True)}
    x, y = own.seen_from(start, own.front)
    if side in ("left", "right"):
        files = [[m for m in own.members if own.column(m) == k] for k in range(own.files)]
        rows = files if side == "left" else files[::-1]
        picked = [min(row, key=lambda m: (_is_character(table, m), abs(local[m][0] - x))) for row in rows if row]
    else:
        ranks = [own.rank(k) for k in range(own.ranks)]
        rows_ = ranks if side != "rear" else ranks[::-1]
        picked = [min(row, key=lambda m: (_is_character(table, m), abs(local[m][1] - y))) for row in rows_ if row]
    return picked


def _is_character(table: Situation, id_: str) -> bool:
    return "character" in table.miniature(id_).role
