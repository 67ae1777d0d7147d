"""Cannons: what they may aim at, and whom the ball strikes as it bounces on."""

import math
from dataclasses import dataclass
from itertools import pairwise

from pydantic import JsonValue

from models.queries import Cannon
from models.units import inches
from models.verdict import Witness
from models.words import Point
from referee.clauses import RIVAL_MM, listed_margins
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.arcs import zone
from referee.editions.warhammer_9.machines import aim_slacks, beyond, clear_mm, deciding_mm, failing, muzzle
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    all_regiments,
    garrisoned,
    kind_of,
    members_of,
    regiment,
    regiment_of,
)
from referee.editions.warhammer_9.sight import GRAZED_MM, point_doubts
from referee.editions.warhammer_9.templates import (
    around,
    is_misfire,
    lacking,
    point_of,
    scattered,
)
from referee.gaps import gap
from referee.motion import stretch_within
from referee.ruling import Candidate, Ruling
from referee.shapes import Area, Rounded, disc
from referee.situation import Situation
from referee.telling import applied

_BALL = because("Cannons", 88, "The ball lands at the marker, bounces on, and strikes the first of each rank.")
_AIM = because("Cannons", 88, "No shot that might hit friends or enemies who fight.")
_LONGEST_BOUNCE_IN = 10.0
_BALL_MM = inches(0.1)


def cannon(table: Situation, query: Cannon) -> Ruling:
    """Whether a cannon may be aimed there, and whom the ball strikes. Source: Cannons, p. 88-89."""
    at, start, dice = point_of(table, query.at), muzzle(table, query.attacker), query.dice
    needs = () if dice.scatter is None or is_misfire(dice) else lacking(dice)
    if needs:
        return Ruling(status="unknown", needs=needs, because=(_BALL,))
    slacks, seen_by = aim_slacks(table, query.attacker, at)
    line = _risked(table, start, at)
    barred = _barred(table, query.attacker, line)
    if barred:
        least = min(barred.values())
        slacks["clear-of-friends"] = least if least > 0 else min(least, -GRAZED_MM)
    marker = scattered(at, dice, share=0.5)
    ball = Ball(marker, marker) if table.nudges else Ball.of(table, query, start, marker)
    ranged = ("clear-of-friends",) if barred else ("range", "least-range")
    margin = deciding_mm(slacks, *ranged)
    return Ruling(
        margin_mm=margin,
        value={
            "line_mm": [[*start], [*ball.end]],
            "point_mm": [*marker],
            "at_risk": [] if table.lean else [*_at_risk(table, query.attacker, start, at)],
            "clauses": listed_margins(slacks),
            "by_id": ball.told(),
            "near": [*ball.near],
            "stopped_by": ball.stopped_by,
            "misfire": is_misfire(dice),
        },
        tells=(ball.struck, failing(slacks)),
        members=tuple(_on_line(table, m, ball) for m in ball.struck),
        witness=(Witness(type="segment", role="path", points_mm=(start, ball.end), of=(query.attacker,)),),
        because=(applied(table, _BALL, f"{len(ball.struck)} are struck."), _AIM),
        readings=("cannon-risk", "ball-width"),
        doubtful=_doubtful(table, query),
        touches=tuple(
            dict.fromkeys((*members_of(table, query.attacker)[:1], *seen_by, *_nearest_barred(table, barred, line)))
        ),
        faces=members_of(table, query.attacker)[:1],
    )


def _doubtful(table: Situation, query: Cannon) -> tuple[str, ...]:
    about_point = () if table.nudges else point_doubts(table, query.attacker, point_of(table, query.at))
    return ("cannon-risk", *about_point, *(("ball-width",) if query.dice.bounce is not None else ()))


def _barred(table: Situation, machine: str, line: Rounded) -> dict[str, float]:
    """Whom the line must keep clear of, and by how much it does."""
    every = {one: clear_mm(table, machine, one, line) for one in _feared(table, machine, line)}
    return {one: mm for one, mm in every.items() if mm is not None}


def _feared(table: Situation, machine: str, line: Rounded) -> tuple[str, ...]:
    """Whom a shot may not hit; on a nudged table only those who may come to be the nearest to its line."""
    if not table.nudges:
        return all_regiments(table)
    key = ("feared", machine, line.points, line.radius_mm)
    return table.settled(key, lambda still: _nearest_feared(still, machine, line))


def _nearest_feared(table: Situation, machine: str, line: Rounded) -> tuple[str, ...]:
    found = {one: clear_mm(table, machine, one, line) for one in all_regiments(table)}
    told = {one: mm for one, mm in found.items() if mm is not None}
    return tuple(one for one, mm in told.items() if mm <= min(told.values()) + RIVAL_MM)


def _risked(table: Situation, start: Point, at: Point) -> Rounded:
    """What a shot has a chance to hit: the line and the longest bounce; or all that any scatter may bring under it."""
    if table.reading("cannon-risk") == "any-scatter":
        return _envelope(start, at)
    return Rounded((start, beyond(start, at, inches(_LONGEST_BOUNCE_IN))))


def _envelope(start: Point, at: Point) -> Rounded:
    return Rounded((beyond(start, at, -inches(5)), beyond(start, at, inches(5 + _LONGEST_BOUNCE_IN))), inches(5))


@dataclass(frozen=True)
class Ball:
    """Where a ball goes once it has landed, and what it meets. Source: Cannons, p. 88-89."""

    marker: Point
    end: Point
    struck: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    """Those on whom it lands: they are hit directly."""
    inside: tuple[str, ...] = ()
    """Garrisons of buildings it meets."""
    near: tuple[str, ...] = ()
    """Those it misses by less than its own width."""
    stopped_by: str | None = None

    def told(self) -> dict[str, JsonValue]:
        hits: dict[str, JsonValue] = {m: {"hit": "direct" if m in self.under else "bounce"} for m in self.struck}
        return hits | {unit: {"hit": "garrison", "hits": "d6"} for unit in self.inside}

    @classmethod
    def of(cls, table: Situation, query: Cannon, start: Point, marker: Point) -> "Ball":
        bounce = query.dice.bounce
        if bounce is None or is_misfire(query.dice):
            return cls(marker, marker)
        far = marker if bounce == "misfire" else beyond(start, marker, inches(float(bounce)))
        end, stopped_by = _stopped(table, marker, far)
        path = Rounded((marker, end) if marker != end else (marker,))
        others = [m for m in _beside(table, path) if m != query.attacker]
        under = tuple(m for m in others if gap(disc(marker, 0.0), table.base(m)).mm <= 0)
        if bounce == "misfire":
            return cls(marker, marker, under[:1], under[:1])
        wide = _BALL_MM if table.reading("ball-width") == "ball" else 0.0
        struck = struck_along(table, query.attacker, marker, end, seen_from=start, wide_mm=wide)
        near = tuple(m for m in others if m not in struck and 0 <= gap(table.base(m), path).mm < _BALL_MM)
        inside = tuple(u for u in all_regiments(table) if _is_met_inside(table, u, path))
        return cls(marker, end, tuple(struck), under, inside, near, stopped_by)


def _beside(table: Situation, path: Rounded) -> list[str]:
    """Those whose base the ball may meet or pass by a hair."""
    return around(table, Area((path,)), mm=_BALL_MM)


def _is_met_inside(table: Situation, unit: str, path: Rounded) -> bool:
    building = garrisoned(table, unit)
    return building is not None and any(gap(part, path).mm <= 0 for part in table.area(building).parts)


def _stopped(table: Situation, marker: Point, end: Point) -> tuple[Point, str | None]:
    """Where what stands in the way stops the ball, and what that is. Source: Bounce, p. 89."""
    whole = math.dist(marker, end)
    if whole == 0:
        return end, None
    way, first, by = ((end[0] - marker[0]) / whole, (end[1] - marker[1]) / whole), whole, None
    for terrain in table.state.terrain:
        if terrain.kind not in parameters.NO_ENTRY_KINDS - {"deep-water"} or terrain.blocks_sight == "none":
            continue
        for part in table.area(terrain.id).parts:
            span = stretch_within(Rounded((marker,)), way, part)
            if span is not None and span[1] > 0 and span[0] < first:
                first, by = max(0.0, span[0]), terrain.id
    return (marker[0] + first * way[0], marker[1] + first * way[1]), by


def _on_line(table: Situation, id_: str, ball: Ball) -> Candidate:
    """One who is struck: by how much the ball would have to pass elsewhere to miss."""

    def rule(asked: Situation) -> Ruling:
        path = Rounded((ball.marker, ball.end) if ball.marker != ball.end else (ball.marker,))
        mm = -gap(asked.base(id_), path).mm
        return Ruling(margin_mm=max(mm, 0.0) if not asked.nudges else mm, touches=(id_,))

    return Candidate(id_, rule(table), rule)


def _nearest_barred(table: Situation, barred: dict[str, float], line: Rounded) -> tuple[str, ...]:
    if not barred:
        return ()
    unit = min(barred, key=lambda one: barred[one])
    return (min(members_of(table, unit), key=lambda m: gap(table.base(m), line).mm),)


def struck_along(
    table: Situation, machine: str, marker: Point, end: Point, *, seen_from: Point | None = None, wide_mm: float = 0.0
) -> list[str]:
    """The first of each rank a line crosses, of each file where it comes from the side. Source: Cannons, p. 89."""
    start = marker if seen_from is None else seen_from
    found: dict[tuple[str, int], tuple[float, str]] = {}
    near = set(_beside(table, Rounded((marker, end) if marker != end else (marker,))))
    for unit in all_regiments(table):
        if unit in (machine, regiment_of(table, machine)) or garrisoned(table, unit) is not None:
            continue
        own = regiment(table, unit)
        if near.isdisjoint(own.members):
            continue
        by_file = zone(table, own, start)[0] in ("left", "right")
        for id_, (rank, _) in zip(own.members, own.cells, strict=True):
            entry = _enters_mm(table, id_, marker, end, wide_mm) if id_ in near else None
            if entry is None:
                continue
            key = (unit, own.column(id_) if by_file else rank)
            if entry < found.get(key, (math.inf, ""))[0]:
                found[key] = (entry, id_)
    return _until_stopped(table, [id_ for _, id_ in sorted(found.values())])


def _until_stopped(table: Situation, ids: list[str]) -> list[str]:
    """A monster stops the ball unless it dies, which dice tell: those behind it are not struck for sure."""
    for k, id_ in enumerate(ids):
        if kind_of(table.miniature(id_)) in parameters.MONSTROUS | {"monster"}:
            return ids[: k + 1]
    return ids


def _enters_mm(table: Situation, id_: str, start: Point, end: Point, wide: float) -> float | None:
    """How far along the bounce the ball comes to a base; None when it passes by. Touching the rim is passing by."""
    base = table.base(id_)
    if gap(base, Rounded((start, end))).mm >= wide - 1e-9:
        return None
    steps = [(start[0] + (end[0] - start[0]) * k / 64, start[1] + (end[1] - start[1]) * k / 64) for k in range(65)]
    for k, (p, q) in enumerate(pairwise(steps)):
        if gap(base, Rounded((p, q))).mm < wide:
            return k * math.dist(start, end) / 64 + max(0.0, gap(base, disc(p, 0.0)).mm)
    return None


def _at_risk(table: Situation, machine: str, start: Point, at: Point) -> list[str]:
    """Friends and fighting enemies that some scatter and bounce might reach. Source: Cannons, p. 88."""
    reach = _envelope(start, at)
    found = ((one, clear_mm(table, machine, one, reach)) for one in all_regiments(table))
    return [one for one, mm in found if mm is not None and mm < 0]
