"""Obstacle clearance: how far a segment stays clear of a thing, negative by how deep it passes inside."""

import math

from referee.line_of_sight.plane import cross, depth_at, dot, foot_on
from tests.referee.oracles.obstacles import NEVER_MM, Part, Thing
from tests.referee.oracles.segment_intervals import share_inside, spans_of

_NOTHING = 1e-13  # a share of a segment that is only rounding
_LOOKS = 60


def convex_depth(part: Part, p: complex, q: complex) -> float:
    """The depth of the deepest point of a segment inside a convex part; negative where it stays outside.

    The depth is the least of linear functions, one a side: concave, so its top is where a rising one meets a falling
    one and no other lies below.
    """
    at = [(dot(n, p - c), dot(n, q - c)) for c, n in zip(part.corners, part.inward, strict=True)]
    for a, b in at:
        if a < 0 and b < 0:
            return max(a, b)
    first, last = min(at), min(at, key=lambda ends: ends[1])
    best, low, high = max(first[0], last[1]), 0.0, 1.0
    for _ in range(2 * len(at)):
        gap = (first[1] - first[0]) - (last[1] - last[0])
        if gap <= 0:
            break
        t = min(high, max(low, (last[0] - first[0]) / gap))
        value, lowest = min((a + t * (b - a), (a, b)) for a, b in at)
        best = max(best, value)
        if value >= first[0] + t * (first[1] - first[0]) - 1e-13:
            break
        if lowest[1] > lowest[0]:
            first, low = lowest, t
        else:
            last, high = lowest, t
    return best


def crosses(a: complex, b: complex, p: complex, q: complex) -> bool:
    beside = cross(b - a, p - a) * cross(b - a, q - a) <= 0
    return beside and cross(q - p, a - p) * cross(q - p, b - p) <= 0


def _part_gap(part: Part, p: complex, q: complex) -> float:
    corners = part.corners
    if len(corners) > 2:
        depth = convex_depth(part, p, q)
        if depth >= 0:
            return -depth - part.radius_mm
    elif len(corners) == 2 and crosses(*corners, p, q):
        return -part.radius_mm
    near = min(abs(c - foot_on(c, p, q)) for c in corners)
    for a, b in part.sides():
        near = min(near, abs(p - foot_on(p, a, b)), abs(q - foot_on(q, a, b)))
    return near - part.radius_mm


def enters_grown(thing: Thing, p: complex, q: complex, growth: float) -> bool:
    """Whether a line comes into a thing grown by so much, beyond doubt."""
    return share_inside(thing, p, q, growth) > _NOTHING


def nested_depth(thing: Thing, p: complex, q: complex) -> float:
    """How far an outline that is not convex may shrink and still be met by the segment.

    Of every stretch that lies deeper than what was found, the middle and where its sides meet are looked at.
    """
    deepest = max(0.0, depth_at(thing.outline, p), depth_at(thing.outline, q))
    for _ in range(_LOOKS if abs(q - p) > 1e-12 else 0):
        spans, before = spans_of(thing, p, q, -deepest), deepest
        for first, last in spans:
            for share in ((first + last) / 2, _ridge(thing, p, q - p, first, last)):
                deepest = max(deepest, depth_at(thing.outline, p + share * (q - p)))
        if sum(last - first for first, last in spans) <= _NOTHING or deepest <= before + 1e-12:
            break
    return deepest


def _ridge(thing: Thing, p: complex, d: complex, first: float, last: float) -> float:
    """Where a stretch would be deepest that comes in and goes out equally deep, if its sides went on as at its ends."""
    rise, fall = (-dot(outward(thing, p + share * d), d) for share in (first, last))
    at = (rise * first - fall * last) / (rise - fall) if rise > fall else (first + last) / 2
    return at if first < at < last else (first + last) / 2


def thing_gap(thing: Thing, p: complex, q: complex, enough: float = -math.inf) -> float:
    """The gap, or anything at most `enough` as soon as it is known to be no more: the depth takes long to find."""
    near = min((_part_gap(part, p, q) for part in thing.parts), default=math.inf)
    if near > 0 or not thing.is_nested:
        return near
    if enough >= 0 or (enough > -NEVER_MM and enters_grown(thing, p, q, enough)):
        return min(near, enough)
    return -nested_depth(thing, p, q)


def point_gap(thing: Thing, x: complex) -> float:
    return thing_gap(thing, x, x)


def outward(thing: Thing, x: complex) -> complex:
    """Away from a thing, at a point on the rim of it grown or shrunk by anything."""
    outline = thing.outline or min(thing.parts, key=lambda part: _part_gap(part, x, x)).corners
    near, away = math.inf, 1 + 0j
    for i, b in enumerate(outline):
        a = outline[i - 1]
        v = x - foot_on(x, a, b)
        if abs(v) >= near:
            continue
        near = abs(v)
        if near > 1e-6:
            away = v / near * (-1 if len(outline) > 2 and depth_at(outline, x) > 0 else 1)
        elif len(outline) > 1:
            away = -1j * (b - a) / abs(b - a)
    return away
