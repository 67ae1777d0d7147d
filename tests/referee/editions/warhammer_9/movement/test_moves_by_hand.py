"""Moves and pursuits of random tables against small steps worked from the book, which share no code with the referee.

`python -m benchmarks.rules.small_steps ranked-moves` asks about a thousand tables.
"""

import pytest

from tests.referee.editions.warhammer_9.movement.moves_by_hand import (
    move_by_hand,
    move_disagreement,
    pursuit_by_hand,
    pursuit_disagreement,
    random_dice,
    random_steps,
    random_world,
)


@pytest.mark.parametrize("seed", range(25))
def test_a_move_is_what_small_steps_find_it_to_be(seed: int) -> None:
    assert move_disagreement(seed) is None


@pytest.mark.parametrize("seed", range(25))
def test_a_pursuit_ends_where_small_steps_end(seed: int) -> None:
    assert pursuit_disagreement(seed) is None


def test_small_steps_decide_moves_either_way_and_most_pursuits() -> None:
    moves = [move_by_hand(random_world(seed, fight=False), *random_steps(seed)) for seed in range(25)]
    chases = [pursuit_by_hand(random_world(seed, fight=True), *random_dice(seed)) for seed in range(25)]

    assert {one[0] for one in moves if one is not None} == {"yes", "no"}
    assert {one.stopped_by for one in chases if one is not None} >= {None, "L"}
    assert sum(one is not None for one in chases) > 12
