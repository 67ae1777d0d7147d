"""What an edition is: a table from questions to rules."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from models.miniature import Miniature
from models.queries import Asked
from models.verdict import Reason, Source
from models.words import EditionId
from referee.licence import Licence
from referee.ruling import Ruling
from referee.situation import Situation

Rule = Callable[[Situation, Any], Ruling]  # the second argument is of the class the rule is listed under


@dataclass(frozen=True)
class Edition:
    """One rulebook: which rule answers which question, and what those rules that it shares with others ask of it."""

    id: EditionId
    book: str
    too_close: str
    rules: Mapping[type[Asked], Rule] = field(default_factory=dict)
    measuring: str = "free"
    plays_units: bool = False
    """Whether a unit may stand where other books ask about one miniature."""
    charge_extra_mm: float | None = None
    """How much farther than its speed a charging model goes; None where the book has no such number."""
    scenarios: tuple[str, ...] = ()
    """Names of the scenarios it prints, as a state tells them."""
    unknown_terrain: frozenset[str] = frozenset()
    """Kinds of terrain the book has no rules for: a table that holds one cannot be asked about under it."""
    read_card: Callable[[Miniature], Miniature] | None = None
    """How the book reads a card: words it has no rules for are left out, and what it takes for granted is added."""
    settled: Mapping[str, str] = field(default_factory=dict)
    """House rules that are no doubt here, each with the one reading this book leaves."""
    terms: object = None
    """Numbers and small rules that the rules of its family look up, where its books differ."""
    cite: Callable[[Reason], Reason] | None = None
    """Where this book has what a rule named again from another book says; None where no rule is."""
    licence: Callable[[Situation, Asked], Licence | None] | None = None
    """What may be measured now; None where all may be, always."""

    def source(self, section: str, page: int | None = None) -> Source:
        return Source(book=self.book, section=section, page=page)
