"""Exponential backoff: how long to wait before the next try."""

from collections.abc import Iterator
from random import Random

FIRST_S, MOST_S = 0.25, 4.0


def backoff_waits(random: Random, *, first_s: float = FIRST_S, most_s: float = MOST_S) -> Iterator[float]:
    """Seconds to wait, twice as long each time up to the most; drawn from the upper half, so that many do not meet."""
    longest_s = first_s
    while True:
        yield longest_s * random.uniform(0.5, 1.0)
        longest_s = min(2 * longest_s, most_s)
