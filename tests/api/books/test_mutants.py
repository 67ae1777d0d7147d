"""Whatever is changed in a book, it is read, or refused with the line of the fault, and soon."""

from tests.api.books.mutants import faults


def test_a_mutated_book_is_read_or_refused_with_its_line() -> None:
    assert list(faults(range(120))) == []
