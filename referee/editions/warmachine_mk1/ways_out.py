"""Ways to flee: what is feared, where one's own edge lies, and which full runs come into no harm and nobody's reach."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from pydantic import JsonValue

from models.verdict import CAPPED_MM
from models.words import Point
from referee.candidates import is_met
from referee.editions.warmachine_mk1.parameters import because
from referee.editions.warmachine_prime.entering import hazards
from referee.editions.warmachine_prime.going import advancing
from referee.editions.warmachine_prime.in_melee import enemies
from referee.editions.warmachine_prime.melee import HELPLESS, engages, weapon_reaches
from referee.gaps import gap
from referee.once import once
from referee.ruling import Ruling
from referee.shapes import Area, Rounded
from referee.situation import Situation
from referee.travel import Travelled, place_after, straight, swept_gap

HARM = because("Fleeing, Prime p. 58", "Its way leads through nothing that harms it and into no enemy's melee range.")
Path = tuple[Point, ...]
_STEP_MM = 3.0
_ASIDE_RAD = 1e-6  # past what a way would touch
_FAN = 360  # ways looked at beside those that just pass something
_ARC_RAD = math.radians(0.5)
_DUST_MM = 1e-6
_EDGES: dict[str, Point] = {"near": (0.0, -1.0), "far": (0.0, 1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}


def gone(walked: Travelled) -> Path:
    """The part of its way that it got along."""
    left, kept = walked.travelled_mm, [walked.path[0]]
    for a, b in pairwise(walked.path):
        leg = math.dist(a, b)
        if leg >= left:
            return (*kept, place_after((a, b), left))
        kept.append(b)
        left -= leg
    return tuple(kept)


def _dot(one: Point, other: Point | None) -> float:
    return 0.0 if other is None else one[0] * other[0] + one[1] * other[1]


def _unit(heading_rad: float) -> Point:
    return math.cos(heading_rad), math.sin(heading_rad)


@dataclass(frozen=True)
class Flight:
    """Who flees, from whom, to which edge, and how far it can run."""

    table: Situation
    mover: str
    threats: tuple[str, ...] | None
    run_mm: float

    @once
    def base(self) -> Rounded:
        return self.table.base(self.mover)

    @once
    def _foes(self) -> tuple[str, ...]:
        """Enemies, the nearest first."""
        foes = enemies(self.table, self.mover) if self.threats is None else self.threats
        return tuple(sorted(foes, key=lambda id_: (gap(self.base, self.table.base(id_)).mm, id_)))

    @once
    def _able(self) -> tuple[str, ...]:
        return tuple(id_ for id_ in self._foes if not HELPLESS.keys() & set(self.table.miniature(id_).status))

    @once
    def feared(self) -> tuple[str, ...]:
        """The nearest threat, if there is one."""
        return (self._foes if self.table.reading("flee-threat") == "any-enemy" else self._able)[:1]

    @property
    def doubtful(self) -> tuple[str, ...]:
        other = ("flee-threat",) if self._foes[:1] != self._able[:1] else ()
        return (*other, "flee-priority") if self._foes else other

    @once
    def away(self) -> Point | None:
        """From the threat, of length one."""
        (x, y), found = self.table.centre(self.mover), [self.table.centre(id_) for id_ in self.feared]
        apart = math.dist((x, y), found[0]) if found else 0.0
        return ((x - found[0][0]) / apart, (y - found[0][1]) / apart) if apart > 0 else None

    @once
    def edge(self) -> tuple[str, Point]:
        """Its own edge, and the way to it; the nearest where its side has none, of two the one away from the threat.

        Source: Fleeing, Prime p. 58.
        """
        side = self.table.miniature(self.mover).side
        own = next((s.edge for s in self.table.state.sides if s.id == side), None)
        if own in _EDGES:
            return own, _EDGES[own]
        (x, y), size = self.table.centre(self.mover), self.table.state.table
        off = {"near": y, "far": size.depth_mm - y, "left": x, "right": size.width_mm - x}
        away = self.away or (0.0, 0.0)
        name = min(off, key=lambda e: (round(off[e], 6), -(_EDGES[e][0] * away[0] + _EDGES[e][1] * away[1])))
        return name, _EDGES[name]

    @property
    def told(self) -> dict[str, JsonValue]:
        return {"allowance_mm": self.run_mm or None, "threats": [*self.feared], "edge": self.edge[0]}

    def is_off(self, end: Point) -> bool:
        """Whether it has left the table there: its rim past the edge."""
        size, reach = self.table.state.table, self.base.reach_mm
        return min(end[0], end[1], size.width_mm - end[0], size.depth_mm - end[1]) < reach - _DUST_MM

    # Ways

    def ways(self) -> Iterator[Path]:
        """Ways of a full run, those first that gain most toward the edge."""
        start, (_, toward) = self.table.centre(self.mover), self.edge
        first = self.away is not None and self.table.reading("flee-priority") == "threat-first"
        if first and _dot(toward, self.away) < 0:
            yield from (self._round(turn) for turn in self._turns(toward))
        else:
            yield straight(start, math.atan2(toward[1], toward[0]), self.run_mm)
        held = self.away if first else toward
        for heading in sorted(self._headings(), key=lambda h: -_dot(toward, _unit(h))):
            if held is None or _dot(held, _unit(heading)) >= 0:
                yield straight(start, heading, self.run_mm)

    def _turns(self, toward: Point) -> tuple[int, ...]:
        """On which sides of the threat it may go round it: the shorter way, or either."""
        assert self.away is not None
        cross = self.away[0] * toward[1] - self.away[1] * toward[0]
        return (1, -1) if abs(cross) < _DUST_MM else (1,) if cross > 0 else (-1,)

    def _round(self, turn: int) -> Path:
        """Round the threat at the distance it is at, until the edge lies away from the threat; then straight to it."""
        centre, (_, toward) = self.table.centre(self.feared[0]), self.edge
        start = self.table.centre(self.mover)
        radius, angle = math.dist(start, centre), math.atan2(start[1] - centre[1], start[0] - centre[0])
        last = math.atan2(toward[1], toward[0]) - turn * math.pi / 2
        whole = min((last - angle) * turn % (2 * math.pi), self.run_mm / radius)
        steps = max(1, math.ceil(whole / _ARC_RAD))
        out = radius / math.cos(whole / steps / 2)  # about the circle: it is never nearer
        arc = [angle + turn * whole * (k + 0.5) / steps for k in range(steps)]
        path = [start, *((centre[0] + out * math.cos(a), centre[1] + out * math.sin(a)) for a in arc)]
        end = angle + turn * whole
        path.append((centre[0] + radius * math.cos(end), centre[1] + radius * math.sin(end)))
        left = self.run_mm - radius * whole
        ahead = math.atan2(toward[1], toward[0])
        return (*path, straight(path[-1], ahead, left)[1]) if left > _DUST_MM else tuple(path)

    def _headings(self) -> Iterator[float]:
        """The straight ways that just pass something, and a fan of others."""
        yield from (2 * math.pi * k / _FAN for k in range(_FAN))
        if self.away is not None:
            level = math.atan2(self.away[1], self.away[0])
            yield from (level + math.pi / 2 - _ASIDE_RAD, level - math.pi / 2 + _ASIDE_RAD)
        x, y = self.table.centre(self.mover)
        for area, clear in self._obstacles():
            for part in area.parts:
                for px, py in part.points:
                    far, off = math.dist((x, y), (px, py)), part.radius_mm + self.base.reach_mm + clear
                    if far <= off:
                        continue
                    middle, half = math.atan2(py - y, px - x), math.asin(off / far) + _ASIDE_RAD
                    yield from (middle + half, middle - half)

    def _obstacles(self) -> Iterator[tuple[Area, float]]:
        """What its way may have to pass, and how clear of it."""
        going = advancing(self.table, self.mover)
        yield from ((area, 0.0) for _, area in (*going.stops, *going.crossed, *self._harm))
        yield from ((Area((self.table.base(id_),)), self._reach_mm(id_)) for id_ in enemies(self.table, self.mover))

    # What it must not come into

    @once
    def _harm(self) -> tuple[tuple[str, Area], ...]:
        """What harms who enters it, and that it is not in already."""
        found = ((id_, self.table.area(id_)) for id_ in hazards(self.table))
        return tuple((id_, a) for id_, a in found if all(gap(self.base, part).mm >= 0 for part in a.parts))

    def harmless(self, path: Path) -> Ruling:
        clear = [(swept_gap(self.base, path, part), id_) for id_, area in self._harm for part in area.parts]
        room, id_ = min(clear, default=(CAPPED_MM, self.mover))
        return Ruling(margin_mm=min(room, CAPPED_MM), because=(HARM,), touches=(self.mover, id_))

    def unengaged(self, path: Path) -> Ruling:
        """By how much it keeps out of the melee range of everybody who did not engage it before."""
        worst = Ruling(margin_mm=CAPPED_MM, because=(HARM,), touches=(self.mover,))
        for id_ in self._engagers:
            room = self._room(path, id_)
            if room.decisive_mm < worst.decisive_mm:
                worst = room
        return worst

    def _room(self, path: Path, id_: str) -> Ruling:
        apart, who = swept_gap(self.base, path, self.table.base(id_)) - self._reach_mm(id_), (self.mover, id_)
        if apart > 0:
            return Ruling(margin_mm=apart, because=(HARM,), touches=who, faces=(id_,))
        held = max((engages(there, id_, self.mover) for there in self._stops(path)), key=lambda r: r.decisive_mm)
        return Ruling(margin_mm=-held.decisive_mm, zero_is_met=False, because=(HARM,), touches=who, faces=(id_,))

    def _stops(self, path: Path) -> Iterator[Situation]:
        for a, b in pairwise(path):
            steps = max(1, math.ceil(math.dist(a, b) / _STEP_MM))
            for k in range(1, steps + 1):
                there = (a[0] + (b[0] - a[0]) * k / steps, a[1] + (b[1] - a[1]) * k / steps)
                yield self.table.placed(self.mover, there)

    @once
    def engaged_by(self) -> tuple[str, ...]:
        """Who engages it where it stands."""
        return tuple(id_ for id_ in enemies(self.table, self.mover) if is_met(engages(self.table, id_, self.mover)))

    @once
    def _engagers(self) -> tuple[str, ...]:
        foes = (id_ for id_ in enemies(self.table, self.mover) if id_ not in self.engaged_by)
        return tuple(id_ for id_ in foes if self._reach_mm(id_) > 0)

    def _reach_mm(self, id_: str) -> float:
        it = self.table.miniature(id_)
        helpless = bool(HELPLESS.keys() & set(it.status))
        return 0.0 if helpless else max(weapon_reaches(it).values(), default=0.0)

    def in_the_way(self, walked: Travelled) -> list[str]:
        """What keeps it from running that way to the end, or to the table's edge."""
        if walked.stopped_by is not None and not self.is_off(walked.end):
            return [walked.stopped_by]
        path = gone(walked)
        if len(path) < 2 or path[0] == path[-1]:
            return [self.mover]
        harm = [id_ for id_, area in self._harm for p in area.parts if swept_gap(self.base, path, p) < 0]
        foes = (id_ for id_ in self._engagers if not is_met(self._room(path, id_)))
        return harm[:1] or [name for name in [next(foes, None)] if name is not None]
