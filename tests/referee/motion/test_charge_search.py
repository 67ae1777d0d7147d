"""Charge search: the best heading is that of trying all, though only headings that may be better are tried."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from models.state import TableState
from referee.editions.registry import edition_of
from referee.editions.warmachine.movement.path import passability_of_charge
from referee.motion.charge_search import ChargeSearch, _knots
from referee.motion.heading_bounds import bound_charges
from referee.motion.straight_charge import SAFE_MM, ChargeAim, StraightCharge, straight_charge
from referee.rules.exact_table import ExactTable
from tests.strategies import examples, tables

BUDGETS_MM = (60.0, 228.6, 400.0, 800.0)


def slack_and_left(rush: StraightCharge) -> tuple[float, float]:
    slack = rush.short_mm if rush.short_mm < -SAFE_MM else rush.slack_mm
    return min(slack, SAFE_MM), rush.left_mm


@examples(60)
@given(tables(), st.sampled_from(BUDGETS_MM), st.sampled_from([12.7, 25.4, 50.8]))
def test_no_rush_does_better_than_its_bounds(state: TableState, budget_mm: float, reach_mm: float) -> None:
    table = ExactTable(state, edition_of(state))
    aim = ChargeAim(table.base("m0"), table.base("m1"), reach_mm, target_id="m1")
    search = ChargeSearch(aim, passability_of_charge(table, "m0"), budget_mm)
    knots = [knot for pair in search.intervals for knot in _knots(*pair)]
    bounds = bound_charges(aim, search.going, budget_mm, np.array(knots))

    assert all(search.slack(knot) <= bounds.slack_mm[k] for k, knot in enumerate(knots))
    assert all(search.charge_along(knot).left_mm <= bounds.left_mm[k] for k, knot in enumerate(knots))


@examples(60)
@given(tables(), st.sampled_from(BUDGETS_MM), st.sampled_from([12.7, 25.4, 50.8]))
def test_no_knot_is_better_than_the_best(state: TableState, budget_mm: float, reach_mm: float) -> None:
    table = ExactTable(state, edition_of(state))
    aim = ChargeAim(table.base("m0"), table.base("m1"), reach_mm, target_id="m1")
    going = passability_of_charge(table, "m0")
    search = ChargeSearch(aim, going, budget_mm)
    knots = [knot for pair in search.intervals for knot in _knots(*pair)]
    tried = [straight_charge(aim, heading, going, budget_mm) for heading in (aim.toward_rad, *knots)]

    assert slack_and_left(search.charge_along(search.rivals[0])) >= max(map(slack_and_left, tried))
    if not search.charge_along(search.best).succeeds:
        assert search.charge_along(search.best).left_mm >= max(rush.left_mm for rush in tried)
