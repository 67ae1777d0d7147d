"""Command range: whether a commander reaches a miniature with an order or its command."""

from models.queries import CommandRange
from models.verdict import CAPPED_MM
from referee.editions.warmachine.command.formation import command_mm
from referee.editions.warmachine.miniatures.distances import draw_ruler
from referee.editions.warmachine.parameters import because
from referee.geometry.distance import gap
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_COMMAND = because("Model Statistics", 15, "The command range is the CMD stat in inches, from the base edge.")
_OWN = because("Model Statistics", 15, "Everybody is completely within its own command range.")
_MARSHAL = because("'Jack Marshals", 74, "A warjack has its marshal's benefits within the marshal's command range.")
_ORDER = because("Issuing Orders", 64, "An order reaches the troopers that are in formation when it is given.")


def command_range(table: ExactTable, query: CommandRange) -> RuleResult:
    """Command range: whether one is within another's command range; the limit itself is.

    Source: Model Statistics, p. 15.
    """
    unit = next((u for u in table.state.units if u.commander == query.commander), None)
    own = unit is not None and table.miniature(query.who).unit == unit.id
    limit = command_mm(table, query.commander, unit if own else None)
    reasons = (_COMMAND, *{"marshal": (_MARSHAL,), "order": (_ORDER,)}.get(query.purpose or "", ()))
    if limit is None:
        need = f"profile.cmd_in of {query.commander}"
        return RuleResult(
            status="unknown", needs=(need,), because=reasons, depends_on_place=(query.commander, query.who)
        )
    between = gap(table.base(query.commander), table.base(query.who))
    myself = query.who == query.commander
    apart = 0.0 if myself else max(0.0, between.mm)
    return RuleResult(
        margin_mm=CAPPED_MM if myself else limit - apart,
        value={"stat": "command", "range_mm": limit, "distance_mm": apart, "whole_unit": False},
        lengths_mm={"distance": apart},
        witness=(draw_ruler(between, query.commander, query.who, role="clear" if apart <= limit else "blocked"),),
        because=(*reasons, _OWN) if myself else reasons,
        depends_on_place=(query.commander, query.who),
    )
