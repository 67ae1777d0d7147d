"""Zone separation: how far deployment zones are from one another."""

from models.queries import ZoneSeparation
from models.unit_conversion import inches
from models.verdict import Witness
from referee.editions.warmachine.parameters import because
from referee.geometry.distance import area_gap
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

SEPARATION_MM = inches(28)  # Source: Scenarios, p. 26
_APART = because("Scenarios", 26, "In a home-made scenario rival zones are at least 28 in apart.")


def zone_separation(table: ExactTable, query: ZoneSeparation) -> RuleResult:
    """Zone separation: whether two deployment zones lie far enough apart; exactly 28 in will do.

    Source: Scenarios, p. 26.
    """
    between = area_gap(table.area(query.a), table.area(query.b))
    apart = max(0.0, between.mm)
    return RuleResult(
        margin_mm=apart - SEPARATION_MM,
        value={"distance_mm": apart},
        lengths_mm={"distance": apart},
        witness=(Witness(type="segment", role="limit", points_mm=(between.at_a, between.at_b), of=_zones_of(query)),),
        because=(_APART,),
        depends_on_place=(query.a, query.b),
    )


def _zones_of(query: ZoneSeparation) -> tuple[str, ...]:
    return (query.a, query.b)
