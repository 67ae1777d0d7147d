"""Repetition: whether a stream shows the same few pictures in turn, each encoded once more.

A picture that hangs is the same to a grey level, and the watchdog sees that. A few that take turns are not, and
encoding changes each a little. But a sensor's noise is new in every picture: how one differs from the one before, light
apart, is like no such difference earlier. Where it is, on and on and always as many pictures back, they repeat.
"""

import math
from collections import deque

import numpy as np

from calibration.arrays import Floats, Image

MOST_PICTURES = 32
"""The longest round that is noticed; a second at 30 pictures a second, three at ten."""
_NEEDED = 32  # pictures
_NEWEST_COUNTS = 0.1  # of the running mean
_LEAST_CORRELATION = 0.25  # of independent noise it is a hundredth
_LEAST_CHANGE = 0.15  # grey levels, root mean square: less is no noise of a sensor
_MOST_PIXELS = 10_000
_UNUSUAL = 4.0  # times the median change


class Repetition:
    """Takes thumbnails one after the other, and tells how many pictures come again and again."""

    def __init__(self) -> None:
        self._before: Floats | None = None
        self._changes: deque[Floats] = deque(maxlen=MOST_PICTURES)  # unit vectors, the newest first
        self._correlation = np.zeros(MOST_PICTURES)  # the running mean, by how many pictures back
        self._count = 0

    def note(self, thumbnail: Image) -> int | None:
        """How many pictures take turns; None while none do. `thumbnail`: (H, W) grey levels."""
        step = max(1, math.ceil(math.sqrt(thumbnail.size / _MOST_PIXELS)))
        now = thumbnail[::step, ::step].astype(float)
        before, self._before = self._before, now
        change = None if before is None or before.shape != now.shape else _noise_change(before, now)
        if change is None:
            self._changes.clear()
            self._correlation[:] = self._count = 0
            return None
        newest = np.zeros(MOST_PICTURES)
        if self._changes:
            newest[: len(self._changes)] = np.stack(list(self._changes)) @ change
        self._correlation += _NEWEST_COUNTS * (newest - self._correlation)
        self._changes.appendleft(change)
        self._count += 1
        rounds = np.flatnonzero(self._correlation > _LEAST_CORRELATION)
        return int(rounds[0]) + 1 if rounds.size and self._count > MOST_PICTURES + _NEEDED else None


def _noise_change(before: Floats, now: Floats) -> Floats | None:
    """How the pixels changed, as a unit vector; None where they hardly did.

    Lamps flicker, in bands of rows, and that repeats: what a brighter light explains in a row is left out.
    """
    change = now - before
    change -= np.median(change, axis=1, keepdims=True)
    is_usual = np.abs(change) <= _UNUSUAL * max(1.0, float(np.median(np.abs(change))))  # hands change few, by much
    light = (before - before.mean(axis=1, keepdims=True)) * is_usual
    power = (light * light).sum(axis=1, keepdims=True)
    gain = (light * change).sum(axis=1, keepdims=True) / np.maximum(power, 1e-9)
    rest = np.asarray((change - gain * light) * is_usual).ravel()
    length = float(np.linalg.norm(rest))
    return None if length < _LEAST_CHANGE * math.sqrt(rest.size) else rest / length
