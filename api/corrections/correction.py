"""The corrections there are."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, field_validator, model_validator

from models.base import Base
from models.frozen import Frozen
from models.profile import Profile
from models.shape import MOST_CORNERS, simple_outline
from models.state import Scenario, Side, TableState
from models.terrain import Effect, Objective, Terrain, Zone
from models.turn import Turn
from models.unit import Unit
from models.words import EditionId, Id, MiniatureType, NotNegative, Point, Role, Status

Seen = Annotated[
    dict[Id, Point], Field({}, description="where the named ones stood; the server notes it, and it ends with a move")
]
Name = Annotated[str, Field(min_length=1, max_length=80)]
_HEAD = {"do", "ids", "seen_mm"}


class AboutMiniature(Frozen):
    """What these miniatures are. What is left out, or null, stays as it was."""

    do: Literal["miniature"]
    ids: tuple[Id, ...] = Field(min_length=1, max_length=200)
    name: Name | None = None
    side: Name | None = None
    unit: Id | None = Field(None, description="one that is not there yet is made")
    type: MiniatureType | None = None
    role: tuple[Role, ...] | None = None
    base: Base | None = None
    profile: Profile | None = None
    status: tuple[Status, ...] | None = None
    facing_deg: float | None = Field(None, description="which way it looks; ends when it moves")
    seen_mm: Seen

    def told(self) -> dict[str, Any]:
        """Field and value of all that was told."""
        return {name: value for name, value in self if name not in _HEAD and value is not None}

    @model_validator(mode="after")
    def _tells_something(self) -> "AboutMiniature":
        if not self.told():
            raise ValueError("nothing is told of them: give a name, a side, a base or the like")
        return self


class Lay(Frozen):
    """These things lie on the table; one with an id that is there already takes its place."""

    do: Literal["lay"]
    terrain: tuple[Terrain, ...] = Field((), max_length=200)
    effects: tuple[Effect, ...] = Field((), max_length=200)
    objectives: tuple[Objective, ...] = Field((), max_length=200)
    zones: tuple[Zone, ...] = Field((), max_length=200)
    units: tuple[Unit, ...] = Field((), max_length=200)

    def things(self) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """The list of the state each belongs to, and those to lay into it."""
        for name in ("terrain", "effects", "objectives", "zones", "units"):
            yield name, getattr(self, name)

    @model_validator(mode="after")
    def _lays_something(self) -> "Lay":
        if not any(laid for _, laid in self.things()):
            raise ValueError("there is nothing to lay: give terrain, effects, objectives, zones or units")
        return self


class TakeAway(Frozen):
    """These are not on the table: terrain that was removed, an effect that ended, a cup taken for a base."""

    do: Literal["take-away"]
    ids: tuple[Id, ...] = Field(min_length=1, max_length=200)


class AboutContact(Frozen):
    """Whether these two touch, as seen by eye; ends when either moves."""

    do: Literal["contact"]
    a: Id
    b: Id
    is_touching: bool = True
    seen_mm: Seen


class Reject(Frozen):
    """There is no terrain within this outline, whatever the picture suggests: it is proposed no more."""

    do: Literal["reject"]
    polygon_mm: tuple[Point, ...] = Field(min_length=3, max_length=MOST_CORNERS)

    @field_validator("polygon_mm")
    @classmethod
    def _is_simple(cls, corners: tuple[Point, ...]) -> tuple[Point, ...]:
        return simple_outline(corners)


class AboutTable(Frozen):
    """What the whole table is played by. What is left out, or null, stays as it was."""

    do: Literal["table"]
    edition: EditionId | None = None
    house_rules: dict[str, str] | None = None
    scenario: Scenario | None = None
    sides: tuple[Side, ...] | None = None
    turn: Turn | None = None
    contact_tolerance_mm: NotNegative | None = None
    still_tolerance_mm: NotNegative | None = None
    facing_tolerance_deg: NotNegative | None = None

    def told(self) -> dict[str, Any]:
        """Field and value of all that was told."""
        return {name: value for name, value in self if name not in _HEAD and value is not None}

    @model_validator(mode="after")
    def _tells_something(self) -> "AboutTable":
        if not self.told():
            raise ValueError("nothing is told of the table: give an edition, a scenario, sides or the like")
        return self


Single = Annotated[AboutMiniature | Lay | TakeAway | AboutContact | AboutTable | Reject, Field(discriminator="do")]


class Several(Frozen):
    """All of these, in their order, as one step."""

    do: Literal["several"]
    corrections: tuple[Single, ...] = Field(min_length=1, max_length=200)


Correction = Annotated[
    AboutMiniature | Lay | TakeAway | AboutContact | AboutTable | Reject | Several, Field(discriminator="do")
]
CORRECTION: TypeAdapter[Correction] = TypeAdapter(Correction)


def as_seen(correction: Correction, state: TableState) -> Correction:
    """The same correction, with where the named ones stand now if it ends when they move."""
    if isinstance(correction, Several):
        return Several(do="several", corrections=tuple(as_seen(one, state) for one in correction.corrections))
    if isinstance(correction, AboutContact):
        ids: tuple[Id, ...] = (correction.a, correction.b)
    elif isinstance(correction, AboutMiniature) and correction.facing_deg is not None:
        ids = correction.ids
    else:
        return correction
    seen_mm = {m.id: m.at_mm for m in state.miniatures if m.id in ids}
    return type(correction).model_validate(correction.model_dump() | {"seen_mm": seen_mm})
