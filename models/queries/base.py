"""Base class: what every question has, its kind, its fields, and the ids it names."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar, get_args, get_type_hints

from pydantic import Field, model_validator

from models.errors import FieldFault
from models.frozen import Frozen
from models.turn import Step
from models.vocabulary import (
    LONGEST_TEXT,
    MOST_IN_QUESTION,
    MOST_POINTS,
    OPEN_EDITION,
    EditionId,
    Id,
    LengthIn,
    PathPoint,
    Point,
)

ThingId = Annotated[Id, Field(description="id of anything in the state, or edge:near/far/left/right")]
MiniatureId = Annotated[Id, Field(description="id of a miniature, or of a unit where the edition plays units")]
UnitId = Annotated[Id, Field(description="id of a unit")]
ObjectiveId = Annotated[Id, Field(description="id of an objective, a zone or terrain that can be held")]
MiniatureIds = Annotated[tuple[MiniatureId, ...], Field(max_length=MOST_IN_QUESTION)]
Name = Annotated[str, Field(max_length=LONGEST_TEXT)]
PathPoints = Annotated[tuple[PathPoint, ...], Field(min_length=1, max_length=MOST_POINTS)]
Steps = Annotated[tuple[Step, ...], Field(max_length=MOST_POINTS)]
Place = Annotated[ThingId | Point, Field(description="a thing, or a point [x, y] in mm")]
RangeIn = Annotated[LengthIn, Field(description="limit in inches, as printed")]
MoveIn = Annotated[LengthIn, Field(description="inches that somebody may go")]
DiameterIn = Annotated[float, Field(gt=0, le=100, description="diameter in inches, as printed")]
Only = Literal["friends", "enemies"]
Attack = Literal["melee", "ranged", "magic"]
Shot = Literal["ranged", "magic"]
Location = Literal["left", "right"]

OPEN: frozenset[EditionId] = frozenset({OPEN_EDITION})
EVERY: frozenset[EditionId] = frozenset(get_args(EditionId)) - OPEN  # every book: `OPEN` stands beside where it answers
PHM: frozenset[EditionId] = EVERY - {"warhammer-9"}
PH: frozenset[EditionId] = PHM - {"warmachine-mk1"}
PM: frozenset[EditionId] = PHM - {"hordes-mk2"}
PHW: frozenset[EditionId] = EVERY - {"warmachine-mk1"}
PW: frozenset[EditionId] = PHW - {"hordes-mk2"}
HMW: frozenset[EditionId] = EVERY - {"warmachine-prime"}
HM: frozenset[EditionId] = HMW - {"warhammer-9"}
H: frozenset[EditionId] = frozenset({"hordes-mk2"})
P: frozenset[EditionId] = frozenset({"warmachine-prime"})
M: frozenset[EditionId] = frozenset({"warmachine-mk1"})
W: frozenset[EditionId] = frozenset({"warhammer-9"})
TABLE_EDGES = frozenset(f"edge:{side}" for side in ("near", "far", "left", "right"))

_HALF_LETTER = re.compile("[\ud800-\udfff]")

# Fields that several questions share.
ORIGIN = Field(None, description="where it comes from, when not the attacker: a channeler, a point of impact")
ONLY = Field(None, description="only friends, or only enemies, of the side that the source belongs to")


class _OfWholeLetters(Frozen):
    """Fields whose texts can be written down: half of a letter, which JSON may escape, is refused by name."""

    @model_validator(mode="after")
    def _holds_whole_letters(self) -> Self:
        for field, value in self.__dict__.items():
            for text in value if isinstance(value, tuple) else (value,):
                if isinstance(text, str) and not text.isascii() and _HALF_LETTER.search(text):
                    raise FieldFault("half of a letter is no text", field=field, value=text)
        return self


class QueryPart(_OfWholeLetters):
    """A part of a question with fields of its own, some of which name what is on the table."""

    PLACES: ClassVar[tuple[str, ...]] = ()


class BaseQuery(_OfWholeLetters):
    """What every question may carry."""

    EDITIONS: ClassVar[frozenset[EditionId]] = EVERY
    PLACES: ClassVar[tuple[str, ...]] = ()
    PARTS: ClassVar[dict[str, type[QueryPart]]] = {}
    """The fields that hold lists of parts, which name things themselves."""

    APART: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Pairs of roles that one and the same miniature cannot have."""

    RULES: ClassVar[dict[EditionId, str]] = {}
    """The rules of each book that the question answers, by short names."""

    asked_by: Name | None = Field(None, description="the player who asks; needed where measuring is licensed")

    @model_validator(mode="after")
    def _names_nobody_twice(self) -> Self:
        for field in self.PLACES:
            ids = [item for item in getattr(self, field) or () if isinstance(item, str)]
            if not isinstance(getattr(self, field), str) and len(set(ids)) < len(ids):
                raise ValueError(f"{field} names {next(id_ for id_ in ids if ids.count(id_) > 1)!r} twice")
        return self

    @classmethod
    def title(cls) -> str:
        """The question as a player asks it."""
        return (cls.__doc__ or "").strip().splitlines()[0]

    @classmethod
    def rules_of(cls, edition: EditionId) -> tuple[str, ...]:
        """The rules of that book which the question answers."""
        return tuple(cls.RULES.get(edition, "").split())

    @classmethod
    def schema_of_fields(cls) -> dict[str, Any]:
        """The JSON Schema of this question, its `properties` on top even where it may ask about another question."""
        schema = cls.model_json_schema()
        return schema["$defs"][cls.__name__] | schema if "$ref" in schema else schema

    def names(self) -> Iterator[tuple[str, str]]:
        """Every (field, id) this question names; that of a part reads `moves.0.mover`."""
        yield from _ids_of(self)
        for field in self.PARTS:
            for k, part in enumerate(getattr(self, field) or ()):
                yield from ((f"{field}.{k}.{name}", id_) for name, id_ in _ids_of(part))

    def points(self) -> Iterator[tuple[str, Point]]:
        """Every (field, point) where this question places something."""
        yield from _points_of(self)
        for field in self.PARTS:
            for k, part in enumerate(getattr(self, field) or ()):
                yield from ((f"{field}.{k}.{name}", point) for name, point in _points_of(part))

    @classmethod
    def wants_miniature(cls, field: str) -> bool:
        """Whether the ids in this field must be those of miniatures."""
        return cls._is_of_type(field, MiniatureId)

    @classmethod
    def wants_unit(cls, field: str) -> bool:
        """Whether the ids in this field must be those of units."""
        return cls._is_of_type(field, UnitId)

    @classmethod
    def wants_objective(cls, field: str) -> bool:
        """Whether the ids in this field must be those of what can be held."""
        return cls._is_of_type(field, ObjectiveId)

    @classmethod
    def _is_of_type(cls, field: str, type_: object) -> bool:
        whole, *inner = field.split(".")
        return inner[-1] in _fields_of(cls.PARTS[whole], type_) if inner else whole in _fields_of(cls, type_)


def _ids_of(model: "BaseQuery | QueryPart") -> Iterator[tuple[str, str]]:
    for field in model.PLACES:
        value = getattr(model, field)
        for id_ in [value] if isinstance(value, str) else (value or ()):
            if isinstance(id_, str):
                yield field, id_


def _points_of(model: "BaseQuery | QueryPart") -> Iterator[tuple[str, Point]]:
    for field in model.PLACES:
        value = getattr(model, field)
        if isinstance(value, tuple) and len(value) == 2 and not any(isinstance(part, str) for part in value):
            yield field, value


@cache
def _fields_of(cls: type[BaseQuery | QueryPart], type_: object) -> frozenset[str]:
    """The fields of a question whose ids are of this type."""
    says = get_args(type_)[-1].description
    hints = get_type_hints(cls, include_extras=True)
    return frozenset(name for name in cls.model_fields if says in _descriptions(hints[name]))


def _descriptions(annotation: object) -> Iterator[str]:
    """What the parts of a type say of themselves."""
    for part in get_args(annotation):
        if description := getattr(part, "description", None):
            yield description
        yield from _descriptions(part)


QueryT = TypeVar("QueryT", bound=BaseQuery)


def at_most_one(query: QueryT, *fields: str) -> QueryT:
    """The same question. Raises: FieldFault when more than one of these fields is given."""
    given = [field for field in fields if getattr(query, field) is not None]
    if len(given) > 1:
        value = getattr(query, given[-1])
        shown = value if isinstance(value, str | int | float) else str(value)
        raise FieldFault(f"give only one of {', '.join(given)}", field=given[-1], value=shown)
    return query
