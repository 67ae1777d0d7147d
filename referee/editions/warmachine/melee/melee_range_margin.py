"""Margin of a melee range: how it changes as things move, by the gap and the depth in the arc."""

import math
from functools import partial

from referee.editions.warmachine.miniatures.base_state import keeps_its_height
from referee.editions.warmachine.miniatures.front_arc import arc_form, swing_mm
from referee.geometry.distance import Gap
from referee.margins.distance_margin import limit_form
from referee.margins.front_arc import direction, dot
from referee.rules.exact_table import ExactTable
from referee.rules.margin_form import FormProvider, KnownForm, Minimum

_SIGMAS = 6.0  # nearer than so many sigmas to where another form begins, the form is not told
_BOTH_WAYS = 1.5  # so many sigmas of a place go into what lies between two that both move


def reach_form(table: ExactTable, attacker: str, target: str, nearest: Gap, reach_mm: float) -> FormProvider | None:
    """Tells the form of what is left of a reach to the nearest point of a target on the same level.

    None where that point is, or may come to be, behind the arc line, where nothing else is told.
    """
    limit = limit_form(table, attacker, target, reach_mm, least_is_touching=True)
    if limit is None:
        return None
    if table.miniature(attacker).front_arc_deg == 360:
        return partial(_level_form, table, attacker, target, math.inf, limit)
    ahead = direction(table.facing_rad(attacker))
    return partial(
        _level_form, table, attacker, target, dot(nearest.at_b, ahead) - dot(table.centre(attacker), ahead), limit
    )


def _level_form(
    table: ExactTable,
    attacker: str,
    target: str,
    ahead_mm: float,
    limit: FormProvider,
    sigma_mm: float,
    sigma_rad: float,
) -> KnownForm | None:
    within = _SIGMAS * _BOTH_WAYS * sigma_mm
    if ahead_mm < within + _SIGMAS * swing_mm(table, attacker, target):
        return None
    if not all(keeps_its_height(table, id_, within) for id_ in (attacker, target)):
        return None
    return limit(sigma_mm, sigma_rad)


def behind_form(table: ExactTable, attacker: str, target: str, reach_mm: float) -> FormProvider | None:
    """Tells the form of the lesser of both margins for a target that is and stays out of the arc."""
    limit, depth = limit_form(table, attacker, target, reach_mm), arc_form(table, attacker, target)
    return None if limit is None or depth is None else partial(_behind_form, table, attacker, target, limit, depth)


def _behind_form(
    table: ExactTable,
    attacker: str,
    target: str,
    limit: FormProvider,
    depth: FormProvider,
    sigma_mm: float,
    sigma_rad: float,
) -> KnownForm | None:
    left, into = limit(sigma_mm, sigma_rad), depth(sigma_mm, sigma_rad)
    within = _SIGMAS * (_BOTH_WAYS * sigma_mm + swing_mm(table, attacker, target))
    if left is None or into is None or into.lengths["depth"].mm > -within:
        return None
    return KnownForm(Minimum((left.margin, into.margin)), left.lengths)
