"""Tables of HORDES on which everything may be measured, and scenarios named again from Prime."""

from dataclasses import replace
from typing import Any

from models.state import TableState
from tests.referee.scenario import Scenario
from tests.referee.scenarios import groups
from tests.referee.tables import table


def field(*miniatures: dict[str, Any], **more: Any) -> TableState:
    """A table of HORDES; what may be measured when is held elsewhere."""
    return measured(table(*miniatures, **more))


def measured(state: TableState) -> TableState:
    return state.in_edition("hordes-mk2").with_house_rules(measure_policy="allow")


def again(rule: str, of_prime: str) -> tuple[Scenario, ...]:
    """The tables that hold a rule of Prime which has not changed: they hold it here, with the same numbers."""
    found = (one for one in groups.SCENARIOS if one.rule == of_prime)
    return tuple(replace(one, rule=rule, state=measured(one.state)) for one in found)
