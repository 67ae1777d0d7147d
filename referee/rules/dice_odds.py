"""Dice odds: the exact chance of a total of like dice."""

from fractions import Fraction
from functools import cache


@cache
def total_odds(count: int, sides: int) -> tuple[Fraction, ...]:
    """The chance of every total from 0 to the highest, by its number."""
    odds: tuple[Fraction, ...] = (Fraction(1),)
    for _ in range(count):
        longer = [Fraction(0)] * (len(odds) + sides)
        for total, chance in enumerate(odds):
            for face in range(1, sides + 1):
                longer[total + face] += chance / sides
        odds = tuple(longer)
    return odds


def chance_of_total(count: int, sides: int, *, at_least: int) -> Fraction:
    """The chance that so many dice of so many sides show at least this in all."""
    return sum(total_odds(count, sides)[max(0, at_least) :], Fraction(0))


def parse_dice(told: str) -> tuple[int, int]:
    """How many dice of how many sides `2D6` are."""
    count, _, sides = told.partition("D")
    return int(count), int(sides)
