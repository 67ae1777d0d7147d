"""How far a wood may grow before it closes a line that it lets pass for a given length."""

import numpy as np

from referee.shapes import Area, Rounded
from referee.sight.clearance import Complexes, Floats, dot, to_convex
from referee.sight.scene import Wood

_STEPS = 12
_NEVER_MM = 1e6


def growth_mm(p: Complexes, q: Complexes, level: Floats, wood: Wood) -> Floats:
    """By how much the wood may grow (must shrink, if negative) before each line (N,) closes (opens).

    A line passes a wood that has grown less than to touch it, and one that holds an end of it without holding more than
    its depth. The end of the stretch of growths that `level` lies in; of the next below where it lies in none.
    """
    around: Floats = np.min([to_convex(p, q, part) for part in wood.area.parts], axis=0)
    filled = _filled_at(p, q, wood, around)
    inside = _inside_from(p, q, wood)
    untouched = (level < around) & (inside > around)
    by_depth = (inside <= np.maximum(around, level)) & (filled >= level)
    below = (inside <= filled) & (filled <= level)
    reached = np.where(by_depth | below, np.maximum(filled, around), around)
    held = np.where(~by_depth & (level < around), around, reached)
    return np.asarray(np.where(untouched, around, held), dtype=np.float64)


def _filled_at(p: Complexes, q: Complexes, wood: Wood, around: Floats) -> Floats:
    """The growth at which each line has the full depth inside; it is met at most that depth after the first touch."""
    low, high = around.copy(), around + wood.depth_mm
    at_low, at_high = np.full(len(p), -wood.depth_mm), length_mm(p, q, wood.area, high) - wood.depth_mm
    for _ in range(_STEPS):
        spread = np.where(at_high > at_low, at_high - at_low, 1.0)
        middle = np.clip(low - at_low * (high - low) / spread, low, high)
        value = length_mm(p, q, wood.area, middle) - wood.depth_mm
        over = value > 0
        at_low, at_high = np.where(over, at_low / 2, value), np.where(over, value, at_high / 2)
        low, high = np.where(over, low, middle), np.where(over, middle, high)
    never = np.abs(q - p) <= wood.depth_mm
    return np.where(never, _NEVER_MM, np.where(np.abs(value) < 1e-7, middle, low))


def _inside_from(p: Complexes, q: Complexes, wood: Wood) -> Floats:
    """The growth from which an end of each line lies in the wood."""
    if wood.end_inside is not None:
        return np.full(len(p), -_NEVER_MM if wood.end_inside else _NEVER_MM)
    ends = [np.minimum(to_convex(p, p, part), to_convex(q, q, part)) for part in wood.area.parts]
    return np.asarray(np.min(ends, axis=0) - 1e-9)


def length_mm(p: Complexes, q: Complexes, area: Area, growth: Floats) -> Floats:
    """How much of each segment lies in the area grown by its own `growth` (N,)."""
    spans = np.array([_span(p, q, part, growth) for part in area.parts])
    order = np.argsort(spans[:, 0, :], axis=0)
    total, reached = np.zeros(len(p)), np.full(len(p), -np.inf)
    for row in order:
        first, last = (np.take_along_axis(spans[:, k, :], row[None, :], axis=0)[0] for k in (0, 1))
        total += np.maximum(0.0, last - np.maximum(first, reached))
        reached = np.maximum(reached, last)
    return total * np.abs(q - p)


def spans(p: Complexes, q: Complexes, area: Area) -> tuple[Floats, Floats]:
    """First and last share of each segment inside the area; first is not below last where it stays outside."""
    found = [_span(p, q, part, np.zeros(len(p))) for part in area.parts]
    inside = [first < last for first, last in found]
    first = np.min([np.where(i, f, np.inf) for i, (f, _) in zip(inside, found, strict=True)], axis=0)
    last = np.max([np.where(i, end, -np.inf) for i, (_, end) in zip(inside, found, strict=True)], axis=0)
    return np.where(first < last, first, 0.0), np.where(first < last, last, 0.0)


def shares_deeper(p: Complexes, q: Complexes, area: Area, depth_mm: float) -> float:
    """The share of one segment that lies deeper than this inside the outline of an area."""
    inside = _merged([_span(p, q, part, np.zeros(1)) for part in area.parts])
    corners = [complex(*c) for c in area.outline]
    radius = np.full(1, depth_mm)
    holes = [_disc_span(p, q, c, radius) for c in corners]
    holes += [_side_span(p, q, a, b, radius) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    shallow = _merged(holes)
    total = sum(last - first for first, last in inside)
    return total - sum(max(0.0, min(l1, l2) - max(f1, f2)) for f1, l1 in inside for f2, l2 in shallow)


def _merged(found: list[tuple[Floats, Floats]]) -> list[tuple[float, float]]:
    merged: list[tuple[float, float]] = []
    for first, last in sorted((float(a[0]), float(b[0])) for a, b in found if a[0] < b[0]):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return merged


def _span(p: Complexes, q: Complexes, part: Rounded, growth: Floats) -> tuple[Floats, Floats]:
    """First and last share of each segment inside one convex part, grown."""
    corners = np.array([complex(*c) for c in part.points])
    radius = part.radius_mm + growth
    spans = [_disc_span(p, q, c, np.maximum(radius, 0.0)) for c in corners] if np.any(radius > 0) else []
    if len(corners) > 2:
        spans.append(_core_span(p, q, corners, np.minimum(radius, 0.0)))
        if np.any(radius > 0):
            spans += [_side_span(p, q, a, b, radius) for a, b in zip(corners, np.roll(corners, -1), strict=True)]
    first = np.min([s[0] for s in spans], axis=0)
    last = np.max([s[1] for s in spans], axis=0)
    return np.where(first < last, first, 0.0), np.where(first < last, last, 0.0)


def _disc_span(p: Complexes, q: Complexes, centre: complex, radius: Floats) -> tuple[Floats, Floats]:
    along = q - p
    length2 = np.where(np.abs(along) > 0, np.abs(along) ** 2, 1.0)
    middle = dot(centre - p, along) / length2
    away2 = np.abs(centre - p) ** 2 - middle**2 * length2
    half2 = (radius**2 - away2) / length2
    half = np.sqrt(np.maximum(half2, 0.0))
    missed = (half2 <= 0) | (middle + half <= 0) | (middle - half >= 1)
    first, last = np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1)
    return np.where(missed, np.inf, first), np.where(missed, -np.inf, last)


def _core_span(p: Complexes, q: Complexes, corners: Complexes, growth: Floats) -> tuple[Floats, Floats]:
    """The span inside the polygon whose sides moved inward by -growth."""
    sides = np.roll(corners, -1) - corners
    inward = 1j * sides / np.abs(sides)
    return _planes_span(p, q, [(c, n, growth) for c, n in zip(corners, inward, strict=True)])


def _side_span(p: Complexes, q: Complexes, a: complex, b: complex, radius: Floats) -> tuple[Floats, Floats]:
    along = (b - a) / abs(b - a)
    zero = np.zeros(len(p))
    strip = [(a, along, zero), (b, -along, zero), (a, 1j * along, radius), (a, -1j * along, radius)]
    return _planes_span(p, q, strip)


def _planes_span(p: Complexes, q: Complexes, planes: list[tuple[complex, complex, Floats]]) -> tuple[Floats, Floats]:
    first, last = np.zeros(len(p)), np.ones(len(p))
    for at, inward, slack in planes:
        d0, d1 = dot(p - at, inward) + slack, dot(q - at, inward) + slack
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = d0 / (d0 - d1)
        first = np.where((d0 < 0) & (d1 > 0), np.maximum(first, crossing), first)
        last = np.where((d0 > 0) & (d1 < 0), np.minimum(last, crossing), last)
        gone = (d0 <= 0) & (d1 <= 0)
        first, last = np.where(gone, np.inf, first), np.where(gone, -np.inf, last)
    missed = first >= last
    return np.where(missed, np.inf, first), np.where(missed, -np.inf, last)
