"""What must hold on every table of HORDES."""

from typing import Any

import pytest
from hypothesis import given, settings

from models.parsing import parse_query
from models.state import TableState
from models.verdict import Verdict
from referee import ask
from tests.referee.scenarios.hordes.field import measured
from tests.strategies import moved, rigid_motions, tables

PAIRS: list[dict[str, Any]] = [
    {"kind": "los", "viewer": "m0", "target": "m1"},
    {"kind": "cover", "attacker": "m0", "target": "m1"},
    {"kind": "melee-range", "attacker": "m0", "target": "m1", "reach_in": 2},
    {"kind": "elevation-bonus", "attacker": "m0", "target": "m1"},
]


def verdict(state: TableState, query: dict[str, Any]) -> Verdict:
    return ask(measured(state), parse_query(query))


@pytest.mark.parametrize("query", PAIRS, ids=lambda q: q["kind"])
@given(state=tables(), motion=rigid_motions())
@settings(max_examples=25)
def test_moving_or_mirroring_the_whole_table_changes_no_margin(
    query: dict[str, Any], state: TableState, motion: tuple[float, float, float, bool]
) -> None:
    here, there = verdict(state, query), verdict(moved(state, motion), query)

    assert (there.status, there.margin_mm) == (here.status, pytest.approx(here.margin_mm, abs=1e-6))


@given(state=tables())
@settings(max_examples=25)
def test_what_is_told_without_a_licence_holds_no_figure(state: TableState) -> None:
    """Sight is free, its figures are not: whatever stands on the table, none comes through."""
    told = ask(state.in_edition("hordes-mk2"), parse_query({"kind": "los", "viewer": "m0", "target": "m1"}))

    assert not list(_figures(told.value))
    assert (told.margin_mm, told.sigma_mm, told.probability, told.measured) == (None, None, None, ())


def _figures(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [figure for one in value.values() for figure in _figures(one)]
    if isinstance(value, list):
        return [figure for one in value for figure in _figures(one)]
    return [value] if isinstance(value, int | float) and not isinstance(value, bool) else []
