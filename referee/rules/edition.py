"""Edition: a table from questions to rules."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from models.miniature import Miniature
from models.queries import BaseQuery
from models.verdict import Reason, Source
from models.vocabulary import EditionId
from referee.rules.exact_table import ExactTable
from referee.rules.licence import Licence
from referee.rules.rule_result import RuleResult
from referee.rules.size_classes import SizeClasses

Rule = Callable[[ExactTable, Any], RuleResult]  # the second argument is of the class the rule is listed under


@dataclass(frozen=True)
class Edition:
    """One rulebook: which rule answers which question, and what those rules that it shares with others ask of it."""

    id: EditionId
    book: str
    too_close: str
    rules: Mapping[type[BaseQuery], Rule] = field(default_factory=dict)
    measuring: str = "free"
    plays_units: bool = False
    """Whether a unit may stand where other books ask about one miniature."""
    engage_in: Callable[[ExactTable], float] | None = None
    """How near engages, in inches; None where the weapons on the cards tell."""
    charge_extra_mm: float | None = None
    """How much farther than its speed a charging model goes; None where the book has no such number."""
    scenarios: tuple[str, ...] = ()
    """Names of the scenarios it prints, as a state tells them."""
    unknown_terrain: frozenset[str] = frozenset()
    """Kinds of terrain the book has no rules for: a table that holds one cannot be asked about under it."""
    read_card: Callable[[Miniature], Miniature] | None = None
    """How the book reads a card: words it has no rules for are left out, and what it takes for granted is added."""
    size_classes: SizeClasses | None = None
    """The base sizes the book knows; None where any size is one."""
    settled_readings: Mapping[str, str] = field(default_factory=dict)
    """House rules that are no doubt here, each with the one reading this book leaves."""
    terms: object = None
    """Numbers and small rules that the rules of its family look up, where its books differ."""
    cite: Callable[[Reason], Reason] | None = None
    """Where this book has what a rule named again from another book says; None where no rule is."""
    licence: Callable[[ExactTable, BaseQuery], Licence | None] | None = None
    """What may be measured now; None where all may be, always."""

    def source(self, section: str, page: int | None = None) -> Source:
        return Source(book=self.book, section=section, page=page)
