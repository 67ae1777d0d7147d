"""Forms that rules tell: of opposite conditions, and of a gap that cannot become less than none."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.parsing import parse_query
from referee.editions.registry import EDITIONS
from referee.margins.distance_margin import limit_form
from referee.rules.edition import Rule
from referee.rules.exact_table import ExactTable
from referee.rules.margin_form import LinearPiece, MarginForm, Maximum, Minimum, negate_form, project_onto_modes
from referee.rules.perturbation import Perturbation
from referee.rules.rule_result import RuleResult
from referee.uncertainty.probability import uncertainty_of_result
from tests.referee.tables import mini, table

ACROSS = ({"a": Perturbation(dx_mm=1.0)}, {"a": Perturbation(dy_mm=1.0)})
_mm = st.floats(-50, 50)
_pieces = st.builds(lambda mm, dx, dy: LinearPiece(mm, {"a": Perturbation(dx, dy)}), _mm, _mm, _mm)
_forms: st.SearchStrategy[MarginForm] = st.recursive(
    _pieces,
    lambda inner: st.one_of(
        st.builds(Minimum, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(Maximum, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    ),
    max_leaves=6,
)


@given(_forms, _mm, _mm)
def test_the_form_of_the_opposite_is_the_opposite_everywhere(form: MarginForm, x: float, y: float) -> None:
    drawn = np.array([[x, y]])

    assert project_onto_modes(negate_form(form), ACROSS).evaluate(drawn) == pytest.approx(
        -project_onto_modes(form, ACROSS).evaluate(drawn)
    )


@given(st.floats(-1.5, 3.0))
def test_of_bases_that_may_touch_the_told_reach_is_that_of_the_moved_bases(apart_mm: float) -> None:
    state = table(mini("a", 300, 300, sigma=0.4), mini("b", 330 + apart_mm, 300, sigma=0.4))
    form = limit_form(ExactTable(state, EDITIONS[state.edition]), "a", "b", 12.7, least_is_touching=True)
    assert form is not None
    told = form(0.4, 0.0)
    assert told is not None
    for nudge_mm in (-2.0, -0.5, 0.0, 0.5, 2.0):
        reached = project_onto_modes(told.margin, [{"b": Perturbation(dx_mm=nudge_mm)}]).evaluate(np.array([[1.0]]))

        assert float(reached[0]) == pytest.approx(12.7 - max(0.0, apart_mm + nudge_mm))


def test_a_condition_and_its_opposite_are_asked_at_rest_alone() -> None:
    """Both are told how they change, so neither is asked on perturbed tables."""
    state = table(
        mini("a", 300, 300, 0, reach=0.5, sigma=0.4, side="red"),
        mini("b", 360, 300, 180, reach=0.5, sigma=0.4, side="blue"),
        mini("c", 900, 300, 180, reach=0.5, side="red"),
    )
    asked = {"kind": "in-melee-penalty", "attacker": "c", "target": "b"}
    rule, query = EDITIONS[state.edition].rules, parse_query(asked)
    times = [0]

    def counted(perturbed: ExactTable) -> RuleResult:
        times[0] += 1
        penalty: Rule = rule[type(query)]
        return penalty(perturbed, query)

    at_rest = ExactTable(state, EDITIONS[state.edition])
    doubt = uncertainty_of_result(counted, at_rest, counted(at_rest))

    assert doubt is not None
    assert math.isclose(doubt.sigma_mm, 0.4 * math.sqrt(2), rel_tol=1e-3)
    assert times[0] == 1
