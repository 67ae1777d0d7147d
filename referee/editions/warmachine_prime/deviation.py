"""Deviation: where an attack lands that misses."""

import math
from collections.abc import Iterator
from fractions import Fraction

from pydantic import JsonValue

from models.queries import Deviation
from models.units import inches, radians
from models.verdict import Reason, Witness
from models.words import Point
from referee.candidates import in_play
from referee.editions.warmachine_prime.distances import touched
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.templates import DIRECT, how_hit, members_under, middle, ring, under
from referee.gaps import Gap, area_gap
from referee.ruling import Candidate, Ruling
from referee.situation import Situation

_DEVIATES = because("Deviation", 52, "A miss in range goes astray from the target's center by a die in inches.")
_FAR = because(
    "Deviation", 52, "Beyond range it misses, and goes astray from the point at its range toward the target."
)
_CAP = because("Deviation", 52, "Never farther than half the distance to the target, or half the range beyond range.")
_EDGE = because("Deviation", 52, "Off the table it stops at the edge.")
_BLAST_ONLY = because("Deviation", 52, "What went astray hits nobody directly.")
_FACES = range(1, 7)


def deviation(table: Situation, query: Deviation) -> Ruling:
    """Where the attack lands, and who is under it. Source: Deviation, p. 52."""
    shot = _Shot(table, query)
    if shot.axis_rad() is None:
        return Ruling(status="unknown", needs=("axis_deg",), because=(_DEVIATES,))
    if query.hit or (query.dice.direction is not None and query.dice.distance is not None):
        return _landed(table, query, shot)
    return _chances(table, query, shot)


class _Shot:
    """One attack that may go astray: where it starts, along what axis, and how far at most."""

    def __init__(self, table: Situation, query: Deviation) -> None:
        self.table, self.query = table, query
        self.goal = middle(table, query.target)
        self.between: Gap = area_gap(table.area(query.origin), table.area(query.target))

    def is_far(self) -> bool:
        """Source: Deviation, p. 52: beyond the range of the attack."""
        limit = self.query.range_in
        return limit is not None and max(0.0, self.between.mm) > inches(limit) + 1e-9

    def axis_rad(self) -> float | None:
        """Where direction 1 points."""
        if self.query.axis_deg is not None:
            return radians(self.query.axis_deg)
        x, y = middle(self.table, self.query.origin)
        return None if (x, y) == self.goal else math.atan2(self.goal[1] - y, self.goal[0] - x)

    def start(self) -> Point:
        """Source: Deviation, p. 52: the target's center, or the point at the attack's range toward it."""
        if not self.is_far():
            return self.goal
        x, y = middle(self.table, self.query.origin)
        way = math.atan2(self.goal[1] - y, self.goal[0] - x)
        out = inches(self.query.range_in or 0.0)
        if self.table.reading("deviation-far-point") == "edge":
            out += self.table.area(self.query.origin).parts[0].reach_mm
        return (x + out * math.cos(way), y + out * math.sin(way))

    def cap_mm(self) -> float | None:
        """Source: Deviation, p. 52: half the distance, or half the range of a shot too far; not rounded."""
        if self.query.cap == "none":
            return None
        if self.is_far():
            return inches(self.query.range_in or 0.0) / 2
        if self.table.reading("deviation-cap") == "centres":
            return math.dist(middle(self.table, self.query.origin), self.goal) / 2
        return max(0.0, self.between.mm) / 2

    def point(self, direction: int, distance: int) -> tuple[Point, bool]:
        """Where these dice let it land, and whether the table's edge stopped it."""
        turns = -1.0 if self.table.reading("deviation-sense") == "clockwise" else 1.0
        way = (self.axis_rad() or 0.0) + turns * math.radians(60.0) * (direction - 1)
        cap = self.cap_mm()
        out = inches(distance) if cap is None else min(inches(distance), cap)
        start = self.start()
        room = self._room(start, way)
        travelled = min(out, room)
        return (start[0] + travelled * math.cos(way), start[1] + travelled * math.sin(way)), room < out - 1e-9

    def _room(self, start: Point, way: float) -> float:
        """How far it is to the table's edge."""
        size = (self.table.state.table.width_mm, self.table.state.table.depth_mm)
        room = math.inf
        for at, step, end in zip(start, (math.cos(way), math.sin(way)), size, strict=True):
            if abs(step) > 1e-12:
                room = min(room, ((end if step > 0 else 0.0) - at) / step)
        return max(0.0, room)


def _lands(table: Situation, query: Deviation) -> tuple[Point, bool]:
    shot = _Shot(table, query)
    if query.hit:
        return shot.goal, False
    return shot.point(query.dice.direction or 1, query.dice.distance or 0)


def _landed(table: Situation, query: Deviation, shot: _Shot) -> Ruling:
    at, clipped = _lands(table, query)
    cap = shot.cap_mm()
    value: dict[str, JsonValue] = {
        "start_mm": list(shot.start()),
        "cap_mm": cap,
        "point_mm": list(at),
        "clipped": clipped,
    }
    if query.diameter_in is not None:
        direct = query.target if query.hit and isinstance(query.target, str) else None
        value["by_id"] = {id_: how_hit(table, id_, direct, at) for id_ in under(table, at, query.diameter_in)}
    return Ruling(
        status="measured",
        value=value,
        lengths_mm={} if cap is None else {"cap": cap},
        witness=_path(shot.start(), at, query.diameter_in),
        because=_reasons(shot, query, clipped),
        readings=("deviation-sense", "deviation-cap", "deviation-far-point"),
        touches=touched(query.origin, query.target),
        members=_hits(table, query),
    )


def _hits(table: Situation, query: Deviation) -> tuple[Candidate, ...]:
    if query.diameter_in is None:
        return ()
    by = touched(query.origin, query.target)
    return members_under(table, lambda nudged: _lands(nudged, query)[0], query.diameter_in, by)


def _path(start: Point, at: Point, diameter_in: float | None) -> tuple[Witness, ...]:
    path = (Witness(type="segment", role="path", points_mm=(start, at)),) if start != at else ()
    rim = () if diameter_in is None else (ring(at, diameter_in),)
    return (*path, Witness(type="point", role="hit", points_mm=(at,)), *rim)


def _reasons(shot: _Shot, query: Deviation, clipped: bool) -> tuple[Reason, ...]:
    if query.hit:
        return (DIRECT,)
    capped = (_CAP,) if query.cap == "half" else ()
    return (_FAR if shot.is_far() else _DEVIATES, *capped, *((_EDGE,) if clipped else ()), _BLAST_ONLY)


def _chances(table: Situation, query: Deviation, shot: _Shot) -> Ruling:
    """Every face of the dice that nobody has told yet. Source: Deviation, p. 52."""
    rolls = list(_rolls(query))
    points = [(direction, distance, *shot.point(direction, distance)) for direction, distance in rolls]
    value: dict[str, JsonValue] = {
        "start_mm": list(shot.start()),
        "cap_mm": shot.cap_mm(),
        "point_mm": None,
        "points": [{"direction": d, "distance": n, "point_mm": list(at), "clipped": c} for d, n, at, c in points],
    }
    if query.diameter_in is not None:
        value["by_id"] = _shares(table, [at for _, _, at, _ in points], query.diameter_in)
    return Ruling(
        status="measured",
        value=value,
        witness=tuple(Witness(type="point", role="limit", points_mm=(at,)) for _, _, at, _ in points),
        because=_reasons(shot, query, clipped=False),
        readings=("deviation-sense", "deviation-cap", "deviation-far-point"),
        touches=touched(query.origin, query.target),
    )


def _rolls(query: Deviation) -> Iterator[tuple[int, int]]:
    for direction in _FACES if query.dice.direction is None else (query.dice.direction,):
        for distance in _FACES if query.dice.distance is None else (query.dice.distance,):
            yield direction, distance


def _shares(table: Situation, points: list[Point], diameter_in: float) -> dict[str, JsonValue]:
    """The chance of each to be under it, where there is one."""
    counts = dict.fromkeys(in_play(table), 0)
    for at in points:
        for id_ in under(table, at, diameter_in):
            counts[id_] += 1
    shares = {id_: Fraction(count, len(points)) for id_, count in counts.items() if count}
    return {id_: {"chance": {"exact": str(share), "p": float(share)}} for id_, share in shares.items()}
