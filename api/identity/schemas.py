"""Identity schemas: a question of who is who, and its answer."""

from pydantic import Field

from models.frozen import Frozen
from models.timeline import Naming
from models.vocabulary import Id, NotNegative, Point


class OpenQuestion(Frozen):
    """Since then nobody can tell who stands at these places; each naming is one way it may be, the likeliest first."""

    question: Id
    since_s: NotNegative
    ids: tuple[Id, ...]
    places_mm: tuple[Point, ...]
    namings: tuple[Naming, ...]


class IdentityAnswer(Frozen):
    """Who stands at the places of a question, in their order."""

    ids: tuple[Id, ...] = Field(min_length=1)
