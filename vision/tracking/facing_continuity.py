"""Facing continuity: which way a base faces by what was known before, where its rim alone leaves several ways.

Who stands where he stood looks as he did, unless his rim says otherwise. Who was moved mostly still looks into the half
that he looked into, after a nudge nearly always: how often is assumed here and not measured, and it is told as a
probability, so that it decides nothing alone.
"""

import math
from dataclasses import replace

from vision.facing.facing_estimate import Facing

_SAME_RAD = math.radians(12.0)  # within which two readings are of one facing
_KEPT_IN_NUDGE, _KEPT_IN_MOVE = 0.95, 0.75  # how often the half is kept that one looks into


def keep_facing(before: Facing | None, now: Facing | None, *, is_turned: bool) -> Facing | None:
    """Facing of one who did not move. `is_turned`: what stands there looks turned; then only the rim tells."""
    if is_turned or before is None:
        return now
    if now is None:
        return before
    still = [
        rad
        for rad, _ in now.alternatives
        if any(_angle_between_rad(rad, was) < _SAME_RAD for was, _ in before.alternatives)
    ]
    learns = before.is_ambiguous and not now.is_ambiguous
    return before if still and not learns else now


def propagate_facing(before: Facing | None, now: Facing | None, *, is_nudged: bool) -> Facing | None:
    """Facing of one who moved: of several ways those are the likelier that keep the half he looked into."""
    if before is None or now is None or not now.is_ambiguous or now.symmetry != 2:
        return now
    kept = _KEPT_IN_NUDGE if is_nudged else _KEPT_IN_MOVE
    weighed = [(rad, share * _kept_probability(before, rad, kept)) for rad, share in now.alternatives]
    all_, open_ = sum(share for _, share in weighed), sum(share for _, share in now.alternatives)
    ends = sorted(((rad, share / all_ * open_) for rad, share in weighed), key=lambda end: -end[1])
    return replace(now, facing_rad=ends[0][0], hypotheses=tuple(ends))


def _kept_probability(before: Facing, facing_rad: float, kept: float) -> float:
    """How likely one who looked as before looks there now."""
    ends = before.alternatives
    known = sum(p * (kept if _angle_between_rad(was, facing_rad) < math.pi / 2 else 1 - kept) for was, p in ends)
    return known + (1 - sum(p for _, p in ends)) / 2


def _angle_between_rad(a_rad: float, b_rad: float) -> float:
    return abs(math.remainder(a_rad - b_rad, math.tau))
