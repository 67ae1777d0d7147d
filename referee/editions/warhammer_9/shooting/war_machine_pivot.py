"""War machine pivot: whether a machine may still fire after a turn."""

import math

from models.queries import WarMachinePivot
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import members_of, regiment
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult

_PIVOT = because("War Machines", 86, "It turns by up to 45 degrees either way and may still fire.")


def war_machine_pivot(table: ExactTable, query: WarMachinePivot) -> RuleResult:
    """War machine pivot: whether the machine may still fire after the turn. Source: War Machines, p. 86."""
    own = regiment(table, query.who)
    if query.heading_deg is not None:
        heading = math.radians(query.heading_deg)
    elif query.target is not None:
        to = regiment(table, query.target).centre
        heading = math.atan2(to[1] - own.centre[1], to[0] - own.centre[0])
    else:
        return RuleResult(status="unknown", needs=("heading_deg",), because=(_PIVOT,))
    turn = abs(math.degrees(math.remainder(heading - own.facing_rad, math.tau)))
    return RuleResult(
        margin_mm=parameters.PIVOT_DEG - turn,
        in_degrees=True,
        value={"turn_deg": turn},
        because=(with_effect(table, _PIVOT, f"It turns by {turn:.1f} degrees."),),
        depends_on_place=members_of(table, query.who)[:1],
        depends_on_facing=members_of(table, query.who)[:1],
    )
