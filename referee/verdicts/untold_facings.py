"""Untold facings: which ways a miniature is tried to look while nobody has said it."""

import math

from models.queries import BaseQuery
from models.vocabulary import Point
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import FacingUnknown


def facings_to_try(table: ExactTable, query: BaseQuery, id_: str) -> list[float]:
    """Facings in radians: toward and away from everything the question names, and all round."""
    x, y = table.centre(id_)
    others = [_centre(table, name) for _, name in query.names() if name != id_]
    toward = [math.atan2(oy - y, ox - x) for ox, oy in others if (ox, oy) != (x, y)]
    return [*toward, *(a + math.pi for a in toward), *(math.tau * k / 8 for k in range(8))]


def _centre(table: ExactTable, name: str) -> Point:
    if name in table.miniatures:
        return table.centre(name)
    try:
        return table.area(name).parts[0].centre
    except FacingUnknown as needed:  # whichever way a base lies, its centre stays where it is
        return _centre(table.with_facing(needed.id, 0.0), name)
