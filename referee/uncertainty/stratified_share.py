"""Stratified share: of draws parted by what is predicted of them, the share that says yes, and how far it is known.

Source: post-stratification and Neyman allocation, Cochran, Sampling Techniques, chapter 5.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

YES_FROM = 0.975  # the one setting: at least this probable is yes, at most its complement is no
ENOUGH = 200.0  # effective draws: a share is then known to four hundredths
BATCH = 8
_TRUSTED = 1e-6  # variance in a stratum that a prediction keeps far from its threshold


@dataclass(frozen=True)
class Share:
    """A share of draws, between what it lies, and of how many independent draws it is as sure."""

    probability: float
    low: float
    high: float
    draws: float = math.inf

    @classmethod
    def at(cls, probability: float) -> "Share":
        return cls(probability, probability, probability)

    @property
    def is_sure(self) -> bool:
        return self.low >= YES_FROM or self.high <= 1 - YES_FROM

    @property
    def is_too_close(self) -> bool:
        return self.low > 1 - YES_FROM and self.high < YES_FROM


@dataclass(frozen=True)
class Stratum:
    """Draws of which the same is predicted: their share of all, what those asked say, and the rows left to ask."""

    share: float
    met: float
    missed: float
    asked: int
    unasked: list[int]
    is_trusted: bool

    @property
    def mean_low(self) -> float:
        return self.met / self.asked if self.asked else 0.0

    @property
    def mean_high(self) -> float:
        return 1.0 - self.missed / self.asked if self.asked else 1.0

    @property
    def variance(self) -> float:
        """That of one draw, by the rule of succession: what all said alike, the next may not."""
        if self.is_trusted:
            return _TRUSTED
        yes, no = self.met + 0.5, self.asked - self.met + 0.5
        return yes * no / (self.asked + 1) ** 2

    @property
    def gain(self) -> float:
        """By how much the variance of the whole share falls with one more table asked."""
        return self.share**2 * self.variance / max(0.5, self.asked * (self.asked + 1))


def share_of(strata: Sequence[Stratum]) -> Share:
    """The share met over all strata, and two deviations either way; what was not decided is left open."""
    low = sum(s.share * s.mean_low for s in strata)
    high = sum(s.share * s.mean_high for s in strata)
    variance = sum(s.share**2 * s.variance / max(1, s.asked) for s in strata)
    spread = 2.0 * math.sqrt(variance)
    middle = (low + high) / 2
    asked = sum(s.asked for s in strata)
    least = 0.5 / (asked + 1)
    probability = min(max(middle, min(least, spread / 2)), 1 - min(least, spread / 2))
    effective = max(probability * (1 - probability), 0.01) / variance if variance > 0 else math.inf
    return Share(probability, max(0.0, low - spread), min(1.0, high + spread), effective)


def pick_rows(strata: Sequence[Stratum]) -> list[int]:
    """The next tables to ask: where one more tells most of the share."""
    gains = np.array([s.gain if s.unasked else 0.0 for s in strata])
    taken = [0] * len(strata)
    rows: list[int] = []
    while len(rows) < BATCH and gains.max() > 0:
        k = int(np.argmax(gains))
        rows.append(strata[k].unasked[taken[k]])
        taken[k] += 1
        asked = strata[k].asked + taken[k]
        left = taken[k] < len(strata[k].unasked)
        gains[k] = strata[k].share ** 2 * strata[k].variance / (asked * (asked + 1)) if left else 0.0
    return rows
