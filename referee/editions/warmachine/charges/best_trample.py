"""Best heading of a trample: the one along which it runs over the most enemies and may end."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from models.queries import Trample
from models.unit_conversion import MM_PER_INCH
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.base_state import size_mm
from referee.editions.warmachine.movement.placement_clearance import clearance_of_bases
from referee.editions.warmachine.parameters import MEDIUM_MM
from referee.motion.travel_budget import TravelResult, meetings, place_after, swept_gap
from referee.rules.candidates import in_play, is_zero_or_more
from referee.rules.exact_table import ExactTable
from referee.rules.sides import are_enemies

Walk = Callable[[ExactTable, Trample], TravelResult]


@dataclass(frozen=True)
class TrampleAim:
    """One way to trample: where it heads, how far it goes, and whom it runs over."""

    heading_deg: float
    fan_deg: tuple[float, float]
    """Between which headings it meets the same bases."""
    distance_in: float
    may_end: bool
    enemies: tuple[str, ...]
    friends: tuple[str, ...]

    @property
    def _worth(self) -> tuple[bool, int, int, float]:
        width = self.fan_deg[1] - self.fan_deg[0]
        return self.may_end and bool(self.enemies), len(self.enemies) - len(self.friends), len(self.enemies), width

    def is_better_than(self, other: "TrampleAim") -> bool:
        return self._worth > other._worth

    def value(self) -> dict[str, JsonValue]:
        return {
            "heading_deg": self.heading_deg,
            "fan_deg": [*self.fan_deg],
            "distance_in": self.distance_in,
            "enemies": [*self.enemies],
            "friends": [*self.friends],
        }


def find_best_trample(table: ExactTable, query: Trample, budget_mm: float, walk: Walk) -> TrampleAim:
    """The best of all headings on the table at rest: most enemies less friends run over, with room to end.

    Source: Trample, p. 48: any direction, and as far along it as it likes, up to SPD + 3 in.
    """

    def find(still: ExactTable) -> TrampleAim:
        best: TrampleAim | None = None
        for heading, fan in _headings(still, query.attacker, budget_mm):
            for aim in _ways_along(still, query, heading, fan, walk):
                if best is None or aim.is_better_than(best):
                    best = aim
        assert best is not None
        return best

    return table.memoize_unperturbed(("best trample", query, budget_mm), find)


def _headings(table: ExactTable, attacker: str, budget_mm: float) -> Iterator[tuple[float, tuple[float, float]]]:
    """The middle of every fan of headings along which it could meet the same bases, in degrees, and the fan."""
    edges = sorted({edge % 360.0 for edge in _tangents(table, attacker, budget_mm)}) or [0.0]
    for first, last in zip(edges, (*edges[1:], edges[0] + 360.0), strict=True):
        yield (first + last) / 2 % 360.0, (first, last)


def _tangents(table: ExactTable, attacker: str, budget_mm: float) -> Iterator[float]:
    """The headings that just graze each base in reach."""
    me, (ax, ay) = table.base(attacker), table.centre(attacker)
    for id_ in in_play(table, attacker):
        (x, y), other = table.centre(id_), table.base(id_)
        apart, both = math.hypot(x - ax, y - ay), me.reach_mm + other.reach_mm
        if 0.0 < apart <= budget_mm + both:
            bearing, half = math.atan2(y - ay, x - ax), math.asin(min(1.0, both / apart))
            yield from (math.degrees(bearing - half), math.degrees(bearing + half))


def _ways_along(
    table: ExactTable, query: Trample, heading: float, fan: tuple[float, float], walk: Walk
) -> Iterator[TrampleAim]:
    """As far as it goes; and, where no length was told and there is no room, back to each base that is in the way."""
    whole = query.model_copy(update={"heading_deg": heading})
    walked = walk(table, whole)
    yield _aim_at(table, whole, walked.path[0], walked.end, fan)
    if query.distance_in is not None or _may_end(table, query.attacker, walked.end):
        return
    path = (walked.path[0], walked.end)
    others = tuple((id_, table.area(id_)) for id_ in in_play(table, query.attacker))
    for stop in meetings(table.base(query.attacker), path, others):
        yield _aim_at(table, whole, path[0], place_after(path, stop.after_mm), fan)


def _aim_at(table: ExactTable, query: Trample, start: Point, end: Point, fan: tuple[float, float]) -> TrampleAim:
    me, base = table.miniature(query.attacker), table.base(query.attacker)
    over = [
        id_
        for id_ in in_play(table, query.attacker)
        if start != end
        and size_mm(table.miniature(id_)) < MEDIUM_MM
        and swept_gap(base, (start, end), table.base(id_)) < 0
    ]
    return TrampleAim(
        heading_deg=query.heading_deg or 0.0,
        fan_deg=fan,
        distance_in=math.dist(start, end) / MM_PER_INCH,
        may_end=_may_end(table, query.attacker, end),
        enemies=tuple(id_ for id_ in over if are_enemies(table.state, me, table.miniature(id_))),
        friends=tuple(id_ for id_ in over if not are_enemies(table.state, me, table.miniature(id_))),
    )


def _may_end(table: ExactTable, attacker: str, end: Point) -> bool:
    return is_zero_or_more(clearance_of_bases(table.with_end(attacker, end), attacker))
