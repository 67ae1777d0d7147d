"""How the margin of a blow's reach changes as things move: the gap and the depth in the arc, each in proportion."""

import math
from functools import partial

from referee.arcs import direction, dot
from referee.editions.warmachine_prime.arcs import arc_form
from referee.editions.warmachine_prime.ground import keeps_its_height
from referee.form import Least, Teller, Told
from referee.gap_form import limit_form
from referee.gaps import Gap
from referee.situation import Situation

_SIGMAS = 9.0  # nearer than so many sigmas to where another form begins, the form is not told


def reach_form(table: Situation, attacker: str, target: str, nearest: Gap, reach_mm: float) -> Teller | None:
    """Tells the form of what is left of a reach to the nearest point of a target on the same level.

    None where that point is, or may come to be, behind the arc line, where nothing else is told.
    """
    limit = limit_form(table, attacker, target, reach_mm)
    if limit is None:
        return None
    if table.miniature(attacker).front_arc_deg == 360:
        return partial(_level, table, attacker, target, math.inf, limit)
    ahead = direction(table.facing_rad(attacker))
    return partial(_level, table, attacker, target, dot(nearest.at_b, ahead) - dot(table.centre(attacker), ahead), limit)


def _level(
    table: Situation,
    attacker: str,
    target: str,
    ahead_mm: float,
    limit: Teller,
    sigma_mm: float,
    sigma_rad: float,
) -> Told | None:
    swing_mm = sigma_rad * math.dist(table.centre(attacker), table.centre(target))
    if ahead_mm < _SIGMAS * (sigma_mm + swing_mm):
        return None
    if not all(keeps_its_height(table, id_, _SIGMAS * sigma_mm) for id_ in (attacker, target)):
        return None
    return limit(sigma_mm, sigma_rad)


def behind_form(table: Situation, attacker: str, target: str, reach_mm: float) -> Teller | None:
    """Tells the form of the lesser of both margins for a target that is and stays out of the arc."""
    limit, depth = limit_form(table, attacker, target, reach_mm), arc_form(table, attacker, target)
    return None if limit is None or depth is None else partial(_behind, table, attacker, target, limit, depth)


def _behind(
    table: Situation, attacker: str, target: str, limit: Teller, depth: Teller, sigma_mm: float, sigma_rad: float
) -> Told | None:
    left, into = limit(sigma_mm, sigma_rad), depth(sigma_mm, sigma_rad)
    swing_mm = sigma_rad * math.dist(table.centre(attacker), table.centre(target))
    if left is None or into is None or into.lengths["depth"].mm > -_SIGMAS * (sigma_mm + swing_mm):
        return None
    return Told(Least((left.margin, into.margin)), left.lengths)
