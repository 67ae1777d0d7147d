"""Of the ranks of a unit only the rearmost may be short: shapes tell which way a unit faces."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.ranked.ranked_units import formation_log_odds, ranks_and_files

Cell = tuple[int, int]

CELLS = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1).map(sorted)


def _unit(ranks: int, files: int, last: int) -> list[Cell]:
    """Columns ahead and rows to the left of a unit that faces quarter 0, its rear rank of so many."""
    counts = [files] * (ranks - 1) + [last]
    return [(-rank, -file) for rank, count in enumerate(counts) for file in range(count)]


def _turned(cells: list[Cell]) -> list[Cell]:
    return [(-y, x) for x, y in cells]


@given(CELLS)
def test_a_block_turned_by_a_quarter_faces_the_next_way(cells: list[Cell]) -> None:
    assert formation_log_odds(_turned(cells)) == pytest.approx(np.roll(formation_log_odds(cells), 1))


@given(CELLS, st.integers(-3, 3), st.integers(-3, 3))
def test_where_the_count_of_columns_and_rows_begins_says_nothing(cells: list[Cell], x: int, y: int) -> None:
    moved = [(column + x, row + y) for column, row in cells]

    assert formation_log_odds(moved) == pytest.approx(formation_log_odds(cells))


@pytest.mark.parametrize("files", [3, 4, 5, 6])
@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_a_unit_whose_rear_rank_is_short_by_two_or_more_faces_away_from_it(ranks: int, files: int) -> None:
    for last in range(1, files - 1):
        odds = formation_log_odds(_unit(ranks, files, last))

        assert odds.argmax() == 0
        assert odds[0] > np.delete(odds, 0).max() + 1.0


@pytest.mark.parametrize("files", [1, 2, 3, 5])
@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
def test_a_full_block_may_as_well_face_the_other_way(ranks: int, files: int) -> None:
    odds = formation_log_odds(_unit(ranks, files, files))

    assert odds[0] == odds[2]
    assert odds[1] == odds[3]


def test_one_base_alone_says_nothing() -> None:
    assert formation_log_odds([(3, 5)]).tolist() == [0.0] * 4


def test_a_base_too_many_before_the_front_rank_costs_no_more_than_one_too_few_within() -> None:
    """It may be somebody else who stands there."""
    whole = _unit(3, 5, 5)
    before, within = [*whole, (1, 0)], [cell for cell in whole if cell != (-1, -2)]

    assert formation_log_odds(before)[0] == pytest.approx(formation_log_odds(within)[0])


@given(CELLS, st.integers(0, 3))
def test_ranks_and_files_count_from_nought_at_the_front_and_the_left(cells: list[Cell], quarter: int) -> None:
    places = np.array(ranks_and_files(cells, quarter))

    assert places.min(axis=0).tolist() == [0, 0]
    assert len({tuple(one) for one in places.tolist()}) == len(cells)


def test_the_unit_sees_its_first_file_at_its_left() -> None:
    """It faces +x, so that +y is left."""
    assert ranks_and_files([(1, 1), (1, 0), (0, 1)], 0) == [(0, 0), (0, 1), (1, 0)]
    assert ranks_and_files([(1, 1), (1, 0), (0, 1)], 2) == [(1, 1), (1, 0), (0, 1)]
