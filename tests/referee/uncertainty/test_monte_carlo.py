"""Probabilities of margins with corners, where the answer is known."""

import math

import numpy as np
import pytest

from models.state import TableState
from referee.arrays import Floats
from referee.rules.margin_form import BentPiece, JoinedPieces, Surrogate, prune
from referee.uncertainty.monte_carlo import probability_by_sampling
from tests.strategies import mini, state_of

STATE: TableState = state_of([mini("a", 300, 600), mini("b", 500, 600)])


def straight(mm: float, *slope: float) -> BentPiece:
    slopes = np.array(slope)
    return BentPiece(mm, slopes, slopes)


def phi(z: float) -> float:
    return 0.5 * math.erfc(-z / math.sqrt(2))


def share(surrogate: Surrogate, true: Surrogate | None = None) -> float:
    def resolve(draw: Floats) -> float:
        return float((true or surrogate).evaluate(draw[None, :])[0])

    return probability_by_sampling(surrogate, 2, resolve, STATE).probability


@pytest.mark.parametrize("mm", [-1.0, 0.0, 0.7, 2.0])
def test_the_least_of_two_alike_is_met_when_both_are(mm: float) -> None:
    both = JoinedPieces((straight(mm, 1.0, 0.0), straight(mm, 0.0, 1.0)), is_minimum=True)

    assert share(both) == pytest.approx(phi(mm) ** 2, abs=0.01)


@pytest.mark.parametrize("mm", [-2.0, -1.0, 0.0, 0.7])
def test_the_greatest_of_two_alike_is_met_when_either_is(mm: float) -> None:
    either = JoinedPieces((straight(mm, 1.0, 0.0), straight(mm, 0.0, 1.0)), is_minimum=False)

    assert share(either) == pytest.approx(1 - phi(-mm) ** 2, abs=0.01)


def test_a_tail_rests_on_many_draws() -> None:
    both = JoinedPieces((straight(3.3, 1.0, 0.0), straight(3.5, 0.0, 1.0)), is_minimum=True)

    assert 1 - share(both) == pytest.approx(1 - phi(3.3) * phi(3.5), abs=4e-4)


def test_a_surrogate_that_is_off_is_put_right_by_asking() -> None:
    told = JoinedPieces((straight(2.2, 1.0, 0.0), straight(3.0, 0.0, 1.0)), is_minimum=True)
    true = JoinedPieces((straight(2.0, 1.0, 0.0), straight(3.0, 0.0, 1.0)), is_minimum=True)

    assert share(told, true) == pytest.approx(phi(2.0) * phi(3.0), abs=0.006)


def test_a_surrogate_that_tells_nothing_is_not_believed() -> None:
    told, true = (
        straight(4.0, 1.0, 0.0),
        JoinedPieces((straight(0.5, 3.0, 0.0), straight(0.5, 0.0, -3.0)), is_minimum=True),
    )

    assert share(JoinedPieces((told, told), is_minimum=True), true) == pytest.approx(phi(0.5 / 3) ** 2, abs=0.12)


def test_a_surrogate_that_tells_a_little_makes_the_share_less_a_matter_of_chance() -> None:
    told = straight(0.0, 1.0, 0.1)
    true = straight(0.0, 1.0, 0.6)  # off by more than is trusted
    shares = []
    for id_ in "abcdefghijklmnop":
        state = state_of([mini(id_, 300, 600)])
        resolve = lambda draw: float(true.evaluate(draw[None, :])[0])  # noqa: E731
        shares.append(
            probability_by_sampling(JoinedPieces((told, told), is_minimum=True), 2, resolve, state).probability
        )

    assert np.std(shares) < 0.06  # of forty draws each, that of chance alone is 0.08


def test_a_piece_that_nothing_turns_decides_or_falls_away() -> None:
    sure, gone, open_ = straight(9.0, 1.0, 0.0), straight(-9.0, 1.0, 0.0), straight(1.0, 1.0, 0.0)

    assert prune(JoinedPieces((sure, open_), is_minimum=True), 6.0) is open_
    assert prune(JoinedPieces((gone, open_), is_minimum=False), 6.0) is open_
    assert prune(JoinedPieces((gone, open_), is_minimum=True), 6.0) is False
    assert prune(JoinedPieces((sure, open_), is_minimum=False), 6.0) is True


def side(probability: float) -> tuple[bool, bool]:
    return probability >= 0.975, probability <= 0.025


@pytest.mark.parametrize("off", [0.0, 0.2, -0.4, 5.0])
@pytest.mark.parametrize("mm", [-3.5, -2.1, -1.9, -1.4, 1.2, 1.6, 1.9, 2.0, 2.1, 2.3, 3.4])
def test_who_wants_the_answer_alone_gets_the_same_with_fewer_draws(mm: float, off: float) -> None:
    told = JoinedPieces((straight(mm + off, 1.0, 0.0), straight(mm + off, 0.0, 1.0)), is_minimum=mm > 0)
    true = JoinedPieces((straight(mm, 1.0, 0.0), straight(mm, 0.0, 1.0)), is_minimum=mm > 0)
    asked = list[int]()

    def resolve(draw: Floats) -> float:
        asked.append(1)
        return float(true.evaluate(draw[None, :])[0])

    full = probability_by_sampling(told, 2, resolve, STATE).probability
    in_full = len(asked)
    answered = probability_by_sampling(told, 2, resolve, STATE, among=(0.025, 0.975)).probability

    assert side(answered) == side(full)
    assert len(asked) - in_full <= in_full


def test_where_no_draw_can_change_the_answer_only_pilots_are_asked() -> None:
    asked = list[int]()
    both = JoinedPieces((straight(1.6, 1.0, 0.0), straight(2.5, 0.0, 1.0)), is_minimum=True)

    def resolve(draw: Floats) -> float:
        asked.append(1)
        return float(both.evaluate(draw[None, :])[0]) - 0.001

    probability_by_sampling(both, 2, resolve, STATE, among=(0.025, 0.975))

    assert len(asked) == 32


def test_the_same_state_has_the_same_probability() -> None:
    both = JoinedPieces((straight(1.1, 1.0, 0.2), straight(1.3, 0.1, 1.0)), is_minimum=True)

    assert share(both) == share(both)


def test_what_was_counted_on_few_tables_is_told_between_two_shares() -> None:
    told, true = straight(4.0, 1.0, 0.0), straight(2.0, 0.0, 1.0)

    found = probability_by_sampling(
        JoinedPieces((told, told), is_minimum=True), 2, lambda draw: float(true.evaluate(draw[None, :])[0]), STATE
    )

    assert found.low < phi(2.0) < found.high
    assert found.low < 0.975  # 200 tables cannot tell that


def test_what_stops_at_a_contact_is_met_in_every_draw() -> None:
    held = JoinedPieces((straight(0.0, 0.0, 0.0), straight(1.0, 0.1, 0.0)), is_minimum=True)

    found = probability_by_sampling(
        held, 2, lambda draw: float(held.evaluate(draw[None, :])[0]), STATE, threshold_mm=-1e-6
    )

    assert found.probability > 0.99
