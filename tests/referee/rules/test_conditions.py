"""Several conditions that must hold, or of which one is enough: which of them decides where two are at one limit."""

import pytest

from referee.rules.conditions import all_of, any_of, negate
from referee.rules.rule_result import RuleResult

ROUNDING_MM = 1e-12


def at(mm: float, *, zero_is_met: bool) -> RuleResult:
    return RuleResult(margin_mm=mm, zero_is_met=zero_is_met)


@pytest.mark.parametrize("off", [-ROUNDING_MM, 0.0, ROUNDING_MM])
def test_rounding_does_not_say_whether_one_of_two_at_their_limit_is_enough(off: float) -> None:
    inside, outside = at(off, zero_is_met=True), at(-off, zero_is_met=False)

    assert any_of((inside, outside)).zero_is_met
    assert any_of((outside, inside)).zero_is_met


@pytest.mark.parametrize("off", [-ROUNDING_MM, 0.0, ROUNDING_MM])
def test_rounding_does_not_say_whether_both_of_two_at_their_limit_hold(off: float) -> None:
    lenient, strict = at(off, zero_is_met=True), at(-off, zero_is_met=False)

    assert not all_of((("lenient", lenient), ("strict", strict))).zero_is_met
    assert not all_of((("strict", strict), ("lenient", lenient))).zero_is_met


def test_what_is_necessary_to_one_is_necessary_to_all_and_neither_to_any_nor_to_the_opposite() -> None:
    bound = RuleResult(margin_mm=-50.0)
    bounded, other = RuleResult(margin_mm=-5.0, necessary=bound), RuleResult(margin_mm=-20.0)

    assert all_of((("a", bounded),)).necessary is bound
    assert any_of((bounded, other)).necessary is None
    assert negate(bounded).necessary is None
