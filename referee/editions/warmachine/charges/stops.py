"""Stops: in words, where a charge or slam stops that could not stop where it was told to."""

from models.unit_conversion import MM_PER_INCH
from models.verdict import Reason
from referee.motion.straight_charge import StraightCharge
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.switches import EXACT_MM


def explain_stop(table: ExactTable, reason: Reason, rush: StraightCharge, wanted_mm: float | None) -> Reason:
    """The reason, with the first lawful place where it stops instead, if it may not stop where it wants to."""
    if wanted_mm is None or not rush.succeeds:
        return reason
    stops = rush.stop(wanted_mm)
    if stops > wanted_mm + EXACT_MM:
        short, on = wanted_mm / MM_PER_INCH, stops / MM_PER_INCH
        return with_effect(table, reason, f"After {short:.2f} in it is not in reach yet and goes on to {on:.2f} in.")
    if stops < wanted_mm - EXACT_MM:
        return with_effect(table, reason, f"It gets no farther than {stops / MM_PER_INCH:.2f} in.")
    return reason
