"""The same table with one miniature standing elsewhere."""

from dataclasses import replace

from models.words import Point
from referee.situation import STILL, Nudge, Situation


def placed(table: Situation, id_: str, at_mm: Point) -> Situation:
    """The table with the centre of that base told to be there; what it is nudged by now nudges it there too."""
    x, y = table.miniature(id_).at_mm
    now = table.nudges.get(id_, STILL)
    there = Nudge(at_mm[0] - x + now.dx_mm, at_mm[1] - y + now.dy_mm, now.turn_rad, now.lift_mm)
    return replace(table, nudges={**table.nudges, id_: there})
