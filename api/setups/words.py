"""The words of setups and of expected bases."""

from typing import Annotated, Literal

from pydantic import Field

from api.journal.entry import Entry
from api.seats.seat import Seat
from models.base import Base
from models.frozen import Frozen
from models.profile import Profile
from models.state import Scenario, Side
from models.terrain import Objective, Terrain, Zone
from models.words import EditionId, Id, MiniatureType

Part = Literal["terrain", "rules", "expected"]
SetupName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 _-]{0,59}$", description="letters, digits, blanks")]
MOST = 300


class Expected(Frozen):
    """A miniature that will stand on the table, or several alike."""

    name: str = Field(min_length=1, max_length=80)
    side: str | None = Field(None, max_length=80)
    unit: Id | None = None
    type: MiniatureType | None = None
    base: Base
    profile: Profile = Profile()
    count: int = Field(1, ge=1, le=100)


class Roster(Frozen):
    """Who is expected."""

    expected: tuple[Expected, ...] = Field(max_length=MOST)


class RosterPutDown(Entry):
    """Who is expected from now on."""

    type: Literal["roster"] = "roster"
    by: Seat
    expected: tuple[Expected, ...]


class Found(Frozen):
    """An expected miniature, those on the table that bear its name, and those of its base that bear none."""

    expected: Expected
    named: tuple[Id, ...]
    may_be: tuple[Id, ...]


class Rules(Frozen):
    """What a table is played by."""

    edition: EditionId
    house_rules: dict[str, str] = {}
    scenario: Scenario | None = None
    sides: tuple[Side, ...] = ()


class Setup(Frozen):
    """What a table is played with; a part that is null is none of it."""

    name: SetupName
    width_mm: float | None = Field(None, gt=0, description="of the table it was made for")
    depth_mm: float | None = Field(None, gt=0)
    terrain: tuple[Terrain, ...] | None = Field(None, max_length=MOST)
    objectives: tuple[Objective, ...] = Field((), max_length=MOST)
    zones: tuple[Zone, ...] = Field((), max_length=MOST)
    rules: Rules | None = None
    expected: tuple[Expected, ...] | None = Field(None, max_length=MOST)


class Keep(Frozen):
    """Which parts of the table as it is now to keep."""

    parts: frozenset[Part] = Field(frozenset({"terrain", "rules", "expected"}), min_length=1)


class SetupTold(Frozen):
    """A setup in a few words."""

    name: SetupName
    parts: tuple[Part, ...]
    pieces: int
