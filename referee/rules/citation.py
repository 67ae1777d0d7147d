"""Citation: a reason with the book, the section and the page it stands in."""

from typing import Protocol

from models.verdict import Reason, Source


class CitationByPage(Protocol):
    """Makes reasons of one book that is cited by section and page."""

    def __call__(self, section: str, page: int, says: str, effect: str | None = None) -> Reason: ...


class CitationBySection(Protocol):
    """Makes reasons of one book that is cited by section alone."""

    def __call__(self, section: str, says: str, effect: str | None = None) -> Reason: ...


def cite_by_page(book: str) -> CitationByPage:
    """What makes the reasons of a book with page numbers."""

    def because(section: str, page: int, says: str, effect: str | None = None) -> Reason:
        return Reason(source=Source(book=book, section=section, page=page), says=says, effect=effect)

    return because


def cite_by_section(book: str) -> CitationBySection:
    """What makes the reasons of a book that prints no page numbers to cite."""

    def because(section: str, says: str, effect: str | None = None) -> Reason:
        return Reason(source=Source(book=book, section=section), says=says, effect=effect)

    return because
