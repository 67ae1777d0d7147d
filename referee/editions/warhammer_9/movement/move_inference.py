"""Move inference: by which cheapest steps a unit came from one pose to another."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from models.turn import Step
from models.vocabulary import Point
from referee.motion.block_pose import BlockPose

_SAME_MM, _SAME_RAD = 0.5, math.radians(0.25)
_GRID_RAD = math.radians(0.5)


class InferredMove(NamedTuple):
    """Inferred move: its steps, and what they cost in millimetres."""

    steps: tuple[Step, ...]
    cost_mm: float


def infer_cheapest_move(
    start: BlockPose, end_pose: BlockPose, *, is_lone: bool, most_rad: float = math.pi
) -> InferredMove | None:
    """The cheapest move between two poses; None where no steps lead there.

    Tried are straight moves, one wheel, two wheels, and the turns on the spot of a lone miniature. Source: p. 15, 23.
    """
    moves = [*_straight_moves(start, end_pose), *_moves_with_wheels(start, end_pose, most_rad)]
    if is_lone:
        moves += _lone_moves(start, end_pose)
    return min(moves, key=lambda move: move.cost_mm, default=None)


def _straight_moves(start: BlockPose, end_pose: BlockPose) -> Iterator[InferredMove]:
    """Ahead, back or aside without a turn."""
    if abs(math.remainder(end_pose.facing_rad - start.facing_rad, math.tau)) > _SAME_RAD:
        return
    ahead, left = _to_local(start, end_pose.front)
    if abs(left) <= _SAME_MM:
        yield InferredMove(
            _make_steps(("forward" if ahead >= 0 else "backward", abs(ahead))), ahead if ahead >= 0 else -2 * ahead
        )
    if abs(ahead) <= _SAME_MM:
        yield InferredMove(_make_steps(("left" if left >= 0 else "right", abs(left))), 2 * abs(left))


def _to_local(start: BlockPose, p: Point) -> Point:
    c, s = math.cos(start.facing_rad), math.sin(start.facing_rad)
    dx, dy = p[0] - start.front[0], p[1] - start.front[1]
    return (dx * c + dy * s, dy * c - dx * s)


def _moves_with_wheels(start: BlockPose, end_pose: BlockPose, most_rad: float) -> Iterator[InferredMove]:
    """One wheel or two, with straight pieces before, between and after; of those the dearest is never needed."""
    turn = math.remainder(end_pose.facing_rad - start.facing_rad, math.tau)
    firsts = [turn, *(k * _GRID_RAD for k in range(-int(most_rad / _GRID_RAD), int(most_rad / _GRID_RAD) + 1))]
    for first in firsts:
        second = turn - first
        if abs(first) > most_rad or abs(second) > most_rad or (abs(first) <= _SAME_RAD and abs(second) <= _SAME_RAD):
            continue
        yield from _straight_pieces(start, end_pose, first, second)


def _straight_pieces(start: BlockPose, end_pose: BlockPose, first: float, second: float) -> Iterator[InferredMove]:
    """The straight pieces that make up for what these wheels leave: two of the three are enough."""
    here = _wheel_pose(_wheel_pose(start, first), second)
    gap = (end_pose.front[0] - here.front[0], end_pose.front[1] - here.front[1])
    ways = [start.facing_rad, start.facing_rad + first, start.facing_rad + first + second]
    for i, j in ((0, 1), (0, 2), (1, 2)):
        lengths = _solve_lengths(ways[i], ways[j], gap)
        if lengths is None or min(lengths) < -_SAME_MM:
            continue
        pieces = [0.0, 0.0, 0.0]
        pieces[i], pieces[j] = max(0.0, lengths[0]), max(0.0, lengths[1])
        turned = (abs(first) + abs(second)) * start.width_mm
        pieces_done = (
            ("forward", pieces[0]),
            _wheel_step(first),
            ("forward", pieces[1]),
            _wheel_step(second),
            ("forward", pieces[2]),
        )
        yield InferredMove(_make_steps(*pieces_done), sum(pieces) + turned)


def _wheel_pose(start: BlockPose, by_rad: float) -> BlockPose:
    return start.wheel("left" if by_rad > 0 else "right", abs(by_rad)) if by_rad else start


def _wheel_step(by_rad: float) -> tuple[str, float]:
    return ("wheel-left" if by_rad > 0 else "wheel-right", math.degrees(abs(by_rad)))


def _solve_lengths(angle: float, other: float, gap: Point) -> tuple[float, float] | None:
    """How far along each of two headings sums up to this shift."""
    across = math.sin(other - angle)
    if abs(across) < 1e-6:
        along = gap[0] * math.cos(angle) + gap[1] * math.sin(angle)
        off = gap[1] * math.cos(angle) - gap[0] * math.sin(angle)
        return (along, 0.0) if abs(off) <= _SAME_MM else None
    x = (gap[0] * math.sin(other) - gap[1] * math.cos(other)) / across
    y = (gap[1] * math.cos(angle) - gap[0] * math.sin(angle)) / across
    return x, y


def _lone_moves(start: BlockPose, end_pose: BlockPose) -> Iterator[InferredMove]:
    """A lone miniature turns on the spot for nothing, goes straight on, and turns again."""
    (ax, ay), (bx, by) = start.centre, end_pose.centre
    far = math.dist((ax, ay), (bx, by))
    heading = math.atan2(by - ay, bx - ax) if far > _SAME_MM else start.facing_rad
    turns = [
        math.degrees(math.remainder(b - a, math.tau))
        for a, b in ((start.facing_rad, heading), (heading, end_pose.facing_rad))
    ]
    yield InferredMove(_make_steps(("pivot", turns[0]), ("forward", far), ("pivot", turns[1])), far)


def _make_steps(*lone: tuple[str, float]) -> tuple[Step, ...]:
    """Those steps that are more than dust; lengths in millimetres, turns in degrees."""
    steps = []
    for do, by in lone:
        if do in ("pivot", "wheel-left", "wheel-right"):
            steps += [Step.model_validate({"do": do, "by_deg": by})] if abs(by) > 1e-3 else []
        else:
            steps += [Step.model_validate({"do": do, "by_in": by / 25.4})] if by > 1e-3 else []
    return tuple(steps)
