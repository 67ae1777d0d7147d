"""Leadership test: the chance to roll no more than a value on two dice."""

from fractions import Fraction

from pydantic import JsonValue

from models.unit import Unit
from referee.editions.warhammer_9.units.regiment import members_of, regiment_of
from referee.rules.exact_table import ExactTable


def leadership_chance(ld: float, *, again: bool = False) -> dict[str, JsonValue]:
    """Leadership test: the chance to roll at most this on two dice. Source: Leadership Tests, p. 11."""
    one = Fraction(sum(a + b <= ld for a in range(1, 7) for b in range(1, 7)), 36)
    twice = 1 - (1 - one) ** 2
    told: dict[str, JsonValue] = {"needs": ld, "dice": "2d6", "exact": str(one), "p": float(one)}
    return told | ({"with_reroll": str(twice)} if again else {})


def manoeuvre_chance(table: ExactTable, id_: str, ld: float) -> dict[str, JsonValue]:
    """Leadership test to march, redirect a charge, reform or restrain: a champion lets his unit roll again.

    Source: Champions, p. 79.
    """
    return leadership_chance(ld, again=_has_champion(table, id_))


def _has_champion(table: ExactTable, id_: str) -> bool:
    unit = table.state.by_id[regiment_of(table, id_)]
    told = isinstance(unit, Unit) and bool(unit.champion)
    return told or any("champion" in table.miniature(m).role for m in members_of(table, id_))
