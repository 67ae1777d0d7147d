"""Tables of the first edition on which everything may be measured, and scenarios named again from the later books."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from models.state import TableState
from tests.referee.scenario import Scenario
from tests.referee.tables import table


def field(*miniatures: dict[str, Any], **more: Any) -> TableState:
    """A table of the first edition; what may be measured when is held elsewhere."""
    return measured(table(*miniatures, **more))


def measured(state: TableState) -> TableState:
    return state.in_edition("warmachine-mk1").with_house_rules(measure_policy="allow")


def again(rule: str, later: str, scenarios: Sequence[Scenario]) -> tuple[Scenario, ...]:
    """The tables that hold a rule of a later book which reads the same here: they hold it with the same numbers."""
    return tuple(replace(one, rule=rule, state=measured(one.state)) for one in scenarios if one.rule == later)
