"""Every question the referee knows: one class a kind.

CLI, HTTP, phone, docs and tests take kind, fields and texts from here and from nowhere else. The docstring's first line
is what a player asks. `EDITIONS` names who answers it.
"""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, TypeVar, Union, get_args

from pydantic import Field, TypeAdapter, model_validator

from models.frozen import Frozen
from models.words import EditionId, Id, NotNegative, Point, Positive

ThingId = Annotated[str, Field(min_length=1, description="id of anything in the state, or edge:near/far/left/right")]
MiniatureId = Annotated[Id, Field(description="id of a miniature, or of a unit where the edition plays units")]
Place = Annotated[ThingId | Point, Field(description="a thing, or a point [x, y] in mm")]
RangeIn = Annotated[NotNegative, Field(description="limit in inches, as printed")]

_EVERY: frozenset[EditionId] = frozenset(get_args(EditionId))
_PHM: frozenset[EditionId] = _EVERY - {"warhammer-9"}
TABLE_EDGES = frozenset(f"edge:{side}" for side in ("near", "far", "left", "right"))


class Asked(Frozen):
    """What every question may carry."""

    EDITIONS: ClassVar[frozenset[EditionId]] = _EVERY
    PLACES: ClassVar[tuple[str, ...]] = ()

    asked_by: str | None = Field(None, description="the player who asks; needed where measuring is licensed")

    @classmethod
    def title(cls) -> str:
        """The question as a player asks it."""
        return (cls.__doc__ or "").strip().splitlines()[0]

    def names(self) -> Iterator[tuple[str, str]]:
        """Every (field, id) this question names."""
        for field in self.PLACES:
            value = getattr(self, field)
            for one in [value] if isinstance(value, str) else (value or ()):
                if isinstance(one, str):
                    yield field, one


AskedT = TypeVar("AskedT", bound=Asked)


class Distance(Asked):
    """How far apart are they?

    Gives `distance_mm` (overlap is 0) and `pair`, the closest points.
    """

    PLACES = ("a", "b")
    kind: Literal["distance"] = "distance"
    a: Place
    b: Place


class Within(Asked):
    """Is B within X inches of A?

    Yes: some part of b is. Margin: limit - gap.
    """

    PLACES = ("a", "b")
    kind: Literal["within"] = "within"
    a: Place
    b: ThingId
    range_in: RangeIn


class CompletelyWithin(Asked):
    """Is all of B within X inches of A?

    Yes: its farthest point is. Margin: limit - farthest point of b.
    """

    EDITIONS = _PHM
    PLACES = ("a", "b")
    kind: Literal["completely-within"] = "completely-within"
    a: Place
    b: MiniatureId
    range_in: RangeIn


class B2b(Asked):
    """Do they touch?

    Yes: bases touch (`contacts` first, else the tolerance). Margin: contact tolerance - gap. Gives `gap_mm`.
    """

    EDITIONS = _PHM
    PLACES = ("a", "b")
    kind: Literal["b2b"] = "b2b"
    a: MiniatureId
    b: ThingId


class InFrontArc(Asked):
    """Is B in my front arc (does A face B)?

    Yes: some part is. Margin: depth of the target in the arc.
    """

    PLACES = ("viewer", "target")
    kind: Literal["in-front-arc"] = "in-front-arc"
    viewer: MiniatureId
    target: Place


class InBackArc(Asked):
    """Is B wholly behind A?

    Yes: no part is in front. Margin: clearance behind the arc line; touching it is not behind (`arc-line-touch`).
    """

    EDITIONS = _PHM
    PLACES = ("viewer", "target")
    kind: Literal["in-back-arc"] = "in-back-arc"
    viewer: MiniatureId
    target: Place


class Los(Asked):
    """Can A see B?

    Yes: one clear line. Margin: how far all blockers may grow (must shrink); exactly zero is blocked (`los-touch`).
    Gives `ignored`, `decided_by`, and `forest_mm`, `wall_mm` where they arise.
    """

    PLACES = ("viewer", "target", "ignoring")
    kind: Literal["los"] = "los"
    viewer: MiniatureId
    target: MiniatureId
    ignoring: tuple[Id, ...] = Field((), description="ids that are not in the way for this question")
    purpose: Literal["shot", "charge", "melee"] | None = Field(None, description="what the line is wanted for")


class Range(Asked):
    """Is it in range?

    Yes: gap at most the range. Margin: range - gap.
    """

    PLACES = ("attacker", "target", "origin")
    kind: Literal["range"] = "range"
    attacker: MiniatureId
    target: ThingId
    weapon: str | None = Field(None, description="name of one of the attacker's ranged weapons")
    range_in: Positive | None = Field(None, description="or the range in inches, as printed")
    stat: Literal["command", "control", "self"] | None = Field(
        None, description="or a range the attacker's profile gives"
    )
    origin: Place | None = Field(None, description="where it is measured from, when not the attacker")

    @model_validator(mode="after")
    def _one_length(self) -> "Range":
        return _at_most_one(self, "weapon", "range_in", "stat")


class MeleeRange(Asked):
    """Can my weapon reach it?

    Yes: within reach of the part of the target in front. Margin: reach - that gap. Gives `weapons`, `height_mm`.
    """

    EDITIONS = _PHM
    PLACES = ("attacker", "target")
    kind: Literal["melee-range"] = "melee-range"
    attacker: MiniatureId
    target: MiniatureId
    weapon: str | None = Field(
        None, description="name of one of the attacker's melee weapons; all of them when left out"
    )
    reach_in: NotNegative | None = Field(None, description="or the reach in inches, as printed")

    @model_validator(mode="after")
    def _one_length(self) -> "MeleeRange":
        return _at_most_one(self, "weapon", "reach_in")


class Engaged(Asked):
    """Does A engage B?

    Yes: reach and sight, neither helpless. Margin: the least of them. Gives `back` (does B engage A).
    """

    EDITIONS = _PHM
    PLACES = ("attacker", "target")
    kind: Literal["engaged"] = "engaged"
    attacker: MiniatureId
    target: MiniatureId


def _at_most_one(query: AskedT, *fields: str) -> AskedT:
    given = [field for field in fields if getattr(query, field) is not None]
    if len(given) > 1:
        raise ValueError(f"give only one of {', '.join(given)}")
    return query


QUERY_CLASSES: tuple[type[Asked], ...] = (
    Distance, Within, CompletelyWithin, B2b, InFrontArc, InBackArc, Los, Range, MeleeRange, Engaged,
)  # fmt: skip

QUERIES: dict[str, type[Asked]] = {get_args(cls.model_fields["kind"].annotation)[0]: cls for cls in QUERY_CLASSES}

Query = Annotated[Union[QUERY_CLASSES], Field(discriminator="kind")]  # type: ignore[valid-type]  # noqa: UP007 - built from the one list
QUERY: TypeAdapter[Asked] = TypeAdapter(Query)
