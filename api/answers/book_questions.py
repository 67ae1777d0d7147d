"""Book questions: the lines of a written book's own sheet, in its order and its words."""

import re
from typing import Any

from api.answers.pair_questions import PairView, QuestionLine, is_met_or_open
from models.written_book import SheetLine, WrittenBook, roles_of

_LETTERS = re.compile(r"\b[AB]\b")
_SWAPPED = {"A": "B", "B": "A"}
_LONG_KINDS = frozenset({"los", "cover", "engaged", "action"})


def book_questions(book: WrittenBook, both: PairView) -> tuple[QuestionLine, ...]:
    """Every line of the book's sheet that is asked about these two; what it asks of both, one after the other."""
    lines = []
    for k, told in enumerate(book.sheet):
        if told.friends in (None, both.are_friends()):
            lines.append(_make_line(book, told, f"book-{k}", both))
            if told.both:
                lines.append(_make_line(book, told, f"book-{k}-ba", both.swap_sides()))
    return tuple(lines)


def _make_line(book: WrittenBook, told: SheetLine, slot: str, both: PairView) -> QuestionLine:
    is_back = both.letters[0] == "B"
    first, second = roles_of(told.ask)
    fields: dict[str, Any] = {first: both.me.id, second: both.other.id}
    fields |= {} if told.range is None else {"range_in": book.range_in(told.range)}
    fields |= {} if told.action is None else {"action": told.action}
    return QuestionLine(
        slot=slot,
        title=_LETTERS.sub(lambda found: _SWAPPED[found[0]], told.title) if is_back else told.title,
        kind=told.ask,
        fields=fields,
        yes=told.yes,
        no=told.no,
        takes_long=told.ask in _LONG_KINDS,
        matters=is_met_or_open if told.show == "when-yes" else None,
    )
