"""Forests: a line passes one that is grown less than to touch it, or one that holds an end of it but not too much.

So along its growth a wood lets a line pass up to `around`, and again from `inside` to `filled`.
"""

from enum import Enum

from referee.line_of_sight.plane import dot
from tests.referee.oracles.linear_constraints import Row, condition_at
from tests.referee.oracles.obstacle_clearance import outward, point_gap, thing_gap
from tests.referee.oracles.obstacles import NEVER_MM, Thing
from tests.referee.oracles.segment_intervals import share_inside, spans_of

_ROUNDING_MM = 1e-9
_HALVINGS = 80


class PassReason(Enum):
    """How a wood lets a line pass: untouched, by depth, or because all of the line is shorter than its depth."""

    UNTOUCHED = 0
    BY_DEPTH = 1
    SHORT = 2


def deeper_end(wood: Thing, p: complex, q: complex) -> tuple[float, bool]:
    """The gap of the end that lies deeper in the wood, and whether that is where the line stops."""
    at_p, at_q = point_gap(wood, p), point_gap(wood, q)
    return min(at_p, at_q), at_q < at_p


def _inside_from(wood: Thing, p: complex, q: complex) -> float:
    if wood.told is not None:
        return -NEVER_MM if wood.told else NEVER_MM
    return deeper_end(wood, p, q)[0] - _ROUNDING_MM


def _excess_depth(wood: Thing, p: complex, q: complex, growth: float) -> float:
    return abs(q - p) * share_inside(wood, p, q, growth) - wood.depth_mm


def _filled_at(wood: Thing, p: complex, q: complex, around: float, level: float) -> float:
    """The growth at which the full depth is inside: at most that depth after the first touch."""
    low, high, at_low, side = around, around + wood.depth_mm, -wood.depth_mm, 0
    at_high = _excess_depth(wood, p, q, high)
    guess = max(level, around)
    guess -= _excess_depth(wood, p, q, guess)  # an end inside: the wood grows from one side
    for k in range(_HALVINGS):
        if high - low <= 1e-13:
            break
        line = low - at_low * (high - low) / (at_high - at_low) if at_high > at_low else (low + high) / 2
        m = guess if k == 0 else line
        if not low < m < high or k % 8 == 7:
            m = (low + high) / 2
        f = _excess_depth(wood, p, q, m)
        if abs(f) < 1e-12:
            return m
        if f > 0:
            high, at_high, at_low, side = m, f, at_low / 2 if side > 0 else at_low, 1
        else:
            low, at_low, at_high, side = m, f, at_high / 2 if side < 0 else at_high, -1
    return low


def wood_growth(wood: Thing, p: complex, q: complex, level: float, enough: float) -> tuple[float, PassReason]:
    """The end of the stretch of growths that `level` lies in; the nearest stretch below it where it lies in none."""
    is_long = abs(q - p) > wood.depth_mm
    if is_long and enough > -NEVER_MM and _excess_depth(wood, p, q, enough) > 0:
        return enough, PassReason.UNTOUCHED  # it cannot be better: no need to know by how much
    around, inside = thing_gap(wood, p, q), _inside_from(wood, p, q)
    if level < around and inside > around:
        return around, PassReason.UNTOUCHED
    filled = NEVER_MM
    if is_long:
        if around + wood.depth_mm <= enough:
            return enough, PassReason.UNTOUCHED
        filled = _filled_at(wood, p, q, around, level)
    closed = inside > max(around, level) or filled < level
    if closed and (level < around or filled > level or inside > filled):
        return around, PassReason.UNTOUCHED
    how = PassReason.SHORT if filled >= NEVER_MM else PassReason.BY_DEPTH if filled > around else PassReason.UNTOUCHED
    return max(filled, around), how


def row_of_depth(wood: Thing, p: complex, q: complex, growth: float) -> list[Row]:
    """How the growth moves at which a line has its full depth inside: each end of a stretch goes with line and rim."""
    w, rise, at_p, at_q = (q - p) / abs(q - p), 0.0, 0j, 0j
    for span in spans_of(wood, p, q, growth):
        for way, share in ((-1, span[0]), (1, span[1])):
            push = w  # how the end of the stretch goes along the line when that point of the line moves
            if 1e-12 < share < 1 - 1e-12:
                out = outward(wood, p + share * (q - p))
                turn = dot(out, w)
                turn = way * 1e-9 if abs(turn) < 1e-9 else turn
                push = w - out / turn
                rise += way / turn
            at_p += way * (1 - share) * push
            at_q += way * share * push
    if rise <= 0:
        return []
    return [Row(growth, (-at_p.real / rise, -at_p.imag / rise, -at_q.real / rise, -at_q.imag / rise))]


def conditions_inside(wood: Thing, p: complex, q: complex, how: PassReason, level: float, now: float) -> list[Row]:
    """What must go on holding: the line stays short, where that is why it passes, and an end stays inside."""
    rows, length = [], abs(q - p)
    if how is PassReason.SHORT and length > 0:
        w = (q - p) / length
        rows.append(Row(wood.depth_mm - length, (w.real, w.imag, -w.real, -w.imag)))
    if wood.told is None:
        gap, stop = deeper_end(wood, p, q)
        around = thing_gap(wood, p, q)
        if gap <= around + _ROUNDING_MM:
            return rows  # what the wood meets first, as it grows, is that end
        room = (now if now < level else max(level, around)) - gap
        row = condition_at(max(room, 0.0), float(stop), -outward(wood, q if stop else p))
        rows.append(row._replace(eases=1.0) if now < level else row)  # a wood that shrinks less holds its end longer
    return rows
