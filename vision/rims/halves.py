"""A painted front half: the readings of a rim that two halves of different paint explain.

Three things speak for them. Each half is of one colour; the colour steps by the same paint at both ends; and light,
which changes slowly along the rim, does not explain it. Which half is the painted one is another question.
"""

import functools
import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from vision.rims.changes import Places, Rim, ring_mean
from vision.rims.likelihood import together
from vision.rims.weighing import Reading, lead, signed_log, tops

Floats = NDArray[np.float64]

_AWAY_DEG, _ELSEWHERE_DEG = 8.0, 14.0
_END_HIDDEN = math.log(0.05)
_ALIKE = np.array([18.0, 10.0, 10.0])  # how far one colour spreads over its half
_MOST_UNLIKE, _SEEN_MM = 5.0, 2.5  # so much a place counts at most; neighbours nearer than that say the same
_COARSE = 36  # axes at which whole halves are compared
_POINTS, _AXES = 120, 90  # places and axes of the halves under slow light
_NOISE = np.array([9.0, 6.0, 6.0])
_SLOW = np.array([40.0, 4.0, 4.0])  # by how much slow light changes brightness and tints
_HIDDEN, _ROUNDS = 4.0, 4
_RAMP_DEG = 4.0  # over which the end of a painted half is blurred


def halved(rim: Rim) -> Iterator[Reading]:
    """The likeliest axes; the front is in the first half turn, or opposite to it."""
    half, away = rim.count // 2, rim.index(_AWAY_DEG)
    alike, stepped, lit = _of_one_colour(rim), _stepped(rim), _under_slow_light(rim)
    total = _compressed(alike) + 0.5 * stepped + _compressed(lit)
    likely = [(stepped, 3), (alike, 2), (lit, 2), (total, 3)]
    for front in sorted({top for values, count in likely for top in tops(values, count, away=away)}):
        leads = [lead(values, front % half, away=rim.index(_ELSEWHERE_DEG)) for values in (lit, alike, total, stepped)]
        others = (signed_log(float(lit[front])), signed_log(leads[0]), signed_log(leads[1]), leads[2])
        yield Reading("front-half", front, (*_traits(rim, front), *others, float(np.clip(leads[3], -12.0, 12.0))))


def ends_of(rim: Rim, front: int) -> tuple[int, int]:
    """Where the colour steps at the right end and at the left."""
    quarter = rim.index(90)
    return int(rim.steps.near[(front - quarter) % rim.count]), int(rim.steps.near[(front + quarter) % rim.count])


def halves_of(values: Floats, front: int) -> tuple[Floats, Floats]:
    """The median of the front half, and that of the rear one."""
    count = len(values)
    rolled = np.roll(values, count // 4 - front, axis=0)
    return np.median(rolled[: count // 2], axis=0), np.median(rolled[count // 2 :], axis=0)


def _traits(rim: Rim, front: int) -> tuple[float, ...]:
    """How unlike the halves are in tint and brightness; how large the steps at their ends, how unlike each other, how
    much of the change they are at most; whether basing or ground steps too; the noise."""
    ahead, behind = halves_of(rim.colours, front)
    change = ahead - behind
    right, left = ends_of(rim, front)
    risen, fallen = rim.steps.shift[right], -rim.steps.shift[left]
    sizes = rim.steps.size[[right, left]]
    of_change = max(float(risen @ change), float(fallen @ change)) / (float(change @ change) + 1e-9)
    beyond = np.minimum(rim.steps.beyond[[right, left]], 1.2)
    return (
        math.log(float(np.linalg.norm(change[1:])) + 2), math.log(abs(float(change[0])) + 3),
        math.log(sizes.min() + 2), math.log(sizes.max() + 2),
        float(np.linalg.norm(risen - fallen)) / (float(sizes.sum()) + 1e-9),
        float(np.clip(of_change, -0.3, 1.3)), float(beyond.max()), float(beyond.min()), math.log(rim.steps.noise),
    )  # fmt: skip


def _compressed(values: Floats) -> Floats:
    return np.asarray(np.sign(values) * np.log1p(np.abs(values)))


def _stepped(rim: Rim) -> Floats:
    """The log ratio of steps by one paint at both ends to chance, for every axis."""
    quarter, every = rim.index(90), np.arange(rim.count)
    ends: list[Places] = [rim.steps.near[(every - quarter) % rim.count], rim.steps.near[(every + quarter) % rim.count]]
    both = np.maximum(together(rim.steps, ends, (1.0, -1.0)), _END_HIDDEN)
    half = rim.count // 2
    return np.asarray(np.maximum(both[:half], both[half : 2 * half]))


def _of_one_colour(rim: Rim) -> Floats:
    """By how much two halves of a colour each explain the rim better than one colour does, for every axis."""
    count = rim.count
    scaled, half = rim.colours / _ALIKE, count // 2
    fronts = np.arange(_COARSE) * half // _COARSE
    places = (fronts[:, None] - count // 4 + np.arange(count)) % count
    rolled = scaled[places]
    found = _unlike(scaled[None])[0] - _unlike(rolled[:, :half]) - _unlike(rolled[:, half:])
    found = found * rim.strip.step_mm / _SEEN_MM
    return np.asarray(np.interp(np.arange(half), [*fronts, half], [*found, found[0]]))


def _unlike(colours: Floats) -> Floats:
    """How much all these colours (M, K, 3) differ from their median, (M,)."""
    off = colours - np.median(colours, axis=1, keepdims=True)
    return np.asarray(np.minimum((off**2).sum(axis=2) / 2, _MOST_UNLIKE).sum(axis=1))


def _under_slow_light(rim: Rim) -> Floats:
    """By how much two halves explain the rim better than light that changes slowly along it, for every axis."""
    mean = ring_mean(rim.colours, rim.count / _POINTS)
    seen = mean[((np.arange(_POINTS) + 0.5) / _POINTS * rim.count).astype(int) % rim.count] / _NOISE
    found = _left(_designs()[:1, :, :5], seen)[0] - _left(_designs(), seen)
    found = found * (2 * math.pi * rim.strip.radius_mm / _POINTS / _SEEN_MM)
    half = rim.count // 2
    return np.asarray(np.interp(np.arange(half) * _AXES / half, np.arange(_AXES + 1), [*found, found[0]]))


@functools.cache
def _designs() -> Floats:
    """For each axis what is added up round the rim, (axes, points, 6): slow light, and a step up in front."""
    angle = (np.arange(_POINTS) + 0.5) * 2 * np.pi / _POINTS
    slow = np.stack([np.ones(_POINTS), *(wave(k * angle) for k in (1, 2) for wave in (np.cos, np.sin))], axis=1)
    axis = np.arange(_AXES) * np.pi / _AXES
    off = np.abs((angle - axis[:, None] + np.pi) % (2 * np.pi) - np.pi)
    front = np.clip((np.pi / 2 - off) / np.radians(_RAMP_DEG) + 0.5, 0.0, 1.0) - 0.5
    return np.concatenate([np.broadcast_to(slow, (_AXES, *slow.shape)), front[..., None]], axis=2)


def _left(designs: Floats, seen: Floats) -> Floats:
    """What each design leaves unexplained, whatever hides parts of the rim left out by and by."""
    parts = designs.shape[2]
    slow = (_NOISE / _SLOW) ** 2
    weight = np.ones(designs.shape[:2])
    square = np.zeros(designs.shape[:2])
    for k in range(_ROUNDS):
        turned = designs.transpose(0, 2, 1) * weight[:, None, :]
        both, toward = turned @ designs, turned @ seen
        fits = [
            np.linalg.solve(
                both + np.diag([1e-6, *slow[tint] * np.array([1, 1, 4, 4]), 1e-4][:parts]), toward[..., chosen]
            )
            for tint, chosen in ((0, [0]), (1, [1, 2]))
        ]
        square = ((seen - designs @ np.concatenate(fits, axis=2)) ** 2).sum(axis=2)
        hidden = _HIDDEN if k == _ROUNDS - 1 else 2 * _HIDDEN
        weight = np.exp(-np.minimum(square / 2 / hidden, 30.0)) + 1e-4
    return np.asarray(np.minimum(square / 2, _HIDDEN).sum(axis=1))
