"""Gap between bases: whether a base is narrow enough to pass."""

from models.queries import FitsBetween
from models.verdict import Witness
from referee.editions.warmachine.miniatures.distances import hinges
from referee.editions.warmachine.movement.cross_obstacle import CHARGE_STOPS
from referee.editions.warmachine.parameters import because
from referee.geometry.distance import area_gap
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_FITS = because("Normal Movement & Advancing", 30, "A base moves through where it fits between the others.")


def fits_between(table: ExactTable, query: FitsBetween) -> RuleResult:
    """Gap between bases: whether the base fits through a gap; a gap just as wide lets an advance through.

    Source: p. 30; Charge, p. 31.
    """
    between = area_gap(table.area(query.a), table.area(query.b))
    wide = 2 * table.base(query.mover).reach_mm
    grazes = query.manner == "charge" and table.reading("graze") != "passes"
    return RuleResult(
        margin_mm=between.mm - wide,
        zero_is_met=not grazes,
        value={"width_mm": between.mm, "needed_mm": wide},
        lengths_mm={"width": between.mm},
        witness=(Witness(type="segment", role="limit", points_mm=(between.at_a, between.at_b), of=(query.a, query.b)),),
        because=(_FITS, CHARGE_STOPS) if query.manner == "charge" else (_FITS,),
        readings=("graze",) if query.manner == "charge" else (),
        depends_on_place=hinges(table, query.a, query.b),
    )
