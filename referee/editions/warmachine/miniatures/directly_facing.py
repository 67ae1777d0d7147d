"""Directly facing: the middle of the front arc runs through the other base's centre."""

import math

from models.queries import DirectlyFacing
from models.unit_conversion import wrap_rad
from models.verdict import Witness
from referee.editions.warmachine.parameters import because
from referee.margins.front_arc import direction
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import name_of, with_effect
from referee.rules.rule_result import RuleResult

_STRAIGHT = because("Facing", 21, "It faces directly when the middle of its front arc runs through the other's centre.")
_INERT = because("Inert Warjacks", 59, "An inert warjack has no facing.", "It looks at nothing.")


def directly_facing(table: ExactTable, query: DirectlyFacing) -> RuleResult:
    """Directly facing: whether the facing runs through the target's centre, within the tolerance.

    Source: Facing, p. 21.

    As with contact, what has to be exact is told by a tolerance, and how surely it is kept stays open: a facing
    measured to half a degree or better can be told to look straight at somebody, a rougher one cannot. Its tolerance is
    twice its sigma, which a true facing leaves one time in twenty at best; the players' word sets the facing exactly.
    """
    viewer = table.miniature(query.viewer)
    if "inert" in viewer.status:
        return RuleResult(margin_mm=-180.0, in_degrees=True, because=(_INERT,), depends_on_place=(query.viewer,))
    (x, y), (tx, ty) = table.centre(query.viewer), table.centre(query.target)
    facing = table.facing_rad(query.viewer)
    left = math.degrees(wrap_rad(math.atan2(ty - y, tx - x) - facing))
    error, tolerance = abs(left), max(table.state.facing_tolerance_deg, 2 * viewer.sigma.facing_deg)
    parts = tuple(
        RuleResult(
            margin_mm=tolerance - side,
            in_degrees=True,
            depends_on_place=(query.viewer, query.target),
            depends_on_facing=(query.viewer,),
        )
        for side in (left, -left)
    )
    away = math.dist((x, y), (tx, ty))
    ux, uy = direction(facing)
    return RuleResult(
        margin_mm=tolerance - error,
        in_degrees=True,
        conditions=parts,
        value={"error_deg": error, "tolerance_deg": tolerance},
        witness=(
            Witness(type="segment", role="arc", points_mm=((x, y), (x + ux * away, y + uy * away)), of=(query.viewer,)),
            Witness(type="segment", role="limit", points_mm=((x, y), (tx, ty)), of=(query.viewer, query.target)),
        ),
        because=(
            with_effect(
                table,
                _STRAIGHT,
                f"The facing of {name_of(table, query.viewer)} misses the middle of {name_of(table, query.target)} by "
                f"{error:.1f} degrees; {tolerance:.1f} are allowed.",
            ),
        ),
        depends_on_place=(query.viewer, query.target),
        depends_on_facing=(query.viewer,),
    )
