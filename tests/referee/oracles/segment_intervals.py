"""Segment intervals: which stretches of a segment lie inside a thing that has grown or shrunk."""

import math
from collections.abc import Sequence

from referee.line_of_sight.plane import cross, dot
from tests.referee.oracles.obstacles import Kind, Part, Thing

Span = tuple[float, float]


def disc_span(p: complex, q: complex, centre: complex, radius_mm: float) -> Span | None:
    d = q - p
    length2 = dot(d, d)
    if length2 <= 0 or radius_mm <= 0:
        return None
    middle = dot(centre - p, d) / length2
    away = centre - (p + middle * d)
    half2 = (radius_mm * radius_mm - dot(away, away)) / length2
    if half2 <= 0:
        return None
    half = math.sqrt(half2)
    return _keep_span(min(1.0, max(0.0, middle - half)), min(1.0, max(0.0, middle + half)))


def _keep_span(first: float, last: float) -> Span | None:
    return (first, last) if first < last else None


def planes_span(planes: list[tuple[float, float]]) -> Span | None:
    """Where all of these heights, told at both ends of a segment, are over zero."""
    first, last = 0.0, 1.0
    for at_p, at_q in planes:
        if at_p <= 0 and at_q <= 0:
            return None
        if at_p < 0:
            first = max(first, at_p / (at_p - at_q))
        if at_q < 0:
            last = min(last, at_p / (at_p - at_q))
    return _keep_span(first, last)


def _strip_span(p: complex, q: complex, a: complex, b: complex, radius_mm: float) -> Span | None:
    length = abs(b - a)
    if length <= 0:
        return None
    u = (b - a) / length
    p0, q0, p1, q1 = dot(p - a, u), dot(q - a, u), cross(u, p - a), cross(u, q - a)
    beside = [(radius_mm + p1, radius_mm + q1), (radius_mm - p1, radius_mm - q1)]
    return planes_span([(p0, q0), (length - p0, length - q0), *beside])


def core_span(part: Part, p: complex, q: complex, slack_mm: float) -> Span | None:
    """Inside the sides of one convex part, each moved outward by `slack_mm`; its rim is left out."""
    pairs = zip(part.corners, part.inward, strict=True)
    return planes_span([(dot(p - c, n) + slack_mm, dot(q - c, n) + slack_mm) for c, n in pairs])


def _part_span(part: Part, p: complex, q: complex, growth_mm: float) -> Span | None:
    radius = part.radius_mm + growth_mm
    if len(part.corners) == 1:
        return disc_span(p, q, part.corners[0], radius)
    found = [core_span(part, p, q, min(radius, 0.0))] if len(part.corners) > 2 else []
    if radius > 0:
        for a, b in part.sides():
            found += [disc_span(p, q, a, radius), _strip_span(p, q, a, b, radius)]
    spans = [span for span in found if span is not None]
    return (min(s[0] for s in spans), max(s[1] for s in spans)) if spans else None


def _rim_spans(outline: tuple[complex, ...], p: complex, q: complex, depth_mm: float) -> list[Span]:
    """What lies within this depth of an outline."""
    found = []
    for i, b in enumerate(outline):
        a = outline[i - 1]
        near = [disc_span(p, q, a, depth_mm), disc_span(p, q, b, depth_mm), _strip_span(p, q, a, b, depth_mm)]
        spans = [span for span in near if span is not None]
        if spans:
            found.append((min(s[0] for s in spans), max(s[1] for s in spans)))
    return _merge_spans(found)


def _merge_spans(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return merged


def _subtract_span(spans: list[Span], holes: list[Span]) -> list[Span]:
    left = []
    for first, last in spans:
        for low, high in holes:
            if high <= first or low >= last:
                continue
            if low > first:
                left.append((first, low))
            first = high
        if first < last:
            left.append((first, last))
    return left


def spans_of(thing: Thing, p: complex, q: complex, growth_mm: float) -> list[Span]:
    """The stretches of p to q inside the thing grown by so much, in order and apart."""
    shrunk = growth_mm < 0 and thing.is_nested
    found = [_part_span(part, p, q, 0.0 if shrunk else growth_mm) for part in thing.parts]
    spans = _merge_spans([span for span in found if span is not None])
    return _subtract_span(spans, _rim_spans(thing.outline, p, q, -growth_mm)) if shrunk and spans else spans


def common_spans(thing: Thing, lines: Sequence[tuple[complex, complex]], growth_mm: float) -> list[Span]:
    """What all segments between the outermost ones have in common in each part of the thing grown by so much.

    Where the last of them comes in, and where the first of them goes out, which may be before that. Those segments from
    one point that come in before a share of their length, or go out after it, hold an interval of such segments: so it
    is enough to look at the four outermost.
    """
    found = []
    for part in thing.parts:
        spans = [_part_span(part, p, q, growth_mm) for p, q in lines]
        met = [span for span in spans if span is not None]
        if len(met) == len(lines):
            found.append((max(s[0] for s in met), min(s[1] for s in met)))
    return found if thing.kind is Kind.SOLID else _merge_spans([s for s in found if s[0] < s[1]])


def share_inside(thing: Thing, p: complex, q: complex, growth_mm: float) -> float:
    return sum(last - first for first, last in spans_of(thing, p, q, growth_mm))
