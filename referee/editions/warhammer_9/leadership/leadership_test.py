"""Leadership test: the chance to roll no more than a value on two dice."""

from fractions import Fraction

from pydantic import JsonValue


def leadership_chance(ld: float, *, again: bool = False) -> dict[str, JsonValue]:
    """Leadership test: the chance to roll at most this on two dice. Source: Leadership Tests, p. 11."""
    one = Fraction(sum(a + b <= ld for a in range(1, 7) for b in range(1, 7)), 36)
    twice = 1 - (1 - one) ** 2
    told: dict[str, JsonValue] = {"needs": ld, "dice": "2d6", "exact": str(one), "p": float(one)}
    return told | ({"with_reroll": str(twice)} if again else {})
