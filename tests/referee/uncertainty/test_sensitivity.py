"""What is learnt from perturbed tables where something leaps."""

import math
from collections.abc import Callable

import pytest

from referee import EDITIONS
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import FacingMissing, RuleResult
from referee.uncertainty.probability import Uncertainty, has_same_response, uncertainty_of_result
from tests.strategies import mini, state_of

SIGMA_MM = 0.5


def doubted(rule_mm: Callable[[float], float]) -> Uncertainty:
    """The doubt of a margin that hangs on how far a thing was mismeasured along x."""

    def ask(table: ExactTable) -> RuleResult:
        return RuleResult(margin_mm=rule_mm(table.centre("a")[0] - 300.0), depends_on_place=("a",))

    table = ExactTable(state_of([mini("a", 300, 600, sigma={"at_mm": SIGMA_MM})]), EDITIONS["warmachine-prime"])
    doubt = uncertainty_of_result(ask, table, ask(table))
    assert doubt is not None
    return doubt


@pytest.mark.parametrize("from_mm", [0.0, 0.3 * SIGMA_MM, 2 * SIGMA_MM, -2 * SIGMA_MM])
@pytest.mark.parametrize("far_mm", [-40.0, -4000.0])
def test_a_leap_is_no_slope_of_what_is_told(from_mm: float, far_mm: float) -> None:
    def leaping(off_mm: float) -> float:
        leaps = off_mm > from_mm if from_mm >= 0 else off_mm < from_mm
        return far_mm + 2 * off_mm - (300.0 if leaps else 0.0)

    assert doubted(leaping).sigma_mm == pytest.approx(2 * SIGMA_MM)


def test_a_leap_within_three_sigmas_widens_what_is_far() -> None:
    assert doubted(lambda off_mm: 40.0 - (300.0 if off_mm > 2 * SIGMA_MM else 0.0)).spread_mm > 40.0


@pytest.mark.parametrize("from_mm", [1.0, 4000.0])
@pytest.mark.parametrize("bent", [max, min])
def test_a_bend_is_told_by_its_standard_deviation(from_mm: float, bent: Callable[[float, float], float]) -> None:
    slope = math.sqrt(2.0**2 + (1 - 2 / math.pi) * 1.0**2)  # mean slope, and the variance of |z| of a unit normal
    assert doubted(lambda off_mm: from_mm + bent(off_mm, 3 * off_mm)).sigma_mm == pytest.approx(slope * SIGMA_MM)


def test_what_changes_straight_and_is_far_from_its_threshold_is_told_of_one_side_and_one_table_more() -> None:
    asked_mm = []

    def straight(off_mm: float) -> float:
        asked_mm.append(off_mm)
        return 4000.0 + off_mm

    assert doubted(straight).sigma_mm == pytest.approx(SIGMA_MM)
    at_rest, along_y = 0.0, 0.0
    assert asked_mm[:4] == pytest.approx([at_rest, 3 * SIGMA_MM, along_y, -1.5 * SIGMA_MM])


def test_ways_of_which_a_moved_table_wants_another_facing_do_not_move_alike() -> None:
    def ask(table: ExactTable) -> RuleResult:
        if table.perturbations:
            raise FacingMissing("b")
        return RuleResult(margin_mm=5.0, depends_on_place=("a",), depends_on_facing=("a",))

    table = ExactTable(state_of([mini("a", 300, 600, sigma={"at_mm": SIGMA_MM})]), EDITIONS["warmachine-prime"])
    one, other = table.with_facing("a", 0.0), table.with_facing("a", 1.0)

    assert not has_same_response(ask, ask(one), one, other)
