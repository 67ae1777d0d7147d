"""How the margin of a blow's reach changes as things move: the gap and the depth in the arc, each in proportion."""

import math
from functools import partial

from referee.arcs import direction, dot
from referee.editions.warmachine_prime.arcs import arc_form, swing_mm
from referee.editions.warmachine_prime.ground import keeps_its_height
from referee.form import Least, Teller, Told
from referee.gap_form import limit_form
from referee.gaps import Gap
from referee.situation import Situation

_SIGMAS = 6.0  # nearer than so many sigmas to where another form begins, the form is not told
_BOTH_WAYS = 1.5  # so many sigmas of a place go into what lies between two that both move


def reach_form(table: Situation, attacker: str, target: str, nearest: Gap, reach_mm: float) -> Teller | None:
    """Tells the form of what is left of a reach to the nearest point of a target on the same level.

    None where that point is, or may come to be, behind the arc line, where nothing else is told.
    """
    limit = limit_form(table, attacker, target, reach_mm, least_is_touching=True)
    if limit is None:
        return None
    if table.miniature(attacker).front_arc_deg == 360:
        return partial(_level, table, attacker, target, math.inf, limit)
    ahead = direction(table.facing_rad(attacker))
    return partial(
        _level, table, attacker, target, dot(nearest.at_b, ahead) - dot(table.centre(attacker), ahead), limit
    )


def _level(
    table: Situation,
    attacker: str,
    target: str,
    ahead_mm: float,
    limit: Teller,
    sigma_mm: float,
    sigma_rad: float,
) -> Told | None:
    within = _SIGMAS * _BOTH_WAYS * sigma_mm
    if ahead_mm < within + _SIGMAS * swing_mm(table, attacker, target):
        return None
    if not all(keeps_its_height(table, id_, within) for id_ in (attacker, target)):
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
    within = _SIGMAS * (_BOTH_WAYS * sigma_mm + swing_mm(table, attacker, target))
    if left is None or into is None or into.lengths["depth"].mm > -within:
        return None
    return Told(Least((left.margin, into.margin)), left.lengths)
