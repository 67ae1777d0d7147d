"""Redrawing: shares of tables on which a margin with corners is met, where the answer is known."""

import math
import random
from collections.abc import Callable

import numpy as np
import pytest

from referee import EDITIONS
from referee.arrays import Floats
from referee.rules.candidates import traced
from referee.rules.exact_table import ExactTable
from referee.rules.margin_form import BentPiece, JoinedPieces, prune
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least
from referee.uncertainty.monte_carlo import Redrawing
from referee.uncertainty.probability import Uncertainty, uncertainty_of_result
from referee.uncertainty.stratified_share import Share
from tests.strategies import mini, state_of

Margin = Callable[[float, float], float]


def redrawing_of(margin_mm: Margin) -> Redrawing:
    """Of a margin that hangs on two unit-normal errors: how far a base was mismeasured along x and y."""

    def ask(table: ExactTable) -> RuleResult:
        x, y = table.centre("a")
        return RuleResult(margin_mm=margin_mm(x - 300.0, y - 600.0), depends_on_place=("a",))

    table = ExactTable(state_of([mini("a", 300, 600, sigma={"at_mm": 1.0})]), EDITIONS["warmachine-prime"])
    return Redrawing(ask, table, ask(table))


def predict(redrawing: Redrawing, margin_mm: Margin) -> Floats:
    """What such a margin is on each draw, whichever way the errors are listed."""
    shifts = np.array([[mode["a"].dx_mm, mode["a"].dy_mm] for mode in redrawing.modes])
    return np.array([margin_mm(x, y) for x, y in redrawing.draws @ shifts])


def share(true: Margin, told: Margin | None = None, *, answer_only: bool = False) -> tuple[Share, int]:
    redrawing = redrawing_of(true)
    predicted = None if told is None else predict(redrawing, told)
    found = redrawing.estimate(predicted=predicted, is_trusted=told is true, answer_only=answer_only)
    return found, len(redrawing.asked)


def doubted(margin_mm: Margin) -> Uncertainty:
    redrawing = redrawing_of(margin_mm)
    doubt = uncertainty_of_result(redrawing.ask, redrawing.table, redrawing.result)
    assert doubt is not None
    return doubt


def phi(z: float) -> float:
    return 0.5 * math.erfc(-z / math.sqrt(2))


@pytest.mark.parametrize("mm", [-1.0, 0.0, 0.7, 2.0])
def test_the_least_of_two_alike_is_met_when_both_are(mm: float) -> None:
    share = doubted(lambda x, y: mm + min(x, y)).share

    assert share.probability == pytest.approx(phi(mm) ** 2, abs=0.07)  # two deviations of 200 draws
    assert share.low <= phi(mm) ** 2 <= share.high


@pytest.mark.parametrize("mm", [-2.0, -1.0, 0.0, 0.7])
def test_the_greatest_of_two_alike_is_met_when_either_is(mm: float) -> None:
    assert doubted(lambda x, y: mm + max(x, y)).probability == pytest.approx(1 - phi(-mm) ** 2, abs=0.03)


def test_what_is_predicted_exactly_is_known_to_a_tail() -> None:
    def both(x: float, y: float) -> float:
        return min(3.3 + x, 3.5 + y)

    found, asked = share(both, both)

    assert 1 - found.probability == pytest.approx(1 - phi(3.3) * phi(3.5), abs=5e-4)
    assert asked <= 48


def test_a_prediction_that_is_off_is_put_right_by_asking() -> None:
    found, _ = share(lambda x, y: min(2.0 + x, 3.0 + y), lambda x, y: min(2.2 + x, 3.0 + y))

    assert found.probability == pytest.approx(phi(2.0) * phi(3.0), abs=0.01)


def test_a_prediction_that_tells_nothing_is_not_believed() -> None:
    found, _ = share(lambda x, y: min(0.5 + 3 * x, 0.5 - 3 * y), lambda x, _: 4.0 + x)

    assert found.low < phi(0.5 / 3) ** 2 < found.high


@pytest.mark.parametrize("mm", [0.0, 0.8, 1.5, -0.8])
def test_a_leap_that_no_slope_leads_to_is_counted(mm: float) -> None:
    doubt = doubted(lambda x, y: 50.0 if x + y < mm else -50.0)

    assert doubt.method == "redrawn"
    assert doubt.probability == pytest.approx(phi(mm / math.sqrt(2)), abs=0.08)
    assert doubt.share.draws < math.inf


def test_what_only_errors_together_turn_is_never_sure() -> None:
    """A lane that stays open whichever single error is made, and closes under two of them."""
    doubt = doubted(lambda x, y: 50.0 if abs(x) < 1.0 or abs(y) < 1.0 else -50.0)

    assert not doubt.share.is_sure


def test_an_allowance_exactly_spent_is_met_wherever_nothing_else_fails() -> None:
    assert doubted(lambda x, _: min(0.0, 1.0 + x)).probability == pytest.approx(phi(1.0), abs=0.07)


@pytest.mark.parametrize("mm", [-3.5, -1.4, 1.2, 3.4])
def test_who_wants_the_answer_alone_gets_the_same_from_no_more_tables(mm: float) -> None:
    def true(x: float, y: float) -> float:
        return mm + min(x, y) if mm > 0 else mm + max(x, y)

    (full, asked), (answered, fewer) = share(true), share(true, answer_only=True)

    assert fewer <= asked
    assert (full.is_sure, full.is_too_close) == (answered.is_sure, answered.is_too_close)


def test_a_share_of_few_tables_claims_no_more_than_they_tell() -> None:
    found, asked = share(lambda *_: 50.0)

    assert found.is_sure
    assert found.probability < 1 - 0.25 / asked


def test_the_same_question_has_the_same_share() -> None:
    assert share(lambda x, y: min(1.1 + x, 1.3 + y)) == share(lambda x, y: min(1.1 + x, 1.3 + y))


Form = Callable[[Floats], Floats]


def random_piece(r: random.Random, count: int) -> Form:
    """A straight margin over unit-normal errors (..., count), of sigma one: along few of them, or all."""
    along = r.sample(range(count), r.choice((1, 1, 2, count)))
    slopes = np.zeros(count)
    slopes[along] = [r.choice((-1.0, 1.0)) * r.uniform(0.3, 1.0) for _ in along]
    slopes /= np.linalg.norm(slopes)
    offset = r.choice((0.0, 0.0, r.uniform(-2.5, 2.5)))
    return lambda z: z @ slopes + offset


def random_form(r: random.Random, count: int) -> Form:
    """Pieces joined as rules join conditions: all, either, sums of what is lost, a switch between two."""
    pieces = [random_piece(r, count) for _ in range(r.choice((2, 3)))]
    others = [random_piece(r, count) for _ in pieces]
    lowest, highest = np.minimum, np.maximum
    joined = {
        "all": lambda z: lowest.reduce([p(z) for p in pieces]),
        "either": lambda z: highest.reduce([p(z) for p in pieces]),
        "losses": lambda z: np.sum([lowest(p(z), 0.0) for p in pieces], axis=0),
        "gains": lambda z: np.sum([highest(p(z), 0.0) for p in pieces], axis=0),
        "all of either": lambda z: lowest.reduce([highest(p(z), q(z)) for p, q in zip(pieces, others, strict=True)]),
        "either of all": lambda z: highest.reduce([lowest(p(z), q(z)) for p, q in zip(pieces, others, strict=True)]),
        "leap": lambda z: np.where(pieces[0](z) > 0, 3.0, -3.0),
        "switch": lambda z: np.where(pieces[0](z) > 0, pieces[1](z), others[0](z)),
    }
    form, offset = joined[r.choice(list(joined))], r.uniform(-2.8, 2.8)
    return lambda z: form(z) + offset


def doubt_of_form(form: Form, count: int) -> tuple[Share, float]:
    """What is stated of a margin over the errors of some bases, and the share of many draws on which it is met."""
    places = {f"m{k}": (300.0 + 200 * k, 600.0) for k in range(count // 2)}

    def ask(table: ExactTable) -> RuleResult:
        errors = [c - at for id_, place in places.items() for c, at in zip(table.centre(id_), place, strict=True)]
        return RuleResult(margin_mm=float(form(np.array(errors))), depends_on_place=tuple(places))

    state = state_of([mini(id_, *place, sigma={"at_mm": 1.0}) for id_, place in places.items()])
    table = ExactTable(state, EDITIONS["warmachine-prime"])
    doubt = uncertainty_of_result(ask, table, ask(table))
    met = form(np.random.default_rng(0).standard_normal((20_000, count))) > 0
    assert doubt is not None
    return doubt.share, float(met.mean())


@pytest.mark.parametrize("seed", range(150))
def test_no_joined_margin_is_sure_and_wrong(seed: int) -> None:
    r = random.Random(seed)
    count = r.choice((2, 4, 6))
    share, true = doubt_of_form(random_form(r, count), count)

    assert share.low - 0.03 <= true <= share.high + 0.03


@pytest.mark.parametrize("count", [2, 4, 6])
@pytest.mark.parametrize("mm", [-1.0, -0.6, 0.6, 1.0])
def test_a_corner_that_no_single_error_leaves_is_seen(count: int, mm: float) -> None:
    """The middle of several: single errors change nothing, and all together decide."""

    def middle(z: Floats) -> Floats:
        pairs = [(z[..., k], z[..., k + 1]) for k in range(0, count, 2)]
        inner = [np.minimum(np.maximum(a, b), np.maximum(np.minimum(a, b), 0.0)) for a, b in pairs]
        return mm + 2 * np.sum(inner, axis=0)

    share, true = doubt_of_form(middle, count)

    assert share.low - 0.03 <= true <= share.high + 0.03


def straight(mm: float, *slope: float) -> BentPiece:
    slopes = np.array(slope)
    return BentPiece(mm, slopes, slopes)


def test_a_piece_that_nothing_turns_decides_or_falls_away() -> None:
    sure, gone, open_ = straight(9.0, 1.0, 0.0), straight(-9.0, 1.0, 0.0), straight(1.0, 1.0, 0.0)

    assert prune(JoinedPieces((sure, open_), is_minimum=True), 6.0) is open_
    assert prune(JoinedPieces((gone, open_), is_minimum=False), 6.0) is open_
    assert prune(JoinedPieces((gone, open_), is_minimum=True), 6.0) is False
    assert prune(JoinedPieces((sure, open_), is_minimum=False), 6.0) is True


def test_a_draw_is_the_same_state_for_every_question_about_a_table() -> None:
    states = []

    def ask(table: ExactTable) -> RuleResult:
        states.append(table.state)
        return RuleResult(margin_mm=1.0)

    table = redrawing_of(lambda x, y: 1.0).table
    for _ in range(2):
        Redrawing(ask, table, RuleResult(margin_mm=1.0)).resolve([3])

    assert states[0] is states[1]


@pytest.mark.parametrize(("mm", "is_sure"), [(20.0, True), (-20.0, True), (2.0, False), (-2.0, False)])
def test_a_scatter_tells_the_share_only_where_it_is_sure(mm: float, is_sure: bool) -> None:
    share = redrawing_of(lambda x, y: mm + x).share_by_scatter()

    assert (share is not None) == is_sure
    assert share is None or share.low <= phi(mm) <= share.high


def test_one_far_table_that_says_otherwise_leaves_the_share_to_be_counted() -> None:
    assert redrawing_of(lambda x, y: 20.0 if x < 2.5 else -20.0).share_by_scatter() is None


def test_a_comparison_near_its_limit_that_changes_nothing_costs_few_tables() -> None:
    asked = []

    def ask(table: ExactTable) -> RuleResult:
        asked.append(table)
        is_at_least(table.centre("a")[1] - 600.0, 0.1, "stands beside", ("a",))
        return RuleResult(margin_mm=50.0 + table.centre("a")[0] - 300.0, depends_on_place=("a",))

    table = redrawing_of(lambda x, y: 1.0).table
    doubt = uncertainty_of_result(traced(ask), table, traced(ask)(table))

    assert doubt is not None
    assert doubt.probability == 1.0
    assert len(asked) < 20
