"""Linear constraints: how gaps change when both ends of a line move, each condition as a row."""

from dataclasses import dataclass
from typing import NamedTuple

from referee.line_of_sight.plane import cross, dot, foot_on, foot_share
from tests.referee.oracles.obstacle_clearance import convex_depth, crosses, nested_depth, thing_gap
from tests.referee.oracles.obstacles import Part, Thing

_STEP_MM = 5e-6


class Row(NamedTuple):
    """One condition: f + g . (dp, dq), and with what is gained where `eases` is 1."""

    f: float
    g: tuple[float, float, float, float]
    eases: float = 0.0


@dataclass(frozen=True)
class Stretch:
    """A stretch of a line, by the points at its ends and by its shares of the whole."""

    p: complex
    q: complex
    first: float
    last: float

    @classmethod
    def of(cls, thing: Thing, p: complex, q: complex) -> "Stretch":
        """What the thing can close of p to q."""
        first, last = thing.from_share, thing.to_share
        return cls(p + first * (q - p) if first > 0 else p, p + last * (q - p) if last < 1 else q, first, last)

    def share(self, t: float) -> float:
        return self.first + t * (self.last - self.first)


def condition_at(f: float, share: float, n: complex) -> Row:
    """A condition held by the point at `share` of the line, which opens when that point moves along n."""
    return Row(f, ((1 - share) * n.real, (1 - share) * n.imag, share * n.real, share * n.imag))


def rows_of_gap(thing: Thing, p: complex, q: complex, window_mm: float) -> list[Row]:
    """The conditions under which a line keeps as clear of the thing as it does, and a little more."""
    on = Stretch.of(thing, p, q)
    gap = thing_gap(thing, on.p, on.q)
    if thing.is_nested and gap <= 0:
        return [_row_of_nested(thing, on, gap)]
    return [row for part in thing.parts for row in _rows_of_part(part, on, gap + window_mm)]


def _row_of_nested(thing: Thing, on: Stretch, gap: float) -> Row:
    """The deepest point moves with the line: its slopes are measured."""
    a = complex(*(_slope(thing, on, step, 0j) for step in (_STEP_MM, 1j * _STEP_MM)))
    b = complex(*(_slope(thing, on, 0j, step) for step in (_STEP_MM, 1j * _STEP_MM)))
    p, q = (1 - on.first) * a + (1 - on.last) * b, on.first * a + on.last * b
    return Row(gap, (p.real, p.imag, q.real, q.imag))


def _slope(thing: Thing, on: Stretch, at_p: complex, at_q: complex) -> float:
    rise = nested_depth(thing, on.p + at_p, on.q + at_q) - nested_depth(thing, on.p - at_p, on.q - at_q)
    return -rise / (2 * _STEP_MM)


def _rows_of_part(part: Part, on: Stretch, most: float) -> list[Row]:
    if len(part.corners) > 2 and convex_depth(part, on.p, on.q) >= 0:
        return [row for row in _rows_of_inside(part, on) if row.f <= most]
    if len(part.corners) == 2 and crosses(*part.corners, on.p, on.q):
        return [_row_of_crossing(part, on)]
    rows = [_row_of_corner(c, part.radius_mm, on) for c in part.corners]
    for a, b in part.sides():
        rows += _rows_of_end(on.p, a, b, part.radius_mm, on.first) + _rows_of_end(on.q, a, b, part.radius_mm, on.last)
    return [row for row in rows if row.f <= most]


def _row_of_crossing(part: Part, on: Stretch) -> Row:
    side, way = part.corners[1] - part.corners[0], on.q - on.p
    across = cross(side, way)
    t = min(1.0, max(0.0, cross(side, part.corners[0] - on.p) / across)) if across != 0 else 0.0
    return condition_at(-part.radius_mm, on.share(t), -1j * side / abs(side))


def _row_of_corner(c: complex, radius: float, on: Stretch) -> Row:
    t, d = foot_share(c, on.p, on.q), on.q - on.p
    v = on.p + t * d - c
    n = v / abs(v) if v else 1j * d / abs(d) if d else 1 + 0j
    return condition_at(abs(v) - radius, on.share(t), n)


def _rows_of_end(x: complex, a: complex, b: complex, radius: float, share: float) -> list[Row]:
    v = x - foot_on(x, a, b)
    return [condition_at(abs(v) - radius, share, v / abs(v))] if v else []


def _rows_of_inside(part: Part, on: Stretch) -> list[Row]:
    """Every point where the side that is nearest changes, and both ends: each is as deep as its sides say."""
    at = [(dot(n, on.p - c), dot(n, on.q - on.p), n) for c, n in zip(part.corners, part.inward, strict=True)]
    depth, rise, n = min(at, key=lambda side: side[:2])
    rows, t = [condition_at(-depth - part.radius_mm, on.first, -n)], 0.0
    for _ in range(2 * len(at) + 1):
        met = [((a - depth) / (rise - b), b, m, a) for a, b, m in at if b < rise - 1e-15]
        later = [found for found in met if t < found[0] < 1.0]
        until = min((found[0] for found in later), default=1.0)
        value = -(depth + until * rise) - part.radius_mm
        if not later:
            return [*rows, condition_at(value, on.last, -n)]
        _, next_rise, m, next_depth = min(later, key=lambda found: found[0])
        w = min(1.0, max(0.0, -next_rise / (rise - next_rise)))
        rows.append(condition_at(value, on.share(until), -(w * n + (1 - w) * m)))
        depth, rise, n, t = next_depth, next_rise, m, until
    return rows
