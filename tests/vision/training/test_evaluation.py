"""How proposals are held against the truth."""

import numpy as np
import pytest

from vision.detection.network.proposals import Proposal
from vision.training.evaluation import DetectionCounts, match_truths

TRUTHS = np.array([[0, 50, 60, 30, 30, 0.0], [2, 200, 100, 50, 25, 0.3], [2, 300, 100, 40, 40, 0.2]], np.float32)


def _answers(**changes: object) -> list[Proposal]:
    right = [
        Proposal("round", (50, 60), 30, 30, 0.0, 0.9),
        Proposal("rect", (200, 100), 25, 50, 0.3, 0.8),
        Proposal("rect", (300, 100), 40, 40, 0.2, 0.7),
    ]
    return [Proposal(**(vars(right[0]) | changes)), *right[1:]]  # type: ignore[arg-type]


def test_the_truth_itself_is_without_error() -> None:
    one = match_truths(_answers(), TRUTHS)

    assert (one.recall, one.precision, one.right_kind) == (1.0, 1.0, 3)
    assert max(one.off) == pytest.approx(0.0, abs=1e-5)
    assert np.abs(one.turn_off_rad) == pytest.approx([0, 0], abs=1e-6)


def test_what_is_too_far_off_is_neither_found_nor_right() -> None:
    one = match_truths(_answers(at=(50, 65)), TRUTHS)

    assert one.recall == one.precision == pytest.approx(2 / 3)


def test_one_answer_finds_one_base() -> None:
    twice = np.concatenate([TRUTHS[:1], TRUTHS[:1]])

    assert match_truths(_answers()[:1], twice).found == 1


def test_a_wrong_kind_is_found_but_told() -> None:
    assert match_truths(_answers(kind="oval"), TRUTHS).right_kind == 2


def test_a_square_looks_the_same_after_a_quarter_turn() -> None:
    turned = [*_answers()[:2], Proposal("rect", (300, 100), 40, 40, 0.2 + np.pi / 2, 0.7)]

    assert np.abs(match_truths(turned, TRUTHS).turn_off_rad) == pytest.approx([0, 0], abs=1e-6)


def test_a_rectangle_with_its_sides_exchanged_and_a_quarter_turn_is_the_same() -> None:
    turned = [_answers()[0], Proposal("rect", (200, 100), 50, 25, 0.3 + np.pi / 2, 0.8), _answers()[2]]
    one = match_truths(turned, TRUTHS)

    assert np.abs(one.turn_off_rad) == pytest.approx([0, 0], abs=1e-6)
    assert np.abs(one.size_off) == pytest.approx([0, 0, 0], abs=1e-6)


def test_recall_is_told_for_each_kind() -> None:
    one = match_truths(_answers()[:2], TRUTHS)

    assert (one.recall_of("round"), one.recall_of("rect"), one.recall_of("oval")) == (1.0, 0.5, 0.0)


def test_tables_add_up() -> None:
    both = match_truths(_answers(), TRUTHS) + match_truths(_answers()[:1], TRUTHS)

    assert (both.truths, both.answers, both.found) == (6, 4, 4)
    assert DetectionCounts() + both == both
