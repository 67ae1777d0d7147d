"""Written edition: the open edition under a book written as data, whose name, words and pages its reasons bear."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from models.book_in_play import BookInPlay
from models.house_rules import OPEN_SETTINGS
from models.verdict import Reason, Source
from referee.editions.open.action import SECTION
from referee.editions.open.parameters import BOOK
from referee.rules.edition import Edition

_KEYS = {rule.doubt: rule.key for rule in OPEN_SETTINGS} | {"plain geometry": "plain-geometry", SECTION: "actions"}
"""By the section that a reason of the open edition names, the key that a book tells its own place and words by."""


def write_edition(edition: Edition, book: BookInPlay) -> Edition:
    """The open edition as this book has it."""
    return replace(
        edition,
        book=book.stamp.title(),
        too_close=book.rules.texts.get("too-close", edition.too_close),
        cite=partial(_cite, edition.cite, book),
    )


def _cite(before: Callable[[Reason], Reason] | None, book: BookInPlay, reason: Reason) -> Reason:
    """The reason with the book's name, its section and its words, where it tells them; else by what is decided."""
    plain = reason if before is None else before(reason)
    if plain.source.book != BOOK:
        return plain
    key = _KEYS.get(plain.source.section, plain.source.section)
    told = book.rules.sources.get(key)
    source = Source(
        book=book.stamp.title(),
        section=plain.source.section if told is None else told.section,
        page=None if told is None else told.page,
    )
    return Reason(source=source, says=book.rules.texts.get(key, plain.says), effect=plain.effect)
