"""Distance margin: how a limit on the gap between round bases changes as they move; linear unless they nearly touch."""

import math
from functools import partial

from models.vocabulary import Point
from referee.rules.exact_table import ExactTable
from referee.rules.margin_form import FormProvider, KnownForm, LinearPiece, Minimum
from referee.rules.perturbation import Perturbation

_SIGMAS = 12.0  # closer than so many sigmas the gap may close, and then it changes no more


def limit_form(
    table: ExactTable,
    a: str | Point,
    b: str | Point,
    limit_mm: float,
    *,
    called: str = "distance",
    least_is_touching: bool = False,
) -> FormProvider | None:
    """Tells the form of `limit_mm` less the gap, and that of the gap as the length that is `called` so.

    None where one of the two is no round base and no point, or where nobody will ask. Of two that may touch the margin
    alone is told, and only where `least_is_touching`: where bases that overlap are no nearer than bases that touch.
    """
    if table.margins_only or table.places_mm or not all(_is_round(table, place) for place in (a, b)):
        return None
    return partial(_provide_form, table, a, b, limit_mm, called, least_is_touching)


def _is_round(table: ExactTable, place: str | Point) -> bool:
    return not isinstance(place, str) or (place in table.miniatures and table.miniatures[place].base.shape == "round")


def _provide_form(
    table: ExactTable,
    a: str | Point,
    b: str | Point,
    limit_mm: float,
    called: str,
    least_is_touching: bool,
    sigma_mm: float,
    _sigma_rad: float,
) -> KnownForm | None:
    (at_a, half_a), (at_b, half_b) = _disc(table, a), _disc(table, b)
    apart = math.dist(at_a, at_b)
    gap_mm = apart - half_a - half_b
    may_touch = gap_mm <= _SIGMAS * sigma_mm
    if a == b or apart == 0 or (may_touch and not least_is_touching):
        return None
    ux, uy = (at_b[0] - at_a[0]) / apart, (at_b[1] - at_a[1]) / apart
    gap = LinearPiece(gap_mm, _name_length((a, Perturbation(-ux, -uy)), (b, Perturbation(ux, uy))))
    rest = LinearPiece(limit_mm - gap_mm, _name_length((a, Perturbation(ux, uy)), (b, Perturbation(-ux, -uy))))
    return KnownForm(Minimum((rest, LinearPiece(limit_mm)))) if may_touch else KnownForm(rest, {called: gap})


def _disc(table: ExactTable, place: str | Point) -> tuple[Point, float]:
    if not isinstance(place, str):
        return place, 0.0
    return table.centre(place), table.base(place).radius_mm


def _name_length(*slopes: tuple[str | Point, Perturbation]) -> dict[str, Perturbation]:
    return {place: slope for place, slope in slopes if isinstance(place, str)}
