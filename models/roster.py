"""Army list: the units a player wrote down elsewhere, as read: names, counts, bases, numbers, and what was not read."""

from typing import Literal

from pydantic import Field

from models.base import Base
from models.frozen import Frozen
from models.profile import Profile
from models.vocabulary import EditionId, MiniatureType, Role

RosterFormat = Literal[
    "battlescribe", "new-recruit", "old-world-builder", "ttga", "warmachine-data", "text", "lines"
]  # fmt: skip


class Characteristic(Frozen):
    """A cell of a card as it stands in the list: whose, which, and its text."""

    profile: str
    name: str
    text: str


class Remark(Frozen):
    """Something of the list that was kept and not read, or read in one of two ways: where, what, and why."""

    where: str
    text: str
    why: str


class RosterQuestion(Frozen):
    """What the list leaves open: how many a unit is, lines that were not understood, a sum that is off."""

    where: str = Field(description="the unit, or `list`")
    asks: Literal["count", "lines", "points"]
    says: str


LineKind = Literal["unit", "model", "option", "title", "unread"]


class RosterLine(Frozen):
    """A line of a text and what it was read as; `unread` where it is shown as not understood."""

    number: int = Field(ge=1, description="in the text, from 1")
    text: str
    kind: LineKind
    is_doubtful: bool = Field(False, description="read as a unit line by line, by no known layout")


class RosterModel(Frozen):
    """Miniatures of a unit that are alike."""

    name: str
    entry_id: str | None = Field(None, description="of the catalogue the list was made from")
    count: int = Field(1, ge=1)
    may_be_count: int | None = Field(None, description="how many the name seems to say, where that is another number")
    base: Base | None = None
    type: MiniatureType | None = None
    role: tuple[Role, ...] = ()
    profile: Profile = Profile()
    characteristics: tuple[Characteristic, ...] = ()


class RosterUnit(Frozen):
    """An entry of the list: one miniature or many that stand together."""

    name: str
    custom_name: str | None = None
    entry_id: str | None = None
    force: str | None = None
    command_in: float | None = None
    points: int | None = Field(None, ge=0, description="of the whole unit, where the list says so")
    models: tuple[RosterModel, ...]

    @property
    def count(self) -> int:
        return sum(model.count for model in self.models)

    @property
    def display_name(self) -> str:
        """As its player calls it."""
        return self.custom_name or self.name


class RosterCounts(Frozen):
    """What the file holds, counted as its makers count; zero where the format has no such thing."""

    forces: int = 0
    nested_forces: int = 0
    unit_selections: int = 0
    model_count: int = Field(0, description="numbers of all selections of type model")
    selections: int = 0
    profiles: int = 0
    characteristics: int = 0


class RosterList(Frozen):
    """An army list as read."""

    version: Literal[1] = 1
    format: RosterFormat
    program: str | None = Field(None, description="whose text it is, where a layout says so")
    name: str | None = None
    game: str | None = Field(None, description="the game as the list calls it")
    edition: EditionId | None = Field(None, description="our rulebook of that game; null when we know none")
    units: tuple[RosterUnit, ...]
    counts: RosterCounts = RosterCounts()
    remarks: tuple[Remark, ...] = ()
    questions: tuple[RosterQuestion, ...] = Field((), description="while one asks about lines, nothing is laid out")
    lines: tuple[RosterLine, ...] = Field((), description="of a text, each line that is not blank, once")

    @property
    def miniatures(self) -> int:
        """How many stand on the table."""
        return sum(unit.count for unit in self.units)
