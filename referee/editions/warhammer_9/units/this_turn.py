"""This turn's record: what a unit has done since its turn began."""

from models.turn import ThisTurn
from models.unit import Unit
from referee.editions.warhammer_9.units.regiment import leading_miniature
from referee.rules.exact_table import ExactTable

UNCOUNTED_MOVES = frozenset({"vanguard"})  # Source: Vanguard, p. 67: it does not count as having moved


def this_turn_of(table: ExactTable, id_: str) -> ThisTurn:
    """This turn's record of a unit: its own, else that of its first member."""
    thing = table.state.by_id[id_]
    if isinstance(thing, Unit) and thing.this_turn != ThisTurn():
        return thing.this_turn
    return leading_miniature(table, id_).this_turn


def has_moved(deeds: ThisTurn) -> bool:
    """Whether the unit moved or turned this turn in a way that counts for shooting.

    Source: Moving and Shooting, p. 36.
    """
    return not UNCOUNTED_MOVES.issuperset(deeds.moved)


def has_charged(deeds: ThisTurn) -> bool:
    """Whether it charged this turn, in whichever of two ways that was told."""
    return deeds.charged is not None or "charge" in deeds.moved
