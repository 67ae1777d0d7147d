"""Best aim of a spray: the target over which the template, laid as the book lays it, hits the most enemies."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import JsonValue

from models.queries import SprayHits
from models.vocabulary import Point
from referee.editions.warmachine.attacks.template_hits import middle_of
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.rules.candidates import in_play, is_zero_or_more
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.sides import are_enemies

Outline = tuple[Point, ...]
Laid = Callable[[ExactTable, SprayHits], RuleResult]
Hit = Callable[[ExactTable, SprayHits, str], RuleResult]


@dataclass(frozen=True)
class SprayAim:
    """One target to lay it over, and whom it then hits."""

    target: str
    enemies: tuple[str, ...]
    friends: tuple[str, ...]
    may_lie: bool

    @property
    def worth(self) -> tuple[bool, int, int]:
        return self.may_lie, len(self.enemies) - len(self.friends), len(self.enemies)

    def value(self, heading_deg: float) -> dict[str, JsonValue]:
        return {
            "target": self.target,
            "heading_deg": heading_deg,
            "enemies": [*self.enemies],
            "friends": [*self.friends],
        }


def find_best_spray(table: ExactTable, query: SprayHits, may_lie: Laid, hits: Hit) -> SprayAim | None:
    """The best of all enemies to lay it over, on the table at rest; None where there is none.

    Source: Spray Attacks, p. 54: its middle over a target in sight.
    """

    def find(still: ExactTable) -> SprayAim | None:
        me = still.miniature(query.attacker)
        foes = [id_ for id_ in in_play(still, me.id) if are_enemies(still.state, me, still.miniature(id_))]
        aims = [_aim_at(still, query, id_, may_lie, hits) for id_ in foes if query.target in (None, id_)]
        return max(aims, key=lambda aim: aim.worth, default=None)

    return table.memoize_unperturbed(("best spray", query), find)


def _aim_at(table: ExactTable, query: SprayHits, target: str, may_lie: Laid, hits: Hit) -> SprayAim:
    laid, _ = lay_over(table, query, target)
    me = table.miniature(query.attacker)
    hit = [id_ for id_ in in_play(table, query.attacker) if is_zero_or_more(hits(table, laid, id_))]
    return SprayAim(
        target,
        tuple(id_ for id_ in hit if are_enemies(table.state, me, table.miniature(id_))),
        tuple(id_ for id_ in hit if not are_enemies(table.state, me, table.miniature(id_))),
        is_zero_or_more(may_lie(table, laid)),
    )


def lay_over(table: ExactTable, query: SprayHits, target: str) -> tuple[SprayHits, float]:
    """The same question with the template turned over the target, and where it then points, in degrees."""
    source = query.attacker if query.origin is None else query.origin
    goal, outline = middle_of(table, target), query.outline_mm or ()
    start = gap(table.area(source).parts[0], RoundedShape((goal,))).at_a
    heading = math.atan2(goal[1] - start[1], goal[0] - start[0])
    end = midpoint_of(narrow_end(table, query))
    middle = centroid(outline)
    turn = heading - math.atan2(middle[1] - end[1], middle[0] - end[0])
    laid = tuple(_turned(point, end, turn, start) for point in outline)
    update = {"outline_mm": laid, "target": target, "best": False, "heading_deg": None}
    return query.model_copy(update=update), math.degrees(heading) % 360.0


def _turned(point: Point, about: Point, by_rad: float, to: Point) -> Point:
    x, y, c, s = point[0] - about[0], point[1] - about[1], math.cos(by_rad), math.sin(by_rad)
    return to[0] + c * x - s * y, to[1] + s * x + c * y


def narrow_end(table: ExactTable, query: SprayHits) -> tuple[Point, Point]:
    """The side of the outline whose middle lies nearest to the base it comes from."""
    outline = query.outline_mm or ()
    base = table.area(query.attacker if query.origin is None else query.origin).parts[0]
    sides = list(zip(outline, (*outline[1:], outline[0]), strict=True))
    return min(sides, key=lambda side: gap(base, RoundedShape((midpoint_of(side),))).mm)


def midpoint_of(side: tuple[Point, Point]) -> Point:
    (ax, ay), (bx, by) = side
    return ((ax + bx) / 2, (ay + by) / 2)


def centroid(outline: Outline) -> Point:
    """The middle by area of a simple outline."""
    twice = x = y = 0.0
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        cross = ax * by - bx * ay
        twice += cross
        x += (ax + bx) * cross
        y += (ay + by) * cross
    return (x / (3 * twice), y / (3 * twice))
