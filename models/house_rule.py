"""A house rule: one key a doubt, the readings it may take, and each edition's default."""

from models.frozen import Frozen

_EDITIONS = ("warmachine-prime", "hordes-mk2", "warmachine-mk1", "warhammer-9")


class HouseRule(Frozen):
    """A doubt of the book. `defaults` holds the editions in which it arises; `readings` is empty for a number."""

    key: str
    doubt: str
    readings: tuple[str, ...]
    defaults: dict[str, str]
    digest: str

    def allows(self, reading: str) -> bool:
        """Whether the reading is one of those known; any number will do for a numeric rule."""
        return reading in self.readings if self.readings else _is_number(reading)


def _is_number(text: str) -> bool:
    try:
        return float(text) >= 0
    except ValueError:
        return False


def declared(key: str, doubt: str, readings: str, defaults: str, digest: str) -> HouseRule:
    """Readings and defaults are written as short lists; `-` stands where the doubt does not arise."""
    by_edition = {e: d for e, d in zip(_EDITIONS, defaults.split(), strict=True) if d != "-"}
    return HouseRule(key=key, doubt=doubt, readings=tuple(readings.split()), defaults=by_edition, digest=digest)
