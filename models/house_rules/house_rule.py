"""House rule: one ambiguity of a book, or one setting of a game without one; its readings, each edition's default."""

import math

from models.frozen import Frozen
from models.vocabulary import MOST, OPEN_EDITION

_EDITIONS = ("warmachine-prime", "hordes-mk2", "warmachine-mk1", "warhammer-9")


class HouseRule(Frozen):
    """A doubt of the book. `defaults` holds the editions in which it arises; `readings` is empty for a number.

    `means` says in plain words what each reading does, of a number what it counts; `most` is the largest number.
    """

    key: str
    doubt: str
    readings: tuple[str, ...]
    defaults: dict[str, str]
    digest: str
    means: dict[str, str] = {}
    most: float = MOST

    def allows(self, reading: str) -> bool:
        """Whether the reading is one of those known; of a numeric rule, whether it is a number up to the most."""
        return reading in self.readings if self.readings else _is_number(reading, self.most)

    def describe_allowed(self) -> str:
        """What may be chosen, in words."""
        if self.readings:
            return ", ".join(self.readings)
        return "a number of at least 0" + (f" and at most {self.most:g}" if self.most < MOST else "")


def _is_number(text: str, most: float) -> bool:
    try:
        number = float(text)
    except ValueError:
        return False
    return math.isfinite(number) and 0 <= number <= most


def declare_house_rule(key: str, doubt: str, readings: str, defaults: str, digest: str) -> HouseRule:
    """Readings and defaults are written as short lists; `-` stands where the doubt does not arise."""
    by_edition = {e: d for e, d in zip(_EDITIONS, defaults.split(), strict=True) if d != "-"}
    return HouseRule(key=key, doubt=doubt, readings=tuple(readings.split()), defaults=by_edition, digest=digest)


def declare_setting(key: str, doubt: str, default: str, means: dict[str, str]) -> HouseRule:
    """A setting that a game without a book chooses once: every reading with what it does, in plain words."""
    return HouseRule(
        key=key, doubt=doubt, readings=tuple(means), defaults={OPEN_EDITION: default}, digest="", means=means
    )


def declare_number(key: str, doubt: str, default: str, counts: str, *, most: float) -> HouseRule:
    """The same of a number; `counts` says what it is a number of."""
    return HouseRule(
        key=key,
        doubt=doubt,
        readings=(),
        defaults={OPEN_EDITION: default},
        digest="",
        means={"number": counts},
        most=most,
    )
