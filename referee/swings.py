"""How far arc lines may swing: what a doubtful facing does to the line that parts front from back."""

import math
from collections.abc import Iterator

from models.state import TableState
from models.verdict import Verdict, Witness
from models.words import Point

_SIGMAS = 2.0
_WIDEST_RAD = math.radians(85.0)  # wider than this, and front and back would run into each other
_STEP_RAD = math.radians(4.0)


def swings(state: TableState, verdict: Verdict) -> Iterator[tuple[Point, ...]]:
    """The outlines of all that is within twice the facing's sigma of an arc line, on either side of it."""
    for witness in verdict.witness:
        if witness.role != "arc" or witness.type != "segment" or not witness.points_mm or not witness.of:
            continue
        sigma_rad, middle = _look(state, witness.of[0])
        if sigma_rad > 0.0:
            yield from _fans(witness, middle, min(_SIGMAS * sigma_rad, _WIDEST_RAD))


def is_by_arc(verdict: Verdict) -> bool:
    """Whether the arc is what decides: it says so, or no other line of the answer could."""
    if "decided_by" in verdict.value:
        return verdict.value["decided_by"] == "arc"
    return not any(witness.role in ("clear", "blocked", "touching") for witness in verdict.witness)


def _look(state: TableState, id_: str) -> tuple[float, Point]:
    """How surely it is known to look where it looks, all of its unit together, and its middle."""
    those = [m for m in state.miniatures if id_ in (m.id, m.unit) and m.facing_deg is not None]
    if not those:
        return 0.0, (0.0, 0.0)
    x, y = (sum(m.at_mm[axis] for m in those) / len(those) for axis in (0, 1))
    return math.radians(max(m.sigma.facing_deg for m in those)), (x, y)


def _fans(witness: Witness, middle: Point, swing_rad: float) -> Iterator[tuple[Point, ...]]:
    start, end = (witness.points_mm or ())[0], (witness.points_mm or ())[-1]
    halfway = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    # an arc line runs through the middle of its base, or begins there or at a corner
    pivot = min((halfway, start, end), key=lambda place: math.dist(place, middle))
    for tip in (start, end):
        if tip != pivot:
            yield (pivot, *_rim(pivot, tip, swing_rad))


def _rim(pivot: Point, tip: Point, swing_rad: float) -> Iterator[Point]:
    long_mm, ahead_rad = math.dist(pivot, tip), math.atan2(tip[1] - pivot[1], tip[0] - pivot[0])
    steps = max(2, math.ceil(2 * swing_rad / _STEP_RAD))
    for i in range(steps + 1):
        turn_rad = ahead_rad - swing_rad + 2 * swing_rad * i / steps
        yield pivot[0] + long_mm * math.cos(turn_rad), pivot[1] + long_mm * math.sin(turn_rad)
