"""War machines: what they may aim at, and whom stone, ball and bolt strike."""

import math
from itertools import pairwise

from pydantic import JsonValue

from models.queries import BoltThrower, Cannon, StoneThrower, WarMachinePivot
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.clauses import listed_margins
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.arcs import quadrant
from referee.editions.warhammer_9.engaged import engaged_with
from referee.editions.warhammer_9.measuring import weapon_range_mm
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
)
from referee.editions.warhammer_9.templates import along, covered, expected_share, point_of, scattered
from referee.gaps import gap
from referee.ruling import Candidate, Ruling
from referee.shapes import Area, Rounded, disc
from referee.situation import Situation
from referee.telling import applied, length

_PIVOT = because("War Machines", 86, "It turns by up to 45 degrees either way and may still fire.")
_STONE = because("Stone Throwers", 89, "In range, ahead, over neither friends nor enemies who fight; then it scatters.")
_HOLE = because("Stone Throwers", 89, "Whoever is under the hole takes the full blow, others the lesser one.")
_BALL = because("Cannons", 88, "The ball lands at the marker, bounces on, and strikes the first of each rank.")
_AIM = because("Cannons", 88, "No shot that might hit friends or enemies who fight.")
_BOLT = because("Bolt Throwers", 87, "The bolt goes on through the ranks, a point weaker each.")
_STONE_RADIUS_MM = inches(1.5)
_LONGEST_BOUNCE_IN = 10.0
_BOLT_STRENGTH = 6
_BALL_MM = inches(0.1)
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


def _aim_slacks(table: Situation, machine: str, at: Point) -> dict[str, float]:
    """How far a point is inside the machine's range, at either end."""
    start = muzzle(table, machine)
    limit = weapon_range_mm(table, machine, None)
    if limit is None:
        return {}
    away = math.dist(start, at)
    return {"range": limit[1] - away} | ({"least-range": away - limit[0]} if limit[0] > 0 else {})


def stone_thrower(table: Situation, query: StoneThrower) -> Ruling:
    """Whether a stone may be aimed there, and whom it hits. Source: Stone Throwers, p. 89-90."""
    at = point_of(table, query.at)
    slacks = _aim_slacks(table, query.attacker, at) | _stone_slacks(table, query, at)
    machine = leading(table, query.attacker)
    landed = scattered(
        at, query.dice, less_in=(machine.profile.bs or 0.0) if _drifts(query) else 0.0, drifts=_drifts(query)
    )
    point = at if landed is None else landed
    members = covered(table, Area((disc(point, _STONE_RADIUS_MM),)))
    struck = [one.id for one in members if one.ruling is not None and (one.ruling.margin_mm or 0.0) > 0]
    hole = [id_ for id_ in struck if gap(disc(point, 0.0), table.base(id_)).mm <= 0]
    value: dict[str, JsonValue] = {
        "point_mm": [*point],
        "by_id": {id_: {"hit": "hole" if id_ in hole else "touched"} for id_ in struck},
        "clauses": _clauses(slacks),
    }
    if len(hole) > 1:
        value["ties"] = [*hole]
    if query.dice.scatter is None and not table.lean:
        value["expected"] = _expected(table, at)
    deciding = min(slacks.values(), default=CAPPED_MM)
    return Ruling(
        margin_mm=deciding,
        value=value,
        members=members,
        witness=(Witness(type="circle", role="limit", centre_mm=point, radius_mm=_STONE_RADIUS_MM),),
        because=(applied(table, _STONE, f"{length(deciding)} to spare at the tightest." if slacks else "."), _HOLE),
        readings=("stone-range", "stone-heading"),
        touches=members_of(table, query.attacker)[:1],
        faces=members_of(table, query.attacker)[:1],
    )


def _drifts(query: StoneThrower) -> bool:
    return query.indirect and query.dice.scatter == "hit"


def _stone_slacks(table: Situation, query: StoneThrower, at: Point) -> dict[str, float]:
    """Ahead of the machine; and over nobody it may not be aimed at."""
    own = regiment(table, query.attacker)
    start = muzzle(table, query.attacker)
    turn = abs(math.remainder(math.atan2(at[1] - start[1], at[0] - start[0]) - own.facing_rad, math.tau))
    most = math.radians(parameters.PIVOT_DEG) if table.reading("stone-heading") == "within-45" else 0.0
    found = {"ahead": (most - turn) * math.dist(start, at)}
    every = (_clear_mm(table, query.attacker, one, Rounded((at,))) for one in all_regiments(table))
    barred = [mm for mm in every if mm is not None]
    return found | ({"clear-of-friends": min(barred) - _STONE_RADIUS_MM} if barred else {})


def _clear_mm(table: Situation, machine: str, unit: str, line: Rounded) -> float | None:
    """How far a line stays from a unit one may not hit; None of one that one may."""
    if unit == machine or garrisoned(table, unit) is not None:
        return None
    if not are_friends(table, machine, unit) and not engaged_with(table, unit):
        return None
    return min(gap(table.base(m), line).mm for m in members_of(table, unit))


def _clauses(slacks: dict[str, float]) -> list[JsonValue]:
    return listed_margins(slacks)


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


def cannon(table: Situation, query: Cannon) -> Ruling:
    """Whether a cannon may be aimed there, and whom the ball strikes. Source: Cannons, p. 88-89."""
    at, start = point_of(table, query.at), muzzle(table, query.attacker)
    slacks = _aim_slacks(table, query.attacker, at)
    line = Rounded((start, _beyond(start, at, inches(_LONGEST_BOUNCE_IN))))
    every = {one: _clear_mm(table, query.attacker, one, line) for one in all_regiments(table)}
    barred = {one: mm for one, mm in every.items() if mm is not None}
    if barred:
        slacks["clear-of-friends"] = min(barred.values())
    marker = scattered(at, query.dice, share=0.5) if query.dice.scatter is not None else at
    bounce = query.dice.bounce
    struck = [] if marker is None or bounce is None else _struck(table, query.attacker, start, marker, bounce)
    end = marker
    if marker is not None and isinstance(bounce, int):
        end = _beyond(start, marker, inches(bounce))
    margin = min(slacks.values(), default=CAPPED_MM)
    return Ruling(
        margin_mm=margin if margin > 0 or "clear-of-friends" not in slacks else min(margin, -1e-6),
        value={
            "line_mm": [[*start], [*(end or at)]],
            "point_mm": [*(marker or at)],
            "at_risk": [*_at_risk(table, query.attacker, start, at)],
            "clauses": _clauses(slacks),
        },
        members=tuple(victim(table, id_) for id_ in struck),
        witness=(Witness(type="segment", role="path", points_mm=(start, end or at), of=(query.attacker,)),),
        because=(applied(table, _BALL, f"{len(struck)} are struck."), _AIM),
        readings=("cannon-risk", "ball-width"),
        touches=(*members_of(table, query.attacker)[:1], *_nearest_barred(table, barred, line)),
    )


def _nearest_barred(table: Situation, barred: dict[str, float], line: Rounded) -> tuple[str, ...]:
    if not barred:
        return ()
    unit = min(barred, key=lambda one: barred[one])
    return (min(members_of(table, unit), key=lambda m: gap(table.base(m), line).mm),)


def _beyond(start: Point, at: Point, mm: float) -> Point:
    away = math.dist(start, at) or 1.0
    return (at[0] + (at[0] - start[0]) * mm / away, at[1] + (at[1] - start[1]) * mm / away)


def _struck(table: Situation, machine: str, start: Point, marker: Point, bounce: int | str) -> list[str]:
    """Whom the ball strikes, in order: the first of each rank, of each file where it comes from the side."""
    if bounce == "misfire":
        under = [m.id for m in table.state.miniatures if gap(disc(marker, 0.0), table.base(m.id)).mm <= 0]
        return [m for m in under if m != machine][:1]
    return struck_along(table, machine, marker, _beyond(start, marker, inches(float(bounce))), seen_from=start)


def struck_along(
    table: Situation, machine: str, marker: Point, end: Point, *, seen_from: Point | None = None
) -> list[str]:
    """The first of each rank a line crosses, of each file where it comes from the side. Source: Cannons, p. 89."""
    start = marker if seen_from is None else seen_from
    found: dict[tuple[str, int], tuple[float, str]] = {}
    for unit in all_regiments(table):
        if unit == machine or garrisoned(table, unit) is not None:
            continue
        own = regiment(table, unit)
        by_file = quadrant(own, start)[0] in ("left", "right")
        for id_, (rank, file) in zip(own.members, own.cells, strict=True):
            entry = _enters_mm(table, id_, marker, end)
            key = (unit, file if by_file else rank)
            if entry is not None and entry < found.get(key, (math.inf, ""))[0]:
                found[key] = (entry, id_)
    return _until_stopped(table, [id_ for _, id_ in sorted(found.values())])


def _until_stopped(table: Situation, ids: list[str]) -> list[str]:
    """A monster stops the ball unless it dies, which dice tell: those behind it are not struck for sure."""
    for k, id_ in enumerate(ids):
        if kind_of(table.miniature(id_)) in parameters.MONSTROUS | {"monster"}:
            return ids[: k + 1]
    return ids


def _enters_mm(table: Situation, id_: str, start: Point, end: Point) -> float | None:
    """How far along the bounce the ball comes to a base; None when it passes by. Touching the rim is passing by."""
    base = table.base(id_)
    wide = _BALL_MM if table.reading("ball-width") == "ball" else 0.0
    if gap(base, Rounded((start, end))).mm >= wide - 1e-9:
        return None
    steps = [(start[0] + (end[0] - start[0]) * k / 64, start[1] + (end[1] - start[1]) * k / 64) for k in range(65)]
    for k, (p, q) in enumerate(pairwise(steps)):
        if gap(base, Rounded((p, q))).mm < wide:
            return k * math.dist(start, end) / 64 + max(0.0, gap(base, disc(p, 0.0)).mm)
    return None


def _at_risk(table: Situation, machine: str, start: Point, at: Point) -> list[str]:
    """Friends and fighting enemies that some scatter and bounce might reach. Source: Cannons, p. 88."""
    reach = Rounded((_beyond(start, at, -inches(5)), _beyond(start, at, inches(5 + _LONGEST_BOUNCE_IN))), inches(5))
    found = ((one, _clear_mm(table, machine, one, reach)) for one in all_regiments(table))
    return [one for one, mm in found if mm is not None and mm < 0]


def victim(table: Situation, id_: str) -> Candidate:
    def rule(_: Situation) -> Ruling:
        return Ruling(margin_mm=CAPPED_MM, touches=(id_,))

    return Candidate(id_, rule(table), rule)


def bolt_thrower(table: Situation, query: BoltThrower) -> Ruling:
    """Whom a bolt pierces, and with what strength. Source: Bolt Throwers, p. 87."""
    own, start = regiment(table, query.target), muzzle(table, query.attacker)
    side, border = quadrant(own, start)
    file = _file_hit(own, start)
    by_file = side in ("left", "right")
    where = dict(zip(own.cells, own.members, strict=True))
    if by_file:
        rank = min(own.ranks - 1, max(0, round(own.ranks / 2 - 0.5)))
        line = [where[rank, f] for f in range(own.files) if (rank, f) in where]
        line = line if side == "left" else line[::-1]
    else:
        column = [own.rank(r) for r in range(own.ranks)]
        line = [row[min(file, len(row) - 1)] for row in column]
        line = line if side != "rear" else line[::-1]
    pierced = line[:_BOLT_STRENGTH]
    return Ruling(
        status="measured",
        value={
            "side": side,
            "border_mm": border,
            "by_id": {id_: {"strength": _BOLT_STRENGTH - k} for k, id_ in enumerate(pierced)},
        },
        members=tuple(victim(table, id_) for id_ in pierced),
        witness=(
            Witness(type="segment", role="path", points_mm=(start, own.centre), of=(query.attacker, query.target)),
        ),
        because=(applied(table, _BOLT, f"It comes from the {side}: {len(pierced)} ranks at most."),),
        touches=(*members_of(table, query.attacker)[:1], *own.rank(0)),
    )


def _file_hit(own: Regiment, start: Point) -> int:
    """The file nearest to where the bolt comes from."""
    _, y = own.seen_from(start, own.front)
    share = (own.width_mm / 2 - y) / own.width_mm
    return min(own.files - 1, max(0, int(share * own.files)))
