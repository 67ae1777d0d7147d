"""Table state: everything a question may read."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import Any, Literal

from pydantic import Field, model_validator

from models.base import Base
from models.errors import FieldFault
from models.frozen import Frozen
from models.house_rules import HOUSE_RULES
from models.miniature import Miniature
from models.references import find_broken_reference, placed_ids, supported_effects
from models.terrain import Effect, Objective, Terrain, Zone
from models.terrain_proposal import Proposal
from models.turn import Turn
from models.unconfirmed_base import UnconfirmedBase
from models.unit import Unit, expand_blocks
from models.vocabulary import OPEN_EDITION, EditionId, Id, NotNegative, Positive, Share
from models.written_book import BookInPlay, BookStamp


class TableSize(Frozen):
    width_mm: Positive
    depth_mm: Positive


class Side(Frozen):
    """A player, where he stands and who his friends are."""

    id: Id
    edge: Literal[
        "near", "far", "left", "right", "corner-near-left", "corner-near-right", "corner-far-left", "corner-far-right"
    ] | None = None  # fmt: skip
    allies: tuple[Id, ...] = ()
    first: bool = False


class Scenario(Frozen):
    """The printed scenario, and what has been scored of it."""

    name: str | None = None
    points: dict[str, float] = {}
    scored: tuple[Id, ...] = ()


class Contact(Frozen):
    """Two bases known to touch, from the fit or a tap."""

    a: Id
    b: Id
    probability: Share


class CommonMode(Frozen):
    """An independent unit-normal error that moves many miniatures together (camera pose, calibration, a block)."""

    name: str
    shift_mm: dict[Id, tuple[float, float]]
    turn_deg: dict[Id, float] = Field({}, description="by how much it turns each of them, anticlockwise")


class RollCall(Frozen):
    """Roll call: whether players called the table complete, and what their lists name that stands nowhere."""

    is_complete: bool = Field(False, description="every base on the table stands in the state, as both players say")
    missing: tuple[Base, ...] = Field(
        (), description="bases that are expected and not on this table, as far as sizes are known"
    )


_SEEN_ONLY = {"proposals", "looked_for", "unconfirmed", "roll_call"}
Thing = Miniature | Unit | Terrain | Effect | Objective | Zone


class TableState(Frozen):
    """One moment of the table, with its doubt. Ids are unique over the whole state."""

    version: Literal[1] = 1
    edition: EditionId
    house_rules: dict[str, str] = {}
    book: BookInPlay | None = Field(None, description="a rulebook written as data; it holds under edition `open`")
    table: TableSize
    sides: tuple[Side, ...] = (Side(id="red", edge="near", first=True), Side(id="blue", edge="far"))
    scenario: Scenario | None = None
    turn: Turn | None = None
    contacts: tuple[Contact, ...] = ()
    contact_tolerance_mm: NotNegative = 0.5
    still_tolerance_mm: NotNegative = 0.5
    facing_tolerance_deg: NotNegative = 1.0
    common_mm: tuple[CommonMode, ...] = ()
    miniatures: tuple[Miniature, ...] = ()
    units: tuple[Unit, ...] = ()
    terrain: tuple[Terrain, ...] = ()
    effects: tuple[Effect, ...] = ()
    objectives: tuple[Objective, ...] = ()
    zones: tuple[Zone, ...] = ()
    proposals: tuple[Proposal, ...] = Field((), description="what a picture suggests; no rule reads it")
    looked_for: tuple[Base, ...] = Field((), description="the sizes that the picture was searched for; none: not told")
    unconfirmed: tuple[UnconfirmedBase, ...] = Field(
        (), description="what may be a base in the picture and is not confirmed; no rule reads it"
    )

    roll_call: RollCall | None = Field(None, description="whether every base is known to be here; no rule reads it")

    def things(self) -> Iterator[Thing]:
        yield from self.miniatures
        yield from self.units
        yield from self.terrain
        yield from self.effects
        yield from self.objectives
        yield from self.zones

    @cached_property
    def by_id(self) -> dict[str, Thing]:
        return {thing.id: thing for thing in self.things()}

    @cached_property
    def state_id(self) -> str:
        """Hash of the canonical state: the same table has the same id, whatever the file's layout.

        What is only proposed, unconfirmed or looked for is no part of it.
        """
        fields = self.model_dump(mode="json", exclude_defaults=True, exclude=_SEEN_ONLY)
        canonical = json.dumps(fields, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()[:16]

    def with_miniatures(self, miniatures: tuple[Miniature, ...]) -> "TableState":
        """The same table with these miniatures on it; what lay on who is gone goes too."""
        standing_ids = {m.id for m in miniatures}
        if standing_ids.issuperset(m.id for m in self.miniatures):
            return self._replace_fields(miniatures=miniatures)
        contacts = tuple(c for c in self.contacts if c.a in standing_ids and c.b in standing_ids)
        effects = supported_effects(self.effects, known=self._placed_ids(miniatures))
        return self._replace_fields(miniatures=miniatures, contacts=contacts, effects=effects)

    def with_displaced(
        self, *, miniatures: tuple[Miniature, ...], terrain: tuple[Terrain, ...], effects: tuple[Effect, ...]
    ) -> "TableState":
        """The same table with its things a little elsewhere; nothing else can be wrong of it, so nothing is checked."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        changes = {"miniatures": miniatures, "terrain": terrain, "effects": effects}
        return type(self).model_construct(self.model_fields_set, **(fields | changes))

    def with_house_rules(self, **chosen: str) -> "TableState":
        """The same table under other readings; keys are written with underscores."""
        return self._replace_fields(house_rules=self.house_rules | {k.replace("_", "-"): v for k, v in chosen.items()})

    def with_proposals(self, proposals: tuple[Proposal, ...]) -> "TableState":
        """The same table, and what its picture suggests besides."""
        return self._replace_fields(proposals=proposals)

    def with_sightings(self, *, looked_for: tuple[Base, ...], unconfirmed: tuple[UnconfirmedBase, ...]) -> "TableState":
        """The same table, with what its picture was searched for and what may be a base in it besides."""
        return self._replace_fields(looked_for=looked_for, unconfirmed=unconfirmed)

    def with_roll_call(
        self, *, is_complete: bool | None = None, missing: tuple[Base, ...] | None = None
    ) -> "TableState":
        """The same table, called complete or not, with what is missing; what is left out stays."""
        before = self.called
        called = RollCall(
            is_complete=before.is_complete if is_complete is None else is_complete,
            missing=before.missing if missing is None else missing,
        )
        return self._replace_fields(roll_call=None if called == RollCall() else called)

    def in_edition(self, edition: EditionId, book: BookInPlay | None = None) -> "TableState":
        """The same table under another rulebook."""
        return self._replace_fields(edition=edition, book=book)

    @cached_property
    def written_book(self) -> BookInPlay | None:
        """The book written as data by which is judged here; None under every other rulebook."""
        return self.book if self.edition == OPEN_EDITION else None

    @property
    def called(self) -> RollCall:
        """The roll call; nobody called the roll of a table that tells none."""
        return self.roll_call or RollCall()

    @property
    def book_stamp(self) -> BookStamp | None:
        """Which written book a verdict about this table is given by."""
        return None if self.written_book is None else self.written_book.stamp

    @cached_property
    def chosen_readings(self) -> dict[str, str]:
        """What is chosen where a rulebook leaves a choice: by the table, else by its written book."""
        book = self.written_book
        return self.house_rules if book is None else {**book.rules.readings(), **self.house_rules}

    def _replace_fields(self, **changes: object) -> "TableState":
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return TableState(**(fields | changes))

    @model_validator(mode="before")
    @classmethod
    def _blocks_are_spelled_out(cls, raw: Any) -> Any:
        return expand_blocks(raw) if isinstance(raw, dict) and raw.get("units") else raw

    @model_validator(mode="after")
    def _ids_are_unique(self) -> "TableState":
        counted = Counter(thing.id for thing in self.things())
        twice = sorted(id_ for id_, n in counted.items() if n > 1)
        if twice:
            raise FieldFault(
                f"these ids stand twice: {', '.join(twice)}", field=self._field_of_second(twice[0]), value=twice[0]
            )
        return self

    def _field_of_second(self, id_: Id) -> str:
        """Where an id stands the second time."""
        lists = ("miniatures", "units", "terrain", "effects", "objectives", "zones")
        places = (f"{name}.{k}.id" for name in lists for k, thing in enumerate(getattr(self, name)) if thing.id == id_)
        return next(islice(places, 1, None))

    @model_validator(mode="after")
    def _house_rules_are_known(self) -> "TableState":
        for key, chosen in self.house_rules.items():
            if key not in HOUSE_RULES:
                raise FieldFault(f"house rule {key!r} is not known", field=f"house_rules.{key}", value=chosen)
            if not HOUSE_RULES[key].allows(chosen):
                says = f"house rule {key!r} knows {HOUSE_RULES[key].describe_allowed()}, not {chosen!r}"
                raise FieldFault(says, field=f"house_rules.{key}", value=chosen)
        return self

    @model_validator(mode="after")
    def _members_name_things_that_exist(self) -> "TableState":
        units = {unit.id for unit in self.units}
        known = {miniature.id for miniature in self.miniatures}
        ground = {piece.id for piece in self.terrain}
        for k, miniature in enumerate(self.miniatures):
            if miniature.unit is not None and miniature.unit not in units:
                says = f"miniature {miniature.id!r} names unit {miniature.unit!r}, which is not there"
                raise FieldFault(says, field=f"miniatures.{k}.unit", value=miniature.unit)
            if miniature.inside is not None and miniature.inside not in ground:
                says = f"miniature {miniature.id!r} is inside {miniature.inside!r}, which is no terrain here"
                raise FieldFault(says, field=f"miniatures.{k}.inside", value=miniature.inside)
        for k, contact in enumerate(self.contacts):
            for end, id_ in (("a", contact.a), ("b", contact.b)):
                if id_ not in known:
                    says = f"a contact names {id_!r}, which is not there"
                    raise FieldFault(says, field=f"contacts.{k}.{end}", value=id_)
        return self

    @model_validator(mode="after")
    def _what_lies_on_others_has_them(self) -> "TableState":
        if not self.effects and not self.objectives:
            return self
        terrain = (piece.id for piece in self.terrain)
        broken = find_broken_reference(
            self.effects, self.objectives, known=self._placed_ids(self.miniatures), terrain=terrain
        )
        if broken is not None:
            raise FieldFault(broken.says, field=broken.field, value=broken.value)
        return self

    def _placed_ids(self, miniatures: tuple[Miniature, ...]) -> Iterator[Id]:
        """All on which an effect may stand, with these miniatures; effects themselves aside."""
        return placed_ids(
            miniatures, units=self.units, terrain=self.terrain, objectives=self.objectives, zones=self.zones
        )
