"""Program: all rules of a written book, parsed and typed together, with its tables."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from models.book_language.declarations import RESERVED, ParameterType, Type
from models.book_language.syntax_tree import ExpressionFault, Node, parse_expression
from models.book_language.type_check import Scope, Signature, names_in, type_of

INFERRED = ("a", "b", "c")  # what a rule is about that does not say so
_SPAN = re.compile(r"(\d{1,4})(?:-(\d{1,4})|(\+))?")
_MOST_ROLL = 9999


class CheckedRule(NamedTuple):
    """A rule of a book: its tree, what it is about, and what it gives."""

    name: str
    text: str
    tree: Node
    parameters: Mapping[str, ParameterType]
    gives: Type


class Span(NamedTuple):
    """Rolls from `low` to `high`, and what a table has for them."""

    low: int
    high: int
    entry: float | str


@dataclass(frozen=True)
class LookUpTable:
    """A table of a book: entries by word, and entries by roll."""

    by_word: Mapping[str, float | str]
    spans: tuple[Span, ...]

    @classmethod
    def of(cls, entries: Mapping[str, float | str]) -> "LookUpTable":
        """The table of these entries. Raises: ValueError where two of them hold for one roll."""
        spans, by_word = [], {}
        for key, entry in entries.items():
            if (written := _SPAN.fullmatch(key)) is None:
                by_word[key] = entry
                continue
            low = int(written[1])
            spans.append(Span(low, _MOST_ROLL if written[3] else int(written[2] or low), entry))
        spans.sort()
        for before, after in pairwise(spans):
            if after.low <= before.high:
                raise ValueError(f"two entries hold for {after.low}")
        return cls(by_word, tuple(spans))

    def entry_of(self, key: float | str) -> float | str | None:
        """What the table has for a word or a roll; None where it has nothing."""
        if isinstance(key, str):
            return self.by_word.get(key)
        return next((span.entry for span in self.spans if span.low <= key <= span.high), None)


@dataclass(frozen=True)
class Program:
    """What a book's expressions come to: its rules by the names that expressions call them by, and its tables."""

    rules: Mapping[str, CheckedRule] = field(default_factory=dict)
    tables: Mapping[str, LookUpTable] = field(default_factory=dict)
    ranges_in: Mapping[str, float] = field(default_factory=dict)


class RuleText(NamedTuple):
    """A rule as the book writes it; `parameters` is None where it leaves them to be inferred."""

    text: str
    parameters: Mapping[str, ParameterType] | None


class ProgramFault(NamedTuple):
    """Which part of the book and which name in it is wrong, why, and at which character of its expression."""

    part: str
    name: str
    says: str
    at: int | None = None


def identifier(name: str) -> str:
    """A name of the book as expressions write it."""
    return name.replace("-", "_")


def check_program(
    rules: Mapping[str, RuleText], tables: Mapping[str, Mapping[str, float | str]], ranges_in: Mapping[str, float]
) -> tuple[Program, list[ProgramFault]]:
    """The program of a book, and what is wrong with it; a rule with a fault is left out."""
    checker = _Checker(rules, ranges_in)
    faults = [*checker.name_faults(), *checker.read_tables(tables)]
    for name in rules:
        try:
            checker.signature(name)
        except ExpressionFault as wrong:
            faults.append(ProgramFault("rules", name, str(wrong), wrong.at))
    named = {identifier(name): length for name, length in ranges_in.items()}
    return Program(checker.checked, checker.tables, named), faults


class _Checker:
    """The rules of a book, each checked after those that it calls."""

    def __init__(self, rules: Mapping[str, RuleText], ranges_in: Mapping[str, float]) -> None:
        self._written = {identifier(name): text for name, text in rules.items()}
        self._names = tuple(rules)
        self._ranges = frozenset(map(identifier, ranges_in))
        self._open: list[str] = []
        self.checked: dict[str, CheckedRule] = {}
        self.tables: dict[str, LookUpTable] = {}
        self._entry_types: dict[str, Type] = {}

    def name_faults(self) -> Iterator[ProgramFault]:
        """Names that stand for something else already."""
        for name in self._names:
            ident = identifier(name)
            if ident in RESERVED or ident in INFERRED:
                yield ProgramFault("rules", name, f"{ident!r} is a word of the language")
            elif ident in self._ranges:
                yield ProgramFault("rules", name, f"{ident!r} is a range of this book, too")

    def read_tables(self, tables: Mapping[str, Mapping[str, float | str]]) -> Iterator[ProgramFault]:
        for name, entries in tables.items():
            kinds = {isinstance(entry, str) for entry in entries.values()}
            if len(kinds) != 1:
                yield ProgramFault("lookups", name, "its entries are all numbers or all words")
                continue
            try:
                self.tables[name] = LookUpTable.of(entries)
            except ValueError as wrong:
                yield ProgramFault("lookups", name, str(wrong))
                continue
            self._entry_types[name] = "word" if kinds.pop() else "plain"

    def signature(self, name: str) -> Signature:
        """The types of a rule. Raises: ExpressionFault, of this rule or of one that it calls."""
        ident = identifier(name)
        if ident not in self.checked:
            if ident in self._open:
                circle = " > ".join((*self._open[self._open.index(ident) :], ident))
                raise ExpressionFault(f"these rules call each other: {circle}", 0)
            self._open.append(ident)
            try:
                self.checked[ident] = self._check(ident)
            finally:
                self._open.pop()
        rule = self.checked[ident]
        return tuple(rule.parameters.values()), rule.gives

    def _check(self, ident: str) -> CheckedRule:
        written = self._written[ident]
        tree = parse_expression(written.text)
        called = [name for name in dict.fromkeys(names_in(tree)) if name in self._written]
        signatures = {name: self._called_signature(name, tree) for name in called}
        parameters = _inferred(tree) if written.parameters is None else written.parameters
        scope = Scope({**parameters}, self._ranges, signatures, self._entry_types)
        return CheckedRule(ident, written.text, tree, parameters, type_of(tree, scope))

    def _called_signature(self, name: str, tree: Node) -> Signature:
        """The same of a rule that another calls; a fault of it is told where it is called."""
        try:
            return self.signature(name)
        except ExpressionFault as wrong:
            at = next(node.at for node in tree.walk() if node.text == name and node.kind in ("name", "call"))
            raise ExpressionFault(f"{name}: {wrong}", at) from None


def _inferred(tree: Node) -> dict[str, ParameterType]:
    """What a rule is about that does not say so: those of a, b and c that it names, all of them miniatures."""
    names = {node.text for node in tree.walk() if node.kind == "name"}
    bound = {node.variable for node in tree.walk() if node.kind == "each"}
    used = (names - bound) | ({"a"} if names & {"enemies", "friends"} else set())
    return {name: "miniature" for name in INFERRED if name in used}
