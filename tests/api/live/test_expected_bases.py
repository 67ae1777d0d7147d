"""Whether as many bases of each size are seen as are expected."""

import pytest
from pydantic import ValidationError

from api.live.expected_bases import compare_counts
from api.setups.schemas import CountMismatch, ExpectedMiniature, Roster
from models.base import Base, RoundBase
from models.miniature import Miniature
from models.state import TableSize, TableState

SMALL, LARGE = RoundBase(diameter_mm=30), RoundBase(diameter_mm=50)


def _table(*bases: Base, status: tuple[str, ...] = ()) -> TableState:
    miniatures = tuple(
        Miniature(id=f"m{k}", base=base, at_mm=(100 + 60 * k, 100), status=status)  # type: ignore[arg-type]
        for k, base in enumerate(bases)
    )
    size = TableSize(width_mm=1200, depth_mm=900)
    return TableState(edition="warmachine-prime", table=size, miniatures=miniatures)


def test_one_that_is_not_seen_is_missed_by_its_size() -> None:
    expected = (ExpectedMiniature(name="Trencher", base=SMALL, count=3), ExpectedMiniature(name="Jack", base=LARGE))

    assert compare_counts(expected, _table(SMALL, SMALL, LARGE)) == (CountMismatch(base=SMALL, expected=3, seen=2),)


def test_names_of_one_size_are_counted_together() -> None:
    expected = (ExpectedMiniature(name="Trencher", base=SMALL), ExpectedMiniature(name="Ghost", base=SMALL))

    assert compare_counts(expected, _table(SMALL, SMALL)) == ()


def test_a_size_that_nobody_expects_is_told_last() -> None:
    assert compare_counts((ExpectedMiniature(name="Jack", base=LARGE, count=2),), _table(SMALL, LARGE)) == (
        CountMismatch(base=LARGE, expected=2, seen=1),
        CountMismatch(base=SMALL, expected=0, seen=1),
    )


def test_without_a_list_nothing_is_amiss() -> None:
    assert compare_counts((), _table(SMALL)) == ()


def test_who_left_the_table_is_accounted_for() -> None:
    assert (
        compare_counts((ExpectedMiniature(name="Trencher", base=SMALL, count=2),), _table(SMALL), departed=[SMALL])
        == ()
    )


def test_who_is_marked_as_removed_is_not_seen() -> None:
    (counted,) = compare_counts((ExpectedMiniature(name="Trencher", base=SMALL),), _table(SMALL, status=("removed",)))

    assert counted.seen == 0


def test_no_more_are_expected_than_a_table_holds() -> None:
    one = {"name": "Trencher", "base": {"shape": "round", "diameter_mm": 30}, "count": 400}

    with pytest.raises(ValidationError, match="at most 1000"):
        Roster.model_validate({"expected": [one] * 3})
