"""Correction schemas: what players tell of a table, and the step that each makes."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, TypeAdapter, field_validator, model_validator

from api.seats.permissions import Seat
from models.base import Base, RoundBase
from models.frozen import Frozen
from models.hint import FINGER_MM
from models.miniature import Miniature
from models.profile import MOST_ON_CARD, Profile
from models.shape import MOST_CORNERS, check_simple_outline
from models.state import Scenario, Side, TableState
from models.terrain import Effect, Objective, Terrain, Zone
from models.turn import Turn
from models.unit import Unit
from models.vocabulary import EditionId, Id, MiniatureType, NotNegative, Point, Positive, Role, Status
from referee import EDITIONS

Seen = Annotated[
    dict[Id, Point], Field({}, description="where the named ones stood; the server notes it, and it ends with a move")
]
Name = Annotated[str, Field(min_length=1, max_length=80)]
_HEAD = {"do", "ids", "seen_mm"}
MOST_TOLD = 1000  # things and miniatures in one step, whatever they are divided into


class MiniatureCorrection(Frozen):
    """What these miniatures are. What is left out, or null, stays as it was."""

    do: Literal["miniature"]
    ids: tuple[Id, ...] = Field(min_length=1, max_length=200)
    name: Name | None = None
    side: Name | None = None
    unit: Id | None = Field(None, description="one that is not there yet is made")
    type: MiniatureType | None = None
    role: tuple[Role, ...] | None = Field(None, max_length=MOST_ON_CARD)
    base: Base | None = None
    profile: Profile | None = None
    status: tuple[Status, ...] | None = Field(None, max_length=MOST_ON_CARD)
    front_arc_deg: Literal[180, 360] | None = None
    facing_deg: float | None = Field(None, description="which way it looks; ends when it moves")
    seen_mm: Seen

    def stated_fields(self) -> dict[str, Any]:
        """Field and value of all that was told."""
        return {name: value for name, value in self if name not in _HEAD and value is not None}

    @model_validator(mode="after")
    def _tells_something(self) -> "MiniatureCorrection":
        if not self.stated_fields():
            raise ValueError("nothing is told of them: give a name, a side, a base or the like")
        return self


Told = TypeVar("Told")


def check_sum(correction: Told, count: int) -> Told:
    """The same. Raises: ValueError when that is more than one step may tell."""
    if count > MOST_TOLD:
        raise ValueError(f"{count} things and miniatures at once; at most {MOST_TOLD}")
    return correction


class PlacementCorrection(Frozen):
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
    def _lays_something(self) -> "PlacementCorrection":
        if not any(laid for _, laid in self.things()):
            raise ValueError("there is nothing to lay: give terrain, effects, objectives, zones or units")
        return check_sum(self, _count_told(self))


class RemovalCorrection(Frozen):
    """These are not on the table: terrain that was removed, an effect that ended, a cup taken for a base."""

    do: Literal["take-away"]
    ids: tuple[Id, ...] = Field(min_length=1, max_length=200)


class ContactCorrection(Frozen):
    """Whether these two touch, as seen by eye; ends when either moves."""

    do: Literal["contact"]
    a: Id
    b: Id
    is_touching: bool = True
    seen_mm: Seen


class TerrainRejection(Frozen):
    """There is no terrain within this outline, whatever the picture suggests: it is proposed no more."""

    do: Literal["reject"]
    polygon_mm: tuple[Point, ...] = Field(min_length=3, max_length=MOST_CORNERS)

    @field_validator("polygon_mm")
    @classmethod
    def _is_simple(cls, corners: tuple[Point, ...]) -> tuple[Point, ...]:
        return check_simple_outline(corners)


class CandidateCorrection(Frozen):
    """Whether what the camera could not confirm here is a base. As one it stands as `id` until it is moved or measured;
    else it is shown no more as long as it lies here."""

    do: Literal["candidate"]
    at_mm: Point = Field(description="where it is shown")
    is_base: bool
    id: Id | None = Field(None, description="what it is called from now on, where it is a base")

    @model_validator(mode="after")
    def _has_a_name(self) -> "CandidateCorrection":
        if self.is_base and self.id is None:
            raise ValueError("a base needs an id by which it is asked about")
        return self


class BaseCorrection(Frozen):
    """A base stands here that the camera missed, or the one that it calls `id` is of this size and stands here.

    A missed one keeps its id once the camera measures it. Where the hand placed it ends when it is measured, or moved.
    """

    do: Literal["base"]
    at_mm: Point
    id: Id = Field(description="of a measured miniature, which is changed; else what the added one is called")
    base: Base
    turn_deg: float | None = Field(
        None, description="of an oval or a rectangle: where its depth runs, anticlockwise from +x, or the other way"
    )
    sigma_mm: Positive = Field(FINGER_MM, le=50.0, description="how exactly the place is pointed at, per axis")
    # What the server notes: place and size that the camera had measured; its name for the base that it measures
    # here since; whether a known miniature was moved here since.
    seen_mm: Point | None = None
    seen_base: Base | None = None
    measured_id: Id | None = None
    is_over: bool = False

    @model_validator(mode="after")
    def _has_a_turn_where_one_shows(self) -> "BaseCorrection":
        if self.base.shape == "round" and self.turn_deg is not None:
            raise ValueError("a round base has no turn: leave turn_deg out")
        return self


class CompletionCorrection(Frozen):
    """Every base on the table stands in the state: the table is complete.

    It holds once the other player agrees, where there is one, and ends when a base stands there that was not called.
    """

    do: Literal["complete"]
    seen_ids: tuple[Id, ...] = Field((), description="who stood on the table; the server notes it")


class AbsenceCorrection(Frozen):
    """Some of those that are expected stand nowhere for a reason: casualties, or in reserve. The roll misses them no
    more."""

    do: Literal["absent"]
    why: Literal["casualty", "in-reserve"]
    side: Name | None = None
    base: Base | None = Field(None, description="their size; null: any")
    count: int = Field(1, ge=1, le=MOST_TOLD)
    entry: Id | None = Field(None, description="of an army list, whose they are; null: nobody says")


class ArmyCorrection(Frozen):
    """How a unit of an army list fares, beside its bases on the table. What is left out, or null, stays as it was."""

    do: Literal["army"]
    unit: Id = Field(description="the unit of the list, or the entry of a single miniature")
    is_in_reserve: bool | None = None
    inside: str | None = Field(None, max_length=200, description="of which unit of the list; empty: of none")
    damage: str | None = Field(None, max_length=80, description="wounds or boxes as a player writes them")
    is_activated: bool | None = None
    note: str | None = Field(None, max_length=400)

    def stated_fields(self) -> dict[str, Any]:
        """Field and value of all that was told."""
        return {name: value for name, value in self if name not in ("do", "unit") and value is not None}

    @model_validator(mode="after")
    def _tells_something(self) -> "ArmyCorrection":
        if not self.stated_fields():
            raise ValueError("nothing is told of the unit: say where it is, its damage, a note or the like")
        if self.inside == self.unit:
            raise ValueError("a unit is not inside itself")
        return self


class TableCorrection(Frozen):
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

    def stated_fields(self) -> dict[str, Any]:
        """Field and value of all that was told."""
        return {name: value for name, value in self if name not in _HEAD and value is not None}

    @model_validator(mode="after")
    def _tells_something(self) -> "TableCorrection":
        if not self.stated_fields():
            raise ValueError("nothing is told of the table: give an edition, a scenario, sides or the like")
        return self


SingleCorrection = Annotated[
    MiniatureCorrection
    | PlacementCorrection
    | RemovalCorrection
    | ContactCorrection
    | TableCorrection
    | TerrainRejection
    | CandidateCorrection
    | BaseCorrection
    | AbsenceCorrection
    | ArmyCorrection
    | CompletionCorrection,
    Field(discriminator="do"),
]


def _count_told(correction: SingleCorrection) -> int:
    """How many things and miniatures it tells of; a block counts as all that stand in it."""
    match correction:
        case PlacementCorrection(units=units):
            in_blocks = sum(unit.block.count for unit in units if unit.block is not None)
            return in_blocks + sum(len(laid) for _, laid in correction.things())
        case MiniatureCorrection(ids=ids) | RemovalCorrection(ids=ids):
            return len(ids)
        case _:
            return 1


class CorrectionGroup(Frozen):
    """All of these, in their order, as one step."""

    do: Literal["several"]
    corrections: tuple[SingleCorrection, ...] = Field(min_length=1, max_length=200)

    @model_validator(mode="after")
    def _calls_nothing_complete(self) -> "CorrectionGroup":
        if any(isinstance(single, CompletionCorrection) for single in self.corrections):
            raise ValueError("complete is told by itself")
        return self

    @model_validator(mode="after")
    def _has_a_sum(self) -> "CorrectionGroup":
        return check_sum(self, sum(map(_count_told, self.corrections)))


Correction = Annotated[
    MiniatureCorrection
    | PlacementCorrection
    | RemovalCorrection
    | ContactCorrection
    | TableCorrection
    | TerrainRejection
    | CandidateCorrection
    | BaseCorrection
    | AbsenceCorrection
    | ArmyCorrection
    | CompletionCorrection
    | CorrectionGroup,
    Field(discriminator="do"),
]
CORRECTION: TypeAdapter[Correction] = TypeAdapter(Correction)


def note_places(
    correction: Correction,
    state: TableState,
    measured: TableState | None = None,
    *,
    placed_mm: Mapping[Id, Point] = MappingProxyType({}),
) -> Correction:
    """The same correction, with where the named ones stand now, or were `measured`, if it ends when they move.

    `placed_mm`: where the same step places some of them.
    """
    if isinstance(correction, CorrectionGroup):
        placed_mm = {single.id: single.at_mm for single in correction.corrections if isinstance(single, BaseCorrection)}
        noted = tuple(note_places(single, state, measured, placed_mm=placed_mm) for single in correction.corrections)
        return CorrectionGroup.model_validate({"do": "several", "corrections": noted})
    if isinstance(correction, BaseCorrection):
        return _note_measured_base(correction, state, state if measured is None else measured)
    if isinstance(correction, CompletionCorrection):
        return CompletionCorrection(do="complete", seen_ids=standing_ids(state))
    if isinstance(correction, ContactCorrection):
        ids: tuple[Id, ...] = (correction.a, correction.b)
    elif isinstance(correction, MiniatureCorrection) and correction.facing_deg is not None:
        ids = correction.ids
    else:
        return correction
    seen_mm = {m.id: m.at_mm for m in state.miniatures if m.id in ids}
    seen_mm |= {id_: at_mm for id_, at_mm in placed_mm.items() if id_ in ids}
    return type(correction).model_validate(correction.model_dump() | {"seen_mm": seen_mm})


def standing_ids(state: TableState) -> tuple[Id, ...]:
    """All that stand on the table, in the order of their names."""
    return tuple(sorted(m.id for m in state.miniatures if "removed" not in m.status))


def _note_measured_base(correction: BaseCorrection, state: TableState, measured: TableState) -> BaseCorrection:
    """The same correction, with what the camera had measured under a place that another hand may have given."""
    thing = state.by_id.get(correction.id)
    if isinstance(thing, Miniature) and thing.placement == "by-hand":
        thing = measured.by_id.get(correction.id)
    seen = thing if isinstance(thing, Miniature) else None
    noted = {"seen_mm": seen and seen.at_mm, "seen_base": seen and seen.base, "measured_id": None, "is_over": False}
    return BaseCorrection(**{**dict(correction), **noted})


class CorrectionStep(Frozen):
    """A correction with its number, when and by which seat it was made, and whether it was taken back."""

    n: int
    at_s: float
    by: Seat
    says: str
    is_undone: bool = False
    changed_n: int = Field(description="the newest line of the journal that made it, took it back or let it hold again")
    changed_by: Seat = Field(description="who wrote that line")
    agreed_by: Seat | None = Field(None, description="the other player or the judge, who agreed to it; null: nobody")
    has_opponent: bool = Field(
        False, description="whether the other player had a seat then: what the table is played by is one player's word"
    )
    correction: Correction

    def with_change(self, *, is_undone: bool, n: int, by: Seat) -> "CorrectionStep":
        """The same step, taken back or holding again since line `n`."""
        return CorrectionStep(**{**dict(self), "is_undone": is_undone, "changed_n": n, "changed_by": by})


def describe_correction(correction: Correction) -> str:
    """The step in a few words, for both players."""
    match correction:
        case MiniatureCorrection():
            fields = ", ".join(map(_spell_field, sorted(correction.stated_fields())))
            return f"{_list_ids(correction.ids)}: {correction.name or fields}"
        case PlacementCorrection():
            return f"On the table: {_list_ids(tuple(thing.id for _, laid in correction.things() for thing in laid))}"
        case RemovalCorrection():
            return f"Off the table: {_list_ids(correction.ids)}"
        case ContactCorrection():
            return f"{correction.a} and {correction.b} {'touch' if correction.is_touching else 'do not touch'}"
        case TerrainRejection():
            return "No terrain where some was proposed"
        case CandidateCorrection():
            return f"A base, now {correction.id}" if correction.is_base else "No base where one was suspected"
        case BaseCorrection(id=id_, base=base):
            return f"{id_}: a {describe_base(base)} base, placed by hand"
        case AbsenceCorrection():
            return _describe_absence(correction)
        case ArmyCorrection():
            return f"{correction.unit}: {_describe_army(correction)}"
        case CompletionCorrection():
            return "The table is complete"
        case CorrectionGroup() if (placed := _placed_alike(correction)) is not None:
            return placed
        case CorrectionGroup():
            return "; ".join(describe_correction(single) for single in correction.corrections[:3])
        case _:
            settings = (_describe_setting(correction, name) for name in sorted(correction.stated_fields()))
            return f"Table: {', '.join(settings)}"


def _placed_alike(group: CorrectionGroup) -> str | None:
    """Such as "spears: 18 bases of 25 x 25 mm rectangular, placed by hand", where a group places a whole unit."""
    bases = [single.base for single in group.corrections if isinstance(single, BaseCorrection)]
    if len(bases) < 2 or any(base != bases[0] for base in bases):
        return None
    named = (single.unit for single in group.corrections if isinstance(single, MiniatureCorrection))
    unit = next((f"{unit}: " for unit in named if unit is not None), "")
    return f"{unit}{len(bases)} bases of {describe_base(bases[0])}, placed by hand"


def _spell_field(name: str) -> str:
    return name.removesuffix("_deg").replace("_", " ")


def _describe_setting(correction: TableCorrection, name: str) -> str:
    setting = _spell_field(name)
    return f"{setting} {EDITIONS[correction.edition].book}" if name == "edition" and correction.edition else setting


def _describe_army(about: ArmyCorrection) -> str:
    """Such as "in reserve, damage 3 of 8"."""
    parts = {
        "is_in_reserve": "in reserve" if about.is_in_reserve else "out of reserve",
        "inside": f"inside {about.inside}" if about.inside else "inside nothing",
        "damage": f"damage {about.damage or 'none'}",
        "is_activated": "activated" if about.is_activated else "not activated",
        "note": "a note",
    }
    return ", ".join(parts[name] for name in about.stated_fields())


def _describe_absence(absence: AbsenceCorrection) -> str:
    """Such as "blue: 1 30 mm, a casualty"."""
    size = "of any size" if absence.base is None else describe_base(absence.base)
    what = {"casualty": ("a casualty", "casualties"), "in-reserve": ("in reserve", "in reserve")}[absence.why]
    side = "" if absence.side is None else f"{absence.side}: "
    return f"{side}{absence.count} {size}, {what[absence.count > 1]}"


def describe_base(base: Base) -> str:
    """Its size in a few words."""
    if isinstance(base, RoundBase):
        return f"{base.diameter_mm:g} mm"
    return f"{base.width_mm:g} x {base.depth_mm:g} mm {'oval' if base.shape == 'oval' else 'rectangular'}"


def _list_ids(ids: tuple[Id, ...]) -> str:
    return ", ".join(ids) if len(ids) <= 3 else f"{', '.join(ids[:2])} and {len(ids) - 2} more"


class StepChoice(Frozen, json_schema_extra={"examples": [{"n": 17}]}):
    """The step that is meant; the obvious one when left out."""

    n: int | None = Field(None, ge=1)


class StepNumber(Frozen, json_schema_extra={"examples": [{"n": 17}]}):
    """The step that is meant."""

    n: int = Field(ge=1)
