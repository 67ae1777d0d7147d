"""Written book: a rulebook as data, which chooses the settings of the open edition and gives things its own names.

Nothing in it is worked out by a program of its own: it names settings, lengths, dice and questions that are known here.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, ValidationInfo, field_validator, model_validator

from models.base import EDITION_BASES, Base, Catalogue, catalogue_of
from models.book_language.declarations import ParameterType
from models.book_language.program import Program, ProgramFault, RuleText, check_program, identifier
from models.book_language.syntax_tree import MOST_LETTERS
from models.frozen import Frozen
from models.house_rules import HOUSE_RULES, OPEN_SETTINGS, PRESET_KEY, PRESETS
from models.queries import QUERIES
from models.vocabulary import OPEN_EDITION, EditionId, NotNegative

MOST_RANGE_IN = 1000.0
_PLAIN = r"^[^<>\x00-\x1f\x7f]+$"
_LINES = r"^[^<>\x00-\x09\x0b-\x1f\x7f]+$"
Name = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9][a-z0-9-]*$")]
Title = Annotated[str, Field(min_length=1, max_length=80, pattern=_PLAIN)]
ShortText = Annotated[str, Field(min_length=1, max_length=400, pattern=_LINES)]
Inches = Annotated[NotNegative, Field(le=MOST_RANGE_IN)]
TEXT_KEYS = ("about", "too-close", "plain-geometry", "actions")
Expression = Annotated[str, Field(min_length=1, max_length=MOST_LETTERS)]
TableKey = Annotated[str, Field(min_length=1, max_length=80, pattern=_PLAIN)]
ParameterName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
_WANTED = {
    "rule": ("rule",),
    "within": ("range",),
    "completely-within": ("range",),
    "range": ("range",),
}
_SUBJECTS = ("range", "rule")


class BookStamp(Frozen):
    """Which written book, unmistakably: `sha256` is that of its file."""

    name: str
    version: str
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

    def title(self) -> str:
        """Name and version, as people say it."""
        return f"{self.name} {self.version}"


class DerivedRange(Frozen):
    """A range that is another, and so many inches more."""

    same_as: Name
    plus: float = Field(0.0, ge=-MOST_RANGE_IN, le=MOST_RANGE_IN)


class BookRule(Frozen):
    """A rule in the language of books: what it is about, and the expression of what it gives."""

    gives: Expression
    of: dict[ParameterName, ParameterType] = Field(max_length=3, description="what it is about, in the order of asking")


class SheetLine(Frozen):
    """A line of the sheet about two miniatures, which it calls A and B."""

    ask: str = Field(description="kind of a question about two, as `los`")
    title: Title
    range: Name | Inches | None = Field(None, description="the length that the question asks about")
    rule: Name | None = Field(None, description="the rule that `rule` asks about")
    yes: Annotated[str, Field(min_length=1, max_length=24, pattern=_PLAIN)] = "Yes"
    no: Annotated[str, Field(min_length=1, max_length=24, pattern=_PLAIN)] = "No"
    both: bool = Field(False, description="whether it is asked from B to A, too")
    show: Literal["always", "when-yes"] = "always"
    friends: bool | None = Field(None, description="only about friends, only about others; null: about all")

    @field_validator("ask")
    @classmethod
    def _is_about_two(cls, kind: str) -> str:
        if kind not in (*PAIR_KINDS, "rule"):
            raise ValueError(f"a sheet asks one of {', '.join((*PAIR_KINDS, 'rule'))}")
        return kind

    @model_validator(mode="after")
    def _tells_its_length(self) -> "SheetLine":
        wants = [name for name in _SUBJECTS if name in _WANTED.get(self.ask, ())]
        subjects = [name for name in _SUBJECTS if getattr(self, name) is not None]
        if wants != subjects:
            raise ValueError(f"`{self.ask}` takes {' and '.join(wants) or 'neither range nor rule'}")
        return self


class BookSource(Frozen):
    """Where a rule stands in the printed book."""

    section: Title
    page: int | None = Field(None, ge=1, le=10_000)


def roles_of(kind: str) -> tuple[str, ...]:
    """The fields of a question that have to name something on the table."""
    cls = QUERIES[kind]
    return tuple(field for field in cls.PLACES if cls.model_fields[field].is_required())


def _kinds_about_two() -> tuple[str, ...]:
    """Questions of the open edition that are asked of two, and of no area."""
    return tuple(
        kind
        for kind, cls in QUERIES.items()
        if OPEN_EDITION in cls.EDITIONS and len(roles_of(kind)) == 2 and "area" not in cls.PLACES
    )


PAIR_KINDS = _kinds_about_two()


def settings_schema(schema: dict[str, Any]) -> None:
    """Every setting with what it takes, for the published schema."""
    schema.pop("additionalProperties", None)
    schema["properties"] = {rule.key: _schema_of(rule.key) for rule in OPEN_SETTINGS if rule.key != PRESET_KEY}
    schema["additionalProperties"] = False


def _schema_of(key: str) -> dict[str, Any]:
    rule = HOUSE_RULES[key]
    about = {"description": rule.doubt}
    if rule.readings:
        return {"enum": list(rule.readings), **about}
    return {"type": "number", "minimum": 0, "maximum": rule.most, **about}


class WrittenBook(Frozen):
    """A rulebook as data. What it does not tell is as the settings are by default."""

    format: Literal[1] = 1
    name: Title
    version: Annotated[str, Field(min_length=1, max_length=20, pattern=_PLAIN)]
    author: Title | None = None
    preset: str | None = Field(None, description="the family whose settings it starts from")
    bases: tuple[Base, ...] = Field((), max_length=60, description="base sizes in play; all that are sold when empty")
    settings: dict[str, str | float] = Field({}, json_schema_extra=settings_schema)
    ranges: dict[Name, Inches | DerivedRange] = Field({}, max_length=100, description="lengths by name, in inches")
    rules: dict[Name, Expression | BookRule] = Field(
        {}, max_length=200, description="what the book asks in its language, by name: an expression, or one `of` others"
    )
    lookups: dict[Name, Annotated[dict[TableKey, float | ShortText], Field(min_length=1, max_length=100)]] = Field(
        {}, max_length=60, description="tables by name: numbers or words, by a word, a roll such as `2-5`, or `6+`"
    )
    sheet: tuple[SheetLine, ...] = Field((), max_length=60, description="what the sheet of two asks, in this order")
    texts: dict[str, ShortText] = Field({}, max_length=100, description="in place of our words, by setting or rule")
    sources: dict[str, BookSource] = Field({}, max_length=200, description="where it stands, by setting or name")

    @field_validator("preset")
    @classmethod
    def _is_a_preset(cls, name: str | None) -> str | None:
        if name is not None and name not in PRESETS:
            raise ValueError(f"there is no preset {name!r}, only {', '.join(PRESETS)}")
        return name

    @field_validator("ranges", "rules", "lookups", "tables", mode="before", check_fields=False)
    @classmethod
    def _has_plain_names(cls, raw_names: Any, info: ValidationInfo) -> Any:
        for name in raw_names if isinstance(raw_names, dict) else ():
            if len(name) > 40:
                raise ValueError(f"a name of {len(name)} characters; at most 40")
        return raw_names

    def readings(self) -> dict[str, str]:
        """Every setting that it chooses otherwise than by default, as a table's choices are written."""
        own = {key: chosen if isinstance(chosen, str) else f"{chosen:.15g}" for key, chosen in self.settings.items()}
        return {**PRESETS.get(self.preset or "", {}), **own}

    def range_in(self, stated: str | float) -> float:
        """The length of a named range in inches, or the length itself. Raises: KeyError."""
        if not isinstance(stated, str):
            return stated
        length = self.ranges[stated]
        return self.range_in(length.same_as) + length.plus if isinstance(length, DerivedRange) else length

    def known_keys(self) -> tuple[str, ...]:
        """All that a text or a source may be about."""
        return (*(rule.key for rule in OPEN_SETTINGS), *TEXT_KEYS, *self.ranges, *self.rules)

    def about(self, rule: str) -> int:
        """How many a rule is about."""
        return len(self.program.rules[identifier(rule)].parameters)

    @property
    def program(self) -> Program:
        """Its rules and tables, parsed and typed."""
        return self._checked_program[0]

    @property
    def program_faults(self) -> list[ProgramFault]:
        """What is wrong with its rules and tables; nothing of a book in play."""
        return self._checked_program[1]

    @cached_property
    def _checked_program(self) -> tuple[Program, list[ProgramFault]]:
        texts = {
            name: RuleText(rule, None) if isinstance(rule, str) else RuleText(rule.gives, rule.of)
            for name, rule in self.rules.items()
        }
        lengths = {name: self.range_in(name) for name in self.ranges if _is_whole(self, name)}
        return check_program(texts, self.lookups, lengths)


class BookFault(NamedTuple):
    """The key, the value that stands there, and a sentence."""

    path: tuple[str | int, ...]
    value: object
    says: str
    at: int | None = None
    """Which character of the text that stands there; None where it is all of it."""


def book_faults(book: WrittenBook) -> Iterator[BookFault]:
    """Every fault that no single key has by itself: unknown names, circles, lengths below nothing, readings unknown."""
    yield from _setting_faults(book)
    yield from _range_faults(book)
    for k, line in enumerate(book.sheet):
        if isinstance(line.range, str) and line.range not in book.ranges:
            yield BookFault(("sheet", k, "range"), line.range, _no_range(book, line.range))
        if line.rule is not None:
            yield from _sheet_rule_faults(book, line, k)
    yield from _program_faults(book)
    for part in ("texts", "sources"):
        for key in getattr(book, part):
            if key not in book.known_keys():
                yield BookFault((part, key), key, f"{key!r} is no setting, and no range or rule of this book")


def _setting_faults(book: WrittenBook) -> Iterator[BookFault]:
    open_keys = {rule.key for rule in OPEN_SETTINGS} - {PRESET_KEY}
    written = book.readings()
    for key, chosen in book.settings.items():
        if key not in open_keys:
            yield BookFault(("settings", key), chosen, f"there is no setting {key!r}")
        elif not HOUSE_RULES[key].allows(written[key]):
            takes = HOUSE_RULES[key].describe_allowed()
            yield BookFault(("settings", key), chosen, f"{key} takes {takes}, not {chosen!r}")


def _range_faults(book: WrittenBook) -> Iterator[BookFault]:
    for name, entry in book.ranges.items():
        if not isinstance(entry, DerivedRange):
            continue
        if entry.same_as not in book.ranges:
            yield BookFault(("ranges", name, "same_as"), entry.same_as, _no_range(book, entry.same_as))
        elif (circle := _find_circle(book, name)) is not None:
            yield BookFault(("ranges", name, "same_as"), entry.same_as, f"these name each other: {' > '.join(circle)}")
        elif _is_whole(book, name) and not 0 <= book.range_in(name) <= MOST_RANGE_IN:
            length_in = book.range_in(name)
            yield BookFault(("ranges", name, "plus"), entry.plus, f"{name} would be {length_in:g} inches long")


def _find_circle(book: WrittenBook, name: str) -> list[str] | None:
    """The names from this one back to itself; None when it leads to a length, or into another circle."""
    seen = [name]
    while isinstance(entry := book.ranges.get(seen[-1]), DerivedRange):
        if entry.same_as == name:
            return [*seen, name]
        if entry.same_as in seen:
            return None
        seen.append(entry.same_as)
    return None


def _is_whole(book: WrittenBook, name: str) -> bool:
    """Whether a range leads to a length."""
    seen: set[str] = set()
    while isinstance(entry := book.ranges.get(name), DerivedRange):
        if name in seen:
            return False
        seen.add(name)
        name = entry.same_as
    return name in book.ranges


def _sheet_rule_faults(book: WrittenBook, line: SheetLine, k: int) -> Iterator[BookFault]:
    name = line.rule or ""
    if name not in book.rules:
        known = ", ".join(book.rules) or "none"
        yield BookFault(("sheet", k, "rule"), name, f"there is no rule {name!r}, only {known}")
    elif (rule := book.program.rules.get(identifier(name))) is not None and len(rule.parameters) > 2:
        yield BookFault(("sheet", k, "rule"), name, f"a sheet is about two, and {name!r} is about more")


def _program_faults(book: WrittenBook) -> Iterator[BookFault]:
    for fault in book.program_faults:
        written = book.rules.get(fault.name) if fault.part == "rules" else fault.name
        path: tuple[str, ...] = (fault.part, fault.name)
        if isinstance(written, BookRule):
            path, written = (*path, "gives"), written.gives
        yield BookFault(path, written, fault.says, fault.at)


def _no_range(book: WrittenBook, name: str) -> str:
    return f"there is no range {name!r}, only {', '.join(book.ranges) or 'none'}"


def rules_of_actions(actions: dict[str, Any]) -> dict[str, str]:
    """The rules that the named actions of books before 1.1 are."""
    return {name: _rule_of_action(action) for name, action in actions.items()}


def _rule_of_action(action: dict[str, Any]) -> str:
    length, near = (_written_length(action.get(key)) for key in ("range", "within"))
    where = "a, b" if near is None else f"a, b, {near}"
    ways = {"sees": "sees(a, b)", "in_front": "in_arc(a, b)"}
    parts = [text for key, text in ways.items() if action.get(key)]
    goes = " + ".join(filter(None, (length or "speed(a)", action.get("dice"))))
    return " and ".join((*parts, f"free_way({where})", f"way({where}) <= {goes}"))


def _written_length(length: str | float | None) -> str | None:
    return identifier(length) if isinstance(length, str) else None if length is None else f"{length:g} in"


class BookInPlay(Frozen):
    """A written book without contradictions; `sha256` is that of the file it was read from."""

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    rules: WrittenBook

    @field_validator("rules", mode="before")
    @classmethod
    def _with_rules_for_actions(cls, raw: Any) -> Any:
        """Games that were kept before 1.1 name actions, which are rules now."""
        if not isinstance(raw, dict) or "actions" not in raw:
            return raw
        content = {key: value for key, value in raw.items() if key != "actions"}
        sheet = [{key: value for key, value in line.items() if key != "action"} |
                 ({"ask": "rule", "rule": line["action"]} if line.get("action") else {})
                 for line in raw.get("sheet", ())]  # fmt: skip
        return content | {"rules": rules_of_actions(raw["actions"]) | raw.get("rules", {}), "sheet": sheet}

    @property
    def stamp(self) -> BookStamp:
        return BookStamp(name=self.rules.name, version=self.rules.version, sha256=self.sha256)

    @model_validator(mode="after")
    def _contradicts_nothing(self) -> "BookInPlay":
        for fault in book_faults(self.rules):
            raise ValueError(f"{'.'.join(map(str, fault.path))}: {fault.says}")
        return self


def catalogue_in_play(edition: EditionId, book: BookInPlay | None) -> Catalogue:
    """Every size on sale; usual are those of the written book where it names any, else the edition's."""
    on_sale = catalogue_of().bases
    usual = book.rules.bases if book is not None and book.rules.bases else catalogue_of((edition,)).bases
    is_any = set(usual).issuperset(EDITION_BASES[OPEN_EDITION])
    return Catalogue(bases=tuple(dict.fromkeys((*usual, *on_sale))), usual=() if is_any else usual)
