"""The state of a table: everything a question may read."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Literal

from pydantic import Field, model_validator

from models.blocks import spelled_out
from models.frozen import Frozen
from models.house_rules import HOUSE_RULES
from models.miniature import Miniature
from models.proposal import Proposal
from models.terrain import Effect, Objective, Terrain, Zone
from models.turn import Turn
from models.unit import Unit
from models.words import EditionId, Id, NotNegative, Positive, Share


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
    """An independent unit-normal error that moves many miniatures together (camera pose, calibration)."""

    name: str
    shift_mm: dict[Id, tuple[float, float]]


Thing = Miniature | Unit | Terrain | Effect | Objective | Zone


class TableState(Frozen):
    """One moment of the table, with its doubt. Ids are unique over the whole state."""

    version: Literal[1] = 1
    edition: EditionId
    house_rules: dict[str, str] = {}
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

        What is only proposed is no part of it.
        """
        told = self.model_dump(mode="json", exclude_defaults=True, exclude={"proposals"})
        canonical = json.dumps(told, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()[:16]

    def with_miniatures(self, miniatures: tuple[Miniature, ...]) -> "TableState":
        """The same table with these miniatures on it."""
        return self._with(miniatures=miniatures)

    def with_house_rules(self, **chosen: str) -> "TableState":
        """The same table under other readings; keys are written with underscores."""
        return self._with(house_rules=self.house_rules | {k.replace("_", "-"): v for k, v in chosen.items()})

    def with_proposals(self, proposals: tuple[Proposal, ...]) -> "TableState":
        """The same table, and what its picture suggests besides."""
        return self._with(proposals=proposals)

    def in_edition(self, edition: EditionId) -> "TableState":
        """The same table under another rulebook."""
        return self._with(edition=edition)

    def _with(self, **changes: object) -> "TableState":
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return TableState(**(fields | changes))

    @model_validator(mode="before")
    @classmethod
    def _blocks_are_spelled_out(cls, raw: Any) -> Any:
        return spelled_out(raw) if isinstance(raw, dict) and raw.get("units") else raw

    @model_validator(mode="after")
    def _ids_are_unique(self) -> "TableState":
        counted = Counter(thing.id for thing in self.things())
        twice = sorted(id_ for id_, n in counted.items() if n > 1)
        if twice:
            raise ValueError(f"these ids stand twice: {', '.join(twice)}")
        return self

    @model_validator(mode="after")
    def _house_rules_are_known(self) -> "TableState":
        for key, chosen in self.house_rules.items():
            if key not in HOUSE_RULES:
                raise ValueError(f"house rule {key!r} is not known")
            if not HOUSE_RULES[key].allows(chosen):
                raise ValueError(f"house rule {key!r} knows {', '.join(HOUSE_RULES[key].readings)}, not {chosen!r}")
        return self

    @model_validator(mode="after")
    def _members_name_things_that_exist(self) -> "TableState":
        units = {unit.id for unit in self.units}
        known = {miniature.id for miniature in self.miniatures}
        for miniature in self.miniatures:
            if miniature.unit is not None and miniature.unit not in units:
                raise ValueError(f"miniature {miniature.id!r} names unit {miniature.unit!r}, which is not there")
        for contact in self.contacts:
            for id_ in (contact.a, contact.b):
                if id_ not in known:
                    raise ValueError(f"a contact names {id_!r}, which is not there")
        return self
