"""The language is strong enough: what Prime says of distances, arcs and sight it says, too, with margin and doubt."""

import pytest

from tests.referee.editions.open.prime_in_language import differences


@pytest.mark.parametrize("seed", range(5))
def test_rules_in_the_language_answer_as_the_coded_book(seed: int) -> None:
    assert list(differences(seed)) == []


@pytest.mark.parametrize("seed", [92, 131, 996])
def test_a_line_ends_at_what_of_the_target_lies_in_front(seed: int) -> None:
    """Only a part behind is seen; all is in front and hidden; a turn brings a part in front that is hidden."""
    assert list(differences(seed)) == []
