"""All headings of a rush that bring it there, as intervals, and the best of them.

Whether a heading succeeds changes only where the way grazes something, where it meets something just as the target
comes into reach, or where the budget ends there. Those headings part the circle; between two of them success changes at
most where the movement left runs out, which is looked for by halving.
"""

import math
from collections.abc import Callable, Iterator
from itertools import pairwise

from models.units import wrapped_rad
from referee.circles import bearing, circle_meets_circle, circle_meets_rim
from referee.fans import Fan, grazing
from referee.rush import Aim, rush
from referee.shapes import Rounded
from referee.travel import Going, Things

_SAME_RAD = 1e-12
_HALVINGS = 50
_GOLDEN = (math.sqrt(5) - 1) / 2
_LOOKS = 24
_NEAR_MM = 40.0  # an interval this near to success is looked at more closely
Slack = Callable[[float], float]


def near_enough(aim: Aim, going: Going, budget_mm: float) -> Going:
    """Only what the rush could come to at all."""
    limit = budget_mm + aim.mover.reach_mm + 1.0

    def close(things: Things) -> Things:
        return tuple((id_, area) for id_, area in things if any(_within(aim, part, limit) for part in area.parts))

    return Going(close(going.slow), close(going.stops), close(going.crossed))


def _within(aim: Aim, part: Rounded, limit: float) -> bool:
    return math.dist(aim.mover.centre, part.centre) <= limit + part.reach_mm


def best_heading(aim: Aim, going: Going, budget_mm: float) -> float:
    """The heading along which the rush succeeds by most."""
    going = near_enough(aim, going, budget_mm)

    def slack(heading: float) -> float:
        return rush(aim, heading, going, budget_mm).slack_mm

    tried = {heading: slack(heading) for heading in _tries(aim, going, budget_mm)}
    best = max(tried, key=lambda heading: (tried[heading], -abs(wrapped_rad(heading - aim.toward_rad))))
    return best if tried[best] >= 0 else _looked_closer(aim, going, budget_mm, slack, best)


def _looked_closer(aim: Aim, going: Going, budget_mm: float, slack: Slack, best: float) -> float:
    """The best heading inside the intervals whose ends and middle all fall short."""
    found = (best, slack(best))
    for first, last in _intervals(aim, going, budget_mm):
        if max(slack(first + (last - first) * k / 4) for k in range(5)) < -_NEAR_MM:
            continue
        heading = _peak(slack, first, last)
        if slack(heading) > found[1]:
            found = (heading, slack(heading))
    return found[0]


def _peak(slack: Slack, first: float, last: float) -> float:
    """Where the slack is largest in an interval, by golden sections."""
    for _ in range(_LOOKS):
        a, b = last - _GOLDEN * (last - first), first + _GOLDEN * (last - first)
        first, last = (first, b) if slack(a) >= slack(b) else (a, last)
    return (first + last) / 2


def open_fans(aim: Aim, going: Going, budget_mm: float) -> list[Fan]:
    """All headings along which the target comes into reach before anything ends the rush."""
    going = near_enough(aim, going, budget_mm)

    def met(heading: float) -> bool:
        return rush(aim, heading, going, budget_mm).slack_mm >= 0

    fans: list[Fan] = []
    for first, last in _intervals(aim, going, budget_mm):
        for fan in _parts(met, first, last):
            if fans and math.isclose(fans[-1].last_rad, fan.first_rad, abs_tol=1e-9):
                fans[-1] = Fan(fans[-1].first_rad, fan.last_rad)
            else:
                fans.append(fan)
    return fans


def _parts(met: Callable[[float], bool], first: float, last: float) -> Iterator[Fan]:
    """The parts of one interval that succeed, their ends found by halving."""
    inset = min(1e-9, (last - first) / 4)
    knots = [first + inset, *(first + (last - first) * k / 4 for k in (1, 2, 3)), last - inset]
    answers = [met(knot) for knot in knots]
    start = first if answers[0] else None
    for (a, was), (b, now) in pairwise(zip(knots, answers, strict=True)):
        if was != now:
            edge = _edge(met, a, b)
            if now:
                start = edge
            elif start is not None:
                yield Fan(start, edge)
                start = None
    if start is not None:
        yield Fan(start, last)


def _edge(met: Callable[[float], bool], a: float, b: float) -> float:
    was = met(a)
    for _ in range(_HALVINGS):
        middle = (a + b) / 2
        a, b = (middle, b) if met(middle) == was else (a, middle)
    return (a + b) / 2


def _intervals(aim: Aim, going: Going, budget_mm: float) -> Iterator[tuple[float, float]]:
    """The fan of headings that ever reach the target, cut at every heading where something changes."""
    fan = aim.fan()
    cuts = sorted({_unwound(h, fan.first_rad) for h in _critical(aim, going, budget_mm)})
    last_rad = fan.first_rad + (fan.width_rad or math.tau)
    inside = [fan.first_rad, *(cut for cut in cuts if fan.first_rad < cut < last_rad), last_rad]
    for first, last in pairwise(inside):
        if last - first > _SAME_RAD:
            yield first, last


def _unwound(heading: float, first: float) -> float:
    return first + (heading - first) % math.tau


def _tries(aim: Aim, going: Going, budget_mm: float) -> Iterator[float]:
    """Straight at it, and in every interval close to both ends and in the middle."""
    yield aim.toward_rad
    for first, last in _intervals(aim, going, budget_mm):
        yield from (first + (last - first) * share for share in (1e-6, 0.25, 0.5, 0.75, 1 - 1e-6))


def _critical(aim: Aim, going: Going, budget_mm: float) -> Iterator[float]:
    yield aim.toward_rad
    yield from circle_meets_circle(aim.mover.centre, budget_mm, aim.target.centre, aim.wide_mm)
    for _, area in (*going.stops, *going.crossed, *going.slow):
        for part in area.parts:
            yield from _of_part(aim, part)


def _of_part(aim: Aim, part: Rounded) -> Iterator[float]:
    """Where the way grazes a part, and where it meets it just as the target comes into reach."""
    start, (x, y), rim = aim.mover.centre, aim.target.centre, part.grown(aim.mover.reach_mm)
    yield from grazing(start, rim)
    for angle in circle_meets_rim((x, y), aim.wide_mm, part, rim.radius_mm):
        yield bearing(start, (x + aim.wide_mm * math.cos(angle), y + aim.wide_mm * math.sin(angle)))
