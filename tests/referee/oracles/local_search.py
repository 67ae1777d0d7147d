"""Local search: from a line to the best near it. Linear programs propose steps, gaps accept them."""

import math
from dataclasses import dataclass

import numpy as np

from referee.line_of_sight.boundary_curve import chords, clamp_to_end, reach_mm
from referee.line_of_sight.plane import dot
from referee.line_of_sight.scene import End
from tests.referee.oracles.forests import PassReason, deeper_end, wood_growth
from tests.referee.oracles.growth_slack import Slack
from tests.referee.oracles.linear_constraints import Row
from tests.referee.oracles.obstacle_clearance import outward, thing_gap
from tests.referee.oracles.obstacles import NEVER_MM, Kind, Thing
from tests.referee.oracles.simplex import maximise_minimum

_MOST_STEPS = 80
_FINEST_MM = 1e-9
_NO_GAIN_MM = 1e-12
_MOST_SLIDES = 8
_STEEPEST = 1000.0  # ends that slide this much farther than a line gets shorter are left where they are


@dataclass(frozen=True)
class Best:
    """A line from p to q and the least slack on it."""

    value: float
    p: complex
    q: complex


def ascend_locally(slack: Slack, line: Best) -> Best:
    """The local best from here, both points moving in their ends."""
    value, level = slack.least(line.p, line.q)
    line = Best(value, line.p, line.q)
    trust = max(1.0, 0.25 * sum(reach_mm(end) for end in slack.ends))
    fresh, rows, held = True, list[Row](), list[Row]()
    for _ in range(_MOST_STEPS):
        if trust <= _FINEST_MM:
            break
        if fresh:
            rows, held = slack.rows(line.value, line.p, line.q, level, 2 * trust + 1e-9)
        gain, step = maximise_minimum(rows, held, trust)
        if not gain > _NO_GAIN_MM:
            break
        p, q = _step(slack, line, level, gain, step)
        value, at = slack.least(p, q)
        fresh, share = value > line.value, (value - line.value) / gain
        if fresh:
            line, level = Best(value, p, q), at
        if share > 0.75:
            trust *= 2
        elif share < 0.25:
            trust = min(trust, sum(abs(d.real) + abs(d.imag) for d in step)) / 4
    return line


def _step(
    slack: Slack, line: Best, level: float, gain: float, step: tuple[complex, complex]
) -> tuple[complex, complex]:
    p, q = clamp_to_end(slack.ends[0], line.p + step[0]), clamp_to_end(slack.ends[1], line.q + step[1])
    for wood in slack.things:
        if wood.kind is Kind.WOOD:
            p, q = _restore(slack, wood, line, level, gain, p, q)
    return p, q


def _restore(
    slack: Slack, wood: Thing, before: Best, level: float, gain: float, p: complex, q: complex
) -> tuple[complex, complex]:
    """Back to where a wood lets the line pass as it did before: a step along its conditions leaves them by a hair."""
    growth, how = wood_growth(wood, before.p, before.q, level, -math.inf)
    if how is PassReason.UNTOUCHED:
        return p, q
    if growth >= NEVER_MM:
        p, q = _shorten(slack.ends, wood.depth_mm, p, q)
    if wood.told is not None:
        return p, q
    bound = max(before.value + 0.9 * gain if before.value < level else level, thing_gap(wood, p, q))
    gap, at_stop = deeper_end(wood, p, q)
    if not bound < gap <= bound + 1:
        return p, q
    x = q if at_stop else p
    x = clamp_to_end(slack.ends[at_stop], x + outward(wood, x) * (bound - gap - 1e-12))
    return (p, x) if at_stop else (x, q)


def _shorten(ends: tuple[End, End], most: float, p: complex, q: complex) -> tuple[complex, complex]:
    """Shorter than `most`, both ends staying where they may be: those on their rims slide along them."""
    start, stop = ends
    for _ in range(_MOST_SLIDES):
        length = abs(q - p)
        if length <= most:
            break
        excess = length - most + 1e-14 * length
        to = (q - p) * (excess / length)
        by_p, by_q = clamp_to_end(start, p + to) - p, clamp_to_end(stop, q - to) - q
        shorter = dot(by_p - by_q, q - p) / length
        if shorter < excess / _STEEPEST:
            break
        share = excess / shorter
        p, q = clamp_to_end(start, p + share * by_p), clamp_to_end(stop, q + share * by_q)
    return p, q


def trim_segment(slack: Slack, line: Best) -> Best:
    """The shortest segment on the line of this one: nothing comes nearer to it."""
    if abs(line.q - line.p) < 1e-9:
        return line
    way = (line.q - line.p) / abs(line.q - line.p)
    normal = 1j * way
    offset = (line.p * normal.conjugate()).real
    (a0, a1), (b0, b1) = (
        tuple(float(x[0]) for x in chords(end, np.array([normal]), np.array([offset]))) for end in slack.ends
    )
    if a0 > a1 + 1e-9 or b0 > b1 + 1e-9:
        return line
    leave, enter = a1, b0
    if min(a1, b1) > max(a0, b0):
        leave = enter = (min(a1, b1) + max(a0, b0)) / 2
    p, q = (clamp_to_end(end, normal * offset + way * x) for end, x in zip(slack.ends, (leave, enter), strict=True))
    value = slack.least(p, q)[0]
    return Best(value, p, q) if value >= line.value else line
