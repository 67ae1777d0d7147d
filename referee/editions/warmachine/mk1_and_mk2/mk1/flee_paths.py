"""Paths of a flight: what is feared, where one's own edge lies, and which full runs come into no harm."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.cached_attribute import cached_attribute
from referee.editions.warmachine.melee.in_melee import enemies
from referee.editions.warmachine.melee.melee_range import check_engages_enemy, weapon_reaches
from referee.editions.warmachine.miniatures.turn_ledger import HELPLESS
from referee.editions.warmachine.mk1_and_mk2.mk1.citations import because
from referee.editions.warmachine.movement.enters_area import list_hazards
from referee.editions.warmachine.movement.path import Path, passability_of_advance
from referee.geometry.distance import gap
from referee.geometry.shapes import Area, RoundedShape
from referee.motion.travel_budget import TravelResult, place_after, straight_path, swept_gap
from referee.rules.candidates import is_met
from referee.rules.conditions import RIVAL_MM, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult, Value
from referee.rules.switches import EXACT_MM, first_of, is_at_least, is_more_than

HARM = because("Fleeing, Prime p. 58", "Its way leads through nothing that harms it and into no enemy's melee range.")
_STEP_MM = 3.0
_ASIDE_RAD = 1e-6  # past what a way would touch
_FAN = 360  # ways looked at beside those that just pass something
_ARC_RAD = math.radians(0.5)
_EDGES: dict[str, Point] = {"near": (0.0, -1.0), "far": (0.0, 1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}


def travelled_part(walked: TravelResult) -> Path:
    """The part of its way that it got along."""
    left, kept = walked.travelled_mm, [walked.path[0]]
    for a, b in pairwise(walked.path):
        leg = math.dist(a, b)
        if leg >= left:
            return (*kept, place_after((a, b), left))
        kept.append(b)
        left -= leg
    return tuple(kept)


def _dot(a: Point, b: Point | None) -> float:
    return 0.0 if b is None else a[0] * b[0] + a[1] * b[1]


def _unit(heading_rad: float) -> Point:
    return math.cos(heading_rad), math.sin(heading_rad)


@dataclass(frozen=True)
class FleeSearch:
    """Who flees, from whom, to which edge, and how far it can run."""

    table: ExactTable
    mover: str
    threats: tuple[str, ...] | None
    run_mm: float

    @cached_attribute
    def base(self) -> RoundedShape:
        return self.table.base(self.mover)

    @cached_attribute
    def _foes(self) -> tuple[str, ...]:
        """Enemies, the nearest first."""
        foes = enemies(self.table, self.mover) if self.threats is None else self.threats
        return tuple(sorted(foes, key=lambda id_: (self._gap_mm(id_), id_)))

    def _gap_mm(self, id_: str) -> float:
        return gap(self.base, self.table.base(id_)).mm

    @cached_attribute
    def _able_foes(self) -> tuple[str, ...]:
        return tuple(id_ for id_ in self._foes if not HELPLESS.keys() & set(self.table.miniature(id_).status))

    @cached_attribute
    def nearest_threat(self) -> tuple[str, ...]:
        """The nearest threat, if there is one."""
        foes = self._foes if self.table.reading("flee-threat") == "any-enemy" else self._able_foes
        first = first_of({id_: self._gap_mm(id_) for id_ in foes}, also=(self.mover,))
        return () if first is None else (first,)

    @property
    def doubtful(self) -> tuple[str, ...]:
        other = ("flee-threat",) if self._foes[:1] != self._able_foes[:1] else ()
        return (*other, "flee-priority") if self._foes else other

    @cached_attribute
    def away_unit(self) -> Point | None:
        """From the threat, of length one."""
        (x, y), threats = self.table.centre(self.mover), [self.table.centre(id_) for id_ in self.nearest_threat]
        apart = math.dist((x, y), threats[0]) if threats else 0.0
        return ((x - threats[0][0]) / apart, (y - threats[0][1]) / apart) if apart > 0 else None

    @cached_attribute
    def own_edge(self) -> tuple[str, Point]:
        """Its own edge, and the way to it; the nearest where its side has none, of two the one away from the threat.

        Source: Fleeing, Prime p. 58.
        """
        side = self.table.miniature(self.mover).side
        own = next((s.edge for s in self.table.state.sides if s.id == side), None)
        if own in _EDGES:
            return own, _EDGES[own]
        (x, y), size = self.table.centre(self.mover), self.table.state.table
        off = {"near": y, "far": size.depth_mm - y, "left": x, "right": size.width_mm - x}
        away = self.away_unit or (0.0, 0.0)
        order = sorted(off, key=lambda e: (round(off[e], 6), -(_EDGES[e][0] * away[0] + _EDGES[e][1] * away[1])))
        name, (nearer, farther) = order[0], sorted(order[:2])
        is_at_least(
            off[farther],
            off[nearer],
            f"is nearer to the {nearer} than to the {farther} edge",
            (self.mover,),
            is_noted=True,
        )
        return name, _EDGES[name]

    @property
    def value(self) -> Value:
        return {"allowance_mm": self.run_mm or None, "threats": [*self.nearest_threat], "edge": self.own_edge[0]}

    def is_off(self, end: Point) -> bool:
        """Whether it has left the table there: its rim past the edge."""
        size, reach = self.table.state.table, self.base.reach_mm
        inside_mm = min(end[0], end[1], size.width_mm - end[0], size.depth_mm - end[1])
        return is_more_than(reach, inside_mm, "runs off the table", (self.mover,))

    # Ways

    def candidate_paths(self) -> Iterator[Path]:
        """Ways of a full run, those first that gain most toward the edge."""
        start, (_, toward) = self.table.centre(self.mover), self.own_edge
        first = self.away_unit is not None and self.table.reading("flee-priority") == "threat-first"
        if first and _dot(toward, self.away_unit) < 0:
            yield from (self._path_round(turn) for turn in self._turns_round(toward))
        else:
            yield straight_path(start, math.atan2(toward[1], toward[0]), self.run_mm)
        held = self.away_unit if first else toward
        for heading in sorted(self._headings(), key=lambda h: -_dot(toward, _unit(h))):
            if held is None or _dot(held, _unit(heading)) >= 0:
                yield straight_path(start, heading, self.run_mm)

    def _turns_round(self, toward: Point) -> tuple[int, ...]:
        """On which sides of the threat it may go round it: the shorter way, or either."""
        assert self.away_unit is not None
        cross = self.away_unit[0] * toward[1] - self.away_unit[1] * toward[0]
        return (1, -1) if abs(cross) < EXACT_MM else (1,) if cross > 0 else (-1,)

    def _path_round(self, turn: int) -> Path:
        """Round the threat at the distance it is at, until the edge lies away from the threat; then straight to it."""
        centre, (_, toward) = self.table.centre(self.nearest_threat[0]), self.own_edge
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
        return (*path, straight_path(path[-1], ahead, left)[1]) if left > EXACT_MM else tuple(path)

    def _headings(self) -> Iterator[float]:
        """The straight ways that just pass something, and a fan of others."""
        yield from (2 * math.pi * k / _FAN for k in range(_FAN))
        if self.away_unit is not None:
            level = math.atan2(self.away_unit[1], self.away_unit[0])
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
        going = passability_of_advance(self.table, self.mover)
        yield from ((area, 0.0) for _, area in (*going.stops, *going.crossed, *self._harmful_areas))
        yield from ((Area((self.table.base(id_),)), self._reach_mm(id_)) for id_ in enemies(self.table, self.mover))

    # What it must not come into

    @cached_attribute
    def _harmful_areas(self) -> tuple[tuple[str, Area], ...]:
        """What harms who enters it, and that it is not in already."""
        hazards = ((id_, self.table.area(id_)) for id_ in list_hazards(self.table))
        return tuple((id_, area) for id_, area in hazards if self._is_outside(id_, area))

    def _is_outside(self, id_: str, area: Area) -> bool:
        apart_mm = min((gap(self.base, part).mm for part in area.parts), default=CAPPED_MM)
        return is_at_least(apart_mm, 0.0, "began outside of", (self.mover, *self.table.movers_of(id_)))

    def check_harm(self, path: Path) -> RuleResult:
        clear = [(swept_gap(self.base, path, part), id_) for id_, area in self._harmful_areas for part in area.parts]
        room, _ = min(clear, default=(CAPPED_MM, self.mover))
        rivals = (mover for mm, id_ in clear if mm < room + RIVAL_MM for mover in self.table.movers_of(id_))
        on = tuple(dict.fromkeys((self.mover, *rivals)))
        return RuleResult(margin_mm=min(room, CAPPED_MM), because=(HARM,), depends_on_place=on)

    def check_unengaged(self, path: Path) -> RuleResult:
        """By how much it keeps out of the melee range of everybody who did not engage it before."""
        nobody = RuleResult(margin_mm=CAPPED_MM, because=(HARM,), depends_on_place=(self.mover,))
        rooms = ((id_, self._check_room(path, id_)) for id_ in self._engagers)
        return replace(all_of((("nobody", nobody), *rooms)), value={})

    def _check_room(self, path: Path, id_: str) -> RuleResult:
        apart, on = swept_gap(self.base, path, self.table.base(id_)) - self._reach_mm(id_), (self.mover, id_)
        if is_more_than(apart, 0.0, "stays out of the reach of", on, is_noted=True):
            return RuleResult(margin_mm=apart, because=(HARM,), depends_on_place=on, depends_on_facing=(id_,))
        held = max(
            (check_engages_enemy(along, id_, self.mover) for along in self._tables_along(path, id_)),
            key=lambda r: r.decisive_mm,
            default=RuleResult(margin_mm=-apart),
        )
        return RuleResult(
            margin_mm=-held.decisive_mm,
            zero_is_met=False,
            because=(HARM,),
            depends_on_place=on,
            depends_on_facing=(id_,),
        )

    def _tables_along(self, path: Path, id_: str) -> Iterator[ExactTable]:
        """The table step by step as it runs by an enemy, where that one may reach it."""
        far = self._reach_mm(id_) + self.base.reach_mm + self.table.base(id_).reach_mm + _STEP_MM
        for a, b in pairwise(path):
            steps = max(1, math.ceil(math.dist(a, b) / _STEP_MM))
            first, last = _stretch_near(a, b, self.table.centre(id_), far)
            for k in range(max(1, math.floor(first * steps)), min(steps, math.ceil(last * steps)) + 1):
                place = (a[0] + (b[0] - a[0]) * k / steps, a[1] + (b[1] - a[1]) * k / steps)
                yield self.table.with_end(self.mover, place)

    @cached_attribute
    def engaged_by(self) -> tuple[str, ...]:
        """Who engages it where it stands."""
        return tuple(
            id_
            for id_ in enemies(self.table, self.mover)
            if is_met(check_engages_enemy(self.table, id_, self.mover), "engages")
        )

    @cached_attribute
    def _engagers(self) -> tuple[str, ...]:
        foes = (id_ for id_ in enemies(self.table, self.mover) if id_ not in self.engaged_by)
        return tuple(id_ for id_ in foes if self._reach_mm(id_) > 0)

    def _reach_mm(self, id_: str) -> float:
        it = self.table.miniature(id_)
        helpless = bool(HELPLESS.keys() & set(it.status))
        return 0.0 if helpless else max(weapon_reaches(it).values(), default=0.0)

    def find_obstructions(self, walked: TravelResult) -> list[str]:
        """What keeps it from running that way to the end, or to the table's edge."""
        if walked.stopped_by is not None and not self.is_off(walked.end):
            return [walked.stopped_by]
        path = travelled_part(walked)
        if len(path) < 2 or path[0] == path[-1]:
            return [self.mover]
        harm = [id_ for id_, area in self._harmful_areas for part in area.parts if self._runs_into(path, id_, part)]
        foes = (id_ for id_ in self._engagers if not is_met(self._check_room(path, id_), "keeps clear of the blows of"))
        return harm[:1] or [name for name in [next(foes, None)] if name is not None]

    def _runs_into(self, path: Path, id_: str, part: RoundedShape) -> bool:
        met_mm = -swept_gap(self.base, path, part)
        return is_more_than(met_mm, 0.0, "runs into", (self.mover, *self.table.movers_of(id_)))


def _stretch_near(a: Point, b: Point, at: Point, far: float) -> tuple[float, float]:
    """From which to which share of a segment it lies so near to a point; an empty stretch where it does nowhere."""
    dx, dy, length = b[0] - a[0], b[1] - a[1], math.dist(a, b)
    if length == 0.0:
        return (0.0, 1.0) if math.dist(a, at) <= far else (1.0, 0.0)
    along = ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / length
    aside = math.dist(at, (a[0] + dx * along / length, a[1] + dy * along / length))
    if aside > far:
        return 1.0, 0.0
    half = math.sqrt(far * far - aside * aside)
    return max(0.0, (along - half) / length), min(1.0, (along + half) / length)
