"""Where a rule stands that is named again: this book amends others that are not at hand, so the later one is cited."""

from models.verdict import Reason
from referee.editions.hordes_mk2 import citing as of_mk2
from referee.editions.warmachine_mk1.parameters import BOOK


def cite(reason: Reason) -> Reason:
    """The reason as it is where this book gave it, else where HORDES Mk II has it. Source: each section it names."""
    return reason if reason.source.book == BOOK else of_mk2.cite(reason)
