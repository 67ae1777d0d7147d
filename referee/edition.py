"""What an edition is: a table from questions to rules."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from models.queries import Asked
from models.verdict import Source
from models.words import EditionId
from referee.ruling import Ruling
from referee.situation import Situation

Rule = Callable[[Situation, Any], Ruling]  # the second argument is of the class the rule is listed under


@dataclass(frozen=True)
class Edition:
    """One rulebook. `refusals` says why a question it has no rule for is not answered."""

    id: EditionId
    book: str
    too_close: str
    rules: Mapping[type[Asked], Rule] = field(default_factory=dict)
    measuring: str = "free"
    charge_extra_mm: float | None = None
    """How much farther than its speed a charging model goes; None where the book has no such number."""
    unknown_terrain: frozenset[str] = frozenset()
    """Kinds of terrain the book has no rules for: a table that holds one cannot be asked about under it."""

    def source(self, section: str, page: int | None = None) -> Source:
        return Source(book=self.book, section=section, page=page)
