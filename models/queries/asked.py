"""What every question has: its kind, its fields, and the ids it names."""

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_args

from pydantic import Field

from models.frozen import Frozen
from models.words import EditionId, Id, NotNegative, Point

ThingId = Annotated[str, Field(min_length=1, description="id of anything in the state, or edge:near/far/left/right")]
MiniatureId = Annotated[Id, Field(description="id of a miniature, or of a unit where the edition plays units")]
UnitId = Annotated[Id, Field(description="id of a unit")]
Place = Annotated[ThingId | Point, Field(description="a thing, or a point [x, y] in mm")]
RangeIn = Annotated[NotNegative, Field(description="limit in inches, as printed")]
Only = Literal["friends", "enemies"]
Attack = Literal["melee", "ranged", "magic"]
Shot = Literal["ranged", "magic"]
Location = Literal["left", "right"]

EVERY: frozenset[EditionId] = frozenset(get_args(EditionId))
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

# Fields that several questions share.
ORIGIN = Field(None, description="where it comes from, when not the attacker: a channeler, a point of impact")
ONLY = Field(None, description="only friends, or only enemies, of the side that the source belongs to")


class Asked(Frozen):
    """What every question may carry."""

    EDITIONS: ClassVar[frozenset[EditionId]] = EVERY
    PLACES: ClassVar[tuple[str, ...]] = ()
    RULES: ClassVar[dict[EditionId, str]] = {}
    """The rules of each book that the question answers, by short names."""

    asked_by: str | None = Field(None, description="the player who asks; needed where measuring is licensed")

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
        """Every (field, id) this question names."""
        for field in self.PLACES:
            value = getattr(self, field)
            for one in [value] if isinstance(value, str) else (value or ()):
                if isinstance(one, str):
                    yield field, one

    @classmethod
    def wants_miniature(cls, field: str) -> bool:
        """Whether the ids in this field must be those of miniatures."""
        return field in _fields_of(cls, MiniatureId)

    @classmethod
    def wants_unit(cls, field: str) -> bool:
        """Whether the ids in this field must be those of units."""
        return field in _fields_of(cls, UnitId)


@cache
def _fields_of(cls: type[Asked], type_: object) -> frozenset[str]:
    """The fields of a question whose ids are of this type."""
    says = get_args(type_)[-1].description
    fields = cls.model_fields.items()
    return frozenset(name for name, f in fields if f.description == says or says in _descriptions(f.annotation))


def _descriptions(annotation: object) -> Iterator[str]:
    """What the parts of a type say of themselves."""
    for part in get_args(annotation):
        if description := getattr(part, "description", None):
            yield description
        yield from _descriptions(part)


AskedT = TypeVar("AskedT", bound=Asked)


def at_most_one(query: AskedT, *fields: str) -> AskedT:
    """The same question. Raises: ValueError when more than one of these fields is given."""
    given = [field for field in fields if getattr(query, field) is not None]
    if len(given) > 1:
        raise ValueError(f"give only one of {', '.join(given)}")
    return query
